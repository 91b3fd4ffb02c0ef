/**
 * The journal: turns the changes of a turn of the loop into one atomic, synced batch, and runs their consequences once
 * that batch is durable.
 *
 * Owns: the open batch, queued batches, the batch being written, the head record, ids and the running sequence.
 * Does not own: what the keys mean, who acts, the store's file format.
 *
 * Invariants:
 * 1. At most one batch is being written; later changes go into the next one (group commit), or into the next few: a
 *    batch of more than `changesMax` is closed in the next microtask, as it is then, and waits for its turn. The
 *    synchronous work for a batch, before it is written and after, blocks the loop for no longer than that.
 * 2. A change is read back immediately, durable or not: the engine decides on its newest state.
 * 3. `afterDurable` acts run only after everything put before them is durable (but see 9), in the order in which they
 *    were given.
 * 4. Every batch carries the head record with the hash of all live and of all archive pairs as of that batch.
 * 5. The first failed write is fatal: no act runs any more, no batch is written any more.
 * 6. However many acts a batch releases, a turn of the loop runs a bounded number of them (due-acts.ts).
 * 7. A row that is kept knows the hash of its pair, so that it is overwritten or removed without being read.
 * 8. A batch with a waiting caller starts its write in a microtask: changes without an await in between share it.
 *    Background changes (a settled answer, a position) join the next such batch, or are written alone after
 *    `unhurriedMs`.
 * 9. Changes within `ahead` pass background work, in a batch of their own: a trigger alone is on disk in two thirds of
 *    the time. If a key is in both, if `keepOrder` is set, or if a caller waits for the rest as well, all is written in
 *    one batch, and the acts of the passed changes run first.
 */
import { assert } from "../../../src/assert.ts";
import { BATCH_SIZE_BUCKETS } from "../../../src/contract/operator/operator.ts";
import { BucketCounts } from "../../../src/runtime/bucket-counts.ts";
import type { Cancel, Clock, Fatal, Timers } from "../../../src/runtime/ports.ts";
import type { PartitionFeed } from "../../ports/feed.ts";
import type { Delete, Journal, Put, Row, Store } from "../../ports/storage.ts";
import { HEAD_KEY } from "../../table/keys.ts";
import { DueActs } from "./due-acts.ts";
import type { Head } from "./head.ts";
import { type Change, PendingChanges } from "./pending-changes.ts";
import { KeptRow } from "./row.ts";
import { hashOfPair, SetHash } from "./set-hash.ts";

/** As many hold the loop up for a few milliseconds, and a synced write of as many costs each of them next to nothing. */
const CHANGES_MAX = 1_024;
/** Of background changes: to write more together would block the loop. */
const UNHURRIED_CHANGES_MAX = 256;

interface JournalOptions {
  readonly store: Store;
  readonly head: Head;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly fatal: Fatal;
  /** The tick position to write with the next batch. */
  readonly tickPosition: () => number | null;
  /** Further state of the feed that is written with it; absent, or undefined: the value in the head remains. */
  readonly feed?: Pick<PartitionFeed, "memory"> | undefined;
  /** How long background changes may stay in memory; 0, the default, writes them immediately. */
  readonly unhurriedMs?: number;
  /** About how many changes share a batch at most. For tests: theirs are few. */
  readonly changesMax?: number;
  /** Receives the head of each durable batch. */
  readonly onDurable?: (head: Head) => void;
  /**
   * Compares each kept row, and each key that should be absent, with the store, and throws on a difference: for tests of
   * code that keeps rows.
   */
  readonly areRowsChecked?: boolean;
}

/** A batch that nothing is added to any more. */
interface Batch {
  readonly layer: PendingChanges;
  readonly operations: readonly (Put | Delete)[];
  /** As it is written with it. */
  readonly head: Head;
}

