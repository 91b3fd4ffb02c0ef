/**
 * AlgoLab's wire format as plain functions: encryption, the Checker header, envelopes, times, order numbers.
 *
 * Owns: the meaning of the bytes. Does not own: sending them (api.ts), the meaning of a row for an order (order.ts).
 *
 * Invariant: keys of answers are read without case, because older answers of AlgoLab use capitals.
 */
import { createCipheriv, createHash } from "node:crypto";
import { z } from "zod";

/** The host name that AlgoLab hashes into the Checker header, for every address in use. */
const CHECKED_HOST = "https://www.algolab.com.tr";
const IV = Buffer.alloc(16);
/** Turkey has had no summer time since 2016. */
const ISTANBUL_AHEAD_MS = 3 * 3_600_000;
const DAY_MS = 86_400_000;

const AES_KEY_BYTES = 32;

/** Returns what is wrong with an API key, which is `API-<base64 of 32 bytes>`. */
export function faultOfApiKey(apiKey: string): string | undefined {
  const isKey = apiKey.includes("-") && aesKeyOf(apiKey).length === AES_KEY_BYTES;
  return isKey ? undefined : "must be API- and the base64 text of 32 bytes, as AlgoLab's page shows it";
}

function aesKeyOf(apiKey: string): Buffer {
  return Buffer.from(apiKey.slice(apiKey.indexOf("-") + 1), "base64");
}

/** Encrypts a user name, password or code by the key in `apiKey`: AES-256-CBC with a zero vector, as base64 text. */
export function encrypt(apiKey: string, text: string): string {
  const cipher = createCipheriv("aes-256-cbc", aesKeyOf(apiKey), IV);
  return Buffer.concat([cipher.update(text, "utf8"), cipher.final()]).toString("base64");
}

/** The Checker header: `endpoint` begins with one `/api` (the socket: `/ws`); `body` is empty for an empty payload. */
export function checkerOf(apiKey: string, endpoint: string, body: string): string {
  return createHash("sha256").update(`${apiKey}${CHECKED_HOST}${endpoint}${body}`).digest("hex");
}

/** The value with all keys in lower case, at any depth. */
export function lowerKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), lowerKeys(inner)]));
}

export const envelopeSchema = z.object({
  success: z.boolean(),
  message: z.string().nullish(),
  content: z.unknown(),
});

/**
 * The order number in the content of an accepted order: `Referans Numaranız: 001VEV;0000-2923NR-IET - HISSEOK` and
 * `FOSXEE;20240726FOSXEE - HISSEOK`. `undefined` if it contains none.
 */
export function orderNumberOf(content: unknown): string | undefined {
  if (typeof content !== "string") return undefined;
  return /^(?:[^;:]*:\s*)?([A-Za-z0-9-]{1,40});/.exec(content.trim())?.[1];
}

/** Epoch milliseconds of `dd.MM.yyyy HH:mm:ss` in Istanbul; `undefined` for another form. */
export function istanbulTimeMs(text: string): number | undefined {
  const found = /^(\d{2})\.(\d{2})\.(\d{4}) (\d{2}):(\d{2}):(\d{2})$/.exec(text.trim());
  if (found === null) return undefined;
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second) - ISTANBUL_AHEAD_MS;
}

/** The number of the day in Istanbul, counted from 1970: two moments of one trading day share it. */
export function istanbulDay(timeMs: number): number {
  return Math.floor((timeMs + ISTANBUL_AHEAD_MS) / DAY_MS);
}

/** The time of the day in Istanbul, in milliseconds since its midnight. */
export function istanbulDayMs(timeMs: number): number {
  return timeMs + ISTANBUL_AHEAD_MS - istanbulDay(timeMs) * DAY_MS;
}

/** A share's name without the market's suffix: AlgoLab and its documents name shares with it or without. */
export function withoutMarket(symbol: string): string {
  return symbol.endsWith(".E") ? symbol.slice(0, -2) : symbol;
}
