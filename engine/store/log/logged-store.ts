/**
 * The store of a partition, behind its log: a batch is durable once the log contains it, and the rows on disk follow.
 *
 * Owns: the order of the two, reads in between, and how far the rows have come. Does not own: what rows mean, the files
 * of either (level-store.ts, file-log.ts), when a slice is due (write-behind.ts).
 *
 * Invariants:
 * 1. Log first. A batch is a record that is durable at its named position before any of it is written to the rows, and
 *    before `write` resolves.
 * 2. Reads see every durable batch, written to the rows or not.
 * 3. The recorded position never runs ahead: all changes of the records up to it are in the rows and on disk.
 * 4. Opening is redoing: the records after the position are laid over the rows again. They contain values, not
 *    differences, so that it does no harm if some of it was written already.
 * 5. A record that is missing between the position and the end, or damaged, refuses the opening.
 * 6. The first failure of either is fatal: nothing is appended or written after it.
 * 7. Snapshots of live actors that were written or passed to `keep` are read from memory, the others from the disk.
 * 8. A copy has no log of its own: it takes the records of another engine's log, one by one, until it leads that log.
 */
import { assert } from "../../../src/assert.ts";
import { textOf } from "../../../src/runtime/json.ts";
import type { Fatal, Timers } from "../../../src/runtime/ports.ts";
import type { CommitLog, LogRecord, RowStore } from "../../ports/log.ts";
import type { Delete, Put, ScanRange, Store } from "../../ports/storage.ts";
import { TABLES } from "../../table/tables.ts";
import { CopyBehind, StoreRefused } from "../refused.ts";
import { scanTextOf } from "../scan-text.ts";
import { KeptRows } from "./kept-rows.ts";
import { decodeRecord, encodeRecord } from "./log-record.ts";
import { scanWith } from "./merged-scan.ts";
import { POSITION_KEY, parsePosition } from "./position.ts";
import { WaitingRows } from "./waiting-rows.ts";
import { type Pace, WriteBehind } from "./write-behind.ts";

/** Receives the changes of a record. */
export type OnOperations = (operations: readonly (Put | Delete)[]) => void;

interface CopyOptions {
  readonly rows: RowStore;
  readonly timers: Timers;
  readonly fatal: Fatal;
  /** Of the rows behind the log; tests have them come by any amount behind. */
  readonly pace?: Pace;
}

interface LoggedStoreOptions extends CopyOptions {
  readonly log: CommitLog;
}

export class LoggedStore implements Store {
  readonly #options: CopyOptions;
  readonly #waiting = new WaitingRows();
  readonly #actors = new KeptRows();
  /** Of a copy: the record at which the rows were when it was opened. */
  readonly #position: number | undefined;
  /** Undefined while this is a copy. */
  #log: CommitLog | undefined;
  #syncedTo: number | undefined;
  readonly #behind: WriteBehind;
  #hasHistory = false;
  #isWriting = false;

  private constructor(options: CopyOptions, position: number | undefined) {
    this.#options = options;
    this.#position = position;
    const trim = async (toSequence: number): Promise<void> => {
      this.#syncedTo = toSequence;
      await this.#log?.trim(toSequence);
    };
    this.#behind = new WriteBehind({ ...options, waiting: this.#waiting, position, trim });
  }

  /** A copy of another engine's store. `position`: of a store that does not contain its own position. */
  static openCopy(options: CopyOptions, position?: number): LoggedStore {
    return new LoggedStore(options, parsePosition(options.rows.read(POSITION_KEY)) ?? position);
  }

  /**
   * Lays what the log holds over the rows; no row is written before the first batch is. Throws {@link StoreRefused} where the two do
   * not go together.
   */
  static async open(options: LoggedStoreOptions): Promise<LoggedStore> {
    const { rows, log } = options;
    const position = parsePosition(rows.read(POSITION_KEY));
    const store = new LoggedStore(options, position);
    store.#log = log;
    const { firstSequence, lastSequence } = log;
    if (firstSequence === undefined || lastSequence === undefined) {
      if (position === undefined) return store;
      throw new StoreRefused(`the log holds nothing but had reached ${position}: restore a backup`);
    }
    if (position !== undefined && (position > lastSequence || position < firstSequence - 1)) {
      throw new StoreRefused(
        `the log holds ${firstSequence} to ${lastSequence} and the store is at ${position}: they are not of one moment, restore a backup`,
      );
    }
    await store.#redo(log, position === undefined ? firstSequence : position + 1, position === undefined);
    store.#hasHistory = position !== undefined || lastSequence > firstSequence;
    return store;
  }

  /** The last record that the copy holds; undefined while it holds none. */
  get standsAt(): number | undefined {
    return this.#waiting.lastSequence < 0 ? this.#position : this.#waiting.lastSequence;
  }

  /** The record up to which all is certainly on disk; undefined while that was not written since the opening. */
  get syncedTo(): number | undefined {
    return this.#syncedTo;
  }

