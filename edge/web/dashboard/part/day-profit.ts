/**
 * The profit of a day, from the base prices of the day (behaviour 17.1). Amounts are in units of the account's currency.
 *
 * Invariants:
 * 1. A symbol whose profit is not known is named with the reason, and not counted.
 * 2. A base price counts only on its own day, in the zone of the exchange.
 */
import { dateIn } from "../../../../src/domain/time-zone.ts";
import type { Order, Position } from "../state/model.ts";

/** The band of a day, as far as it is used here. */
export interface DayBase {
  readonly basePrice: number | null;
  readonly bandDate: string;
}

/**
 * Why a symbol is not counted: no base price of the day, no last price, a fill of unknown price or day, or lots that its
 * fills do not explain.
 */
export const LEFT_OUT_REASONS = ["base", "price", "fill", "lots"] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

interface DayProfit {
  /** Undefined if symbols have a profit and none of them is counted. */
  readonly amount: number | undefined;
  /** Of the worth of the counted lots at the beginning of the day or, if none was held then, of what buys cost. */
  readonly share: number | undefined;
  /** How many symbols had lots or fills. */
  readonly symbolCount: number;
  /** Symbols that are not counted, in alphabetical order. */
  readonly missing: readonly LeftOut[];
}

interface LeftOut {
  readonly symbol: string;
  readonly reason: LeftOutReason;
}

interface DayOfSymbol {
  quantity: number;
  bought: number;
  /** Paid for buys of today; with that, less the proceeds of sells of today. */
  cost: number;
  paid: number;
  /** Undefined: not known. */
  lastPrice: number | undefined;
  /** False: a fill of unknown price, or of an order from before today, which can be of another day. */
  areFillsKnown: boolean;
}

const BUY = 1;

/** The base price that counts at a moment; undefined if it is not known. */
export function basePriceOf(base: DayBase | null | undefined, zone: string, nowMs: number): number | undefined {
  return base?.bandDate === dateIn(zone, nowMs) ? (base.basePrice ?? undefined) : undefined;
}

/** Whether an order is of the day of a moment, in the zone of its exchange. */
export function isOfToday({ createdDate }: Order, zone: string, nowMs: number): boolean {
  return dateIn(zone, Date.parse(createdDate)) === dateIn(zone, nowMs);
}

/**
 * Returns the profit of the day, without commissions: the worth of the lots that are held now and the proceeds of today's
 * sells, less what today's buys cost and what the lots of this morning were worth at the base prices.
 */
export function profitOfDay(
  positions: readonly Position[],
  orders: readonly Order[],
  baseOf: (symbol: string) => number | undefined,
  isToday: (order: Order) => boolean,
): DayProfit {
  const missing: LeftOut[] = [];
  let [amount, before, cost, count] = [0, 0, 0, 0];
  for (const [symbol, day] of daysOf(positions, orders, isToday)) {
    const heldBefore = day.quantity - day.bought;
    const worthBefore = heldBefore === 0 ? 0 : heldBefore * (baseOf(symbol) ?? Number.NaN);
    const worthNow = day.quantity === 0 ? 0 : day.quantity * (day.lastPrice ?? Number.NaN);
    const profit = worthNow - day.paid - worthBefore;
    const reason = leftOutReason(day, heldBefore, profit);
    if (reason !== undefined) {
      missing.push({ symbol, reason });
      continue;
    }
    amount += profit;
    before += worthBefore;
    cost += day.cost;
    count += 1;
  }
  const base = before === 0 ? cost : before;
  return {
    amount: count === 0 && missing.length > 0 ? undefined : amount,
    share: base === 0 ? undefined : amount / base,
    symbolCount: count + missing.length,
    missing: missing.toSorted((left, right) => (left.symbol < right.symbol ? -1 : 1)),
  };
}

function leftOutReason(day: DayOfSymbol, heldBefore: number, profit: number): LeftOutReason | undefined {
  if (!day.areFillsKnown) return "fill";
  // Fewer than none in the morning: the brokerage's lists do not fit together.
  if (heldBefore < 0) return "lots";
  if (day.quantity !== 0 && day.lastPrice === undefined) return "price";
  return Number.isNaN(profit) ? "base" : undefined;
}

function daysOf(
  positions: readonly Position[],
  orders: readonly Order[],
  isToday: (order: Order) => boolean,
): ReadonlyMap<string, DayOfSymbol> {
  const days = new Map<string, DayOfSymbol>();
  const dayOf = (symbol: string): DayOfSymbol => {
    const day = days.get(symbol) ?? {
      quantity: 0,
      bought: 0,
      cost: 0,
      paid: 0,
      lastPrice: undefined,
      areFillsKnown: true,
    };
    days.set(symbol, day);
    return day;
  };
  for (const { symbol, quantity, lastPrice } of positions) {
    if (quantity === 0) continue;
    Object.assign(dayOf(symbol), { quantity, lastPrice: lastPrice ?? undefined });
  }
  for (const order of orders) {
    const { symbol, filledQuantity, averagePrice, buySell } = order;
    if (filledQuantity === 0) continue;
    const day = dayOf(symbol);
    const amount = filledQuantity * (averagePrice ?? 0);
    const isBuy = buySell === BUY;
    day.bought += isBuy ? filledQuantity : -filledQuantity;
    day.paid += isBuy ? amount : -amount;
    if (isBuy) day.cost += amount;
    if (!isToday(order) || (averagePrice ?? 0) <= 0) day.areFillsKnown = false;
  }
  return days;
}
