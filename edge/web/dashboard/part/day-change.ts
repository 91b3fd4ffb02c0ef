/**
 * What a day did to an account, from the base prices of the day (behaviour 17.1). Amounts are in units of the account's
 * currency.
 *
 * Invariants:
 * 1. A symbol of which a price is missing is named, and not counted.
 * 2. A base price counts only on its own day, in the zone of the exchange.
 */
import { dateIn } from "../../../../src/domain/time-zone.ts";
import type { Order, Position } from "../state/model.ts";

/** The band of a day, as far as it is used here. */
export interface DayBase {
  readonly basePrice: number | null;
  readonly bandDate: string;
}

export interface DayChange {
  readonly amount: number;
  /** Of what the counted lots were worth at their base prices; undefined if none is counted. */
  readonly share: number | undefined;
  /** Symbols that are not counted. */
  readonly missing: readonly string[];
}

interface Part {
  readonly symbol: string;
  readonly quantity: number;
  /** Undefined: not known. */
  readonly price: number | undefined;
}

const SELL = 2;

/** The base price that counts at a moment; undefined if it is not known. */
export function basePriceOf(base: DayBase | null | undefined, zone: string, nowMs: number): number | undefined {
  return base?.bandDate === dateIn(zone, nowMs) ? (base.basePrice ?? undefined) : undefined;
}

/** What is held now, from the base price to the last price: lots that were bought today count from the base price, too. */
export function changeOfHeld(
  positions: readonly Position[],
  baseOf: (symbol: string) => number | undefined,
): DayChange {
  return sumUp(
    positions.map(({ symbol, quantity, lastPrice }) => ({ symbol, quantity, price: lastPrice ?? undefined })),
    baseOf,
  );
}

/** The fills of sells, from the base price to the average price. Fills of orders before today may be of another day. */
export function changeOfSold(
  orders: readonly Order[],
  baseOf: (symbol: string) => number | undefined,
  isToday: (order: Order) => boolean,
): DayChange {
  const sells = orders.filter(({ buySell, filledQuantity }) => buySell === SELL && filledQuantity > 0);
  return sumUp(
    sells.map((order) => ({
      symbol: order.symbol,
      quantity: order.filledQuantity,
      price: isToday(order) && (order.averagePrice ?? 0) > 0 ? (order.averagePrice ?? undefined) : undefined,
    })),
    baseOf,
  );
}

function sumUp(parts: readonly Part[], baseOf: (symbol: string) => number | undefined): DayChange {
  const held = parts.filter(({ quantity }) => quantity > 0);
  const missing = new Set(
    held.filter(({ symbol, price }) => price === undefined || baseOf(symbol) === undefined).map(({ symbol }) => symbol),
  );
  let [amount, before] = [0, 0];
  for (const { symbol, quantity, price } of held) {
    const base = baseOf(symbol);
    if (missing.has(symbol) || base === undefined || price === undefined) continue;
    amount += quantity * (price - base);
    before += quantity * base;
  }
  return { amount, share: before === 0 ? undefined : amount / before, missing: [...missing].toSorted() };
}
