/**
 * A brokerage's record of an order, as far as rules use it.
 *
 * Owns: the codes of orders, and the definition of a fill. Does not own: the record on the wire
 * (`contract/trading/order.ts`), sending, following.
 */
/** `buySell` of an order: 1 = Buy, 2 = Sell. */
export const BUY = 1;
export const SELL = 2;
export type BuySell = typeof BUY | typeof SELL;

/** `orderType` of an order: 1 = Market (price 0), 2 = Limit. */
export const MARKET = 1;
export const LIMIT = 2;

/** Order status codes (behaviour 6.3). After the last three nothing more happens to an order. */
export const ORDER_WAITING = 0;
export const ORDER_OPEN = 1;
export const ORDER_COMPLETED = 2;
export const ORDER_CANCELLED = 3;
export const ORDER_REJECTED = 4;

/** The part of a brokerage's order record that rules look at. `averagePrice` is 0 until something filled. */
export interface OrderNotice {
  readonly orderNo: string;
  /** Ours, or null if the brokerage knows no name. */
  readonly clientOrderId?: string | null | undefined;
  readonly symbol: string;
  readonly buySell: BuySell;
  readonly orderStatus: number;
  readonly filledQuantity: number;
  readonly averagePrice: number;
  /** Why the brokerage ended it, if it gives a reason. */
  readonly message?: string | null | undefined;
  /** Lots ordered, as the brokerage keeps them. */
  readonly quantity?: number | undefined;
  readonly createdDate?: string | undefined;
  /** By whom it was ended. */
  readonly endedBy?: "owner" | "exchange" | "brokerage" | null | undefined;
  /** The number of the order that this one replaced. */
  readonly replaces?: string | null | undefined;
}

/** The outcome of an order by the status in the brokerage's answer, as a participle for people. */
export function placedWord(orderStatus: number): string {
  if (orderStatus === ORDER_CANCELLED) return "cancelled by the brokerage";
  return orderStatus === ORDER_REJECTED ? "rejected by the brokerage" : "placed";
}

export interface Fill {
  readonly quantity: number;
  /** Average price in currency units, any number of decimals. */
  readonly price: number;
}

/** True when nothing more will happen to the order. */
export function isEnded(notice: Pick<OrderNotice, "orderStatus">): boolean {
  return notice.orderStatus === ORDER_COMPLETED || isUndone(notice);
}

/** True if the order is completed and the record lacks a price: a better record must come. */
export function lacksPrice({ orderStatus, averagePrice }: OrderNotice): boolean {
  return orderStatus === ORDER_COMPLETED && fillPriceOf(averagePrice) === null;
}

/** A brokerage's price of a fill, in currency units; null for none. Only prices of clients have a greatest value. */
export function fillPriceOf(averagePrice: number): number | null {
  return averagePrice > 0 && Number.isFinite(averagePrice) ? averagePrice : null;
}

/** True when the order was cancelled or rejected; it may have filled in part before. */
export function isUndone({ orderStatus }: Pick<OrderNotice, "orderStatus">): boolean {
  return orderStatus === ORDER_CANCELLED || orderStatus === ORDER_REJECTED;
}
