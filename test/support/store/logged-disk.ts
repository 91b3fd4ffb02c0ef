/**
 * A disk with a log and the rows behind it, in memory, that a process or the power may leave at any instant.
 *
 * Invariants, as of a real one:
 * 1. An append is there whole or not at all, and certainly once it has resolved. What was trimmed since the last append
 *    may come back, as a whole end of it.
 * 2. Rows are there in the order of their writes. A process that dies loses none that was written; with the power go
 *    any number of the last ones that were not synced.
 */
import type { CommitLog, LogRecord, RowStore } from "../../../engine/ports/log.ts";
import type { Delete, Put, ScanRange } from "../../../engine/ports/storage.ts";
import { decodeRecord } from "../../../engine/store/log/log-record.ts";
import type { Timers } from "../../../src/runtime/ports.ts";
import { MemoryDisk, MemoryStore } from "./memory-store.ts";

export interface DiskPace {
  readonly timers: Pick<Timers, "after">;
  /** How long the next operation takes. */
  readonly tookMs: () => number;
  /** True: the next operation fails, as on a full disk. */
  readonly failsNow: () => boolean;
}

interface CrashFate {
  readonly isPowerCut: boolean;
  /** Whether an operation that was on its way is on disk. */
  readonly isKept: () => boolean;
  /** How many of `count` that may be lost are kept. */
  readonly keptOf: (count: number) => number;
}

type Operations = readonly (Put | Delete)[];

/** `entries` is the result of all durable batches, in the log or in the rows. */
export class LoggedDisk extends MemoryDisk {
  readonly records = new Map<number, Uint8Array>();
  readonly rows = new MemoryDisk();
  #first: number | undefined;
  #last: number | undefined;
  #appending: readonly LogRecord[] = [];
  #trimmed: LogRecord[] = [];
  #slice: Operations | undefined;
  /** Operations that undo the writes that were not synced, in order. */
  #unsynced: Operations[] = [];
  /** Called with the operations of each record, before `entries` contains them. */
  onRecord: (operations: Operations) => void = () => undefined;
  readonly #operationsOf: (record: Uint8Array) => Operations;

  /** `operationsOf`: decodes the operations of a record. */
  constructor(operationsOf = (record: Uint8Array): Operations => decodeRecord(record).operations) {
    super();
    this.#operationsOf = operationsOf;
  }

  get firstSequence(): number | undefined {
    return this.#first;
  }

  get lastSequence(): number | undefined {
    return this.#last;
  }

  openLog(pace: DiskPace): CommitLog {
    return new MemoryLog(this, pace);
  }

  openRows(pace: DiskPace): RowStore {
    return new MemoryRows(this, pace);
  }

  beginAppend(records: readonly LogRecord[]): void {
    this.#appending = records;
  }

  endAppend(): void {
    for (const { sequence, bytes } of this.#appending) {
      this.records.set(sequence, new Uint8Array(bytes));
      this.#first ??= sequence;
      this.#last = sequence;
      const operations = this.#operationsOf(bytes);
      this.onRecord(operations);
      this.begin(operations);
      this.commit(operations);
    }
    this.#appending = [];
    this.#trimmed = [];
  }

