/**
 * Converts bytes of a tick message to numbers.
 *
 * Owns: the two readers of tick messages: a byte scanner for the common shape, JSON.parse for every other. Does not
 * own: whether a tick is accepted (acceptance.ts), the subjects (tick-intake.ts).
 *
 * Invariants:
 * 1. If the scanner returns true, it found what JSON.parse would have found; in doubt it returns false. It leaves a
 *    number of more digits than are exact to long-number.ts.
 * 2. Nothing throws, for any bytes, and nothing above `TICK_MESSAGE_BYTES_MAX` is parsed. JSON.parse takes a
 *    millisecond or two for 256 KiB of brackets; for 5 MB it blocks the loop for more than a second.
 * 3. One wrong entry of an array does not affect another.
 * 4. A tick whose message names another symbol than its subject counts for neither: a publisher that mixes up its
 *    subjects must not fire the levels of another symbol.
 */

import { CARRIAGE_RETURN, isDigit, LINE_FEED, SPACE, ZERO } from "../../src/bus/ascii.ts";
import { parseJsonExactly } from "./long-number.ts";

/** The longest tick message that is read, batches included. */
export const TICK_MESSAGE_BYTES_MAX = 256 * 1024;

/**
 * Receives one decoded tick. `price` is in currency units, and NaN if it is missing or not a number. `timeMs` is whole
 * epoch milliseconds, and NaN if the message has no time.
 */
export type TickVisitor = (symbol: string, price: number, timeMs: number) => void;

const TAB = 0x09;
const COMMA = 0x2c;
const POINT = 0x2e;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Keys with both quotes. */
const PRICE_KEY = Buffer.from('"price"');
const TIME_KEY = Buffer.from('"time"');
const NO_KEY = 0;
const PRICE = 1;
const TIME = 2;
/** Not a place in a message. */
const NOWHERE = -1;

/** Up to this many digits a decimal is exactly one division of two exact doubles. */
const DIGITS_MAX = 15;
const POWERS_OF_TEN = Array.from({ length: DIGITS_MAX + 1 }, (_, exponent) => 10 ** exponent);

/** Reads `{"price": 101.5, "time": 1732152000000}` without allocating. One object serves every message. */
export class PlainTick {
  /** In currency units. Valid after `read` returned true. */
  price = Number.NaN;
  /** Whole epoch milliseconds, NaN if the message has no time. Valid after `read` returned true. */
  timeMs = Number.NaN;
  /** The number that was read last. */
  #number = Number.NaN;

  /**
   * Returns true if the bytes between `start` and `end` have the common shape. False means only that `decodeTicks` must
   * read them.
   */
  read(data: Uint8Array, start: number, end: number): boolean {
    this.timeMs = Number.NaN;
    if (end - start > TICK_MESSAGE_BYTES_MAX) return false;
    let at = afterSpace(data, start, end);
    if (data[at] !== OPEN_BRACE) return false;
    let seen = NO_KEY;
    do {
      at = afterSpace(data, at + 1, end);
      const key = startsWith(data, at, PRICE_KEY) ? PRICE : startsWith(data, at, TIME_KEY) ? TIME : NO_KEY;
      if (key === NO_KEY || (seen & key) !== 0) return false;
      seen |= key;
      at = afterSpace(data, at + (key === PRICE ? PRICE_KEY : TIME_KEY).length, end);
      if (data[at] !== COLON) return false;
      at = this.#readNumber(data, afterSpace(data, at + 1, end));
      if (at === NOWHERE) return false;
      if (key === PRICE) this.price = this.#number;
      else this.timeMs = Math.floor(this.#number);
      at = afterSpace(data, at, end);
    } while (data[at] === COMMA);
    // Up to here, bytes after the message can have been read: only this check stops at the closing brace.
    if (at >= end || data[at] !== CLOSE_BRACE || (seen & PRICE) === 0) return false;
    return afterSpace(data, at + 1, end) === end;
  }

  /** Reads a number of plain digits with or without a decimal point: returns its end, `NOWHERE` for any other form. */
  #readNumber(data: Uint8Array, start: number): number {
    let digits = 0;
    let at = start;
    for (; isDigit(data[at]); at += 1) digits = digits * 10 + (data[at] ?? ZERO) - ZERO;
    const wholeDigits = at - start;
    const hasLeadingZero = wholeDigits > 1 && data[start] === ZERO;
    if (wholeDigits === 0 || wholeDigits > DIGITS_MAX || hasLeadingZero) return NOWHERE;
    this.#number = digits;
    if (data[at] !== POINT) return at;
    const decimalStart = at + 1;
    for (at = decimalStart; isDigit(data[at]); at += 1) digits = digits * 10 + (data[at] ?? ZERO) - ZERO;
    const decimals = at - decimalStart;
    if (decimals === 0 || wholeDigits + decimals > DIGITS_MAX) return NOWHERE;
    this.#number = digits / (POWERS_OF_TEN[decimals] ?? Number.NaN);
    return at;
  }
}

function afterSpace(data: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(data[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}

function startsWith(data: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) {
    if (data[at + index] !== expected[index]) return false;
  }
  return true;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a tick message of any accepted shape: one tick or an array of ticks. `symbol` comes from the subject:
 * an entry can repeat it. Without one every entry must name its own. Passes each tick to `visit` and returns how
 * many entries were malformed; a message that is not JSON or too long counts as one.
 */
export function decodeTicks(data: Uint8Array, symbol: string | undefined, visit: TickVisitor): number {
  const parsed = data.length > TICK_MESSAGE_BYTES_MAX ? undefined : parseJson(data);
  if (!Array.isArray(parsed)) return visitEntry(parsed, symbol, visit) ? 0 : 1;
  let malformed = 0;
  for (const entry of parsed) {
    if (!visitEntry(entry, symbol, visit)) malformed += 1;
  }
  return malformed;
}

/** Returns undefined, which no JSON gives, if the bytes cannot be parsed. */
function parseJson(data: Uint8Array): unknown {
  try {
    return parseJsonExactly(utf8.decode(data));
  } catch {
    return undefined;
  }
}

function visitEntry(entry: unknown, subjectSymbol: string | undefined, visit: TickVisitor): boolean {
  if (!isObject(entry)) return false;
  const symbol = entry.symbol ?? subjectSymbol;
  const timeMs = readTime(entry.time);
  if (typeof symbol !== "string" || timeMs === undefined) return false;
  if (subjectSymbol !== undefined && symbol !== subjectSymbol) return false;
  visit(symbol, typeof entry.price === "number" ? entry.price : Number.NaN, timeMs);
  return true;
}

/** NaN for no time, undefined for an invalid one. */
function readTime(time: unknown): number | undefined {
  if (time === undefined || time === null) return Number.NaN;
  return typeof time === "number" && Number.isFinite(time) ? Math.floor(time) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
