/**
 * Every order that this connector was asked to place, until eight days past its end; durable before it can leave.
 *
 * Owns: what is known of each, and what Alpaca's word makes of it. Does not own: asking Alpaca (connector.ts).
 *
 * Invariants:
 * 1. An order is durable, as `leaving`, before a request about it goes out.
 * 2. What Alpaca last said of it counts, by Alpaca's own time: an older word that comes late changes nothing. The filled
 *    quantity never falls.
 * 3. The first answer to a name is kept: it is the answer for ever.
 * 4. What is not among them was never sent from this folder.
 * 5. `updatedMs` is by Alpaca's clock, once it has told of the order.
 */
import { z } from "zod";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import { ORDER_COMPLETED, ORDER_REJECTED } from "../../../src/domain/order/order.ts";
import type { Clock } from "../../../src/runtime/ports.ts";
import { UserError } from "../../../src/runtime/user-error.ts";
import { type FolderOptions, openConnectorFolder } from "../host/state/folder.ts";
import { freshOrder, sentOrderFields, toOrderRecord } from "../host/state/sent-order.ts";
import type { AlpacaOrder } from "./order.ts";

const KEPT_MS = 8 * 86_400_000;
/** The journal is shortened whenever it has grown by this much. */
const GROWN_BYTES_MAX = 16 * 1024 * 1024;

const orderSchema = z.object({
  ...sentOrderFields,
  /**
   * `leaving`: an attempt may have been taken. `notSent`: certainly none was. `accepted`: Alpaca has it. `refused`:
   * Alpaca judged and refused it.
   */
  standing: z.enum(["leaving", "notSent", "accepted", "refused"]),
  /** When an attempt that may have been taken first left. */
  firstSentMs: z.number(),
  lastSentMs: z.number(),
  orderNo: z.string().nullable(),
});
export type KnownOrder = Readonly<z.infer<typeof orderSchema>>;

const ownerRecord = z.object({ kind: z.literal("alpaca"), version: z.literal(1) });
const recordSchema = z.discriminatedUnion("kind", [
  ownerRecord,
  z.object({ kind: z.literal("order"), order: orderSchema }),
]);

/** What a journal's records say, a line each, for whoever looks after the folder. Throws where they cannot be read. */
export function describeSentOrders(records: readonly unknown[]): string[] {
  const orders = new Map<string, KnownOrder>();
  for (const value of records) {
    const record = recordSchema.parse(value);
    if (record.kind === "order") orders.set(record.order.clientOrderId, record.order);
  }
  const all = [...orders.values()];
  const inDoubt = all.filter(({ standing }) => standing === "leaving");
  return [
    `orders at Alpaca: ${all.length}, ${all.filter((order) => !isOver(order)).length} of them not over`,
    ...inDoubt.map(({ clientOrderId, symbol }) => `order ${clientOrderId} of ${symbol}: its outcome is not known`),
  ];
}

/** True when nothing more is expected of it. */
export function isOver({ standing, orderStatus }: KnownOrder): boolean {
  return (
    standing === "refused" || standing === "notSent" || (standing === "accepted" && orderStatus >= ORDER_COMPLETED)
  );
}

/** What Alpaca's word makes of an order; the same object when it changes nothing. */
export function applyWord(order: KnownOrder, word: AlpacaOrder): KnownOrder {
  const isFirst = order.standing !== "accepted";
  if (!isFirst && (word.updatedMs < order.updatedMs || word.filledQuantity < order.filledQuantity)) return order;
  // Once over it stays over: an ending and a word from before it may carry the same time.
  const isBack = !isFirst && order.orderStatus >= ORDER_COMPLETED && word.orderStatus < ORDER_COMPLETED;
  if (isBack) return order;
  const { orderNo, orderStatus, filledQuantity, averagePrice, updatedMs, text } = word;
  const changed: KnownOrder = {
    ...order,
    ...{ standing: "accepted", orderNo, orderStatus, filledQuantity, averagePrice, updatedMs },
    text: text === "" ? order.text : text,
  };
  const fields = Object.keys(changed) as (keyof KnownOrder)[];
  return fields.every((field) => changed[field] === order[field]) ? order : changed;
}

