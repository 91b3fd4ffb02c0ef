/**
 * Events on their way out: stored in the batch of what caused them, published once that is durable, removed once the
 * bus has taken them.
 *
 * Invariants:
 * 1. At least once: an event is removed only after a flush of the bus that followed its publication.
 * 2. Published in the order of their sequence.
 * 3. After `stop` nothing is planned any more: the store may be closed.
 */
import { z } from "zod";
import { eventSubject } from "../../src/contract/subject.ts";
import { formatTime } from "../../src/domain/time.ts";
import { eventKey } from "../keys.ts";
import type { Cancel, Clock, Events, Inbox, Journal, Log, Mark, Timers } from "../ports.ts";

const storedSchema = z.looseObject({ userId: z.number().int(), type: z.string() });
const RETRY_MS = 1_000;
/** Short, so that little is removed at once. */
const REMOVE_AFTER_MS = 50;
/** How many are published between two flushes: a bounded piece of a turn. */
const PUBLISHED_AT_ONCE = 1_000;
/** How many are removed in one piece of work: the inbox bounds a turn by whole pieces. */
const REMOVED_AT_ONCE = 64;

export interface EventLogOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly inbox: Inbox;
  readonly log: Log;
  readonly partition: number;
  readonly installation: string;
  readonly publish: (subject: string, data: Uint8Array) => void;
  readonly flush: () => Promise<void>;
  /** Between two flushes of the bus; 0, the default, flushes as often as there are events. */
  readonly pauseMs?: number;
}

interface Waiting {
  readonly sequence: number;
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly mark: Mark;
}

export class EventLog implements Events {
  readonly #options: EventLogOptions;
  #waiting: Waiting[] = [];
  #published: Pick<Waiting, "sequence" | "mark">[] = [];
  #isPumping = false;
  #isStopped = false;
  #cancelRetry: Cancel = () => undefined;
  #cancelRemoval: Cancel = () => undefined;

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  /** How many events wait for the bus. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  emit(userId: number, type: string, data: object): void {
    const { journal, installation, partition, clock } = this.#options;
    const sequence = journal.nextSequence();
    const id = `${installation}-${partition}-${sequence}`;
    const time = formatTime(clock.nowMs());
    const bytes = Buffer.from(JSON.stringify({ id, sequence, time, userId, type, ...data }));
    const mark = journal.insert(eventKey(sequence), bytes);
    journal.afterDurableUnhurried(() => this.#enqueue({ sequence, subject: eventSubject(userId, type), bytes, mark }));
  }

  /** At start: an event that had not been published for certain. */
  recover(key: string, bytes: Uint8Array): void {
    const { userId, type } = storedSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
    const mark = this.#options.journal.markOf(key, bytes);
    this.#waiting.push({ sequence: Number(key.slice(2)), subject: eventSubject(userId, type), bytes, mark });
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

  #enqueue(event: Waiting): void {
    this.#waiting.push(event);
    void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    const { timers, pauseMs = 0 } = this.#options;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, PUBLISHED_AT_ONCE);
      try {
        for (const { subject, bytes } of batch) this.#options.publish(subject, bytes);
        await this.#options.flush();
      } catch (error) {
        this.#options.log.warn({ err: error, waiting: batch.length }, "events wait for the bus");
        if (!this.#isStopped) this.#cancelRetry = this.#options.timers.after(RETRY_MS, () => this.#pumpAgain());
        return;
      }
      this.#waiting = this.#waiting.slice(batch.length);
      if (!this.#isStopped) this.#removeLater(batch);
      // A flush is a trip to the server: under load it is shared by all events of a few milliseconds.
      if (pauseMs > 0) await new Promise<void>((resolve) => void timers.after(pauseMs, resolve));
    }
    this.#isPumping = false;
  }

  #pumpAgain(): void {
    this.#isPumping = false;
    void this.#pump();
  }

  #removeLater(batch: readonly Waiting[]): void {
    if (this.#published.length === 0) {
      const remove = (): void => void this.#options.inbox.enqueue(() => this.#removePublished());
      this.#cancelRemoval = this.#options.timers.after(REMOVE_AFTER_MS, remove);
    }
    for (const { sequence, mark } of batch) this.#published.push({ sequence, mark });
  }

  #removePublished(): void {
    const { inbox, journal } = this.#options;
    const removed = this.#published.splice(0, REMOVED_AT_ONCE);
    for (const { sequence, mark } of removed) journal.remove(eventKey(sequence), mark);
    if (this.#published.length > 0) inbox.enqueue(() => this.#removePublished());
  }
}
