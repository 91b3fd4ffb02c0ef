/**
 * An order as this connector knows it, and how a report changes it. Plain functions.
 *
 * Invariants:
 * 1. The filled quantity falls only by a correction (ExecType G and H; ExecTransType 1 and 2 of FIX 4.2).
 * 2. A report counts once: a report that was seen before changes nothing, also after a correction took it back.
 * 3. An order that is over stays over, except for a correction, and for fills that come late.
 * 4. The standing states what can be relied on: `leaving` can exist at the broker; `notSent`, `notNow` and `absent`
 *    certainly do not.
 */
import { z } from "zod";
import type { OrderRecord } from "../../../../src/contract/trading/order.ts";
import {
  ORDER_CANCELLED,
  ORDER_COMPLETED,
  ORDER_OPEN,
  ORDER_REJECTED,
  ORDER_WAITING,
} from "../../../../src/domain/order/order.ts";
import { sentOrderFields, toOrderRecord } from "../../host/state/sent-order.ts";
import { endedByOf } from "./ended-by.ts";
import type { Report } from "./report.ts";

/**
 * `leaving`: it can have reached the broker, which has sent no news of it. `notSent`: it certainly did not leave.
 * `notNow`: the broker rejected it before anything else, as the exchange is closed. `absent`: the broker proved that it
 * has no such order. `accepted`: the broker sent news of it. `refused`: it was judged and refused. `lost`: the broker
 * knew it, and after a reset of the numbers does not: a person decides.
 */
const standingSchema = z.enum(["leaving", "notSent", "notNow", "absent", "accepted", "refused", "lost"]);

const count = z.number().int().nonnegative();

export const knownOrderSchema = z.object({
  ...sentOrderFields,
  standing: standingSchema,
  /** The life of the numbers in which it was last sent or reported. */
  life: count,
  /** The number under which it was last sent. */
  number: count,
  /** Whether every attempt was sent in this one life: only then does "unknown" prove that the order does not exist. */
  isOneLife: z.boolean(),
  orderId: z.string().nullable(),
  /**
   * The ClOrdID of the attempt after a `notNow`, as FIX takes no ClOrdID twice; null: it went under `clientOrderId`.
   */
  wireName: z.string().nullable().default(null),
  /** Who ended it; null while it is open, and if the broker did not state it for certain. */
  endedBy: z.enum(["owner", "exchange", "brokerage"]).nullable().default(null),
});
export type KnownOrder = Readonly<z.infer<typeof knownOrderSchema>>;

/** The ClOrdID under which the last attempt was sent. */
export function wireNameOf({ wireName, clientOrderId }: KnownOrder): string {
  return wireName ?? clientOrderId;
}

/** True when nothing more is expected of it. */
export function isOver({ standing, orderStatus }: KnownOrder): boolean {
  if (standing === "leaving" || standing === "lost") return false;
  return standing !== "accepted" || orderStatus >= ORDER_COMPLETED;
}

/**
 * Applies a report to an order; returns the same object if it changes nothing. `seen`: the keys that counted before.
 * `isOurCancel`: the report carries the name of a request of ours to cancel this order.
 */
export function applyReport(
  order: KnownOrder,
  report: Report,
  seen: ReadonlySet<string>,
  nowMs: number,
  isOurCancel = false,
): KnownOrder {
  if (report.key !== undefined && seen.has(report.key)) return order;
  const filledQuantity =
    report.kind === "correction" ? report.filledQuantity : Math.max(order.filledQuantity, report.filledQuantity);
  const orderStatus = statusAfter(order, report, filledQuantity);
  const isRefused = orderStatus === ORDER_REJECTED;
  const changed: KnownOrder = {
    ...order,
    standing: isRefused ? "refused" : "accepted",
    orderStatus,
    filledQuantity,
    averagePrice: averageAfter(order, report, filledQuantity),
    orderId: report.orderId ?? order.orderId,
    text: report.text === "" ? order.text : report.text,
    endedBy: endedByAfter(order, orderStatus, report, isOurCancel),
  };
  return isSame(order, changed) ? order : { ...changed, updatedMs: nowMs };
}

