/**
 * Rows of AlgoLab's list of today's orders, and how they change a sent order. Plain functions.
 *
 * Owns: the meaning of status, side and quantities; which row can be the order of a lost answer. Does not own: reading
 * the list (connector.ts).
 *
 * Invariants:
 * 1. Quantities count: the status states only whether more can come.
 * 2. A row belongs to one order, and never to an order that was sent after the row was seen.
 */
import { z } from "zod";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import {
  BUY,
  LIMIT,
  MARKET,
  ORDER_CANCELLED,
  ORDER_COMPLETED,
  ORDER_OPEN,
  ORDER_REJECTED,
  SELL,
} from "../../../src/domain/order/order.ts";
import { knownOrderFields, type SentOrdersKind } from "../host/state/sent-orders.ts";
import type { OrderRow } from "./api.ts";
import { istanbulDay, withoutMarket } from "./protocol.ts";

const attemptFields = {
  firstSentMs: z.number(),
  price: z.number(),
  /** Numbers of rows with the same terms that existed before the attempt left: none of them is this order. */
  rowsBefore: z.array(z.string()),
};
const orderSchema = z.object({
  ...knownOrderFields,
  ...attemptFields,
  /** Attempts that a list of their day proved absent. A row of such an attempt can still appear later. */
  absent: z.array(z.object(attemptFields)).default([]),
});
export type KnownOrder = Readonly<z.infer<typeof orderSchema>>;

/** The journal of an AlgoLab connector. */
export const ALGOLAB_ORDERS: SentOrdersKind<KnownOrder> = { kind: "algolab", title: "an AlgoLab", orderSchema };

/** AlgoLab stamps whole seconds, and its clock and ours differ a little. */
const STAMP_TOLERANCE_MS = 2_000;
const REJECTED_TEXT = "Emir Reddedildi";
/** The rest was removed immediately, as the order asked for (KIE) or by the exchange (KPY). */
const REST_DELETED = /^K(IE|PY) Emri Silindi$/;

/** The terms of an order. */
type Terms = Pick<KnownOrder, "buySell" | "orderType" | "quantity" | "price">;

function sideOf(row: OrderRow): OrderRecord["buySell"] {
  return row.buysell.toUpperCase().startsWith("A") ? BUY : SELL;
}

/**
 * The order status of a row. A state that is new to this connector counts as open: its meaning is not known, but the
 * order has not ended.
 */
function statusOf(row: OrderRow): OrderRecord["orderStatus"] {
  const state = row.equitystatusdescription.toUpperCase();
  if (state === "DONE") return ORDER_COMPLETED;
  const isRestGone = (state === "PARTIAL" && row.remainingsize === 0) || REST_DELETED.test(row.description);
  if (state !== "DELETED" && !isRestGone) return ORDER_OPEN;
  if (row.fillunit > 0) return row.fillunit >= row.ordersize ? ORDER_COMPLETED : ORDER_CANCELLED;
  return row.description === REJECTED_TEXT ? ORDER_REJECTED : ORDER_CANCELLED;
}

/** The order that a row describes, under its own number and without a name: this connector did not send it. */
export function recordOfRow(row: OrderRow, accountNumber: string, symbol: string, nowMs: number): OrderRecord {
  const text = row.description;
  return {
    ...{ orderNo: row.atpref, clientOrderId: null, accountNumber, symbol, buySell: sideOf(row) },
    ...{ orderType: row.waitingprice > 0 ? LIMIT : MARKET, quantity: row.ordersize, price: row.waitingprice },
    ...{ orderStatus: statusOf(row), filledQuantity: row.fillunit, averagePrice: row.fillunit > 0 ? row.price : 0 },
    createdDate: new Date(row.timetransaction ?? nowMs).toISOString(),
    updatedDate: null,
    ...(text === "" ? {} : { message: text }),
  };
}

