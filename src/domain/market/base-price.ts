/**
 * Prices on another base: a split or a bonus issue halves a price overnight and would fire every stop-loss (behaviour 16.2).
 *
 * Owns: whether the first price of a session can follow from the last price of the session before. Does not own: what is
 * done about it (the engine's holds).
 */
import type { LivePrice } from "../price/price.ts";
import type { TickTable } from "../price/tick-table.ts";

/** Prices are doubles: at the percent itself a price is not beyond it. */
const ROUNDING = 1 + 1e-9;
/** No price of a day at Borsa Istanbul lies further from the close before; the widest band of a day is narrower. */
const BIST_PERCENT = 25;

/**
 * How far in percent the first price of a session may lie from the last close; undefined: as far as it likes. `setting` is
 * the operator's (`BASE_PRICE_GUARD_PERCENT`): 0 turns the guard off, another number counts for every exchange.
 */
export function guardPercentOf(table: TickTable, setting: number | undefined): number | undefined {
  if (setting !== undefined) return setting === 0 ? undefined : setting;
  return table === "BIST" ? BIST_PERCENT : undefined;
}

/** Whether a price lies further than `percent` from the close before, so that levels of the old base mean nothing to it. */
export function isOnAnotherBase(close: LivePrice, price: LivePrice, percent: number): boolean {
  return Math.abs(price.value - close.value) * 100 > close.value * percent * ROUNDING;
}
