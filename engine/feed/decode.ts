/**
 * Bytes of a tick message -> numbers.
 *
 * Owns: the two readers of tick messages: a byte scanner for the common shape, JSON.parse for every other.
 * Does not own: whether a tick is to be believed (acceptance.ts), the subjects (intake.ts).
 *
 * Invariants:
 * 1. Where the scanner answers true it found what JSON.parse would have found; in doubt it answers false.
 * 2. Nothing throws, whatever the bytes, and nothing above `TICK_MESSAGE_BYTES_MAX` is parsed: JSON.parse of 256 KiB
 *    of brackets is done in a millisecond or two, of 5 MB it blocks the loop for more than a second.
 * 3. One wrong entry of an array harms no other.
 */

/** The longest tick message that is read, batches included. */
export const TICK_MESSAGE_BYTES_MAX = 256 * 1024;

/**
 * Given one decoded tick. `price` is in currency units and NaN where it is missing or no number; `timeMs` is whole
 * epoch milliseconds and NaN where the message gives none.
 */
export type TickVisitor = (symbol: string, price: number, timeMs: number) => void;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const PRICE_KEY = Buffer.from("price");
const TIME_KEY = Buffer.from("time");
const NO_KEY = 0;
const PRICE = 1;
const TIME = 2;

/** Up to this many digits a decimal is exactly one division of two exact doubles. */
const DIGITS_MAX = 15;
const POWERS_OF_TEN = Array.from({ length: DIGITS_MAX + 1 }, (_, exponent) => 10 ** exponent);

/** Reads `{"price": 101.5, "time": 1732152000000}` without allocating. One object serves every message. */
export class PlainTick {
  /** In currency units. Valid after `read` answered true. */
  price = Number.NaN;
  /** Whole epoch milliseconds, NaN when the message gives none. Valid after `read` answered true. */
  timeMs = Number.NaN;
  #data: Uint8Array = PRICE_KEY;
  #at = 0;

  /** True when the message has the common shape; false says nothing about it but that `decodeTicks` must look. */
  read(data: Uint8Array): boolean {
    this.#data = data;
    this.#at = 0;
    this.price = Number.NaN;
    this.timeMs = Number.NaN;
    let seen = NO_KEY;
    if (!this.#takeToken(OPEN_BRACE)) return false;
    do {
      const key = this.#readKey();
      if (key === NO_KEY || (seen & key) !== 0 || !this.#takeToken(COLON)) return false;
      seen |= key;
      const value = this.#readNumber();
      if (Number.isNaN(value)) return false;
      if (key === PRICE) this.price = value;
      else this.timeMs = Math.floor(value);
    } while (this.#takeToken(COMMA));
    if (!this.#takeToken(CLOSE_BRACE)) return false;
    this.#skipSpace();
    return this.#at === data.length && (seen & PRICE) !== 0;
  }

  #skipSpace(): void {
    for (;;) {
      const byte = this.#data[this.#at];
      if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) return;
      this.#at += 1;
    }
  }

  #takeToken(token: number): boolean {
    this.#skipSpace();
    if (this.#data[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #readKey(): number {
    if (!this.#takeToken(QUOTE)) return NO_KEY;
    const isPrice = this.#data[this.#at] === PRICE_KEY[0];
    const expected = isPrice ? PRICE_KEY : TIME_KEY;
    for (const byte of expected) {
      if (this.#data[this.#at] !== byte) return NO_KEY;
      this.#at += 1;
    }
    if (this.#data[this.#at] !== QUOTE) return NO_KEY;
    this.#at += 1;
    return isPrice ? PRICE : TIME;
  }

  /** A number of plain digits with or without a decimal point; NaN for any other. */
  #readNumber(): number {
    this.#skipSpace();
    const start = this.#at;
    const whole = this.#readDigits(0);
    const wholeDigits = this.#at - start;
    const hasLeadingZero = wholeDigits > 1 && this.#data[start] === ZERO;
    if (wholeDigits === 0 || wholeDigits > DIGITS_MAX || hasLeadingZero) return Number.NaN;
    if (this.#data[this.#at] !== POINT) return whole;
    this.#at += 1;
    const decimalStart = this.#at;
    const digits = this.#readDigits(whole);
    const decimals = this.#at - decimalStart;
    if (decimals === 0 || wholeDigits + decimals > DIGITS_MAX) return Number.NaN;
    return digits / (POWERS_OF_TEN[decimals] ?? Number.NaN);
  }

  #readDigits(before: number): number {
    let value = before;
    for (;;) {
      const byte = this.#data[this.#at];
      if (byte === undefined || byte < ZERO || byte > NINE) return value;
      value = value * 10 + (byte - ZERO);
      this.#at += 1;
    }
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a tick message of any accepted shape: one tick or an array of ticks. `symbol` is what the subject names; without
 * one every entry must name its own. Gives each tick to `visit` and answers how many entries were malformed: what is
 * no JSON or too long counts as one.
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

/** Undefined, which no JSON gives, when it cannot be read. */
function parseJson(data: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(data));
  } catch {
    return undefined;
  }
}

function visitEntry(entry: unknown, subjectSymbol: string | undefined, visit: TickVisitor): boolean {
  if (!isObject(entry)) return false;
  const symbol = subjectSymbol ?? entry.symbol;
  const timeMs = readTime(entry.time);
  if (typeof symbol !== "string" || timeMs === undefined) return false;
  visit(symbol, typeof entry.price === "number" ? entry.price : Number.NaN, timeMs);
  return true;
}

/** NaN for no time, undefined for a wrong one. */
function readTime(time: unknown): number | undefined {
  if (time === undefined || time === null) return Number.NaN;
  return typeof time === "number" && Number.isFinite(time) ? Math.floor(time) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
