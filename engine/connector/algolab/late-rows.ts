/** Rows that appear although an earlier list proved their order absent: their orders, and one report to a person. */
import type { Clock, Log } from "../../../src/runtime/ports.ts";
import type { OrderRow } from "./api.ts";
import { type KnownOrder, lateOrderOf } from "./order.ts";
import type { OrderLists } from "./order-lists.ts";
import { istanbulDay } from "./protocol.ts";
import type { TodaysOrders } from "./todays-orders.ts";

interface LateRowsOptions {
  readonly manualTrading: boolean;
  readonly today: Pick<TodaysOrders, "comparedOf" | "ownerOf" | "isOfEitherDay" | "isToday">;
  readonly lists: Pick<OrderLists, "last">;
  readonly venueSymbolOf: (order: KnownOrder) => string;
  readonly clock: Clock;
  readonly log: Log;
}

export class LateRows {
  readonly #options: LateRowsOptions;
  /** By day and number. */
  readonly #reported = new Set<string>();

  constructor(options: LateRowsOptions) {
    this.#options = options;
  }

  /** Returns the order that this row is although an earlier list, perhaps from before midnight, proved it absent. */
  orderOf(accountNumber: string, row: OrderRow): KnownOrder | undefined {
    const { manualTrading, today, lists, venueSymbolOf } = this.#options;
    if (manualTrading) return undefined;
    const orders = today.comparedOf(accountNumber);
    if (orders.every(({ absent }) => absent.length === 0)) return undefined;
    const rows = lists.last(accountNumber)?.rows ?? [];
    const isFree = (one: OrderRow): boolean =>
      today.ownerOf(accountNumber, one.atpref) === undefined && !today.isOfEitherDay(accountNumber, one);
    const isToday = (timeMs: number): boolean => today.isToday(timeMs);
    if (!isFree(row)) return undefined;
    return lateOrderOf(row, { unclaimed: rows.filter(isFree), orders, venueSymbolOf, isToday });
  }

  /** Logs it, once. */
  report({ clientOrderId, standing }: KnownOrder, { atpref }: OrderRow): void {
    const { clock, log } = this.#options;
    const mark = `${istanbulDay(clock.nowMs())} ${atpref}`;
    if (this.#reported.has(mark)) return;
    this.#reported.add(mark);
    log.error(
      { event: "order.appearedLate", clientOrderId, orderNo: atpref, wasSentAgain: standing === "accepted" },
      "AlgoLab lists an order that it did not list in time: raise settleSeconds, and compare what was sold",
    );
  }
}