  trim(toSequence: number): void {
    for (const [sequence, bytes] of this.records) {
      if (sequence > toSequence || sequence === this.#last) break;
      this.records.delete(sequence);
      this.#trimmed.push({ sequence, bytes });
      this.#first = sequence + 1;
    }
  }

  beginSlice(operations: Operations): void {
    this.#slice = operations;
  }

  endSlice(): void {
    const operations = this.#slice ?? [];
    this.#slice = undefined;
    this.#unsynced.push(operations.map(({ key }) => this.#undoOf(key)));
    this.rows.begin(operations);
    this.rows.commit(operations);
  }

  /** How many writes were not synced. */
  get unsyncedCount(): number {
    return this.#unsynced.length;
  }

  /** The first `count` writes that were not synced are. */
  endSync(count: number): void {
    this.#unsynced.splice(0, count);
  }

  /** The process dies, or the power goes. */
  leave({ isPowerCut, isKept, keptOf }: CrashFate): void {
    const returned = this.#trimmed.slice(keptOf(this.#trimmed.length));
    if (this.#appending.length > 0 && isKept()) this.endAppend();
    this.#appending = [];
    this.#bringBack(returned);
    if (this.#slice !== undefined && isKept()) this.endSlice();
    this.#slice = undefined;
    if (!isPowerCut) return;
    const lost = this.#unsynced.splice(keptOf(this.#unsynced.length));
    for (const undo of lost.reverse()) {
      this.rows.begin(undo);
      this.rows.commit(undo);
    }
    this.#unsynced = [];
  }

  #bringBack(records: readonly LogRecord[]): void {
    const [first] = records;
    if (first === undefined) return;
    const later = [...this.records];
    this.records.clear();
    for (const { sequence, bytes } of records) this.records.set(sequence, bytes);
    for (const [sequence, bytes] of later) this.records.set(sequence, bytes);
    this.#first = first.sequence;
    this.#trimmed = [];
  }

  #undoOf(key: string): Put | Delete {
    const value = this.rows.entries.get(key);
    return value === undefined ? { type: "del", key } : { type: "put", key, value };
  }
}

/** Takes the time that it takes, then does it; or fails and does nothing. */
function after({ timers, tookMs, failsNow }: DiskPace, act: () => void): Promise<void> {
  if (failsNow()) return Promise.reject(new Error("no space left on device"));
  return new Promise((resolve) => {
    timers.after(tookMs(), () => {
      act();
      resolve();
    });
  });
}

class MemoryLog implements CommitLog {
  readonly #disk: LoggedDisk;
  readonly #pace: DiskPace;
  #isAppending = false;

  constructor(disk: LoggedDisk, pace: DiskPace) {
    this.#disk = disk;
    this.#pace = pace;
  }

  get firstSequence(): number | undefined {
    return this.#disk.firstSequence;
  }

  get lastSequence(): number | undefined {
    return this.#disk.lastSequence;
  }

  async append(expectedSequence: number, records: readonly Uint8Array[]): Promise<void> {
    const last = this.#disk.lastSequence;
    if (this.#isAppending) throw new Error("the append before is on its way, or failed");
    if (last !== undefined && last !== expectedSequence) throw new Error(`the log ends at ${last}`);
    this.#isAppending = true;
    this.#disk.beginAppend(records.map((bytes, index) => ({ sequence: expectedSequence + 1 + index, bytes })));
    await after(this.#pace, () => this.#disk.endAppend());
    this.#isAppending = false;
  }

  async *readFrom(sequence: number): AsyncIterable<readonly LogRecord[]> {
    for (const [at, bytes] of [...this.#disk.records]) if (at >= sequence) yield [{ sequence: at, bytes }];
  }

  async trim(toSequence: number): Promise<void> {
    this.#disk.trim(toSequence);
  }

  async close(): Promise<void> {}
}

class MemoryRows implements RowStore {
  readonly #disk: LoggedDisk;
  readonly #pace: DiskPace;
  readonly #reads: MemoryStore;

  constructor(disk: LoggedDisk, pace: DiskPace) {
    this.#disk = disk;
    this.#pace = pace;
    this.#reads = new MemoryStore(disk.rows, pace);
  }

  read(key: string): Uint8Array | undefined {
    return this.#reads.read(key);
  }

  scan(range: ScanRange): AsyncIterable<readonly (readonly [string, Uint8Array])[]> {
    return this.#reads.scan(range);
  }

  writeUnsynced(operations: Operations): Promise<void> {
    this.#disk.beginSlice(operations);
    return after(this.#pace, () => this.#disk.endSlice());
  }

  sync(): Promise<void> {
    const count = this.#disk.unsyncedCount;
    return after(this.#pace, () => this.#disk.endSync(count));
  }

  async close(): Promise<void> {}
}
