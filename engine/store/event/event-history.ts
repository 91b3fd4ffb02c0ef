/**
 * Events that were stored, for their users to read: from any of them on, as long as they are kept.
 *
 * Owns: reading a user's events in order, and removing the oldest. Does not own: writing and publishing (event-log.ts).
 *
 * Invariants:
 * 1. A page holds every durable event of the user between where it starts and `through`, in order, or says that there
 *    is a gap.
 * 2. Only published events are removed, oldest first, in whole rows; how far is stored in the batch that removes them.
 * 3. Reading and looking for what is too old scan durable pairs on the store's own threads: no trigger waits for it.
 */

import type { Cancel, Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import type { Inbox } from "../../ports/actor.ts";
import type { EventReader, EventRetention, EventSlice } from "../../ports/event.ts";
import type { Journal, Row, Store } from "../../ports/storage.ts";
import { EVENT_TRIMMED_KEY, eventRowBefore, eventRowsFrom } from "../../table/keys.ts";
import { decodeEventRow, type EventPlace, isRowOf, type RenderPayload, rowTimeMs } from "./event-row.ts";

export const DEFAULT_RETENTION: EventRetention = { ageMsMax: 7 * 24 * 60 * 60 * 1000, countMax: 200_000 };

/** What one page may hold, about, and for how many rows it may look: a quiet user's next event may be far. */
const PAGE_BYTES = 256 * 1024;
const PAGE_ROWS = 4_096;
/** About what an event has that is stored as what it is rendered from. */
const RENDERED_BYTES = 512;
const TRIM_EVERY_MS = 10_000;
/** Between two looks for what is too old: each reads the oldest rows. */
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

interface StoredRow {
  readonly first: number;
  readonly key: string;
  readonly bytes: Uint8Array;
}

export class EventHistory implements EventReader {
  readonly #options: EventHistoryOptions;
  #trimmedThrough = 0;
  #trimmedRow: Row | undefined;
  #ageCheckedAtMs = 0;
  #isStopped = false;
  #cancel: Cancel = () => undefined;

  constructor(options: EventHistoryOptions) {
    this.#options = options;
  }

  get durableThrough(): number {
    return this.#options.written.durableThrough;
  }

  /** At start: how far events were removed. */
  recoverProgress(bytes: Uint8Array): void {
    this.#trimmedThrough = Number(Buffer.from(bytes).toString());
    this.#trimmedRow = this.#options.journal.rowOf(EVENT_TRIMMED_KEY, bytes);
  }

  /** Starts to remove what is too old or too much. */
  start(): void {
    this.#cancel = this.#options.timers.after(TRIM_EVERY_MS, () => {
      this.#trim().then(
        () => this.#isStopped || this.start(),
        (err: unknown) => {
          if (this.#isStopped) return;
          this.#options.log.error({ err }, "old events could not be removed");
          this.start();
        },
      );
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** After this sequence the user has no durable event. */
  lastOf(userId: number): number {
    return this.#options.written.lastOf(userId);
  }

  async since(userId: number, after: number): Promise<EventSlice> {
    const { written } = this.#options;
    const through = written.durableThrough;
    const start = Math.max(after, this.#trimmedThrough);
    const gapTo = start > after ? start : null;
    if (written.lastOf(userId) <= start) return { events: [], through, isLast: true, gapTo };
    const slice = new Slice({ userId, after: start, through, gapTo }, this.#options);
    for await (const row of this.#rowsAfter(start)) if (!slice.take(row)) break;
    return slice.finish(this.#trimmedThrough);
  }

  /** Rows that may hold events after the sequence. */
  async *#rowsAfter(sequence: number): AsyncGenerator<StoredRow> {
    const { store } = this.#options;
    let from = sequence + 1;
    for await (const page of store.scan({ ...eventRowBefore(from), keysOnly: true })) {
      for (const [key] of page) from = firstOf(key);
    }
    for await (const page of store.scan(eventRowsFrom(from))) {
      for (const [key, bytes] of page) yield { key, bytes, first: firstOf(key) };
    }
  }

  async #trim(): Promise<void> {
    const { clock, retention, written } = this.#options;
    const nowMs = clock.nowMs();
    const isTooMuch = written.durableThrough - this.#trimmedThrough > retention.countMax;
    if (!isTooMuch && nowMs - this.#ageCheckedAtMs < AGE_CHECK_MS) return;
    this.#ageCheckedAtMs = nowMs;
    const through = written.durableThrough - retention.countMax;
    const beforeMs = nowMs - retention.ageMsMax;
    const gone: { readonly row: StoredRow; readonly last: number }[] = [];
    let count = 0;
    let previous: StoredRow | undefined;
    // A row ends where the next begins: the newest always stays.
    for await (const row of this.#rowsAfter(this.#trimmedThrough)) {
      if (previous !== undefined) {
        const last = row.first - 1;
        const isOld = last <= through || (rowTimeMs(previous.bytes) ?? nowMs) < beforeMs;
        if (!isOld || last > written.publishedThrough || count >= TRIMMED_AT_ONCE) break;
        gone.push({ row: previous, last });
        count += 1;
        if (gone.length === REMOVED_AT_ONCE) await this.#remove(gone.splice(0));
      }
      previous = row;
    }
    if (gone.length > 0) await this.#remove(gone);
  }

  #remove(rows: readonly { readonly row: StoredRow; readonly last: number }[]): Promise<void> {
    const { inbox, journal } = this.#options;
    return new Promise((resolve) => {
      const remove = (): void => {
        for (const { row } of rows) journal.remove(journal.rowOf(row.key, row.bytes));
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

/** A page in the making. */
class Slice {
  readonly #range: SliceRange;
  readonly #options: EventHistoryOptions;
  readonly #events: object[] = [];
  #bytes = 0;
  #rows = 0;
  /** Up to where a page that was cut off looked. */
  #cutAt: number | undefined;
  #unreadableAt = 0;

  constructor(range: SliceRange, options: EventHistoryOptions) {
    this.#range = range;
    this.#options = options;
  }

  /** Takes what the row holds for the user. False: the page is full, or complete. */
  take({ first, key, bytes }: StoredRow): boolean {
    const { userId, through } = this.#range;
    if (first > through) return false;
    if (this.#bytes >= PAGE_BYTES || this.#rows >= PAGE_ROWS) {
      this.#cutAt = first - 1;
      return false;
    }
    this.#rows += 1;
    if (!isRowOf(bytes, userId)) return true;
    try {
      this.#takeEvents(bytes);
    } catch (err) {
      this.#options.log.error({ key, err }, "stored events cannot be read: a reader is told of a gap");
      this.#unreadableAt = first;
    }
    return true;
  }

  /** `trimmedThrough`: as it is once all rows were read. */
  finish(trimmedThrough: number): EventSlice {
    const { after, through, gapTo } = this.#range;
    const gone = Math.max(gapTo ?? 0, this.#unreadableAt, trimmedThrough > after ? trimmedThrough : 0);
    return {
      events: this.#events,
      through: this.#cutAt ?? through,
      isLast: this.#cutAt === undefined,
      gapTo: gone === 0 ? null : gone,
    };
  }

  #takeEvents(bytes: Uint8Array): void {
    const { userId, after, through } = this.#range;
    for (const event of decodeEventRow(bytes, this.#options, this.#options.render)) {
      if (event.userId !== userId || event.sequence <= after || event.sequence > through) continue;
      this.#events.push(event.message);
      this.#bytes += event.text?.length ?? RENDERED_BYTES;
    }
  }
}

interface SliceRange {
  readonly userId: number;
  readonly after: number;
  readonly through: number;
  readonly gapTo: number | null;
}

function firstOf(key: string): number {
  return Number(key.slice(2));
}
