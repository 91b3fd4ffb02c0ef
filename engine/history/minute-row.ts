/** Minutes as rows on the disk: `b/<symbol>/<minutes since 1970>` holds four prices and two moments. */
import type { MinuteBar } from "../../src/domain/market/bars.ts";

const MINUTE_MS = 60_000;
/** Enough until the year 2160. */
const MINUTE_DIGITS = 8;
const PRICE_BYTES = 8;
const OPEN_AT = 0;
const HIGH_AT = PRICE_BYTES;
const LOW_AT = 2 * PRICE_BYTES;
const CLOSE_AT = 3 * PRICE_BYTES;
const OPEN_MS_AT = 4 * PRICE_BYTES;
const CLOSE_MS_AT = OPEN_MS_AT + 2;
const ROW_BYTES = CLOSE_MS_AT + 2;

/** All minutes lie in this range. */
export const ALL_MINUTES = { gte: "b/", lt: "b0" } as const;

/** The key of the minute of a symbol that begins at `fromMs`, epoch milliseconds. */
export function keyOfMinute(symbol: string, fromMs: number): string {
  const minute = Math.min(Math.max(0, Math.floor(fromMs / MINUTE_MS)), 10 ** MINUTE_DIGITS - 1);
  return `b/${symbol}/${String(minute).padStart(MINUTE_DIGITS, "0")}`;
}

/** Comes after all keys of the symbol. */
export function endOfSymbol(symbol: string): string {
  return `b/${symbol}0`;
}

export function symbolOfKey(key: string): string {
  return key.slice(2, key.lastIndexOf("/"));
}

export function encodeMinute(bar: MinuteBar): Uint8Array {
  const row = new DataView(new ArrayBuffer(ROW_BYTES));
  row.setFloat64(OPEN_AT, bar.open);
  row.setFloat64(HIGH_AT, bar.high);
  row.setFloat64(LOW_AT, bar.low);
  row.setFloat64(CLOSE_AT, bar.close);
  row.setUint16(OPEN_MS_AT, bar.openMs - bar.fromMs);
  row.setUint16(CLOSE_MS_AT, bar.closeMs - bar.fromMs);
  return new Uint8Array(row.buffer);
}

/** Decodes the minute of a row; undefined if it is not one. */
export function decodeMinute(key: string, value: Uint8Array): MinuteBar | undefined {
  const fromMs = Number(key.slice(key.lastIndexOf("/") + 1)) * MINUTE_MS;
  if (value.byteLength !== ROW_BYTES || !Number.isSafeInteger(fromMs)) return undefined;
  const row = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return {
    fromMs,
    open: row.getFloat64(OPEN_AT),
    high: row.getFloat64(HIGH_AT),
    low: row.getFloat64(LOW_AT),
    close: row.getFloat64(CLOSE_AT),
    openMs: fromMs + row.getUint16(OPEN_MS_AT),
    closeMs: fromMs + row.getUint16(CLOSE_MS_AT),
  };
}
