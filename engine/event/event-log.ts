/**
 * Events on their way out: stored in the batch of their cause, published once that is durable, and then kept for later
 * readers (event-history.ts).
 *
 * Invariants:
 * 1. At least once: an event counts as published only after a flush of the bus that followed its publication.
 * 2. Published in the order of their sequence.
 * 3. A row that cannot be read is reported and left unchanged: no stop remains unwatched because of it.
 * 4. After `stop` nothing is planned any more: the store can be closed.
 * 5. The events of a batch share rows, each under the sequence of its first: a pair for each event would be half of all
 *    pairs that a trigger writes. For the content of a row see event-row.ts.
 * 6. Each published event names the previous event of the same user (`previous`), or a later sequence that is not the
 *    user's. A client detects missed events when `previous` is not an event that it received.
 */

import { PayloadTooLargeError } from "../../src/bus/port.ts";
import {
  countUnsold,
  describePayload,
  isUnsold,
  type UnsoldType,
  unsoldFields,
} from "../../src/contract/event/event-words.ts";
import { eventSubject } from "../../src/contract/subject.ts";
import type { Cancel, Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { Inbox } from "../ports/actor.ts";
import type { Events, RenderSource } from "../ports/event.ts";
import type { Journal, Store, Row as StoredRow } from "../ports/storage.ts";
import { EVENT_PUBLISHED_KEY, eventKey, eventRowsFrom } from "../table/keys.ts";
import {
  decodeEventRow,
  type Emitted,
  type EventPlace,
  encodeEventRow,
  type Outgoing,
  type RenderPayload,
} from "./event-row.ts";

/** Events in a row: a bounded row, for any number of events in one batch. */
const EVENTS_A_ROW = 64;
const RETRY_MS = 1_000;
/** How long the store can lag behind publishing: as many events are published again after a crash. */
const PROGRESS_AFTER_MS = 50;
/** About how many are published between two flushes, in whole rows: a bounded piece of a turn. */
const PUBLISHED_AT_ONCE = 1_000;

interface EventLogOptions extends EventPlace {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly inbox: Inbox;
  readonly log: Log;
  /** The last sequence used before this start. */
  readonly sequence: number;
  readonly render: RenderPayload;
  readonly publish: (subject: string, data: Uint8Array) => void;
  readonly flush: () => Promise<void>;
  /** Between two flushes of the bus; 0, the default, flushes as often as there are events. */
  readonly pauseMs?: number;
}

/** An event that follows `previous` among its user's. */
interface Queued {
  readonly event: Outgoing;
  readonly previous: number;
}

interface Row {
  readonly last: number;
  readonly events: readonly Queued[];
}

export class EventLog implements Events {
  readonly #options: EventLogOptions;
  /** Emitted and not yet in a row. */
  #gathered: Emitted[] = [];
  #waiting: Row[] = [];
  #durableThrough: number;
  #publishedThrough = 0;
  #publishedRow: StoredRow | undefined;
  /** Before this start, events up to here were published: for users without events since, no later one exists. */
  #knownFrom = 0;
  readonly #lastOfUser = new Map<number, number>();
  readonly #unsoldCounts = countUnsold();
  #unreadableCount = 0;
  #isPumping = false;
  #isStopped = false;
  #cancelRetry: Cancel = () => undefined;
  #cancelProgress: Cancel | undefined;

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#durableThrough = options.sequence;
  }

  /** The number of rows that could not be read. */
  get unreadableCount(): number {
    return this.#unreadableCount;
  }

  /** The number of events about lots that were not sold, since this start. */
  get unsoldCounts(): Readonly<Record<UnsoldType, number>> {
    return this.#unsoldCounts;
  }

  /** The number of events that wait for the bus. */
  get waitingCount(): number {
    return this.#waiting.reduce((count, { events }) => count + events.length, 0);
  }

  /** Every event up to this sequence is durable. */
  get durableThrough(): number {
    return this.#durableThrough;
  }

  /** Every event up to this sequence was published. */
  get publishedThrough(): number {
    return this.#publishedThrough;
  }

  /** The user has no durable event after this sequence. */
  lastOf(userId: number): number {
    return this.#lastOfUser.get(userId) ?? this.#knownFrom;
  }

  emit(userId: number, type: string, payload: object, source?: RenderSource): void {
    const { journal, clock } = this.#options;
    // A row holds events of several turns, which are published in their order.
    journal.keepOrder();
    if (this.#gathered.length === 0) journal.beforeClose(() => this.#storeGathered());
    if (isUnsold(type)) this.#unsoldCounts[type] += 1;
    const sequence = journal.nextSequence();
    this.#gathered.push({ sequence, timeMs: clock.nowMs(), userId, type, payload, source });
    if (this.#gathered.length === EVENTS_A_ROW) this.#storeGathered();
  }

  /** Restores, at start, how far events were certainly published. To be called before `recover`. */
  recoverProgress(bytes: Uint8Array): void {
    this.#publishedThrough = Number(Buffer.from(bytes).toString());
    this.#publishedRow = this.#options.journal.rowOf(EVENT_PUBLISHED_KEY, bytes);
    this.#knownFrom = this.#publishedThrough;
  }

  /**
   * Restores, at start, events that had not certainly been published. A row that cannot be read is left unchanged and
   * reported.
   */
  async recover(store: Store): Promise<void> {
    for await (const page of store.scan(eventRowsFrom(this.#publishedThrough + 1))) {
      for (const [key, bytes] of page) this.#recoverRow(key, bytes);
    }
  }

  /** Publishes the events that recovery found. */
  start(): void {
    void this.#pump();
  }

  /** Stores the publishing progress, in a last turn. Later events are still published, and again at the next start. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry();
    this.#cancelProgress?.();
    void this.#options.inbox.enqueue(() => this.#keepProgress());
  }

  #recoverRow(key: string, bytes: Uint8Array): void {
    const { log, render } = this.#options;
    try {
      const events = decodeEventRow(bytes, this.#options, render);
      this.#queue(
        events.map(({ sequence, userId, type, message, text = JSON.stringify(message) }) => {
          return { sequence, userId, type, payload: message, text };
        }),
      );
    } catch (error) {
      this.#unreadableCount += 1;
      log.error({ event: "event.unreadable", key, err: error }, "stored events cannot be read: they are not published");
    }
  }

  #storeGathered(): void {
    const [first] = this.#gathered;
    if (first === undefined) return;
    const { row, outgoing } = encodeEventRow(this.#gathered, this.#options);
    this.#gathered = [];
    const { journal } = this.#options;
    journal.insert(eventKey(first.sequence), row);
    journal.afterDurableUnhurried(() => {
      this.#queue(outgoing);
      void this.#pump();
    });
  }

  /** Takes the events of a durable row. */
  #queue(outgoing: readonly Outgoing[]): void {
    const events = outgoing.map((event): Queued => {
      const previous = this.lastOf(event.userId);
      this.#lastOfUser.set(event.userId, event.sequence);
      return { event, previous };
    });
    const last = outgoing.at(-1)?.sequence ?? 0;
    this.#durableThrough = Math.max(this.#durableThrough, last);
    this.#waiting.push({ last, events });
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    const { timers, pauseMs = 0 } = this.#options;
    while (this.#waiting.length > 0) {
      const rows = this.#nextRows();
      try {
        for (const { events } of rows) {
          for (const queued of events) this.#publish(queued);
        }
        await this.#options.flush();
      } catch (error) {
        this.#options.log.warn(
          { event: "event.waiting", err: error, waiting: this.waitingCount },
          "events wait for the bus",
        );
        if (!this.#isStopped) this.#cancelRetry = this.#options.timers.after(RETRY_MS, () => this.#pumpAgain());
        return;
      }
      this.#waiting = this.#waiting.slice(rows.length);
      this.#sayInWords(rows);
      this.#publishedThrough = rows.at(-1)?.last ?? this.#publishedThrough;
      this.#keepProgressLater();
      // A flush is a round trip to the server: under load all events of a few milliseconds share it.
      if (pauseMs > 0) await new Promise<void>((resolve) => void timers.after(pauseMs, resolve));
    }
    this.#isPumping = false;
  }

  /** An event that never fits into a message must not hold back all later ones. Its stored row still has it. */
  #publish(queued: Queued): void {
    const { userId, type, sequence } = queued.event;
    try {
      this.#options.publish(eventSubject(userId, type), bytesOf(queued));
    } catch (err) {
      if (!(err instanceof PayloadTooLargeError)) throw err;
      this.#options.log.error(
        { event: "event.tooLarge", userId, sequence, type, err },
        "event left out of the live stream",
      );
    }
  }

  /** Logs events after the flush: publishing does not wait for the log. */
  #sayInWords(rows: readonly Row[]): void {
    const { log } = this.#options;
    for (const { events } of rows) {
      for (const { event } of events) {
        const { userId, sequence, type, payload } = event;
        const words = describePayload(type, payload);
        if (isUnsold(type))
          log.error({ event: "event.unsold", userId, sequence, type, ...unsoldFields(payload) }, words);
        else log.info({ event: "event.published", userId, sequence, type }, words);
      }
    }
  }

  /** The first waiting rows, as many as are published together. */
  #nextRows(): readonly Row[] {
    let events = 0;
    const enough = this.#waiting.findIndex((row) => {
      events += row.events.length;
      return events >= PUBLISHED_AT_ONCE;
    });
    return this.#waiting.slice(0, enough === -1 ? undefined : enough + 1);
  }

  #pumpAgain(): void {
    this.#isPumping = false;
    void this.#pump();
  }

  #keepProgressLater(): void {
    if (this.#cancelProgress !== undefined || this.#isStopped) return;
    this.#cancelProgress = this.#options.timers.after(PROGRESS_AFTER_MS, () => {
      this.#cancelProgress = undefined;
      this.#options.inbox.enqueue(() => this.#keepProgress());
    });
  }

  #keepProgress(): void {
    const { journal } = this.#options;
    if (this.#publishedThrough === 0) return;
    const value = String(this.#publishedThrough);
    if (this.#publishedRow === undefined) this.#publishedRow = journal.put(EVENT_PUBLISHED_KEY, value);
    else journal.replace(this.#publishedRow, value);
  }
}

function bytesOf({ event, previous }: Queued): Uint8Array {
  return Buffer.from(`{"previous":${previous},${event.text.slice(1)}`);
}
