/**
 * A journal in memory with the batches of the real one: at most one on its way, acts after it, and a crash that keeps
 * or tears off the batch on its way.
 */
import assert from "node:assert/strict";
import type { Journal, Row } from "../../../engine/ports/storage.ts";
import { KeptRow } from "../../../engine/store/journal/row.ts";
import { hashOfPair } from "../../../engine/store/journal/set-hash.ts";
import type { Timers } from "../../../src/runtime/ports.ts";

/** The durable rows: they outlive the process. */
export class FakeDisk {
  readonly rows = new Map<string, Uint8Array>();
  sequence = 0;
  id = 0;

  /** Returns the row as JSON; undefined if it is missing. */
  json(key: string): unknown {
    const bytes = this.rows.get(key);
    return bytes === undefined ? undefined : JSON.parse(Buffer.from(bytes).toString());
  }

  /** The keys under a prefix, in order. */
  keys(prefix: string): string[] {
    return [...this.rows.keys()].filter((key) => key.startsWith(prefix)).sort();
  }
}

type Changes = Map<string, Uint8Array | null>;

export class FakeJournal implements Journal {
  readonly #disk: FakeDisk;
  readonly #timers: Timers;
  readonly #writeMs: () => number;
  #making: Changes = new Map();
  #acts: (() => void)[] = [];
  #lastPuts: (() => void)[] = [];
  #writing: Changes | undefined;
  #isScheduled = false;
  #isDead = false;
  /** Batches that became durable. */
  batchCount = 0;

  /** `writeMs`: how long the next batch takes. */
  constructor(disk: FakeDisk, timers: Timers, writeMs: () => number = () => 0) {
    this.#disk = disk;
    this.#timers = timers;
    this.#writeMs = writeMs;
  }

  read(key: string): Uint8Array | undefined {
    for (const changes of [this.#making, this.#writing]) {
      const value = changes?.get(key);
      if (value !== undefined) return value ?? undefined;
    }
    return this.#disk.rows.get(key);
  }

  insert(key: string, value: Uint8Array | string): Row {
    assert(this.read(key) === undefined, `${key} holds something`);
    return this.put(key, value);
  }

  put(key: string, value: Uint8Array | string): Row {
    this.#making.set(key, typeof value === "string" ? Buffer.from(value) : value);
    this.#schedule();
    return this.rowOf(key, value);
  }

  replace(row: Row, value: Uint8Array | string): void {
    this.#check(row);
    assert(row instanceof KeptRow);
    row.pairHash = hashOfPair(row.key, Buffer.from(value));
    this.put(row.key, value);
  }

  remove(row: Row | string): void {
    if (typeof row !== "string") this.#check(row);
    this.#making.set(typeof row === "string" ? row : row.key, null);
    this.#schedule();
  }

  rowOf(key: string, value: Uint8Array | string): Row {
    return new KeptRow(key, hashOfPair(key, Buffer.from(value)));
  }

  rowWithHash(key: string, hash: string): Row {
    return new KeptRow(key, BigInt(`0x${hash}`));
  }

  /** A row that is given back must be as its key holds it. */
  #check({ key, hash }: Row): void {
    const value = this.read(key);
    assert(value !== undefined && hash === this.rowOf(key, value).hash, `the row kept of ${key} is not what it holds`);
  }

  ahead(work: () => void): void {
    work();
  }

  keepOrder(): void {
    // Nothing passes here.
  }

  beforeClose(put: () => void): void {
    this.#lastPuts.push(put);
    this.#schedule();
  }

  afterDurable(act: () => void): void {
    this.#acts.push(act);
    this.#schedule();
  }

  afterDurableUnhurried(act: () => void): void {
    this.afterDurable(act);
  }

  allocateIds(count: number): number[] {
    return Array.from({ length: count }, () => {
      this.#disk.id += 1;
      return this.#disk.id;
    });
  }

  nextSequence(): number {
    this.#disk.sequence += 1;
    return this.#disk.sequence;
  }

  /** The process dies; `isKept`: whether the batch on its way is on disk. */
  crash(isKept: boolean): void {
    this.#isDead = true;
    if (isKept && this.#writing !== undefined) this.#apply(this.#writing);
  }

  #schedule(): void {
    if (this.#isScheduled || this.#writing !== undefined) return;
    this.#isScheduled = true;
    this.#timers.soon(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#isDead) return;
    for (const put of this.#lastPuts.splice(0)) put();
    const changes = this.#making;
    const acts = this.#acts;
    this.#making = new Map();
    this.#acts = [];
    this.#writing = changes;
    const finish = (): void => {
      if (this.#isDead) return;
      this.#writing = undefined;
      this.#apply(changes);
      for (const act of acts) act();
      if (this.#making.size > 0 || this.#acts.length > 0) this.#schedule();
    };
    const delayMs = changes.size === 0 ? 0 : this.#writeMs();
    if (delayMs === 0) finish();
    else this.#timers.after(delayMs, finish);
  }

  #apply(changes: Changes): void {
    if (changes.size > 0) this.batchCount += 1;
    for (const [key, value] of changes) {
      if (value === null) this.#disk.rows.delete(key);
      else this.#disk.rows.set(key, value);
    }
  }
}
