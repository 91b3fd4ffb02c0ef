/**
 * The exchange of a symbol, for accounts that follow it: sessions, halts and the band of the day (behaviour 11.1c).
 *
 * Owns: which orders it takes at a moment, and on which side no counterparty is left. Does not own: calendars, bands,
 * measures and holds (injected), orders and fills (book.ts).
 *
 * Invariant: what is not known restricts no order.
 */
import type { Band } from "../../../../src/domain/market/band.ts";
import { type Calendar, sessionAt, takenFromMs } from "../../../../src/domain/market/calendar.ts";
import { type Effects, waitUnder } from "../../../../src/domain/market/measure.ts";
import { MARKET, SELL } from "../../../../src/domain/order/order.ts";
import type { LivePrice } from "../../../../src/domain/price/price.ts";
import { formatTime } from "../../../../src/domain/time.ts";
import type { Resting } from "./ladder.ts";

/** What is known of the exchanges of symbols. */
export interface Exchange {
  /** Undefined: the opening times are not known. */
  calendarOf(symbol: string): Calendar | undefined;
  /** The band of today; undefined: not known. */
  bandOf(symbol: string): Band | undefined;
  effectsOf(symbol: string): Effects;
  /** Whether an operator or the base price guard holds the symbol. */
  isHeld(symbol: string): boolean;
}

type ExchangeOrder = Pick<Resting, "buySell" | "orderType" | "limit"> & { readonly symbol: string };

/** Why the exchange does not take an order at a moment; undefined: it takes it. */
export function notTakenReason(exchange: Exchange, order: ExchangeOrder, nowMs: number): string | undefined {
  const { symbol, orderType, limit } = order;
  const closed = closedReason(exchange, order, nowMs);
  const band = orderType === MARKET ? undefined : exchange.bandOf(symbol);
  if (closed !== undefined || band === undefined) return closed;
  const { floor, ceiling } = band;
  if (limit >= floor && limit <= ceiling) return undefined;
  const [price, lowest, highest] = [limit, floor, ceiling].map((hundredths) => (hundredths / 100).toFixed(2));
  return `price ${price} of ${symbol} lies outside the band of the day, ${lowest} to ${highest}`;
}

/** Whether an open order can fill at a live price of a moment. */
export function canFill(exchange: Exchange, order: ExchangeOrder, price: LivePrice, timeMs: number): boolean {
  return closedReason(exchange, order, timeMs) === undefined && !isLocked(exchange, order, price);
}

/** Why no order of this kind trades at a moment. */
function closedReason(exchange: Exchange, { symbol, orderType }: ExchangeOrder, timeMs: number): string | undefined {
  const effects = exchange.effectsOf(symbol);
  const calendar = exchange.calendarOf(symbol);
  if (exchange.isHeld(symbol)) return `${symbol} is held`;
  const wait = waitUnder(effects, calendar, timeMs);
  if (wait !== undefined) return `${symbol} does not trade: ${wait.reason}`;
  const kind = orderType === MARKET ? "market" : "limit";
  if (kind === "market" && effects.noMarket === true)
    return `a measure of the exchange refuses market orders of ${symbol}`;
  if (calendar === undefined || sessionAt(calendar, timeMs)?.takes.includes(kind) === true) return undefined;
  const opensMs = takenFromMs(calendar, timeMs, kind);
  const until = opensMs === undefined ? "" : ` until ${formatTime(opensMs)}`;
  return `the exchange of ${symbol} takes no ${kind} orders${until}`;
}

/** Whether no counterparty is left for a side: none buys at the floor of the day, and none sells at its ceiling. */
function isLocked(exchange: Exchange, { symbol, buySell }: ExchangeOrder, price: LivePrice): boolean {
  const band = exchange.bandOf(symbol);
  if (band === undefined) return false;
  return buySell === SELL ? price.ceil <= band.floor : price.floor >= band.ceiling;
}
