/**
 * The numbers under which a brokerage keeps one order, and whether a record is about it (behaviour 13.1, 13.2).
 *
 * Owns: identity, and the filled quantity and price of each number. Does not own: what follows from them
 * (`execution.ts`).
 *
 * Invariant: the filled quantity of a number never falls.
 */
import { parseTime } from "../time.ts";
import { BUY, type BuySell, fillPriceOf, isUndone, ORDER_COMPLETED, type OrderNotice } from "./order.ts";

/** The terms of an order. */
export interface Wish {
  /** The whole name at the brokerage; null for another's order without one. */
  readonly clientOrderId: string | null;
  readonly symbol: string;
  readonly buySell: BuySell;
  /** Lots; 0 if it is not known (another's order that an older edition stored). */
  readonly quantity: number;
  /** In currency units; null for a market order. */
  readonly limitPrice: number | null;
  /** True if the end is of no use without a price. */
  readonly needsPrice: boolean;
  /** Of an order that the engine did not place: when the brokerage made it, as text; null for orders of the engine. */
  readonly createdDate: string | null;
}

interface Named {
  readonly clientOrderId: string | null;
  /** The newest last; at least one. */
  readonly orders: readonly NumberedOrder[];
}

/** Two dates of creation further apart than this belong to two orders. */
const SAME_CREATION_MS = 3_600_000;

/** One number of an execution. `averagePrice` is null while no possible price is known. */
export interface NumberedOrder {
  readonly orderNo: string;
  /** Its name if a replacement gave it another one than the execution's; null otherwise. */
  readonly name: string | null;
  readonly filledQuantity: number;
  readonly averagePrice: number | null;
  readonly isEnded: boolean;
  /** The lower quantity that the brokerage reported later; null while none was. It changes nothing (behaviour 13.2). */
  readonly correctedQuantity: number | null;
}

/** A number of which nothing is known yet. */
export function newNumber(orderNo: string, name: string | null): NumberedOrder {
  return { orderNo, name, filledQuantity: 0, averagePrice: null, isEnded: false, correctedQuantity: null };
}

/** Lots filled so far, of all numbers. */
export function filledQuantityOf({ orders }: Pick<Named, "orders">): number {
  return orders.reduce((sum, { filledQuantity }) => sum + filledQuantity, 0);
}

/** The average price of the filled lots, in currency units; null while it is not known of every part. */
export function averagePriceOf({ orders }: Pick<Named, "orders">): number | null {
  const filled = orders.filter(({ filledQuantity }) => filledQuantity > 0);
  if (filled.length === 1) return filled[0]?.averagePrice ?? null;
  let amount = 0;
  for (const { filledQuantity, averagePrice } of filled) {
    if (averagePrice === null) return null;
    amount += filledQuantity * averagePrice;
  }
  return filled.length === 0 ? null : amount / filledQuantityOf({ orders });
}

/** The name under which the order is known now; null for another's order without one. */
export function nameOf({ orders, clientOrderId }: Named): string | null {
  return orders.at(-1)?.name ?? clientOrderId;
}

/** The number under which the order is known now. */
export function orderNoOf({ orders }: Pick<Named, "orders">): string {
  return orders.at(-1)?.orderNo ?? "";
}

/** Whether a record is about this execution: by name first, by number if no name contradicts (behaviour 13.1). */
export function isAbout(wish: Named & Wish, record: OrderNotice): boolean {
  const { clientOrderId, symbol, buySell, orders } = wish;
  if (record.symbol !== symbol || record.buySell !== buySell) return false;
  // Only the names of the engine's own orders are unique.
  if (wish.createdDate === null && clientOrderId !== null && record.clientOrderId === clientOrderId) return true;
  if (orders.some(({ orderNo }) => orderNo === record.replaces)) return true;
  const numbered = orders.find(({ orderNo }) => orderNo === record.orderNo);
  if (numbered === undefined) return false;
  const name = numbered.name ?? clientOrderId;
  const isNamed = name !== null && Boolean(record.clientOrderId);
  if (isNamed && name !== record.clientOrderId) return false;
  return wish.createdDate === null || isSameForeign(wish, record, isNamed);
}

/**
 * Judges another's order by its date of creation, as its name can be given to many. Without dates its name decides, and
 * without a name its quantity, if that is known.
 */