/** Applies a row to its order; returns the same object if that changes nothing. A filled quantity never falls. */
export function applyRow(order: KnownOrder, row: OrderRow, nowMs: number): KnownOrder {
  const { orderStatus, filledQuantity, averagePrice, message } = recordOfRow(
    row,
    order.accountNumber,
    order.symbol,
    nowMs,
  );
  if (filledQuantity < order.filledQuantity) return order;
  const changed: KnownOrder = {
    ...order,
    ...{ standing: "accepted", orderNo: row.atpref, orderStatus, filledQuantity, averagePrice },
    text: message ?? order.text,
  };
  const fields = Object.keys(changed) as (keyof KnownOrder)[];
  return fields.every((field) => changed[field] === order[field]) ? order : { ...changed, updatedMs: nowMs };
}

/** Applies a row that appeared late to its order. An order from before midnight then belongs to the row's day. */
export function appearedOrder(order: KnownOrder, row: OrderRow, nowMs: number): KnownOrder {
  const appeared = applyRow(order, row, nowMs);
  const listedMs = Math.min(row.timetransaction ?? nowMs, nowMs);
  if (istanbulDay(listedMs) <= istanbulDay(order.lastSentMs)) return appeared;
  return { ...appeared, lastSentMs: listedMs, rowsBefore: [] };
}

/** The order once AlgoLab gave it this number. */
export function takenOrder(order: KnownOrder, orderNo: string, nowMs: number): KnownOrder {
  return { ...order, standing: "accepted", orderNo, orderStatus: ORDER_OPEN, updatedMs: nowMs };
}

/** Whether a row has the terms of an order. A market order has no order price: any price in the row is ignored. */
export function hasTerms(row: OrderRow, terms: Terms, venueSymbol: string): boolean {
  return (
    withoutMarket(row.ticker) === withoutMarket(venueSymbol) &&
    sideOf(row) === terms.buySell &&
    row.ordersize === terms.quantity &&
    (terms.orderType === MARKET || row.waitingprice === terms.price)
  );
}

/** Attempts whose row is not known: an attempt in doubt, and attempts that a list proved absent. */
function attemptsOf(order: KnownOrder): readonly Pick<KnownOrder, keyof typeof attemptFields>[] {
  return order.standing === "leaving" ? [order, ...order.absent] : order.absent;
}

/** Whether the moment is on the day of the list, by this machine's clock. */
type IsToday = (timeMs: number) => boolean;

/**
 * Whether a row can be such an attempt of the order: it has the terms and is new. Numbers begin again each day. So a
 * number that was seen before midnight does not exclude a row that is dated after it.
 */
function canBe(order: KnownOrder, row: OrderRow, venueSymbol: string, isToday: IsToday): boolean {
  return attemptsOf(order).some(({ price, rowsBefore, firstSentMs }) => {
    const isOld = rowsBefore.includes(row.atpref) && (isToday(firstSentMs) || isOfDay(row, firstSentMs));
    return !isOld && hasTerms(row, { ...order, price }, venueSymbol);
  });
}

function isOfDay({ timetransaction }: OrderRow, timeMs: number): boolean {
  return istanbulDay(timetransaction ?? timeMs) === istanbulDay(timeMs);
}

interface LateOptions {
  /** Rows of the list that no order has. */
  readonly unclaimed: readonly OrderRow[];
  /** The orders of the list's account and day. */
  readonly orders: readonly KnownOrder[];
  readonly venueSymbolOf: (order: KnownOrder) => string;
  readonly isToday: IsToday;
}

/**
 * Returns the order whose absence a list proved and which this row can be anyway; `undefined` if none fits. Orders in
 * doubt have the first claim: only a row that is left when each of them has one is late. An order without a row is
 * preferred to an order that was sent again and taken.
 */
