/**
 * Readers of stored events, served together: after an outage all return together, and each alone would scan the events
 * of all users.
 *
 * Owns: the waiting readers, and each one's result of a scan. Does not own: which rows exist (event-history.ts).
 *
 * Invariants:
 * 1. A page holds every durable event of its user between its start and `through`, in order, or reports a gap.
 * 2. One scan at a time. Each returns a page to the longest waiting reader, so that no reader waits forever.
 * 3. A bounded piece of a scan, and a few answers, are one turn of the loop: ticks and orders run in between.
 * 4. A page is at most `PAGE_BYTES` and one event.
 */
import { assert } from "../../src/assert.ts";
import type { Log, Timers } from "../../src/runtime/ports.ts";
import type { EventSlice } from "../ports/event.ts";
import { decodeEventRow, type EventPlace, type RenderPayload, type StoredEvent, usersOfRow } from "./event-row.ts";

/**
 * A page of this size takes no further event. The largest event, of a group of 51 rows with the longest notes, has 170
 * KB. A page is a message of the bus, and must fit a client's buffer at the edge in addition to its waiting messages.
 */
export const PAGE_BYTES = 192 * 1024;
/** The most rows of a scan: a quiet user's next event can be far away. */
export const SCAN_ROWS = 4_096;
/** Pages that one scan makes: a bound on what it keeps in memory. */
export const READERS_A_SCAN = 128;
/** Rows in a turn: each holds up to 64 events, and the requester makes each page into JSON. */
const ROWS_A_TURN = 8;
const ANSWERS_A_TURN = 4;

export interface StoredRow {
  /** The sequence of its first event. */
  readonly first: number;
  /** It holds no event after this sequence; infinite for the newest row. */
  readonly last: number;
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** A request for the events of a user after a sequence. */
interface Asked {
  readonly userId: number;
  readonly after: number;
  /** Events before this were removed; null: none. */
  readonly gapTo: number | null;
}

interface Waiting extends Asked {
  readonly resolve: (slice: EventSlice) => void;
  readonly reject: (error: unknown) => void;
}

interface SharedReadingOptions extends EventPlace {
  readonly timers: Pick<Timers, "soon">;
  readonly log: Log;
  readonly render: RenderPayload;
  /** Rows that can hold events after the sequence, oldest first. */
  readonly rowsAfter: (sequence: number) => AsyncIterable<StoredRow>;
  readonly durableThrough: () => number;
  /** Up to where events were removed. */
  readonly trimmedThrough: () => number;
}

export class SharedReading {
  readonly #options: SharedReadingOptions;
  #waiting: Waiting[] = [];
  #isReading = false;

  constructor(options: SharedReadingOptions) {
    this.#options = options;
  }

