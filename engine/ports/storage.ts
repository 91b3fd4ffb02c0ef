/**
 * Stored rows, and the one way to change them. Interfaces only: each part implements or uses these and knows no other
 * part.
 *
 * Invariants that every implementation keeps:
 * 1. Event -> step -> commit -> act: nothing leaves the process (order, reply, event) before the batch that caused it
 *    is durable.
 * 2. Between receiving a tick and handing a batch to the store everything is synchronous.
 */

export interface Put {
  readonly type: "put";
  readonly key: string;
  readonly value: Uint8Array;
  /** True if the key certainly did not exist before. */
  readonly isNew?: boolean;
}

export interface Delete {
  readonly type: "del";
  readonly key: string;
}

export interface ScanRange {
  readonly gte: string;
  readonly lt: string;
  readonly reverse?: boolean;
  readonly limit?: number;
  /** True: the values are not needed, and can come empty. */
  readonly keysOnly?: boolean;
}

/** An ordered key-value store of one partition. Only the journal writes to it. */
export interface Store {
  /** The durable value of `key`. Synchronous: for rows that a tick reached, never for other rows. */
  read(key: string): Uint8Array | undefined;
  /** Resolves once all of it is on disk; all or nothing. A rejection is fatal to the process. */
  write(operations: readonly (Put | Delete)[]): Promise<void>;
  /** Pages of durable entries in key order, as they are at the moment of the call; later writes do not show. */
  scan(range: ScanRange): AsyncIterable<readonly (readonly [string, Uint8Array])[]>;
  /**
   * Like `scan`, with the values as text, which all rows are: for a start, which reads a million of them and takes half
   * the time so. Bytes that are not text come as other text. Optional for a store that no start reads.
   */
  scanTexts?(range: ScanRange): AsyncIterable<readonly (readonly [string, string])[]>;
  /**
   * All entries that `scan` returns under `prefix` (that ends in a slash) together, if they are in memory; else
   * undefined. Returns the same array again while nothing of it changed. Optional for a store that keeps nothing in
   * memory.
   */
  held?(prefix: string): readonly (readonly [string, Uint8Array])[] | undefined;
  /**
   * Called by a start that has just read all live rows, before any is written: `read` need not go to the disk for rows
   * that it can keep in memory. Optional for a store that keeps nothing in memory.
   */
  keep?(key: string, value: Uint8Array | string): void;
  /**
   * For a caller about to scan all: the call of `scan` sorts the entries that wait for the disk, which are many after a
   * burst. Resolves with true once no more than `bytesMax` wait, with false if that is not so within `withinMs`.
   * Optional for a store in which nothing waits.
   */
  whenFewWait?(bytesMax: number, withinMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * A row that the store certainly contains, with the journal's knowledge of it: its owner changes the row without a
 * look-up. It remains valid through every change made with it, and through no other change.
 */
export interface Row {
  readonly key: string;
  /** A hash of the present row, as text: to be stored with other rows, for `rowWithHash`. */
  readonly hash: string;
}

/** The batch that this turn of the loop is building (one in the making, at most one on its way to the disk). */
export interface Journal {
  /** The value of a key, batches in progress included. */
  read(key: string): Uint8Array | undefined;
  /** Stores a value; looks up the key's earlier one. */
  put(key: string, value: Uint8Array | string): Row;
  /** Like `put`, for a key that certainly does not exist (a new id, a new sequence number): without a look-up. */
  insert(key: string, value: Uint8Array | string): Row;
  /** Like `put`, for a row that is kept. */
  replace(row: Row, value: Uint8Array | string): void;
  /** Removes a row that is kept, or a key, which is looked up. */
  remove(row: Row | string): void;
  /** The row of a key whose value is known to be `value`. */
  rowOf(key: string, value: Uint8Array | string): Row;
  /** The row of a key whose value is known to have this hash. */
  rowWithHash(key: string, hash: string): Row;
  /** Runs `work`. Its rows pass unhurried work, except for its own keys; see `keepOrder`. */
  ahead(work: () => void): void;
  /** Makes sure that work that runs `ahead` passes nothing. For work that relies on changes under other keys. */
  keepOrder(): void;
  /** Runs `put` once, just before the batch in the making is closed: its rows are still part of that batch. */
  beforeClose(put: () => void): void;
  /** Runs once everything put so far is durable; immediately (never inside the call) if no batch is in progress. */
  afterDurable(act: () => void): void;
  /** Like `afterDurable`, for an act that need not hold up other waiting acts. */
  afterDurableUnhurried(act: () => void): void;
  /** New ids: consecutive for one call, unique across the installation, ascending. */
  allocateIds(count: number): number[];
  /** The next number of the partition's running sequence, for outbox entries and events. */
  nextSequence(): number;
}
