/**
 * Events on their way out: stored in the batch of what caused them, published once that is durable, removed once the
 * bus has taken them.
 *
 * Invariants:
 * 1. At least once: an event is removed only after a flush of the bus that followed its publication.
 * 2. Published in the order of their sequence.
 * 3. A row that cannot be read is told of and left as it is, whole: nobody's stops stay unwatched for it.
 * 4. After `stop` nothing is planned any more: the store may be closed.
 * 5. The events of a batch share rows, each under the sequence of its first: a pair for each event would be half of all
 *    pairs that a trigger writes. What a row holds of an event: event-row.ts.
 */
import { eventKey } from "../keys.ts";
import type { Cancel, Clock, Events, Inbox, Journal, Log, Mark, RenderSource, Timers } from "../ports.ts";
import {
  decodeEventRow,
  type Emitted,
  type EventPlace,
  encodeEventRow,
  type Outgoing,
  type RenderPayload,
} from "./event-row.ts";

/** Of events in a row: a bounded row, however many events one batch holds. */
const EVENTS_A_ROW = 64;
const RETRY_MS = 1_000;
/** Short, so that little is removed at once. */
const REMOVE_AFTER_MS = 50;
/** About how many are published between two flushes, in whole rows: a bounded piece of a turn. */
const PUBLISHED_AT_ONCE = 1_000;
/** How many rows are removed in one piece of work: the inbox bounds a turn by whole pieces. */
const REMOVED_AT_ONCE = 64;

export interface EventLogOptions extends EventPlace {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly inbox: Inbox;
  readonly log: Log;
  readonly render: RenderPayload;
  readonly publish: (subject: string, data: Uint8Array) => void;
  readonly flush: () => Promise<void>;
  /** Between two flushes of the bus; 0, the default, flushes as often as there are events. */
  readonly pauseMs?: number;
}

interface Row {
  readonly key: string;
  readonly mark: Mark;
  readonly events: readonly Outgoing[];
}

export class EventLog implements Events {
  readonly #options: EventLogOptions;
  /** Emitted and not in a row yet. */
  #gathered: Emitted[] = [];
  #waiting: Row[] = [];
  #published: Row[] = [];
  #unreadableCount = 0;
  #isPumping = false;
  #isStopped = false;
  #cancelRetry: Cancel = () => undefined;
  #cancelRemoval: Cancel = () => undefined;

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  /** How many rows could not be read. */
  get unreadableCount(): number {
    return this.#unreadableCount;
  }

  /** How many events wait for the bus. */
  get waitingCount(): number {
    return this.#waiting.reduce((count, { events }) => count + events.length, 0);
  }

  emit(userId: number, type: string, payload: object, source?: RenderSource): void {
    const { journal, clock } = this.#options;
    // A row holds events of several turns, and they go out in their order.
    journal.keepOrder();
    if (this.#gathered.length === 0) journal.beforeClose(() => this.#storeGathered());
    const sequence = journal.nextSequence();
    this.#gathered.push({ sequence, timeMs: clock.nowMs(), userId, type, payload, source });
    if (this.#gathered.length === EVENTS_A_ROW) this.#storeGathered();
  }

  /** At start: events that had not been published for certain. A row that cannot be read is left alone and reported. */
  recover(key: string, bytes: Uint8Array): void {
    const { journal, log, render } = this.#options;
    try {
      const events = decodeEventRow(bytes, this.#options, render);
      this.#waiting.push({ key, mark: journal.markOf(key, bytes), events });
    } catch (error) {
      this.#unreadableCount += 1;
      log.error({ key, err: error }, "stored events cannot be read: they are not published");
    }
  }

  /** Publishes what recovery found. */
  start(): void {
    void this.#pump();
  }

  /** Removes what was published, in a last turn. What follows is still published, and again at the next start. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry();
    this.#cancelRemoval();
    void this.#options.inbox.enqueue(() => this.#removePublished());
  }

  #storeGathered(): void {
    const [first] = this.#gathered;
    if (first === undefined) return;
    const { row, outgoing: events } = encodeEventRow(this.#gathered, this.#options);
    this.#gathered = [];
    const { journal } = this.#options;
    const key = eventKey(first.sequence);
    const mark = journal.insert(key, row);
    journal.afterDurableUnhurried(() => {
      this.#waiting.push({ key, mark, events });
      void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    const { timers, pauseMs = 0 } = this.#options;
    while (this.#waiting.length > 0) {
      const rows = this.#nextRows();
      try {
        for (const { events } of rows) {
          for (const { subject, message } of events) this.#options.publish(subject, bytesOf(message));
        }
        await this.#options.flush();
      } catch (error) {
        this.#options.log.warn({ err: error, waiting: this.waitingCount }, "events wait for the bus");
        if (!this.#isStopped) this.#cancelRetry = this.#options.timers.after(RETRY_MS, () => this.#pumpAgain());
        return;
      }
      this.#waiting = this.#waiting.slice(rows.length);
      if (!this.#isStopped) this.#removeLater(rows);
      // A flush is a trip to the server: under load it is shared by all events of a few milliseconds.
      if (pauseMs > 0) await new Promise<void>((resolve) => void timers.after(pauseMs, resolve));
    }
    this.#isPumping = false;
  }

  /** The first that wait, as many as are published at once. */
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

  #removeLater(rows: readonly Row[]): void {
    if (this.#published.length === 0) {
      const remove = (): void => void this.#options.inbox.enqueue(() => this.#removePublished());
      this.#cancelRemoval = this.#options.timers.after(REMOVE_AFTER_MS, remove);
    }
    this.#published.push(...rows);
  }

  #removePublished(): void {
    const { inbox, journal } = this.#options;
    const removed = this.#published.splice(0, REMOVED_AT_ONCE);
    for (const { key, mark } of removed) journal.remove(key, mark);
    if (this.#published.length > 0) inbox.enqueue(() => this.#removePublished());
  }
}

function bytesOf(message: Outgoing["message"]): Uint8Array {
  return Buffer.from(typeof message === "string" ? message : JSON.stringify(message));
}
