/**
 * An order of the paper brokerage, and the checks that a request must pass to become one.
 *
 * Owns the order's fields, the checks of a request that need no account and no price, and the public record. Does not
 * own money, fills or chains (book.ts).
 *
 * Invariants:
 * 1. A request with numbers that no record can hold is malformed: it never becomes an order. Every other request does,
 *    even if rejected immediately, so that its `clientOrderId` remains taken.
 * 2. `firstStatus` and `reason` never change once the order was made: they are the first answer, which a repeated
 *    request gets again.
 */
import type { OrderRecord, PlaceRequest } from "../../../../src/contract/trading/order.ts";
import {
  BUY,
  LIMIT,
  MARKET,
  ORDER_CANCELLED,
  ORDER_OPEN,
  ORDER_REJECTED,
  ORDER_WAITING,
  SELL,
} from "../../../../src/domain/order/order.ts";
import type { Hundredths } from "../../../../src/domain/price/price.ts";
import { parseQuantity } from "../../../../src/domain/price/quantity.ts";
import { parseGridPrice, type TickTable } from "../../../../src/domain/price/tick-table.ts";
import { accept, type Result, refuse } from "../../../../src/domain/refusal.ts";
import { formatTime } from "../../../../src/domain/time.ts";
import { averagePriceOf, type Money } from "../account/money.ts";

/** 0 waiting, 1 open, 2 completed, 3 cancelled, 4 rejected (behaviour 6.3). */
export type OrderStatus = OrderRecord["orderStatus"];

/** The fixed fields of an order. */
export interface OrderDraft {
  readonly orderNo: string;
  /** Ascending with every order of the brokerage. */
  readonly sequence: number;
  readonly accountNumber: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly buySell: 1 | 2;
  readonly orderType: 1 | 2;
  readonly quantity: number;
  /** As requested; only rejected orders have a value that cannot be a price. */
  readonly price: number;
  /** The order that must complete before this one is placed. */
  readonly referenceOrderNo: string | null;
  readonly createdMs: number;
}

export interface PaperOrder extends OrderDraft {
  /** The present name, for as long as the order is live. */
  symbol: string;
  /** The checked price of a limit order; 0 for market orders and for orders that were rejected immediately. */
  readonly limit: Hundredths;
  status: OrderStatus;
  firstStatus: OrderStatus;
  /** Why it was rejected, or cancelled by the brokerage. */
  reason: string | null;
  filled: number;
  filledCost: Money;
  /** Cash that this order reserves. */
  reservedCash: Money;
  /** Prices from before this moment fill nothing: when it was placed, or its reference completed. */
  liveSinceMs: number;
  updatedMs: number | null;
}

/** The reason of a market order that found no counterparty for its rest. */
export const REST_CANCELLED = "the exchange cancelled the rest of the market order";

/** The reason of an order that was open when the base of its price changed. */
export const BASE_CHANGED = "the exchange cancelled the order: a corporate action changed the base of its price";

const BY_EXCHANGE: ReadonlySet<string> = new Set([REST_CANCELLED, BASE_CHANGED]);

const SYMBOL = /^[A-Z0-9_]{1,16}$/;
const CLIENT_ORDER_ID = /^[\x20-\x7e]{1,100}$/;

/** Why a request cannot become an order; undefined if it can. */
export function malformationOf(request: PlaceRequest): string | undefined {
  const { clientOrderId, symbol, quantity, price, buySell, orderType } = request;
  if (!CLIENT_ORDER_ID.test(clientOrderId)) return "clientOrderId is not 1 to 100 printable ASCII characters";
  if (!SYMBOL.test(symbol)) return "symbol is not 1 to 16 capital letters, digits or underscores";
  if (buySell !== BUY && buySell !== SELL) return "buySell is not 1 or 2";
  if (orderType !== MARKET && orderType !== LIMIT) return "orderType is not 1 or 2";
  const parsed = parseQuantity(quantity, "quantity");
  if (!parsed.ok) return parsed.message;
  if (!(Number.isFinite(price) && price >= 0)) return "price is not a number from 0";
  return undefined;
}

/**
 * The limit of a well-formed request: 0 for a market order. Refuses (INVALID) a price that the tick table does not
 * allow.
 */
export function limitOf(
  draft: { readonly orderType: 1 | 2; readonly price: number },
  table: TickTable,
): Result<Hundredths> {
  if (draft.orderType === LIMIT) return parseGridPrice(draft.price, "price", table);
  return draft.price === 0 ? accept(0) : refuse("INVALID", "price of a market order must be 0");
}

/** Makes an order in its first state: open, nothing filled. */
export function startOrder(draft: OrderDraft, limit: Hundredths): PaperOrder {
  return {
    ...draft,
    limit,
    status: ORDER_OPEN,
    firstStatus: ORDER_OPEN,
    reason: null,
    filled: 0,
    filledCost: 0n,
    reservedCash: 0n,
    liveSinceMs: draft.createdMs,
    updatedMs: null,
  };
}

/** Whether the order can still change. */
export function isLive(order: PaperOrder): boolean {
  return order.status === ORDER_OPEN || order.status === ORDER_WAITING;
}

/** Lots left to fill. */
export function remainingOf(order: PaperOrder): number {
  return order.quantity - order.filled;
}

/** The reason if the first answer was a refusal; otherwise undefined. */
export function firstRefusalOf(order: PaperOrder): string | undefined {
  return order.firstStatus === ORDER_REJECTED ? (order.reason ?? "rejected") : undefined;
}

/** Returns the party that ended a cancelled order. */
function endedByOf({ status, reason, referenceOrderNo }: PaperOrder): Pick<OrderRecord, "endedBy" | "message"> {
  if (status !== ORDER_CANCELLED) return {};
  // A chain order without a reason ended with the order that it waited for, or by its owner: that is not known.
  if (reason === null) return referenceOrderNo === null ? { endedBy: "owner" } : {};
  return { endedBy: BY_EXCHANGE.has(reason) ? "exchange" : "brokerage", message: reason };
}

/** Converts the order to a brokerage's report. */
export function recordOf(order: PaperOrder): OrderRecord {
  return {
    orderNo: order.orderNo,
    clientOrderId: order.clientOrderId,
    accountNumber: order.accountNumber,
    symbol: order.symbol,
    buySell: order.buySell,
    orderType: order.orderType,
    quantity: order.quantity,
    price: order.price,
    orderStatus: order.status,
    filledQuantity: order.filled,
    averagePrice: averagePriceOf(order.filledCost, order.filled),
    createdDate: formatTime(order.createdMs),
    updatedDate: order.updatedMs === null ? null : formatTime(order.updatedMs),
    ...endedByOf(order),
  };
}
