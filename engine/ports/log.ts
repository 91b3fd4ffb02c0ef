/** The log of a partition and the rows behind it, as their users see them. Interfaces only. */
import type { Delete, Put, Store } from "./storage.ts";

/** The rows of a store on disk, behind its log: a write is not synced, and becomes durable with the next `sync`. */
export interface RowStore extends Pick<Store, "read" | "scan" | "scanTexts" | "close"> {
  /** Resolves once reads see all of it; all or nothing, and in the order of the calls. A rejection is fatal. */
  writeUnsynced(operations: readonly (Put | Delete)[]): Promise<void>;
  /** Resolves once all that was written before the call is on disk. A rejection is fatal. */
  sync(): Promise<void>;
}

/** A record of the log. */
export interface LogRecord {
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/**
 * Decisions, in order: batches are durable once they are in the log. Records are numbered without a gap.
 *
 * One writer: the log refuses a caller that names another place than its end, and every second caller.
 */
export interface CommitLog {
  /** The first record that was not trimmed; undefined while the log is empty, or if it is not known. */
  readonly firstSequence: number | undefined;
  /** The last record that is durable; undefined while the log is empty. */
  readonly lastSequence: number | undefined;
  /**
   * Appends records after number `expectedSequence`, which must be the last one; an empty log takes its first record at
   * any named place. Resolves once all of them are durable. One call at a time. A rejection is fatal: the caller cannot
   * know the outcome, and no other append succeeds.
   */
  append(expectedSequence: number, records: readonly Uint8Array[]): Promise<void>;
  /** Pages of the durable records from number `sequence` on, in order. */
  readFrom(sequence: number): AsyncIterable<readonly LogRecord[]>;
  /**
   * Forgets the records up to number `toSequence`, but never the last. Forgotten records can come back after a crash.
   */
  trim(toSequence: number): Promise<void>;
  close(): Promise<void>;
}