/** The order as the gateway contract tells it. One that never was at Alpaca goes by its own name. */
export function recordOf(order: KnownOrder): OrderRecord {
  const orderStatus = order.standing === "refused" ? ORDER_REJECTED : order.orderStatus;
  return toOrderRecord(order.orderNo ?? order.clientOrderId, { ...order, orderStatus });
}

interface SentOrdersOptions extends FolderOptions {
  readonly clock: Clock;
}

export class SentOrders {
  readonly #orders = new Map<string, KnownOrder>();
  readonly #byNumber = new Map<string, string>();
  readonly #clock: Clock;
  #folder!: Awaited<ReturnType<typeof openConnectorFolder>>;
  #onChange: (order: KnownOrder) => void = () => undefined;

  private constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Locks and opens the folder. Throws an `UserError` where there is none, or one that cannot be used. */
  static async open(options: SentOrdersOptions): Promise<SentOrders> {
    const sentOrders = new SentOrders(options.clock);
    sentOrders.#folder = await openConnectorFolder(options, {
      isOwner: (record) => ownerRecord.safeParse(record).success,
      shorten: (records) => sentOrders.#restore(records),
    });
    sentOrders.#folder.journal.keepShort(GROWN_BYTES_MAX, () => sentOrders.#snapshot());
    return sentOrders;
  }

  /** Told of every change, once it is durable. */
  onChange(listener: (order: KnownOrder) => void): void {
    this.#onChange = listener;
  }

  get(clientOrderId: string): KnownOrder | undefined {
    return this.#orders.get(clientOrderId);
  }

  byNumber(orderNo: string): KnownOrder | undefined {
    return this.get(this.#byNumber.get(orderNo) ?? orderNo);
  }

  of(accountNumber: string): KnownOrder[] {
    return [...this.#orders.values()].filter((order) => order.accountNumber === accountNumber);
  }

  /** Keeps a new or changed order; resolves once it is durable. */
  keep(order: KnownOrder): Promise<void> {
    const { journal } = this.#folder;
    this.#put(order);
    journal.append({ kind: "order", order });
    return new Promise((resolve) => {
      journal.afterDurable(() => {
        this.#onChange(order);
        resolve();
      });
    });
  }

  close(): Promise<void> {
    return this.#folder.close();
  }

  #restore(records: readonly unknown[]): readonly object[] {
    for (const value of records) {
      const record = recordSchema.safeParse(value);
      if (!record.success) {
        throw new UserError("the journal is not that of an Alpaca connector, or of another version", {
          reason: "data",
        });
      }
      if (record.data.kind === "order") this.#put(record.data.order);
    }
    return this.#snapshot();
  }

  /** All that is to be kept; what is long over is forgotten. */
  #snapshot(): readonly object[] {
    const nowMs = this.#clock.nowMs();
    for (const [name, order] of this.#orders) {
      if (!isOver(order) || nowMs - Math.max(order.updatedMs, order.lastSentMs) <= KEPT_MS) continue;
      this.#orders.delete(name);
      if (order.orderNo !== null) this.#byNumber.delete(order.orderNo);
    }
    const orders = [...this.#orders.values()].map((order) => ({ kind: "order" as const, order }));
    return [{ kind: "alpaca", version: 1 }, ...orders];
  }

  #put(order: KnownOrder): void {
    this.#orders.set(order.clientOrderId, order);
    if (order.orderNo !== null) this.#byNumber.set(order.orderNo, order.clientOrderId);
  }
}

/** An order that is about to leave for the first time. */
export function leavingOrder(asked: Parameters<typeof freshOrder>[0], nowMs: number): KnownOrder {
  return { ...freshOrder(asked, nowMs), standing: "leaving", firstSentMs: nowMs, lastSentMs: nowMs, orderNo: null };
}
