/**
 * The keys of a partition's store that several parts use, and the ranges in which a store is read: made of the tables.
 */
import type { AccountPlace } from "../ports/brokerage.ts";
import type { ScanRange } from "../ports/storage.ts";
import { TABLES, tableOf } from "./tables.ts";

/** The record that describes the required content of the store. */
export const HEAD_KEY = "head";

const LAST_KEY = "\uffff";

/** All possible keys, in any store. */
export const ALL_KEYS: ScanRange = { gte: "", lt: LAST_KEY };

/** A live actor's snapshot. */
export const actorKey = (id: number): string => TABLES.actors.key(id);
/** An ended actor's snapshot. */
export const endedKey = (id: number): string => TABLES.endedActors.key(id);
/** The id of the actor that holds a claim. */
export const claimKey = (claim: string): string => TABLES.claims.key(claim);
/** A row of events, by the sequence of its first event. */
export const eventKey = (sequence: number): string => TABLES.events.key(sequence);
/** The receipt of one of a row's sells. */
export const receiptKey = (rowId: number, clientOrderId: string): string => TABLES.receipts.key(rowId, clientOrderId);
/** The common prefix of the keys of a row's receipts. */
export const receiptPrefix = (rowId: number): string => TABLES.receipts.within(rowId);
/** The sequence up to which events were published. */
export const EVENT_PUBLISHED_KEY = TABLES.eventProgress.key("published");
/** The sequence up to which events were removed. */
export const EVENT_TRIMMED_KEY = TABLES.eventProgress.key("trimmed");
/** A quarantined actor and the reason. */
export const quarantineKey = (id: number): string => TABLES.quarantine.key(id);
/** The name for orders of rows that were made since so many ids had been given out (store/order-names.ts). */
export const lifeKey = (afterIds: number): string => TABLES.lives.key(afterIds);
/** An account of a user, as a part of a key. */
export const placeKey = ({ userId, brokerageCode, accountNumber }: AccountPlace): string =>
  `${userId}/${brokerageCode}/${accountNumber}`;
/** A view row. */
export const viewKey = (key: string): string => TABLES.views.key(key);
/** The first answer to an `Idempotency-Key`. */
export const idempotencyKey = (userId: number, key: string): string => TABLES.firstAnswers.key(userId, key);

/** Returns the range of event rows whose first event has at least this sequence. */
export function eventRowsFrom(sequence: number): ScanRange {
  return { ...TABLES.events.range, gte: eventKey(sequence) };
}

/** Returns the range of the last event row that begins before this sequence: only that row can reach beyond it. */
export function eventRowBefore(sequence: number): ScanRange {
  return { ...TABLES.events.range, lt: eventKey(sequence), reverse: true, limit: 1 };
}

/** Whether the key belongs to the archive, which is checked after arming and not before. */
export function isArchiveKey(key: string): boolean {
  return tableOf(key)?.isArchive === true;
}

/** The key ranges of the archive, in key order. */
export const ARCHIVE_RANGES: readonly ScanRange[] = Object.values(TABLES)
  .filter(({ isArchive }) => isArchive)
  .map(({ range }) => range)
  .sort((left, right) => (left.gte < right.gte ? -1 : 1));

/** The key ranges of all else, the head record included. */
export const LIVE_RANGES: readonly ScanRange[] = [...ARCHIVE_RANGES, { gte: LAST_KEY, lt: LAST_KEY }].map(
  (next, index): ScanRange => ({ gte: ARCHIVE_RANGES[index - 1]?.lt ?? "", lt: next.gte }),
);
