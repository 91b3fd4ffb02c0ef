/**
 * Requests to a brokerage about an order of the outbox, and whether an answer can be true.
 *
 * Owns: the requests, and turning nonsense into "unknown". Does not own: the consequences of an answer.
 *
 * Invariants:
 * 1. A call always answers; an exception of a brokerage's adapter is an unknown outcome.
 * 2. An answer that names another order is an unknown outcome, never a placement.
 */
import type { Fence } from "../../../src/contract/gateway/fence.ts";
import type {
  BrokerReply,
  FindOrderRequest,
  OrderAnswer,
  OrderRecord,
  PlaceRequest,
} from "../../../src/contract/trading/order.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { LruCache } from "../../../src/runtime/lru-cache.ts";
import type { Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import type { Brokerage } from "../../ports/brokerage.ts";
import type { OutboxOrder } from "../../ports/order.ts";
import { adapterAnswer } from "../adapter-answer.ts";
import type { OutboxEntry } from "./entry/entry.ts";
import { fencedAttempt, logFields, type TrackedOrder } from "./tracked-order.ts";

/** Long enough to catch a confused brokerage, short enough for brokerages with new numbers every trading day. */
const NUMBER_MEMORY_MS = 3_600_000;
const NUMBER_MEMORY_COUNT = 20_000;
/** How long an orderly stop waits for answers. An outcome that is unknown then is settled at the next start. */
const ANSWER_WITHIN_MS = 2_000;

/** The sender, as fences name it. */
export type Sender = Omit<Fence, "attempt">;

interface KnownNumber {
  readonly clientOrderId: string;
  readonly sinceMs: number;
}

interface CallOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly sender: Sender;
  /** Called for every attempt that leaves. */
  readonly onSent?: (clientOrderId: string) => void;
  /** Whether two names are of one symbol, which was renamed; absent: none was. */
  readonly isSameSymbol?: ((left: string, right: string) => boolean) | undefined;
}

export class BrokerageCalls {
  readonly #options: CallOptions;
  /** The last order numbers that our orders got. */
  readonly #numbers = new LruCache<string, KnownNumber>(NUMBER_MEMORY_COUNT);
  #underWay = 0;
  #whenIdle: (() => void)[] = [];

  constructor(options: CallOptions) {
    this.#options = options;
  }

  /** Places or chains the order. A brokerage that is not configured is unreachable. */
  async send(brokerage: Brokerage | undefined, tracked: TrackedOrder): Promise<BrokerReply<OrderAnswer>> {
    const { entry } = tracked;
    if (brokerage === undefined) return notConfigured(entry);
    const { referenceOrderNo } = entry.order;
    const request = toPlaceRequest(entry, this.#fence(tracked));
    this.#options.onSent?.(entry.order.clientOrderId);
    const reply = await this.#ask(entry, () =>
      referenceOrderNo === undefined ? brokerage.place(request) : brokerage.chain({ ...request, referenceOrderNo }),
    );
    return reply.ok && this.#isOthersNumber(entry.order, reply.data.orderNo)
      ? this.#nonsense(entry, "the brokerage answered with the number of another order")
      : reply;
  }

  /** Looks the order up by its name. A brokerage that is not configured is unreachable. */
  async lookUp(brokerage: Brokerage | undefined, tracked: TrackedOrder): Promise<BrokerReply<OrderRecord>> {
    const { entry } = tracked;
    if (brokerage === undefined) return notConfigured(entry);
    const { userId, accountNumber, clientOrderId } = entry.order;
    const request: FindOrderRequest = { userId, accountNumber, clientOrderId, fence: this.#fence(tracked) };
    const reply = await this.#ask(entry, () => brokerage.findOrder(request));
    if (!reply.ok) return reply;
    if (reply.data.clientOrderId !== clientOrderId || !this.#isLike(reply.data, entry.order)) {
      return this.#nonsense(entry, "the brokerage answered with another order");
    }
    return this.#isOthersNumber(entry.order, reply.data.orderNo)
      ? this.#nonsense(entry, "the brokerage answered with the number of another order")
      : reply;
  }

  /** Resolves once no call is under way and the last answer led to its decision, or after `ANSWER_WITHIN_MS`. */
  async idle(timers: Timers): Promise<void> {
    if (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        const cancel = timers.after(ANSWER_WITHIN_MS, resolve);
        this.#whenIdle.push(() => {
          cancel();
          resolve();
        });
      });
    }
    await new Promise<void>((resolve) => timers.soon(resolve));
  }

  /** Notes that the order got this number: no other order may have it. */
  remember(order: OutboxOrder, orderNo: string): void {
    const sinceMs = this.#options.clock.nowMs();
    this.#numbers.set(numberKey(order, orderNo), { clientOrderId: order.clientOrderId, sinceMs });
  }

  /**
   * Whether the record can be this order. Its account may have another name (behaviour 1.8), as may its symbol (30.4),
   * and its quantity may have been changed at the brokerage.
   */
  #isLike(record: OrderRecord, { symbol, buySell }: OutboxOrder): boolean {
    const { isSameSymbol = Object.is } = this.#options;
    return isSameSymbol(record.symbol, symbol) && record.buySell === buySell;
  }

  #fence(tracked: TrackedOrder): Fence {
    const { partition, epoch } = this.#options.sender;
    return { partition, epoch, attempt: fencedAttempt(tracked) };
  }

  #isOthersNumber(order: OutboxOrder, orderNo: string): boolean {
    const known = this.#numbers.get(numberKey(order, orderNo));
    if (known === undefined || known.clientOrderId === order.clientOrderId) return false;
    return this.#options.clock.nowMs() - known.sinceMs < NUMBER_MEMORY_MS;
  }

  async #ask<T>(entry: OutboxEntry, call: () => Promise<BrokerReply<T>>): Promise<BrokerReply<T>> {
    this.#underWay += 1;
    try {
      return await adapterAnswer(call, this.#options.log, logFields({ entry }));
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) for (const tell of this.#whenIdle.splice(0)) tell();
    }
  }

  #nonsense<T>(entry: OutboxEntry, message: string): BrokerReply<T> {
    this.#options.log.error({ event: "brokerage.answerWrong", ...logFields({ entry }) }, message);
    return { ok: false, code: "UNAVAILABLE", message };
  }
}

function notConfigured<T>({ order }: OutboxEntry): BrokerReply<T> {
  return { ok: false, code: "NOT_SENT", message: `brokerage ${order.brokerageCode} is not configured` };
}

/** Lists the fields: a copy of the order that gets a new field costs thirty times as much. */
function toPlaceRequest({ order, expiresAtMs }: OutboxEntry, fence: Fence): PlaceRequest {
  const { userId, accountNumber, clientOrderId, symbol, quantity, buySell, orderType, price } = order;
  const request = { userId, accountNumber, clientOrderId, symbol, quantity, buySell, orderType, price, fence };
  return expiresAtMs === null ? request : { ...request, expiresAt: formatTime(expiresAtMs) };
}

/** An order number belongs to one account: brokerages look a number up within its account. */
function numberKey(order: OutboxOrder, orderNo: string): string {
  const { brokerageCode, accountNumber } = order;
  // The length separates two pairs that would be equal when joined.
  return `${brokerageCode}/${accountNumber.length}/${accountNumber}/${orderNo}`;
}
