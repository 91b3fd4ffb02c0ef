/**
 * Stored events, for their users to read, from any of them, for as long as they are kept.
 *
 * Owns: which rows follow a place, and removing the oldest. Does not own: writing and publishing (event-log.ts), work
 * that many readers share (shared-reading.ts).
 *
 * Invariants:
 * 1. Only published events are removed, oldest first, in whole rows; the progress is stored in the batch that removes
 *    them.
 * 2. Reads and the search for old events scan durable pairs on the store's own threads: no trigger waits for it.
 */

import type { Cancel, Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { Inbox } from "../ports/actor.ts";
import type { EventReader, EventRetention, EventSlice } from "../ports/event.ts";
import type { Journal, Row, Store } from "../ports/storage.ts";
import { EVENT_TRIMMED_KEY, eventRowBefore, eventRowsFrom } from "../table/keys.ts";
import { type EventPlace, type RenderPayload, rowTimeMs } from "./event-row.ts";
import { SharedReading, type StoredRow } from "./shared-reading.ts";

export const DEFAULT_RETENTION: EventRetention = { ageMsMax: 7 * 24 * 60 * 60 * 1000, countMax: 200_000 };

const TRIM_EVERY_MS = 10_000;
/** Between two checks for old events: each reads the oldest rows. */
const AGE_CHECK_MS = 60 * 60 * 1000;
/** How many rows are removed in one piece of work. */
const REMOVED_AT_ONCE = 64;
const TRIMMED_AT_ONCE = 16_384;

interface EventHistoryOptions extends EventPlace {
  readonly store: Store;
  readonly journal: Journal;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly render: RenderPayload;
  readonly written: {
    readonly durableThrough: number;
    readonly publishedThrough: number;
    lastOf(userId: number): number;
  };
  readonly retention: EventRetention;
}

export class EventHistory implements EventReader {
  readonly #options: EventHistoryOptions;
  readonly #reading: SharedReading;
  #trimmedThrough = 0;
  #trimmedRow: Row | undefined;
  #ageCheckedAtMs = 0;
  #isStopped = false;
  #cancel: Cancel = () => undefined;

  constructor(options: EventHistoryOptions) {
    this.#options = options;
    this.#reading = new SharedReading({
      ...options,
      rowsAfter: (sequence) => this.#rowsAfter(sequence),
      durableThrough: () => this.durableThrough,
      trimmedThrough: () => this.#trimmedThrough,
    });
  }

  get durableThrough(): number {
    return this.#options.written.durableThrough;
  }

  /** Restores, at start, how far events were removed. */
  recoverProgress(bytes: Uint8Array): void {
    this.#trimmedThrough = Number(Buffer.from(bytes).toString());
    this.#trimmedRow = this.#options.journal.rowOf(EVENT_TRIMMED_KEY, bytes);
  }

  /** Starts to remove events that are too old or too many. */
  start(): void {
    this.#cancel = this.#options.timers.after(TRIM_EVERY_MS, () => {
      this.#trim().then(
        () => this.#isStopped || this.start(),
        (err: unknown) => {
          if (this.#isStopped) return;
          this.#options.log.error({ event: "event.notTrimmed", err }, "old events could not be removed");
          this.start();
        },
      );
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** The user has no durable event after this sequence. */
  lastOf(userId: number): number {
    return this.#options.written.lastOf(userId);
  }

  async since(userId: number, after: number): Promise<EventSlice> {
    const { written } = this.#options;
    const through = written.durableThrough;
    const start = Math.max(after, this.#trimmedThrough);
    const gapTo = start > after ? start : null;
    if (written.lastOf(userId) <= start) return { events: [], through, isLast: true, gapTo };
    return this.#reading.read({ userId, after: start, gapTo });
  }

  /** Rows that can hold events after the sequence. */
  async *#rowsAfter(sequence: number): AsyncGenerator<StoredRow> {
    const { store } = this.#options;
    let from = sequence + 1;
    for await (const page of store.scan({ ...eventRowBefore(from), keysOnly: true })) {
      for (const [key] of page) from = firstOf(key);
    }
    let previous: Omit<StoredRow, "last"> | undefined;
    for await (const page of store.scan(eventRowsFrom(from))) {
      for (const [key, bytes] of page) {
        const first = firstOf(key);
        if (previous !== undefined) yield { ...previous, last: first - 1 };
        previous = { key, bytes, first };
      }
    }
    if (previous !== undefined) yield { ...previous, last: Number.POSITIVE_INFINITY };
  }

  async #trim(): Promise<void> {
    const { clock, retention, written } = this.#options;
    const nowMs = clock.nowMs();
    const isTooMuch = written.durableThrough - this.#trimmedThrough > retention.countMax;
    if (!isTooMuch && nowMs - this.#ageCheckedAtMs < AGE_CHECK_MS) return;
    this.#ageCheckedAtMs = nowMs;
    const through = written.durableThrough - retention.countMax;
    const beforeMs = nowMs - retention.ageMsMax;
    const gone: StoredRow[] = [];
    let count = 0;
    // The newest row always remains: none of it precedes anything.
    for await (const row of this.#rowsAfter(this.#trimmedThrough)) {
      const isOld = row.last <= through || (rowTimeMs(row.bytes) ?? nowMs) < beforeMs;
      if (!isOld || row.last > written.publishedThrough || count >= TRIMMED_AT_ONCE) break;
      gone.push(row);
      count += 1;
      if (gone.length === REMOVED_AT_ONCE) await this.#remove(gone.splice(0));
    }
    if (gone.length > 0) await this.#remove(gone);
  }

  #remove(rows: readonly StoredRow[]): Promise<void> {
    const { inbox, journal } = this.#options;
    return new Promise((resolve) => {
      const remove = (): void => {
        for (const { key, bytes } of rows) journal.remove(journal.rowOf(key, bytes));
        this.#trimmedThrough = rows.at(-1)?.last ?? this.#trimmedThrough;
        const value = String(this.#trimmedThrough);
        if (this.#trimmedRow === undefined) this.#trimmedRow = journal.put(EVENT_TRIMMED_KEY, value);
        else journal.replace(this.#trimmedRow, value);
        resolve();
      };
      if (!inbox.enqueue(remove)) resolve();
    });
  }
}

function firstOf(key: string): number {
  return Number(key.slice(2));
}
