/**
 * Prices as integers of hundredths, and live prices.
 *
 * Owns how a number is read as a price, how a price is written, and how a live price compares with rows. Does not own
 * the tick table (tick-table.ts) nor percent levels (percent.ts).
 *
 * Invariants:
 * 1. A price that a client gives is an integer of hundredths from PRICE_MIN to PRICE_MAX; no arithmetic on prices uses
 *    fractions of a double. A live price may be higher.
 * 2. A number means its shortest decimal text: 0.1 + 0.2 is 0.30000000000000004, not 0.3.
 * 3. A live price is never rounded: `floor` and `ceil` are the whole hundredths on either side of it.
 */

import { assert } from "../../assert.ts";
import { accept, type Refusal, type Result, refuse } from "../refusal.ts";

/** A price, or a difference of prices, in hundredths of the currency unit: 0.01 is 1. Always an integer. */
export type Hundredths = number;

/** The lowest price: 0.01. */
export const PRICE_MIN: Hundredths = 1;

/** The highest price: 9,999,999. */
export const PRICE_MAX: Hundredths = 999_999_900;

/** The highest live price, in currency units. What is above it is a time or another number, not a price. */
export const LIVE_PRICE_MAX = 1_000_000_000_000;

/** The floor of every live price over PRICE_MAX: such a price lies over all levels, and on none. */
const OVER_ALL_LEVELS: Hundredths = PRICE_MAX + 1;

/** The highest price in currency units, for comparisons with numbers that were not read yet. */
const PRICE_MAX_UNITS = PRICE_MAX / 100;

/** An exact rational number. `denominator` is greater than zero; the two need not be in lowest terms. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * A live price of the feed, which may have any number of decimals.
 *
 * A row at `level` is at or under the live price exactly when `level <= floor` (a take-profit fires), and at or over
 * it exactly when `level >= ceil` (a stop-loss fires). On whole hundredths up to PRICE_MAX `floor` and `ceil` are equal.
 */
export interface LivePrice {
  /** In currency units, as it came. */
  readonly value: number;
  /** The greatest whole hundredths not over `value`; 0 for a value under 0.01, at most PRICE_MAX + 1. */
  readonly floor: Hundredths;
  /** The smallest whole hundredths not under `value`; at most PRICE_MAX + 2. */
  readonly ceil: Hundredths;
}

/** A message of the tick stream: the stream, and the place in it. */
export interface StreamSequence {
  readonly stream: string;
  readonly sequence: number;
}

/** A live price of a symbol, and when it counts. */
export interface LiveTick {
  readonly symbol: string;
  readonly price: LivePrice;
  readonly timeMs: number;
  /** True for a tick that was read back from the stream: it can have been given before. */
  readonly isCaughtUp: boolean;
  /** For a tick that was read back: the message that brought it, and when the stream took it in by its own clock. */
  readonly stored?: (StreamSequence & { readonly timeMs: number }) | undefined;
  /** The time that its publisher gave it; null or absent: none. */
  readonly ownTimeMs?: number | null | undefined;
}

/** A number as messages show it: its shortest decimal text, with the sign of -0 kept. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** The refusal of a price outside 0.01 to 9,999,999. */
export function refusePriceRange(value: number, field: string): Refusal {
  return refuse("INVALID", `${field} ${numberText(value)} is not a price from ${formatPrice(PRICE_MIN)} to 9999999`);
}

/**
 * Reads a price in currency units through its shortest decimal text. Refuses (INVALID) numbers outside 0.01 to
 * 9,999,999 (NaN, infinities, zero, -0 and negatives included) and numbers with more than two decimals.
 *
 * It does not use the tick table: see `parseGridPrice` in tick-table.ts.
 */
export function parsePrice(value: number, field: string): Result<Hundredths> {
  if (!(value >= PRICE_MIN / 100 && value <= PRICE_MAX_UNITS)) return refusePriceRange(value, field);
  const nearest = nearestHundredths(value);
  if (nearest / 100 !== value) return refuse("INVALID", `${field} ${numberText(value)} has more than two decimals`);
  return accept(nearest);
}

/** The price in currency units; its shortest decimal text has at most two decimals. */
export function priceToNumber(price: Hundredths): number {
  assert(Number.isInteger(price) && price >= 0 && price <= PRICE_MAX, () => `not a price in hundredths: ${price}`);
  return price / 100;
}

/** The price as the text of a JSON number, without trailing zeros: `20`, `20.5`, `20.02`. */
export function formatPrice(price: Hundredths): string {
  return String(priceToNumber(price));
}

/**
 * Reads a live price in currency units, exactly. `undefined` if it is not a number over 0 and at most LIVE_PRICE_MAX. A
 * price over 9,999,999, the highest level, lies over all levels (behaviour 3.1).
 *
 * Runs for every tick, so it works on doubles instead of on text, with the same answer. Up to 9,999,999 decimals of at
 * most 15 digits and doubles map one to one, and rounding to a double keeps order. So compare `value` with `h / 100`
 * for a whole number h; the processor rounds the division correctly. They are equal exactly when the decimal text of
 * `value` is h hundredths. `h / 100` is less or greater exactly when the decimal text is.
 */
export function livePrice(value: number): LivePrice | undefined {
  if (!(value > 0 && value <= LIVE_PRICE_MAX)) return undefined;
  if (value > PRICE_MAX_UNITS) return { value, floor: OVER_ALL_LEVELS, ceil: OVER_ALL_LEVELS + 1 };
  const nearest = nearestHundredths(value);
  const nearestUnits = nearest / 100;
  if (nearestUnits === value) return { value, floor: nearest, ceil: nearest };
  return nearestUnits < value
    ? { value, floor: nearest, ceil: nearest + 1 }
    : { value, floor: nearest - 1, ceil: nearest };
}

/** The exact value of a number's shortest decimal text; `undefined` when the number is not finite. */
export function fractionOf(value: number): Fraction | undefined {
  if (!Number.isFinite(value)) return undefined;
  const [significand = "", exponentText = "0"] = String(value).split("e");
  const [whole = "", decimals = ""] = significand.split(".");
  const exponent = Number(exponentText) - decimals.length;
  const digits = BigInt(whole + decimals);
  return exponent >= 0
    ? { numerator: digits * 10n ** BigInt(exponent), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-exponent) };
}

/** The whole hundredths nearest to a value in range: the product is off by less than 0.000001, so never by a whole. */
function nearestHundredths(value: number): Hundredths {
  return Math.round(value * 100);
}