export function lateOrderOf(row: OrderRow, options: LateOptions): KnownOrder | undefined {
  const { unclaimed, orders, venueSymbolOf, isToday } = options;
  const fits = (order: KnownOrder, one: OrderRow): boolean => canBe(order, one, venueSymbolOf(order), isToday);
  const lateFor = (one: OrderRow): KnownOrder[] =>
    orders.filter(
      (order) =>
        order.standing !== "leaving" && order.orderNo !== one.atpref && isInTime(order, one) && fits(order, one),
    );
  const fitting = lateFor(row);
  // The price of a limit order identifies it better than the price of a market order, which can be any.
  const exact = fitting.filter(({ orderType }) => orderType === LIMIT);
  const likely = exact.length > 0 ? exact : fitting;
  const late = likely.find(({ standing }) => standing !== "accepted") ?? likely[0];
  if (late === undefined) return undefined;
  // The row of a limit order has its price: a market order in doubt, which fits each row, does not block it.
  const isRival = ({ standing, orderType }: KnownOrder): boolean =>
    standing === "leaving" && !(late.standing === "accepted" && late.orderType === LIMIT && orderType === MARKET);
  const inDoubt = orders.filter((order) => isRival(order) && fits(order, row));
  if (inDoubt.length === 0) return late;
  const rivals = unclaimed.filter((one) => inDoubt.some((order) => fits(order, one)));
  // A row that cannot be a late row is left for orders in doubt, however old it is.
  const lateRows = rivals.filter((one) => lateFor(one).length > 0);
  const fromOldest = lateRows.toSorted((left, right) => timeOf(left) - timeOf(right));
  return fromOldest.slice(0, Math.max(0, rivals.length - inDoubt.length)).includes(row) ? late : undefined;
}

function timeOf({ timetransaction }: OrderRow): number {
  return timetransaction ?? Number.POSITIVE_INFINITY;
}

/**
 * What a list proves of an order whose answer was lost. `later`: nothing yet. `never`: nothing, also in a later list.
 * `none`: it is not listed.
 */
type Proof =
  | { readonly kind: "row"; readonly row: OrderRow }
  | { readonly kind: "none" }
  | { readonly kind: "later" | "never"; readonly why: string };

interface ProofOptions {
  readonly venueSymbol: string;
  /**
   * Orders of the same account and day with an attempt whose row is not known, and those whose answer can still arrive.
   */
  readonly others: readonly KnownOrder[];
  readonly isClaimed: (orderNo: string) => boolean;
  /** Whether the row can also belong to an order which left before midnight. */
  readonly isOfEitherDay: (row: OrderRow) => boolean;
  /** Whether the answer of an order can still arrive. */
  readonly isUnderWay: (order: KnownOrder) => boolean;
  readonly isToday: IsToday;
}

/**
 * Finds the row of an order whose answer was lost: one with its terms that is new, that no other order has, and that is
 * not older than the order. Orders with the same terms are interchangeable once no answer of them can arrive. A row
 * that is too old proves that the clocks differ or that a person trades by hand, unless it ended with nothing filled.
 */
export function proofOf(order: KnownOrder, rows: readonly OrderRow[], options: ProofOptions): Proof {
  const { venueSymbol, others, isClaimed, isOfEitherDay, isUnderWay, isToday } = options;
  const newRows = rows.filter((row) => canBe(order, row, venueSymbol, isToday) && !isClaimed(row.atpref));
  const candidates = newRows.filter((row) => isInTime(order, row));
  const [row] = candidates;
  if (row === undefined) {
    const isDoubtful = newRows.some((old) => statusOf(old) <= ORDER_OPEN || old.fillunit > 0);
    return isDoubtful ? never("an order like this one is listed with a time before it was sent") : { kind: "none" };
  }
  if (candidates.some(isOfEitherDay)) return never("the order at AlgoLab can also be an order sent before midnight");
  const rivals = others.filter(
    (other) => other.symbol === order.symbol && candidates.some((one) => canBe(other, one, venueSymbol, isToday)),
  );
  if (isUnderWay(order) || rivals.some(isUnderWay))
    return { kind: "later", why: "an order like this one is on its way" };
  const stranger = rivals.find((rival) => rival.orderType !== order.orderType);
  if (stranger !== undefined) return never(`the order at AlgoLab can also be ${stranger.clientOrderId}`);
  return candidates.length > 1 ? never(`${candidates.length} orders at AlgoLab can be this one`) : { kind: "row", row };
}

function never(why: string): Proof {
  return { kind: "never", why };
}

function isInTime(order: KnownOrder, { timetransaction }: OrderRow): boolean {
  const earliestMs = Math.min(...attemptsOf(order).map(({ firstSentMs }) => firstSentMs));
  return timetransaction === undefined || timetransaction >= earliestMs - STAMP_TOLERANCE_MS;
}
