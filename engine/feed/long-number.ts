/**
 * Numbers of a message that are written with more digits than a double holds.
 *
 * Owns: the double used for a price whose text is not exactly a double. Does not own: the shape of a message
 * (decode.ts), how a price compares with levels (`src/domain/price/price.ts`).
 *
 * Invariants:
 * 1. A price is on the same side of every whole hundredth as its text. `JSON.parse` makes 400 of 399.99999999999999999,
 *    which has not reached a level at 400. Between two whole hundredths nothing can be wrong, as rounding keeps order.
 * 2. The text that a program printed for a double, at any number of digits, is that double: 1.1000000000000001 is 1.1.
 * 3. The work is linear in the length of the text, for any text.
 */
import { livePrice } from "../../src/domain/price/price.ts";

/** Up to 15 digits, a decimal and its double determine each other. The point prevents counting only digits. */
const LONG_NUMBER = /[\d.]{16}/;

/**
 * A string, which is not a number and remains as it is, or a long number without its sign: a negative price is invalid.
 */
const STRING_OR_LONG_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|[\d.]{16,}(?:[eE][+-]?\d+)?/g;

/** The limit of `toPrecision`: more than any price's double has. */
const PRINTED_DIGITS_MAX = 100;

/** `0.digits` times ten to the power of `exponent`; no zero begins or ends the digits. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** Parses JSON; prices in it are on the same side of every whole hundredth as their text. Throws as `JSON.parse`. */
export function parseJsonExactly(text: string): unknown {
  // The text is replaced only once it is known to be JSON, so the replacement never makes invalid text valid.
  const parsed: unknown = JSON.parse(text);
  return LONG_NUMBER.test(text) ? JSON.parse(text.replace(STRING_OR_LONG_NUMBER, onItsSide)) : parsed;
}

/** Returns a text of a number in place of `token`, if `token` would wrongly parse as whole hundredths. */
function onItsSide(token: string): string {
  const value = Number(token);
  const price = livePrice(value);
  if (price === undefined || price.floor !== price.ceil) return token;
  const written = decimalOf(token);
  const order = compare(written, decimalOf(String(value)));
  if (order === 0 || isPrintingOf(written, value)) return token;
  return String(value * (1 + order * Number.EPSILON));
}

function isPrintingOf(written: Decimal, value: number): boolean {
  const digitCount = written.digits.length;
  if (digitCount > PRINTED_DIGITS_MAX) return false;
  return compare(written, decimalOf(value.toPrecision(digitCount))) === 0;
}

/** Parses the text of a number over zero. */
function decimalOf(text: string): Decimal {
  const [significand = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", decimals = ""] = significand.split(".");
  const all = whole + decimals;
  let start = 0;
  while (all[start] === "0") start += 1;
  let end = all.length;
  while (all[end - 1] === "0") end -= 1;
  return { digits: all.slice(start, end), exponent: Number(exponent) + whole.length - start };
}

/** The order of two decimals over zero: -1, 0 or 1. */
function compare(left: Decimal, right: Decimal): -1 | 0 | 1 {
  if (left.exponent !== right.exponent) return left.exponent < right.exponent ? -1 : 1;
  if (left.digits === right.digits) return 0;
  // Both begin with their first nonzero digit: the order of decimals is the order of their text.
  return left.digits < right.digits ? -1 : 1;
}
