/**
 * Every order that a connector was asked to place, until eight days past its end; durable before it can leave. For
 * brokerages whose protocol has no sequence numbers of its own.
 *
 * Owns: the state of each, its journal. Does not own: requests to the brokerage, the effect of its answer on an order
 * (the connectors).
 *
 * Invariants:
 * 1. An order is durable, as `leaving`, before a request about it is sent.
 * 2. The first answer to a name is kept forever.
 * 3. An order that is not among them was never sent from this folder.
 */
import { z } from "zod";
import type { OrderRecord } from "../../../../src/contract/trading/order.ts";
import { ORDER_COMPLETED, ORDER_REJECTED } from "../../../../src/domain/order/order.ts";
import type { Clock } from "../../../../src/runtime/ports.ts";
import { UserError } from "../../../../src/runtime/user-error.ts";
import { type FolderOptions, openConnectorFolder } from "./folder.ts";
import { freshOrder, sentOrderFields, toOrderRecord } from "./sent-order.ts";

const KEPT_MS = 8 * 86_400_000;
/** The journal is shortened whenever it has grown by this much. */
const GROWN_BYTES_MAX = 16 * 1024 * 1024;

/** The fields of every such order; a connector can have more. */
export const knownOrderFields = {
  ...sentOrderFields,
  /**
   * `leaving`: an attempt can have been accepted. `notSent`: certainly none was. `accepted`: the brokerage has it.
   * `refused`: the brokerage judged and refused it.
   */
  standing: z.enum(["leaving", "notSent", "accepted", "refused"]),
  /** When the first attempt left that can have been accepted, in epoch milliseconds. */
  firstSentMs: z.number(),
  lastSentMs: z.number(),
  orderNo: z.string().nullable(),
};
type KnownOrder = Readonly<z.infer<z.ZodObject<typeof knownOrderFields>>>;

/** Distinguishes the journal of one kind of connector from another's. */
export interface SentOrdersKind<Order extends KnownOrder> {
  /** The `kind` of the journal's first record. */
  readonly kind: string;
  /** The brokerage's name in messages, with its article: `an Alpaca`. */
  readonly title: string;
  readonly orderSchema: z.ZodType<Order>;
}

/** Describes a journal's records, a line each, for operators. Throws if they cannot be read. */
export function describeSentOrders(records: readonly unknown[], where: string): string[] {
  const schema = z.object({ kind: z.literal("order"), order: z.object(knownOrderFields) });
  const orders = new Map<string, KnownOrder>();
  for (const value of records.slice(1)) {
    const { order } = schema.parse(value);
    orders.set(order.clientOrderId, order);
  }
  const all = [...orders.values()];
  const inDoubt = all.filter(({ standing }) => standing === "leaving");
  return [
    `orders at ${where}: ${all.length}, ${all.filter((order) => !isOver(order)).length} of them not over`,
    ...inDoubt.map(({ clientOrderId, symbol }) => `order ${clientOrderId} of ${symbol}: its outcome is not known`),
  ];
}

/** True when nothing more is expected of it. */
export function isOver({ standing, orderStatus }: Pick<KnownOrder, "standing" | "orderStatus">): boolean {
  return (
    standing === "refused" || standing === "notSent" || (standing === "accepted" && orderStatus >= ORDER_COMPLETED)
  );
}

/**
 * Converts the order to the form of the gateway contract. An order that never was at the brokerage has its own name.
 */
export function recordOf(order: KnownOrder): OrderRecord {
  const orderStatus = order.standing === "refused" ? ORDER_REJECTED : order.orderStatus;
  return toOrderRecord(order.orderNo ?? order.clientOrderId, { ...order, orderStatus });
}

/** Makes an order that is about to leave for the first time. */
export function leavingOrder(asked: Parameters<typeof freshOrder>[0], nowMs: number): KnownOrder {
  return { ...freshOrder(asked, nowMs), standing: "leaving", firstSentMs: nowMs, lastSentMs: nowMs, orderNo: null };
}

interface SentOrdersOptions extends FolderOptions {
  readonly clock: Clock;
}

export class SentOrders<Order extends KnownOrder> {
  readonly #orders = new Map<string, Order>();
  readonly #byNumber = new Map<string, string>();
  readonly #clock: Clock;
  readonly #kind: SentOrdersKind<Order>;
  #folder!: Awaited<ReturnType<typeof openConnectorFolder>>;
  #onChange: (order: Order) => void = () => undefined;

  private constructor(clock: Clock, kind: SentOrdersKind<Order>) {
    this.#clock = clock;
    this.#kind = kind;
  }

  /** Locks and opens the folder. Throws a `UserError` if it is missing or cannot be used. */
  static async open<Order extends KnownOrder>(
    options: SentOrdersOptions,
    kind: SentOrdersKind<Order>,
  ): Promise<SentOrders<Order>> {
    const sentOrders = new SentOrders(options.clock, kind);
    const ownerRecord = z.object({ kind: z.literal(kind.kind), version: z.literal(1) });
    sentOrders.#folder = await openConnectorFolder(options, {
      isOwner: (record) => ownerRecord.safeParse(record).success,
      shorten: (records) => sentOrders.#restore(records, ownerRecord),
    });
    sentOrders.#folder.journal.keepShort(GROWN_BYTES_MAX, () => sentOrders.#snapshot());
    return sentOrders;
  }

  /** Calls `listener` for every change, once it is durable. */
  onChange(listener: (order: Order) => void): void {
    this.#onChange = listener;
  }

  get(clientOrderId: string): Order | undefined {
    return this.#orders.get(clientOrderId);
  }

  byNumber(orderNo: string): Order | undefined {
    return this.get(this.#byNumber.get(orderNo) ?? orderNo);
  }

  all(): Order[] {
    return [...this.#orders.values()];
  }

  of(accountNumber: string): Order[] {
    return this.all().filter((order) => order.accountNumber === accountNumber);
  }

  /** Keeps a new or changed order; resolves once it is durable. */
  keep(order: Order): Promise<void> {
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

  #restore(records: readonly unknown[], ownerRecord: z.ZodType): readonly object[] {
    const { orderSchema, title } = this.#kind;
    const orderRecord = z.object({ kind: z.literal("order"), order: orderSchema });
    for (const value of records) {
      if (ownerRecord.safeParse(value).success) continue;
      const record = orderRecord.safeParse(value);
      if (!record.success) {
        throw new UserError(`the journal is not of ${title} connector, or is of another version`, { reason: "data" });
      }
      this.#put(record.data.order);
    }
    return this.#snapshot();
  }

  /** Everything to keep; orders that ended long ago are forgotten. */
  #snapshot(): readonly object[] {
    const nowMs = this.#clock.nowMs();
    for (const [name, order] of this.#orders) {
      if (!isOver(order) || nowMs - Math.max(order.updatedMs, order.lastSentMs) <= KEPT_MS) continue;
      this.#orders.delete(name);
      // A brokerage can have given its number to a younger order.
      if (order.orderNo !== null && this.#byNumber.get(order.orderNo) === name) this.#byNumber.delete(order.orderNo);
    }
    return [{ kind: this.#kind.kind, version: 1 }, ...this.all().map((order) => ({ kind: "order" as const, order }))];
  }

  #put(order: Order): void {
    this.#orders.set(order.clientOrderId, order);
    if (order.orderNo === null) return;
    // A brokerage can reuse numbers: a number belongs to the order that was sent last.
    const other = this.get(this.#byNumber.get(order.orderNo) ?? "");
    if (other === undefined || other.lastSentMs <= order.lastSentMs)
      this.#byNumber.set(order.orderNo, order.clientOrderId);
  }
}
