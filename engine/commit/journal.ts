/**
 * The journal: turns what a turn of the loop changed into one atomic, synced batch, and lets the consequences out once
 * that batch is durable.
 *
 * Owns: the batch in the making, the batch on its way, the head record, ids and the running sequence.
 * Does not own: what the keys mean, who acts, the store's file format.
 *
 * Invariants:
 * 1. At most one batch is on its way; all that changes meanwhile goes into the next one (group commit).
 * 2. What was put is read back at once, durable or not: the engine decides on its newest state.
 * 3. `afterDurable` acts run in the order in which they were given, only after everything put before them is durable.
 * 4. Every batch carries the head record with the hash of all live and of all archive pairs as they stand with it.
 * 5. The first failed write is fatal: no act runs any more, no batch is written any more.
 */
import { assert } from "../../src/assert.ts";
import { HEAD_KEY, isArchiveKey } from "../keys.ts";
import type { Clock, Delete, Fatal, Journal, Put, Store, Timers } from "../ports.ts";
import type { Head } from "./head.ts";
import { SetHash } from "./set-hash.ts";

type Changes = Map<string, Uint8Array | null>;

export interface JournalOptions {
  readonly store: Store;
  readonly head: Head;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly fatal: Fatal;
  /** The tick position to write with the next batch. */
  readonly tickPosition: () => number | null;
  /** Told of the head of each durable batch. */
  readonly onDurable?: (head: Head) => void;
}

export class PartitionJournal implements Journal {
  readonly #options: JournalOptions;
  readonly #liveHash: SetHash;
  readonly #archiveHash: SetHash;
  #head: Head;
  #making: Changes = new Map();
  #makingActs: (() => void)[] = [];
  #writing: Changes | undefined;
  #mustWriteHead = false;
  #isScheduled = false;
  #isDead = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#head = options.head;
    this.#liveHash = SetHash.parse(options.head.liveHash);
    this.#archiveHash = SetHash.parse(options.head.archiveHash);
  }

  get head(): Head {
    return this.#head;
  }

  /** True while something is not durable yet. */
  get isDirty(): boolean {
    return this.#writing !== undefined || this.#making.size > 0 || this.#mustWriteHead;
  }

  read(key: string): Uint8Array | undefined {
    const made = this.#making.get(key) ?? (this.#making.has(key) ? null : this.#writing?.get(key));
    if (made !== undefined) return made ?? undefined;
    return this.#options.store.read(key);
  }

  put(key: string, value: Uint8Array | string): void {
    const previous = this.read(key);
    if (previous !== undefined) this.#hashFor(key).remove(key, previous);
    this.#set(key, value);
  }

  insert(key: string, value: Uint8Array | string): void {
    assert(!this.#making.has(key), `${key} is new`);
    this.#set(key, value);
  }

  remove(key: string): void {
    const previous = this.read(key);
    if (previous === undefined) return;
    this.#hashFor(key).remove(key, previous);
    this.#making.set(key, null);
    this.#schedule();
  }

  afterDurable(act: () => void): void {
    this.#makingActs.push(act);
    this.#schedule();
  }

  allocateIds(count: number): number[] {
    const { partition, partitions, ids } = this.#head;
    this.#head = { ...this.#head, ids: ids + count };
    const allocated = Array.from({ length: count }, (_, index) => (ids + index + 1) * partitions + partition);
    assert(Number.isSafeInteger(allocated[count - 1] ?? 0), "ids stay safe integers");
    return allocated;
  }

  nextSequence(): number {
    const sequence = this.#head.sequence + 1;
    this.#head = { ...this.#head, sequence };
    return sequence;
  }

  /** Writes a batch even when nothing else changed, for what only the head says. */
  writeHead(): void {
    this.#mustWriteHead = true;
    this.#schedule();
  }

  /** Resolves once everything given so far is durable and its acts have run. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.afterDurable(resolve));
  }

  #set(key: string, value: Uint8Array | string): void {
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    this.#hashFor(key).add(key, bytes);
    this.#making.set(key, bytes);
    this.#schedule();
  }

  #hashFor(key: string): SetHash {
    assert(key !== HEAD_KEY, "the head is the journal's own");
    return isArchiveKey(key) ? this.#archiveHash : this.#liveHash;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#writing !== undefined || this.#isDead) return;
    this.#isScheduled = true;
    this.#options.timers.soon(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#isDead || this.#writing !== undefined) return;
    const acts = this.#makingActs;
    this.#makingActs = [];
    if (this.#making.size === 0 && !this.#mustWriteHead) {
      for (const act of acts) act();
      return;
    }
    const changes = this.#making;
    this.#making = new Map();
    this.#mustWriteHead = false;
    this.#writing = changes;
    const operations = this.#operations(changes);
    const head = this.#head;
    this.#options.store.write(operations).then(
      () => this.#onWritten(acts, head),
      (cause: unknown) => {
        this.#isDead = true;
        this.#options.fatal("a write to the store failed", cause);
      },
    );
  }

  #operations(changes: Changes): (Put | Delete)[] {
    const operations: (Put | Delete)[] = [];
    for (const [key, value] of changes) {
      operations.push(value === null ? { type: "del", key } : { type: "put", key, value });
    }
    this.#head = {
      ...this.#head,
      batch: this.#head.batch + 1,
      liveHash: this.#liveHash.toString(),
      archiveHash: this.#archiveHash.toString(),
      tickPosition: this.#options.tickPosition(),
      writtenAtMs: this.#options.clock.nowMs(),
    };
    operations.push({ type: "put", key: HEAD_KEY, value: Buffer.from(JSON.stringify(this.#head)) });
    return operations;
  }

  #onWritten(acts: readonly (() => void)[], head: Head): void {
    this.#writing = undefined;
    this.#options.onDurable?.(head);
    // The next batch starts its way before the acts run: what they send must not hold the disk up.
    if (this.#making.size > 0 || this.#mustWriteHead) this.#flush();
    for (const act of acts) act();
    if (this.#makingActs.length > 0) this.#schedule();
  }
}
