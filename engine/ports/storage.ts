/**
 * What is stored, and the one way to change it. Interfaces only: each part implements or uses these and knows no other part.
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
  /** True where the key certainly held nothing before. */
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
  /** True: the values are not needed, and may come empty. */
  readonly keysOnly?: boolean;
}

/** An ordered key-value store of one partition. Only the journal writes to it. */
export interface Store {
  /** The durable value of `key`. Synchronous: for rows that a tick reached, never for those it did not. */
  read(key: string): Uint8Array | undefined;
  /** Resolves once all of it is on disk; all or nothing. A rejection is fatal to the process. */
  write(operations: readonly (Put | Delete)[]): Promise<void>;
  /** Pages of durable entries in key order, as they are at the moment of the call whatever is written later. */
  scan(range: ScanRange): AsyncIterable<readonly (readonly [string, Uint8Array])[]>;
  /**
   * As `scan`, with the values as text, which all rows are: for a start, which reads a million of them and takes half the
   * time so. Bytes that are no text come as other text. A store that no start reads need not have it.
   */
  scanTexts?(range: ScanRange): AsyncIterable<readonly (readonly [string, string])[]>;
  /**
   * What `scan` gives of all that stands under `prefix` (that ends in a slash), all at once, where that is in memory;
   * else undefined. The same array again as long as nothing of it changed. A store that keeps nothing in memory need
   * not have it.
   */
  held?(prefix: string): readonly (readonly [string, Uint8Array])[] | undefined;
  /**
   * Told by who has just read all live rows, before any is written: `read` need not go to the disk for what it can keep
   * in memory. A store that keeps nothing in memory need not have it.
   */
  keep?(key: string, value: Uint8Array | string): void;
  /**
   * For who is about to scan all: the call of `scan` sorts what waits for the disk, and that is much after a burst.
   * Resolves with true once no more than `bytesMax` wait, with false where that is not so within `withinMs`. A store
   * where nothing waits need not have it.
   */
  whenFewWait?(bytesMax: number, withinMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * A row that the store certainly holds, with what the journal knows of it: whoever keeps it changes the row without its
 * being looked up. It stays good through every change that is made by it, and by no other way.
 */
export interface Row {
  readonly key: string;
  /** Of the row as it is now, as text: to be kept with other rows, for `rowWithHash`. */
  readonly hash: string;
}

/** The batch that this turn of the loop is building (one in the making, at most one on its way to the disk). */
export interface Journal {
  /** What a key holds, batches on their way included. */
  read(key: string): Uint8Array | undefined;
  /** What the key held is looked up. */
  put(key: string, value: Uint8Array | string): Row;
  /** As `put`, for a key that certainly holds nothing (a new id, a new sequence number): nothing is looked up. */
  insert(key: string, value: Uint8Array | string): Row;
  /** As `put`, for a row that is kept. */
  replace(row: Row, value: Uint8Array | string): void;
  /** A row that is kept, or what a key holds, which is looked up. */
  remove(row: Row | string): void;
  /** The row of a key that is known to hold `value`. */
  rowOf(key: string, value: Uint8Array | string): Row;
  /** The row of a key that is known to hold what had this hash. */
  rowWithHash(key: string, hash: string): Row;
  /** Runs `work`. What it puts passes unhurried work, but for its own keys; see `keepOrder`. */
  ahead(work: () => void): void;
  /** Work that runs `ahead` passes nothing. For what rests on changes under other keys. */
  keepOrder(): void;
  /** Runs `put` once, just before the batch in the making is closed: what it puts is still part of that batch. */
  beforeClose(put: () => void): void;
  /** Runs once everything put so far is durable; at once (never inside the call) when nothing is on its way. */
  afterDurable(act: () => void): void;
  /** As `afterDurable`, for an act that need not hold up what others wait for. */
  afterDurableUnhurried(act: () => void): void;
  /** New ids: consecutive for one call, unique across the installation, ascending. */
  allocateIds(count: number): number[];
  /** The next number of the partition's running sequence, for outbox entries and events. */
  nextSequence(): number;
}
