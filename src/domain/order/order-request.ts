/**
 * Valid order requests (behaviour 11.2; behaviour 1.4, 6.1).
 *
 * Owns: the rules between kind, price and quantity. Does not own: accounts, names of orders, sending.
 */

import { numberText, priceToNumber } from "../price/price.ts";
import { parseQuantity } from "../price/quantity.ts";
import { parseGridPrice, type TickTable } from "../price/tick-table.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import { BUY, type BuySell, SELL } from "./order.ts";

/** `orderType` of an order. */
export const MARKET_ORDER = 1;
export const LIMIT_ORDER = 2;
type OrderType = typeof MARKET_ORDER | typeof LIMIT_ORDER;

/** A client's request to place an order, already of the right shape. */
export interface OrderRequest {
  readonly symbol: string;
  readonly quantity: number;
  readonly buySell: number;
  readonly orderType: number;
  /** In currency units; a market order may leave it out. */
  readonly price?: number | undefined;
}

/** A valid order without account and name. */
export interface OrderTerms {
  readonly symbol: string;
  readonly quantity: number;
  readonly buySell: BuySell;
  readonly orderType: OrderType;
  /** In currency units; 0 for a market order. */
  readonly price: number;
}

/**
 * Checks a request against every rule except the account's. `tableOf` returns the tick table of a symbol, undefined for
 * an unknown symbol. Refusals are INVALID and name the field and the rule.
 */
export function checkOrder(
  request: OrderRequest,
  tableOf: (symbol: string) => TickTable | undefined,
): Result<OrderTerms> {
  const { symbol, buySell, orderType } = request;
  const table = tableOf(symbol);
  if (table === undefined) return refuse("INVALID", `symbol ${symbol} is not known`);
  const quantity = parseQuantity(request.quantity, "quantity");
  if (!quantity.ok) return quantity;
  if (buySell !== BUY && buySell !== SELL) return refuse("INVALID", "buySell must be 1 (buy) or 2 (sell)");
  if (orderType !== MARKET_ORDER && orderType !== LIMIT_ORDER) {
    return refuse("INVALID", "orderType must be 1 (market) or 2 (limit)");
  }
  const price = orderType === MARKET_ORDER ? marketPrice(request.price) : limitPrice(request.price, table);
  if (!price.ok) return price;
  return accept({ symbol, quantity: quantity.value, buySell, orderType, price: price.value });
}

function marketPrice(price: number | undefined): Result<number> {
  if (price === undefined || Object.is(price, 0)) return accept(0);
  return refuse("INVALID", `price ${numberText(price)} of a market order must be 0`);
}

function limitPrice(price: number | undefined, table: TickTable): Result<number> {
  if (price === undefined) return refuse("INVALID", "price is required for a limit order");
  const parsed = parseGridPrice(price, "price", table);
  return parsed.ok ? accept(priceToNumber(parsed.value)) : parsed;
}
