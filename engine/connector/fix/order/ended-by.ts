/** Who ended an order, if the report that ended it states it. Plain functions. */
import type { OrderRecord } from "../../../../src/contract/trading/order.ts";
import type { Report } from "./report.ts";

export type EndedBy = NonNullable<OrderRecord["endedBy"]>;

/** OrdRejReason: exchange closed. */
const EXCHANGE_CLOSED = 2;
/**
 * ExecRestatementReason of a cancellation that was not asked for: broker option, trading halt, market (exchange)
 * option. The other values name no party for certain: a system failure can be anyone's, and "other" is anything.
 */
const BY_RESTATEMENT: ReadonlyMap<number, EndedBy> = new Map([
  [4, "brokerage"],
  [6, "exchange"],
  [8, "exchange"],
]);

/**
 * Returns who ended the order by the report that ended it; null if the report does not state it for certain.
 * `isOurCancel`: the report carries the name of a request of ours to cancel this order.
 *
 * DoneForDay in an answer proves nothing: FIX reports it in place of an earlier Canceled.
 */
export function endedByOf(report: Report, isOurCancel: boolean): EndedBy | null {
  const isEvent = report.kind === "told" && report.execType === report.status;
  switch (report.status) {
    case "3":
      return isEvent ? "exchange" : null;
    case "4":
      return isEvent ? canceledBy(report.restatementReason, isOurCancel) : null;
    case "8":
      return isEvent && report.rejectReason === EXCHANGE_CLOSED ? "exchange" : null;
    case "C":
      return isEvent || report.kind === "answer" ? "exchange" : null;
    default:
      return null;
  }
}

/**
 * A reason belongs to a cancellation that was not asked for: together with our request's name it is a contradiction.
 */
function canceledBy(restatementReason: number | undefined, isOurCancel: boolean): EndedBy | null {
  if (restatementReason === undefined) return isOurCancel ? "owner" : null;
  return isOurCancel ? null : (BY_RESTATEMENT.get(restatementReason) ?? null);
}

/** Whether the broker rejected a new order because the exchange is closed, before it reported anything else of it. */
export function isRejectedAsClosed(report: Report): boolean {
  const isRejection = report.kind === "told" && report.status === "8" && report.execType === "8";
  return isRejection && report.filledQuantity === 0 && report.rejectReason === EXCHANGE_CLOSED;
}