export class PartitionJournal implements Journal {
  /** How many rows each batch changed, since the process started. */
  readonly batchSizes = new BucketCounts(BATCH_SIZE_BUCKETS);
  readonly #options: JournalOptions;
  /** Of all pairs as of the last batch that was closed. */
  readonly #liveHash: SetHash;
  readonly #archiveHash: SetHash;
  #head: Head;
  #ids: number;
  #sequence: number;
  #making = new PendingChanges();
  /** What may pass the batch in the making. No key is in both. */
  #ahead = new PendingChanges();
  #isAheadWork = false;
  /** What is still to be put into the batch in the making before it is closed. */
  #lastPuts: (() => void)[] = [];
  readonly #dueActs: DueActs;
  /** Closed, and to be written after the one on its way, in order. */
  #waiting: Batch[] = [];
  #writing: Batch | undefined;
  #mustWriteHead = false;
  #isScheduled = false;
  /** Whether a caller waits for the open batch: no batch passes it then. */
  #isHurried = false;
  #cancelUnhurried: Cancel | undefined;
  #isDead = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#head = options.head;
    this.#dueActs = new DueActs(options.timers);
    this.#ids = options.head.ids;
    this.#sequence = options.head.sequence;
    this.#liveHash = SetHash.parse(options.head.liveHash);
    this.#archiveHash = SetHash.parse(options.head.archiveHash);
  }

  /** The record as the next batch will contain it, except what only that batch knows. */
  get head(): Head {
    return { ...this.#head, ids: this.#ids, sequence: this.#sequence };
  }

  /** True while something is not durable yet. */
  get isDirty(): boolean {
    return this.#writing !== undefined || !this.#isNothingMade;
  }

  get #isNothingMade(): boolean {
    const isLayerEmpty = this.#making.isEmpty && this.#ahead.isEmpty && this.#waiting.length === 0;
    return isLayerEmpty && this.#lastPuts.length === 0 && !this.#mustWriteHead;
  }

  read(key: string): Uint8Array | undefined {
    const change = this.#changeOf(key);
    return change === undefined ? this.#options.store.read(key) : (change.value ?? undefined);
  }

  put(key: string, value: Uint8Array | string): Row {
    return new KeptRow(key, this.#set(key, value, this.#hashOf(key)));
  }

  insert(key: string, value: Uint8Array | string): Row {
    const known = this.#options.areRowsChecked === true ? this.read(key) : this.#makingOf(key)?.value;
    assert((known ?? null) === null, () => `${key} holds nothing`);
    return new KeptRow(key, this.#set(key, value, undefined));
  }

  replace(row: Row, value: Uint8Array | string): void {
    const kept = this.#known(row);
    kept.pairHash = this.#set(kept.key, value, kept.pairHash);
  }

  remove(row: Row | string): void {
    const key = typeof row === "string" ? row : row.key;
    const previous = typeof row === "string" ? this.#hashOf(row) : this.#known(row).pairHash;
    if (previous === undefined) return;
    this.#layerFor(key).set(key, null, previous, undefined);
    this.#scheduleUnhurried();
  }

  rowOf(key: string, value: Uint8Array | string): Row {
    return new KeptRow(key, hashOfPair(key, bytesOf(value)));
  }

  rowWithHash(key: string, hash: string): Row {
    return new KeptRow(key, BigInt(`0x${hash}`));
  }

  ahead(work: () => void): void {
    const isWithin = this.#isAheadWork;
    this.#isAheadWork = true;
    try {
      work();
    } finally {
      this.#isAheadWork = isWithin;
    }
  }

  keepOrder(): void {
    if (this.#isPassing) this.#stopPassing();
  }

  beforeClose(put: () => void): void {
    this.#lastPuts.push(put);
    this.#scheduleUnhurried();
  }

  afterDurable(act: () => void): void {
    if (this.#isPassing) {
      this.#ahead.acts.push(act);
      this.#scheduleFlush();
    } else {
      this.#making.acts.push(act);
      this.#hurry();
    }
  }

  afterDurableUnhurried(act: () => void): void {
    this.#making.acts.push(act);
    this.#scheduleUnhurried();
  }

  allocateIds(count: number): number[] {
    const { partition, partitions } = this.#head;
    const ids = this.#ids;
    this.#ids += count;
    const allocated = Array.from({ length: count }, (_, index) => (ids + index + 1) * partitions + partition);
    assert(Number.isSafeInteger(allocated[count - 1] ?? 0), "ids stay safe integers");
    return allocated;
  }

  nextSequence(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** Writes a batch even when nothing else changed, for the head alone. */
  writeHead(): void {
    this.#mustWriteHead = true;
    this.#scheduleUnhurried();
  }

  /** Resolves once everything given so far is durable and its acts have run. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.afterDurable(resolve));
  }

  get #isAnybodyWaiting(): boolean {
    return this.#isHurried || this.#ahead.acts.length > 0 || this.#waiting.length > 0;
  }

  /** Whether what is put now may pass the batch in the making. */
  get #isPassing(): boolean {
    return this.#isAheadWork && !this.#isHurried;
  }

  #changeOf(key: string): Change | undefined {
    const made = this.#makingOf(key);
    if (made !== undefined) return made;
    const closed = this.#waiting.findLast(({ layer }) => layer.changes.has(key)) ?? this.#writing;
    return closed?.layer.changes.get(key);
  }

  #makingOf(key: string): Change | undefined {
    const ahead = this.#ahead.changes.get(key);
    return ahead === undefined ? this.#making.changes.get(key) : ahead;
  }

  /** Returns the hash of what the key holds now; `before`: of what it held. */
  #set(key: string, value: Uint8Array | string, before: bigint | undefined): bigint {
    const bytes = bytesOf(value);
    const after = hashOfPair(key, bytes);
    this.#layerFor(key).set(key, bytes, before, after);
    this.#scheduleUnhurried();
    return after;
  }

  #hashOf(key: string): bigint | undefined {
    const value = this.read(key);
    return value === undefined ? undefined : hashOfPair(key, value);
  }

  #known(row: Row): KeptRow {
    assert(row instanceof KeptRow, "rows are the journal's own");
    if (this.#options.areRowsChecked === true) {
      assert(row.pairHash === this.#hashOf(row.key), `the row kept of ${row.key} is not what it holds`);
    }
    return row;
  }

  /** Where a change of the key belongs: what was made of the same key goes with it, or before. */
  #layerFor(key: string): PendingChanges {
    assert(key !== HEAD_KEY, "the head is the journal's own");
    if (this.#isPassing) {
      if (!this.#making.changes.has(key)) return this.#ahead;
      this.#stopPassing();
    } else if (this.#ahead.changes.has(key)) this.#stopPassing();
    return this.#making;
  }

  /** What might have passed the batch in the making goes with it, and nothing passes that any more. */
  #stopPassing(): void {
    this.#making.absorb(this.#closeAhead());
    this.#hurry();
  }

  #hurry(): void {
    this.#isHurried = true;
    this.#scheduleFlush();
  }

  /** Whether what goes next has as many changes as are to share a batch. */
  get #isFull(): boolean {
    const { changesMax = CHANGES_MAX } = this.#options;
    return (this.#isHurried ? this.#making.changes.size : 0) + this.#ahead.changes.size >= changesMax;
  }

  #scheduleFlush(): void {
    if (this.#isScheduled || this.#isDead || (this.#writing !== undefined && !this.#isFull)) return;
    this.#isScheduled = true;
    // Once what runs now is done, and no later: a turn of the loop more would be a tenth of a trigger's way.
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #scheduleUnhurried(): void {
    const { unhurriedMs = 0, timers } = this.#options;
    if (unhurriedMs === 0 || this.#making.changes.size >= UNHURRIED_CHANGES_MAX) this.#hurry();
    if (this.#isHurried || this.#cancelUnhurried !== undefined || this.#isDead) return;
    this.#cancelUnhurried = timers.after(unhurriedMs, () => {
      this.#cancelUnhurried = undefined;
      this.#hurry();
    });
  }

  #flush(): void {
    if (this.#isDead) return;
    if (this.#writing !== undefined) {
      const full = this.#isFull ? this.#close() : undefined;
      if (full !== undefined) this.#waiting.push(full);
      return;
    }
    const batch = this.#waiting.shift() ?? this.#close();
    if (batch === undefined) return;
    this.#writing = batch;
    this.#options.store.write(batch.operations).then(
      () => this.#onWritten(batch),
      (cause: unknown) => {
        this.#isDead = true;
        this.#dueActs.stop();
        this.#options.fatal("a write to the store failed", cause);
      },
    );
  }

  /** What is to be written next as it is now; undefined where that is nothing, and what waits for it may act. */
  #close(): Batch | undefined {
    const layer = this.#isHurried ? this.#closeMaking() : this.#closeAhead();
    if (layer.isEmpty && !this.#mustWriteHead) {
      this.#dueActs.letOut(layer.acts);
      return undefined;
    }
    this.#mustWriteHead = false;
    return { layer, operations: this.#operations(layer), head: this.#head };
  }

  #closeMaking(): PendingChanges {
    this.#making.absorb(this.#closeAhead());
    for (const put of this.#lastPuts.splice(0)) put();
    this.#isHurried = false;
    this.#cancelUnhurried?.();
    this.#cancelUnhurried = undefined;
    const layer = this.#making;
    this.#making = new PendingChanges();
    return layer;
  }

  #closeAhead(): PendingChanges {
    const layer = this.#ahead;
    this.#ahead = new PendingChanges();
    return layer;
  }

  #operations(layer: PendingChanges): (Put | Delete)[] {
    const operations = layer.operations();
    this.batchSizes.add(operations.length);
    layer.moveHashes(this.#liveHash, this.#archiveHash);
    this.#head = {
      ...this.#head,
      ids: this.#ids,
      sequence: this.#sequence,
      batch: this.#head.batch + 1,
      liveHash: this.#liveHash.toString(),
      archiveHash: this.#archiveHash.toString(),
      tickPosition: this.#options.tickPosition(),
      ...this.#options.feed?.memory(),
      writtenAtMs: this.#options.clock.nowMs(),
    };
    operations.push({ type: "put", key: HEAD_KEY, value: Buffer.from(JSON.stringify(this.#head)) });
    return operations;
  }

  #onWritten({ layer: { acts }, head }: Batch): void {
    this.#writing = undefined;
    this.#options.onDurable?.(head);
    // The next batch starts its way before the acts run: what they send must not hold the disk up.
    if (this.#isAnybodyWaiting && !this.#isNothingMade) this.#flush();
    this.#dueActs.letOut(acts);
    if (this.#isAnybodyWaiting) this.#scheduleFlush();
  }
}

function bytesOf(value: Uint8Array | string): Uint8Array {
  return typeof value === "string" ? Buffer.from(value) : value;
}