/**
 * The report that ended the order decides: a later one, as DoneForDay in the evening, is about an order that is over.
 */
function endedByAfter(
  order: KnownOrder,
  orderStatus: KnownOrder["orderStatus"],
  report: Report,
  isOurCancel: boolean,
): KnownOrder["endedBy"] {
  if (orderStatus !== ORDER_CANCELLED && orderStatus !== ORDER_REJECTED) return null;
  if (order.orderStatus === orderStatus) return order.endedBy;
  return isOver(order) ? null : endedByOf(report, isOurCancel);
}

function statusAfter(order: KnownOrder, report: Report, filledQuantity: number): KnownOrder["orderStatus"] {
  const told = statusOf(report, filledQuantity, order.quantity);
  if (report.kind === "correction") return told;
  const wasOver =
    order.standing === "refused" || (order.standing === "accepted" && order.orderStatus >= ORDER_COMPLETED);
  const isStale = report.filledQuantity < order.filledQuantity;
  if (wasOver) return statusOnceOver(order, told, filledQuantity);
  if (isStale && told < ORDER_COMPLETED) return order.orderStatus;
  // PendingNew that comes after New adds nothing.
  return told === ORDER_WAITING && order.standing === "accepted" ? order.orderStatus : told;
}

function statusOnceOver(order: KnownOrder, told: KnownOrder["orderStatus"], filledQuantity: number) {
  if (filledQuantity >= order.quantity) return ORDER_COMPLETED;
  // A refusal that the broker itself contradicts by a fill was not one.
  if (order.orderStatus === ORDER_REJECTED && filledQuantity > 0) return told === ORDER_OPEN ? told : ORDER_CANCELLED;
  return order.orderStatus;
}

/** The contract's status of field 39. */
function statusOf(report: Report, filledQuantity: number, quantity: number): KnownOrder["orderStatus"] {
  const isWhole = quantity > 0 && filledQuantity >= quantity;
  switch (report.status) {
    case "A":
    case "D":
      return filledQuantity > 0 ? ORDER_OPEN : ORDER_WAITING;
    // The rest of it was filled after the brokerage reduced its quantity: not all that was asked for.
    case "2":
      return filledQuantity > 0 && filledQuantity < quantity ? ORDER_CANCELLED : ORDER_COMPLETED;
    // DoneForDay, Canceled, Calculated, Expired: nothing more comes of it.
    case "3":
    case "4":
    case "B":
    case "C":
      return isWhole ? ORDER_COMPLETED : ORDER_CANCELLED;
    case "8":
      return filledQuantity > 0 ? ORDER_CANCELLED : ORDER_REJECTED;
    default:
      return isWhole && report.kind !== "correction" ? ORDER_COMPLETED : ORDER_OPEN;
  }
}

function averageAfter(order: KnownOrder, report: Report, filledQuantity: number): number {
  if (filledQuantity === 0) return 0;
  if (report.filledQuantity !== filledQuantity) return order.averagePrice;
  if (report.averagePrice !== undefined && report.averagePrice > 0) return report.averagePrice;
  // The price of earlier fills is not known: it is not a price of 0.
  if (order.filledQuantity > 0 && order.averagePrice === 0) return 0;
  const { lastQuantity, lastPrice = 0 } = report;
  const grown = filledQuantity - order.filledQuantity;
  if (lastPrice <= 0 || grown <= 0 || lastQuantity !== grown) return order.averagePrice;
  return (order.averagePrice * order.filledQuantity + lastPrice * grown) / filledQuantity;
}

function isSame(left: KnownOrder, right: KnownOrder): boolean {
  return (Object.keys(left) as (keyof KnownOrder)[]).every((field) => left[field] === right[field]);
}

/**
 * Returns the order as a record of the gateway contract. Its number is its name: a broker's own numbers repeat over the
 * days.
 */
export function recordOf(order: KnownOrder): OrderRecord {
  const record = toOrderRecord(order.clientOrderId, order);
  return order.endedBy === null ? record : { ...record, endedBy: order.endedBy };
}
