/**
 * Which of the sent orders are today's, by which number, and whether an order had its time to appear.
 *
 * Owns: which order a number means, which orders a cancel can mean. Does not own: the sent orders (host), the lists of
 * AlgoLab (order-lists.ts).
 *
 * Invariants:
 * 1. AlgoLab uses numbers again on other days: a number means an order of today, or nothing.
 * 2. The settling time counts by a clock that never steps. For an order of an earlier process it begins with this
 *    process.
 */
import type { CancelRequest } from "../../../src/contract/trading/order.ts";
import type { Clock } from "../../../src/runtime/ports.ts";
import { isOver, type SentOrders } from "../host/state/sent-orders.ts";
import type { OrderRow } from "./api.ts";
import type { KnownOrder } from "./order.ts";
import type { OrderList } from "./order-lists.ts";
import { istanbulDay, withoutMarket } from "./protocol.ts";

/** An answer to a list of orders takes no longer. */
const ANSWER_MS_MAX = 60_000;

interface TodaysOrdersOptions {
  readonly sentOrders: SentOrders<KnownOrder>;
  readonly settleMs: number;
  readonly clock: Clock;
  readonly steadyClock: Clock;
}

export class TodaysOrders {
  readonly #options: TodaysOrdersOptions;
  readonly #startedMs: number;
  /** When orders last left, by the steady clock and in that order. */
  readonly #leftMs = new Map<string, number>();

  constructor(options: TodaysOrdersOptions) {
    this.#options = options;
    this.#startedMs = options.steadyClock.nowMs();
  }

  /** The order leaves now. */
  noteLeaving(clientOrderId: string): void {
    const { steadyClock, settleMs } = this.#options;
    const nowMs = steadyClock.nowMs();
    this.#leftMs.delete(clientOrderId);
    this.#leftMs.set(clientOrderId, nowMs);
    for (const [name, leftMs] of this.#leftMs) {
      if (nowMs - leftMs <= settleMs + ANSWER_MS_MAX) return;
      this.#leftMs.delete(name);
    }
  }

  /** Whether the order had its time to appear before the list was asked for. */
  isSettled({ clientOrderId }: KnownOrder, { askedAtSteadyMs }: OrderList): boolean {
    return askedAtSteadyMs - (this.#leftMs.get(clientOrderId) ?? this.#startedMs) >= this.#options.settleMs;
  }

  isToday(timeMs: number): boolean {
    return istanbulDay(timeMs) === istanbulDay(this.#options.clock.nowMs());
  }

  has({ lastSentMs }: KnownOrder): boolean {
    return this.isToday(lastSentMs);
  }

  /** Today's orders of an account. */
  of(accountNumber: string): KnownOrder[] {
    return this.#options.sentOrders.of(accountNumber).filter((order) => this.has(order));
  }

  /** Today's orders of an account, and orders from before midnight that a row of today's list can be. */
  comparedOf(accountNumber: string): KnownOrder[] {
    return this.#options.sentOrders.of(accountNumber).filter((order) => this.has(order) || this.isMissed(order));
  }

  /** The order of ours that has this number today. */
  ownerOf(accountNumber: string, orderNo: string): KnownOrder | undefined {
    const order = this.#options.sentOrders.byNumber(orderNo);
    const isIt = order?.orderNo === orderNo && order.accountNumber === accountNumber && this.has(order);
    return isIt ? order : undefined;
  }

  /**
   * Whether a row can belong to an order of an earlier day with the same number. It can if the order left before
   * midnight and got the number after it, or if the row is of an earlier day as well.
   */
  isOfEitherDay(accountNumber: string, { atpref, timetransaction }: OrderRow): boolean {
    const isOfToday = timetransaction === undefined || this.isToday(timetransaction);
    const sent = this.#options.sentOrders.of(accountNumber);
    return sent.some(
      (order) => order.orderNo === atpref && !this.has(order) && (!isOfToday || this.isToday(order.updatedMs)),
    );
  }

  /**
   * Whether a row of it can be in today's list, or come to be there, without being known as its own. An order that left
   * shortly before midnight can be one of the next day at AlgoLab, also if the wall clock stepped over midnight.
   */
  isMissed(order: KnownOrder): boolean {
    if (order.standing !== "leaving" && order.absent.length === 0) return false;
    const { settleMs, steadyClock } = this.#options;
    const lateMsMax = settleMs + ANSWER_MS_MAX;
    const leftMs = this.#leftMs.get(order.clientOrderId) ?? Number.NEGATIVE_INFINITY;
    const isRecent = steadyClock.nowMs() - leftMs <= lateMsMax;
    return isRecent || this.has(order) || this.isToday(order.lastSentMs + lateMsMax);
  }

  /** Numbers that AlgoLab gave today, as far as the stored orders contain them: also numbers from before a restart. */
  numbersOf(accountNumber: string): string[] {
    return this.of(accountNumber).flatMap(({ standing, orderNo, rowsBefore }) =>
      standing === "accepted" && orderNo !== null ? [orderNo, ...rowsBefore] : rowsBefore,
    );
  }

  /**
   * Returns why a cancel would meet another order than it means; `undefined`: it means an order of today. `list`: the
   * last one; `venueSymbol`: of the request.
   */
  faultOfCancel(request: CancelRequest, list: OrderList | undefined, venueSymbol: string): string | undefined {
    const { accountNumber, orderNo, clientOrderId, symbol } = request;
    const sent = this.#options.sentOrders.of(accountNumber).filter((order) => order.orderNo === orderNo);
    const named = sent.find((order) => order.clientOrderId === clientOrderId);
    if (named !== undefined) return this.has(named) ? undefined : `order ${orderNo} is of an earlier day`;
    const owner = this.ownerOf(accountNumber, orderNo);
    // An order that appeared late has a number of its own in addition to its name's.
    if (clientOrderId !== undefined && owner !== undefined) return `number ${orderNo} is another order's today`;
    if (sent.some((order) => !this.has(order) && !isOver(order)))
      return `an open order of an earlier day has number ${orderNo} as well`;
    const isListed = list?.rows.some(
      (row) =>
        row.atpref === orderNo &&
        withoutMarket(row.ticker) === withoutMarket(venueSymbol) &&
        this.isToday(list.askedAtMs) &&
        this.isToday(row.timetransaction ?? list.askedAtMs),
    );
    return owner?.symbol === symbol || isListed ? undefined : `AlgoLab lists no order ${orderNo} of ${symbol} today`;
  }
}
