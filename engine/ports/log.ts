/** The log of a partition and the rows behind it, as whoever keeps them shows them. Interfaces only. */
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
 * What was decided, in order: batches are durable once they are in the log. Records are numbered without a gap.
 *
 * One writer: the log refuses whoever names another place than its end, and whoever comes second.
 */
export interface CommitLog {
  /** The first record that was not trimmed; undefined while the log holds none, or it is not known. */
  readonly firstSequence: number | undefined;
  /** The last record that is durable; undefined while the log holds none. */
  readonly lastSequence: number | undefined;
  /**
   * Appends records after number `expectedSequence`, which must be the last one; a log that holds none takes its first at
   * whatever place is named. Resolves once all of them are durable. One call at a time. A rejection is fatal: the caller
   * cannot know what became of them, and no other append succeeds.
   */
  append(expectedSequence: number, records: readonly Uint8Array[]): Promise<void>;
  /** Pages of the durable records from number `sequence` on, in order. */
  readFrom(sequence: number): AsyncIterable<readonly LogRecord[]>;
  /** Forgets the records up to number `toSequence`, but never the last. What is forgotten may come back after a crash. */
  trim(toSequence: number): Promise<void>;
  close(): Promise<void>;
}