function isSameForeign({ createdDate, quantity }: Named & Wish, record: OrderNotice, isNamed: boolean): boolean {
  const known = timeOf(createdDate);
  const given = timeOf(record.createdDate);
  if (known !== null && given !== null) return Math.abs(known - given) <= SAME_CREATION_MS;
  return isNamed || record.quantity === undefined || quantity === 0 || record.quantity === quantity;
}

function timeOf(text: string | null | undefined): number | null {
  const time = text ? parseTime(text, "createdDate") : undefined;
  return time?.ok === true ? time.value : null;
}

/** The facts that a record adds to a known number. */
interface Counted {
  readonly number: NumberedOrder;
  /** True if the number was not known before. */
  readonly isReplacement: boolean;
  /** True if the price cannot be one of this order (behaviour 13.4). */
  readonly isPriceImpossible: boolean;
  /** The lower quantity that the record corrects the known one to; null if it corrects nothing. */
  readonly correctedTo: number | null;
}

/**
 * Reads a record of the execution. `isNewest`: it was asked for after everything that is known, so that its word on the
 * end counts, and a lower quantity is a correction.
 */
export function countRecord(wish: Named & Wish, record: OrderNotice, isNewest: boolean): Counted {
  const known = wish.orders.find(({ orderNo }) => orderNo === record.orderNo);
  const isOtherName = record.clientOrderId && record.clientOrderId !== wish.clientOrderId;
  const was = known ?? newNumber(record.orderNo, isOtherName ? (record.clientOrderId ?? null) : null);
  const { filledQuantity } = record;
  const isEnded = isNewest ? isOver(record) : was.isEnded || isOver(record);
  const price = filledQuantity === 0 ? null : fillPriceOf(record.averagePrice);
  const isPriceImpossible = price !== null && !isWithinLimit(wish, price);
  const isReplacement = known === undefined;
  if (filledQuantity < was.filledQuantity) {
    const isCorrection = isOver(record) && isNewest && filledQuantity !== was.correctedQuantity;
    const number = { ...was, isEnded, correctedQuantity: isCorrection ? filledQuantity : was.correctedQuantity };
    return { number, isReplacement, isPriceImpossible, correctedTo: isCorrection ? filledQuantity : null };
  }
  const isMore = filledQuantity > was.filledQuantity;
  // A record that shows it open after its end is from before the end, and so is its price (behaviour 13.2).
  const isStale = was.isEnded && !isOver(record) && !isNewest && !isMore && was.averagePrice !== null;
  const told = isPriceImpossible || isStale ? null : price;
  const averagePrice = told ?? (isMore ? null : was.averagePrice);
  const number = { ...was, filledQuantity, averagePrice, isEnded };
  return { number, isReplacement, isPriceImpossible, correctedTo: null };
}

/** A limit is never passed to the disadvantage of its order. */
function isWithinLimit({ limitPrice, buySell }: Wish, price: number): boolean {
  if (limitPrice === null) return true;
  return buySell === BUY ? price <= limitPrice : price >= limitPrice;
}

function isOver(record: OrderNotice): boolean {
  return record.orderStatus === ORDER_COMPLETED || isUndone(record);
}

/** An end with less than was reported before: an old record that comes late, or a correction. */
export function isLess({ orders }: Named & Wish, record: OrderNotice): boolean {
  const known = orders.find(({ orderNo }) => orderNo === record.orderNo);
  if (known === undefined || !isOver(record) || record.filledQuantity === known.correctedQuantity) return false;
  return record.filledQuantity < known.filledQuantity;
}

/** Whether no fact about a number changed between two states of it. */
export function isSameNumber(left: NumberedOrder, right: NumberedOrder): boolean {
  const isSameFill = left.filledQuantity === right.filledQuantity && left.averagePrice === right.averagePrice;
  return isSameFill && left.isEnded === right.isEnded && left.correctedQuantity === right.correctedQuantity;
}

/**
 * Whether the record repeats known facts of a number that is over, while another number of the order is not. It
 * contains nothing about that other number, which can be missing.
 */
export function isOfOverNumber(wish: Named & Wish, record: OrderNotice): boolean {
  const known = wish.orders.find(({ orderNo }) => orderNo === record.orderNo);
  if (known?.isEnded !== true || record.filledQuantity !== known.filledQuantity) return false;
  if (wish.orders.every(({ isEnded }) => isEnded)) return false;
  return isSameNumber(known, countRecord(wish, record, true).number);
}
