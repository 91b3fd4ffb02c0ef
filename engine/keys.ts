/**
 * The key space of a partition's store, in one place.
 *
 * Live keys are what the engine must have whole before it may arm; archive keys are what clients read.
 * Numbers are padded so that keys sort as numbers do.
 */

import type { ScanRange } from "./ports.ts";

/** The record that says what the store must hold. */
export const HEAD_KEY = "head";

const DIGITS = 16;
const ENDED_PREFIX = "z/";
const EVENT_PREFIX = "e/";
/** In key order. */
const ARCHIVE_PREFIXES = [EVENT_PREFIX, "i/", "v/", ENDED_PREFIX];
const LAST_KEY = "\uffff";

/** Every key there can be, in whatever store. */
export const ALL_KEYS: ScanRange = { gte: "", lt: LAST_KEY };

/** A number as part of a key: 16 digits, so that text order is number order. */
export function padded(value: number): string {
  return String(value).padStart(DIGITS, "0");
}

/** A live actor's snapshot. */
export const actorKey = (id: number): string => `a/${padded(id)}`;
/** An ended actor's snapshot. */
export const endedKey = (id: number): string => ENDED_PREFIX + padded(id);
/** Which actor holds a claim. */
export const claimKey = (claim: string): string => `c/${claim}`;
/** A row of events, by the first of them. */
export const eventKey = (sequence: number): string => EVENT_PREFIX + padded(sequence);
/** Up to which sequence events were published. */
export const EVENT_PUBLISHED_KEY = "m/published";
/** Up to which sequence events were removed. */
export const EVENT_TRIMMED_KEY = "m/trimmed";
/** An actor that a fault of ours stopped, and why. */
export const poisonKey = (id: number): string => `q/${padded(id)}`;
/** A view row. */
export const viewKey = (key: string): string => `v/${key}`;
/** The first answer to an `Idempotency-Key`. */
export const idempotencyKey = (userId: number, key: string): string => `i/${padded(userId)}/${key}`;

/** All keys of rows of events whose first has at least this sequence. */
export function eventRowsFrom(sequence: number): ScanRange {
  return { ...under(EVENT_PREFIX), gte: eventKey(sequence) };
}

/** The key of the last row of events whose first is before this sequence: the one that may reach beyond it. */
export function eventRowBefore(sequence: number): ScanRange {
  return { ...under(EVENT_PREFIX), lt: eventKey(sequence), reverse: true, limit: 1 };
}

/** All keys under a prefix that ends in a slash. */
export function under(prefix: string): ScanRange {
  return { gte: prefix, lt: `${prefix.slice(0, -1)}0` };
}

/** Whether the key belongs to the archive, which is checked after arming and not before. */
export function isArchiveKey(key: string): boolean {
  return ARCHIVE_PREFIXES.some((prefix) => key.startsWith(prefix));
}

/** The key ranges of the archive. */
export const ARCHIVE_RANGES: readonly ScanRange[] = ARCHIVE_PREFIXES.map(under);

/** The key ranges of all else, the head record included. */
export const LIVE_RANGES: readonly ScanRange[] = [...ARCHIVE_RANGES, { gte: LAST_KEY, lt: LAST_KEY }].map(
  (next, index): ScanRange => ({ gte: ARCHIVE_RANGES[index - 1]?.lt ?? "", lt: next.gte }),
);