  /**
   * The next record, for the copy. `before` receives its changes before any read sees them. The caller waits for the
   * returned promise before the next one. Throws {@link StoreRefused}; `CopyBehind` if the copy is empty and the log begins
   * later.
   */
  follow({ sequence, bytes }: LogRecord, before?: OnOperations): Promise<void> | undefined {
    assert(this.#log === undefined, "a leading store does not follow a log");
    const { standsAt } = this;
    if (standsAt !== undefined && sequence !== standsAt + 1) {
      throw new StoreRefused(`the copy is at ${standsAt} and record ${sequence} came`);
    }
    this.#take(sequence, bytes, standsAt === undefined, before);
    this.#behind.start();
    return this.#behind.hasRoom ? undefined : this.#behind.whenRoom();
  }

  /** From here on the copy is the store that this log is written before. Throws {@link StoreRefused} where it lacks a record. */
  lead(log: CommitLog): void {
    if (log.lastSequence !== this.standsAt) {
      throw new StoreRefused(`the log ends at ${log.lastSequence} and the copy at ${this.standsAt}`);
    }
    this.#log = log;
  }

  /** Whether the log was begun: a store whose log was not has `begin` to come. */
  get isBegun(): boolean {
    return this.lastSequence !== undefined;
  }

  /** Whether the log that was opened had more than the record it was begun with: an engine had acted on this store. */
  get hasHistory(): boolean {
    return this.#hasHistory;
  }

  /** The number of the last record; undefined before the log was begun. */
  get lastSequence(): number | undefined {
    return this.#log?.lastSequence;
  }

  /** Begins the log with record number `sequence`, over rows that are whole as they are. */
  async begin(sequence: number, operations: readonly (Put | Delete)[]): Promise<void> {
    assert(this.#log !== undefined && !this.isBegun, "a log begins once");
    await this.#log.append(sequence - 1, [encodeRecord({ isFirst: true, operations })]);
    this.#waiting.take(operations, sequence, this.#behind.round);
  }

  read(key: string): Uint8Array | undefined {
    const change = this.#waiting.get(key);
    if (change !== undefined) return change ?? undefined;
    const kept = TABLES.actors.holds(key) ? this.#actors.get(TABLES.actors.numberOf(key)) : undefined;
    return kept ?? this.#options.rows.read(key);
  }

  keep(key: string, value: Uint8Array | string): void {
    if (TABLES.actors.holds(key)) this.#actors.set(TABLES.actors.numberOf(key), value);
  }

  async write(operations: readonly (Put | Delete)[]): Promise<void> {
    const log = this.#log;
    assert(
      !this.#isWriting && log?.lastSequence !== undefined,
      "one batch is written at a time, once the log was begun",
    );
    this.#isWriting = true;
    if (!this.#behind.hasRoom) {
      // What was redone at the opening may be more than there is room for, and its rows wait for the first batch.
      this.#behind.start();
      await this.#behind.whenRoom();
    }
    const { lastSequence } = log;
    await log.append(lastSequence, [encodeRecord({ isFirst: false, operations })]);
    this.#changed(operations, lastSequence + 1);
    this.#isWriting = false;
    this.#behind.start();
  }

  scan(range: ScanRange): AsyncIterable<readonly (readonly [string, Uint8Array])[]> {
    return scanWith((rows) => this.#options.rows.scan(rows), range, this.#waiting.within(range));
  }

  scanTexts(range: ScanRange): AsyncIterable<readonly (readonly [string, string])[]> {
    const waiting = this.#waiting
      .within(range)
      .map(([key, value]) => [key, value === null ? null : textOf(value)] as const);
    return scanWith((rows) => scanTextOf(this.#options.rows, rows), range, waiting);
  }

  whenFewWait(bytesMax?: number, withinMs?: number): Promise<boolean> {
    return this.#behind.whenFewWait(bytesMax, withinMs);
  }

  /** Writes all waiting rows, so that they are complete by themselves, and closes both. If that fails the rows are closed anyway: the next opening redoes what they lack. */
  async close(): Promise<void> {
    try {
      await this.#behind.stop();
      await this.#log?.close();
    } finally {
      await this.#options.rows.close();
    }
  }

  #changed(operations: readonly (Put | Delete)[], sequence: number): void {
    this.#waiting.take(operations, sequence, this.#behind.round);
    for (const operation of operations) {
      if (operation.type === "put") this.keep(operation.key, operation.value);
      else if (TABLES.actors.holds(operation.key)) this.#actors.delete(TABLES.actors.numberOf(operation.key));
    }
  }

  async #redo(log: CommitLog, from: number, mustBeFirst: boolean): Promise<void> {
    let expected = from;
    for await (const page of log.readFrom(from)) {
      for (const { sequence, bytes } of page) {
        if (sequence !== expected) throw new StoreRefused(`the log lacks record ${expected}: restore a backup`);
        this.#take(sequence, bytes, mustBeFirst && sequence === from);
        expected += 1;
      }
    }
    if (expected - 1 !== log.lastSequence) throw new StoreRefused(`the log lacks record ${expected}: restore a backup`);
  }

  #take(sequence: number, bytes: Uint8Array, mustBeFirst: boolean, before?: OnOperations): void {
    try {
      const { isFirst, operations } = decodeRecord(bytes);
      if (mustBeFirst && !isFirst) {
        if (this.#log === undefined)
          throw new CopyBehind(`the log begins with record ${sequence}, and the copy is empty`);
        throw new Error("the store does not contain its log position before the record");
      }
      before?.(operations);
      this.#changed(operations, sequence);
    } catch (cause) {
      if (cause instanceof StoreRefused) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new StoreRefused(`record ${sequence} of the log cannot be used (${reason}): restore a backup`, { cause });
    }
  }
}