  read(asked: Asked): Promise<EventSlice> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...asked, resolve, reject });
      if (!this.#isReading) void this.#readAll();
    });
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.length > 0) {
      const readers = this.#nextReaders();
      try {
        await this.#scanFor(readers);
      } catch (error) {
        for (const { reject } of readers) reject(error);
      }
    }
    this.#isReading = false;
  }

  /** The longest waiting reader, and others that begin no earlier: the scan passes all events that they ask for. */
  #nextReaders(): readonly Waiting[] {
    const [longest] = this.#waiting;
    assert(longest !== undefined, "a reader waits");
    const readers = this.#waiting.filter(({ after }) => after >= longest.after).slice(0, READERS_A_SCAN);
    const taken = new Set(readers);
    this.#waiting = this.#waiting.filter((one) => !taken.has(one));
    return readers;
  }

  async #scanFor(readers: readonly Waiting[]): Promise<void> {
    const { rowsAfter, durableThrough } = this.#options;
    const through = durableThrough();
    const pages = readers.map((reader) => new Page(reader, through));
    let [rows, taken] = [0, 0];
    /** How far the scan read, if it did not reach the end. */
    let lookedThrough: number | undefined;
    for await (const row of rowsAfter(Math.min(...readers.map(({ after }) => after)))) {
      if (row.first > through || pages.every(({ isFull }) => isFull)) break;
      if (rows === SCAN_ROWS) {
        lookedThrough = row.first - 1;
        break;
      }
      rows += 1;
      if (!this.#take(row, pages)) continue;
      taken += 1;
      if (taken % ROWS_A_TURN === 0) await this.#nextTurn();
    }
    await this.#answer(readers, pages, lookedThrough);
  }

  /** Adds a row to the pages of its users. False: it belongs to none of them. */
  #take(row: StoredRow, pages: readonly Page[]): boolean {
    const users = usersOfRow(row.bytes);
    const concerned = pages.filter((page) => page.wants(row, users));
    if (concerned.length === 0) return false;
    let events: readonly StoredEvent[] | undefined;
    try {
      events = decodeEventRow(row.bytes, this.#options, this.#options.render);
    } catch (err) {
      this.#options.log.error(
        { event: "event.readFailed", key: row.key, err },
        "stored events cannot be read: the reader is notified of a gap",
      );
    }
    for (const page of concerned) page.take(row, events);
    return true;
  }

  /** A reader that begins after the end of the scan is served by a later one. */
  async #answer(readers: readonly Waiting[], pages: readonly Page[], lookedThrough: number | undefined): Promise<void> {
    const trimmedThrough = this.#options.trimmedThrough();
    const isReached = (reader: Waiting): boolean => lookedThrough === undefined || reader.after < lookedThrough;
    this.#waiting.unshift(...readers.filter((reader) => !isReached(reader)));
    let answered = 0;
    for (const [index, reader] of readers.entries()) {
      const page = pages[index];
      if (page === undefined || !isReached(reader)) continue;
      reader.resolve(page.finish(lookedThrough, trimmedThrough));
      answered += 1;
      if (answered % ANSWERS_A_TURN === 0) await this.#nextTurn();
    }
  }

  #nextTurn(): Promise<void> {
    return new Promise((resolve) => this.#options.timers.soon(resolve));
  }
}

/** A page in the making. */
class Page {
  readonly #asked: Asked;
  readonly #through: number;
  readonly #events: object[] = [];
  #bytes = 0;
  /** How far a full page read. */
  #fullAt: number | undefined;
  #unreadableAt = 0;

  constructor(asked: Asked, through: number) {
    this.#asked = asked;
    this.#through = through;
  }

  get isFull(): boolean {
    return this.#fullAt !== undefined;
  }

  /** Whether a row can hold events for it. */
  wants({ first, last }: StoredRow, users: readonly string[]): boolean {
    const { userId, after } = this.#asked;
    if (this.isFull || last <= after) return false;
    if (this.#bytes >= PAGE_BYTES) {
      this.#fullAt = first - 1;
      return false;
    }
    return users.includes(String(userId));
  }

  /** `events`: all of the row; undefined if they cannot be read. */
  take({ first }: StoredRow, events: readonly StoredEvent[] | undefined): void {
    if (events === undefined) this.#unreadableAt = first;
    const { userId, after } = this.#asked;
    for (const event of events ?? []) {
      if (event.userId !== userId || event.sequence <= after || event.sequence > this.#through) continue;
      if (this.#bytes >= PAGE_BYTES) {
        this.#fullAt = event.sequence - 1;
        return;
      }
      this.#events.push(event.message);
      this.#bytes += Buffer.byteLength(event.text ?? JSON.stringify(event.message));
    }
  }

  /** `trimmedThrough`: its value once all rows were read. */
  finish(lookedThrough: number | undefined, trimmedThrough: number): EventSlice {
    const { after, gapTo } = this.#asked;
    const gone = Math.max(gapTo ?? 0, this.#unreadableAt, trimmedThrough > after ? trimmedThrough : 0);
    const endsAt = this.#fullAt ?? lookedThrough;
    return {
      events: this.#events,
      through: endsAt ?? this.#through,
      isLast: endsAt === undefined,
      gapTo: gone === 0 ? null : gone,
    };
  }
}
