/**
 * Prices on another base: a split or a bonus issue halves a price overnight and would fire every stop-loss
 * (behaviour 16.2).
 *
 * Owns: whether the first price of a session can follow from the last price of the session before. Does not own: what
 * is done about it (the engine's holds).
 */
import type { LivePrice } from "../price/price.ts";
import type { TickTable } from "../price/tick-table.ts";
import type { Band } from "./band.ts";

/** Prices are doubles: at a limit itself a price is not beyond it. */
const ROUNDING = 1e-9;
const HUNDREDTHS = 100;
/** No price of a day at Borsa Istanbul lies further from the close before; the widest band of a day is narrower. */
const BIST_PERCENT = 25;

/**
 * How far in percent the first price of a session may lie from the last close; undefined: as far as it likes. `setting`
 * is the operator's (`BASE_PRICE_GUARD_PERCENT`): 0 turns the guard off, another number counts for every exchange.
 */
export function guardPercentOf(table: TickTable, setting: number | undefined): number | undefined {
  if (setting !== undefined) return setting === 0 ? undefined : setting;
  return table === "BIST" ? BIST_PERCENT : undefined;
}

/**
 * Whether a price is on another base than the close before, so that levels of the old base mean nothing to it. It is if
 * it lies outside the day's band, laid around that close. Without a known band it is if it lies further than `percent`
 * from the close. A band that does not name its base price is not moved, and belongs to another base if it does not
 * contain the close.
 */
export function isOnAnotherBase(close: LivePrice, price: LivePrice, percent: number, band?: Band): boolean {
  const [lowest, highest] = rangeAround(close.value * HUNDREDTHS, percent, band);
  return [price, close].some(({ value }) => {
    const hundredths = value * HUNDREDTHS;
    return hundredths < lowest * (1 - ROUNDING) || hundredths > highest * (1 + ROUNDING);
  });
}

function rangeAround(close: number, percent: number, band: Band | undefined): readonly [number, number] {
  if (band === undefined) return [close * (1 - percent / 100), close * (1 + percent / 100)];
  const shift = band.base === null ? 1 : close / band.base;
  return [band.floor * shift, band.ceiling * shift];
}
