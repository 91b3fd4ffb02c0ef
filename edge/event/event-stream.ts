/**
 * One stream of a user's events to one client.
 *
 * Owns: the client's place, the order of its events, and how much can wait for it. Does not own: the bus and the engine
 * (event-hub.ts), the way of a frame to the client (event-body.ts).
 *
 * Invariants:
 * 1. Every stored event after the client's place is sent once, in order. A live event is sent only if nothing is
 *    missing before it; else the stored ones are read first.
 * 2. The waiting data of a client is bounded: a client that reads too slowly is cut off, and continues later from its
 *    place.
 * 3. After `end` or a cancel nothing is sent, asked or planned any more.
 */
import { type EventsPage, parsePosition } from "../../src/contract/event/event.ts";
import type { LastPriceView } from "../../src/contract/trading/price.ts";
import type { Schedule } from "../../src/runtime/ports.ts";
import type { Refusal } from "../client/engine-client.ts";
import { type ClientConnection, EventBody } from "./event-body.ts";
import { heartbeatFrame, passingFrame, retryFrame, storedFrame } from "./frame.ts";
import type { PublishedEvent } from "./published.ts";

export const BUFFER_BYTES = 512 * 1024;
/** Stored events are read further once no more than this waits for the client: the largest page fits in addition. */
const ROOM_BYTES = BUFFER_BYTES / 4;
/** A client that takes nothing for this long while stored events wait for it is cut off. */
const STALLED_MS = 30_000;
/** Live events that came while stored ones were read. Any further ones are stored, too. */
const LIVE_WAITING_MAX = 1_000;
const READ_AGAIN_MS = 500;

type StoredEvent = Pick<PublishedEvent, "id" | "type" | "sequence">;

interface EventStreamOptions {
  /** Reads one page of the user's stored events. */
  readonly readSince: (after: string) => Promise<EventsPage | Refusal>;
  readonly isWanted: (type: string) => boolean;
  /** How long the client waits before it connects again. */
  readonly retryMs: number;
  readonly schedule: Schedule;
  readonly connection: ClientConnection | undefined;
  /** Called once, when the stream has ended for any reason. */
  readonly onEnd: () => void;
  /** Called before `onEnd` if a client that reads too slowly was cut off. */
  readonly onCutOff: () => void;
}

export class EventStream {
  readonly #options: EventStreamOptions;
  readonly #body: EventBody;
  /** The place up to which the client has received everything, as an id and as its sequence. */
  #place: string;
  #sequence: number;
  #live: PublishedEvent[] = [];
  #isReading = false;
  #mustReadAgain = false;
  #isEnded = false;
  #onRoom: (() => void) | undefined;
  readonly #timers = new Set<() => void>();

  /** `page`: the first that was read, `after` the client's place; null if it had no place. */
  constructor(options: EventStreamOptions, page: EventsPage, after: string | null) {
    this.#options = options;
    this.#place = after ?? page.through;
    this.#sequence = sequenceOf(this.#place);
    this.#body = new EventBody({
      connection: options.connection,
      onRoom: () => this.#onRoom?.(),
      onGone: () => this.#finish(),
    });
    this.#send(retryFrame(options.retryMs));
    this.#takePage(page);
    this.heartbeat();
    if (!page.isLast) void this.readStored();
  }

  /** The body of the answer to the client. */
  get body(): ReadableStream<Uint8Array> {
    return this.#body.stream;
  }

  /** A live event, each user's in the order of their sequence unless some were lost. */
  hear(event: PublishedEvent): void {
    if (this.#isEnded || event.sequence <= this.#sequence) return;
    if (!this.#isReading && event.previous <= this.#sequence) {
      this.#sendStored(event, () => event.frame);
      return;
    }
    if (this.#live.length < LIVE_WAITING_MAX) {
      event.detach();
      this.#live.push(event);
    } else this.#mustReadAgain = true;
    void this.readStored();
  }

  /** Sends a requested price. A client that has much to read gets a later one. */
  tellPrice({ symbol, price, time }: LastPriceView): void {
    if (price === null || time === null || this.#body.waitingBytes > ROOM_BYTES) return;
    this.#send(passingFrame("price", { type: "price", symbol, price, time }));
  }

  /** Shows that the stream lives, and the client's place. */
  heartbeat(): void {
    this.#send(heartbeatFrame(this.#place));
  }

  /** Reads the stored events after the client's place, until there are no more. */
  async readStored(): Promise<void> {
    if (this.#isReading || this.#isEnded) return;
    this.#isReading = true;
    try {
      for (let isLast = false; !isLast && !this.#isEnded; ) {
        await this.#whenRoom();
        this.#mustReadAgain = false;
        const page = await this.#options.readSince(this.#place);
        if (this.#isEnded) return;
        if ("ok" in page) {
          if (page.code !== "UNAVAILABLE") return this.end(page.message);
          await this.#pause(READ_AGAIN_MS);
          continue;
        }
        this.#takePage(page);
        isLast = page.isLast && this.#takeLive() && !this.#mustReadAgain;
      }
    } finally {
      this.#isReading = false;
    }
  }

  /** Sends the client the reason and ends. */
  end(message: string): void {
    if (this.#isEnded) return;
    this.#send(passingFrame("end", { type: "end", message }));
    if (this.#isEnded) return;
    this.#finish();
    this.#body.end();
  }

  #takePage({ events, through, gapTo }: EventsPage): void {
    if (gapTo !== null) {
      const message =
        "events after Last-Event-ID are no longer stored: read the lists again, the stream continues from here";
      this.#send(passingFrame("gap", { type: "gap", after: this.#place, resumesAfter: gapTo, message }));
    }
    for (const event of events) {
      const { type, sequence } = event;
      const id = String(event.id);
      this.#sendStored({ id, type, sequence }, () => storedFrame(id, type, JSON.stringify(event)));
    }
    this.#place = through;
    this.#sequence = Math.max(this.#sequence, sequenceOf(through));
  }

  /** Sends live events that waited. Returns false if some are missing before one of them. */
  #takeLive(): boolean {
    const live = this.#live;
    this.#live = [];
    for (const [index, event] of live.entries()) {
      if (event.sequence <= this.#sequence) continue;
      if (event.previous > this.#sequence) {
        this.#live = live.slice(index);
        return false;
      }
      this.#sendStored(event, () => event.frame);
    }
    return true;
  }

  #sendStored({ id, type, sequence }: StoredEvent, frame: () => string | Uint8Array): void {
    this.#sequence = sequence;
    this.#place = id;
    if (this.#options.isWanted(type)) this.#send(frame());
  }

  #send(frame: string | Uint8Array): void {
    if (this.#isEnded) return;
    this.#body.send(typeof frame === "string" ? Buffer.from(frame) : frame);
    if (this.#body.waitingBytes > BUFFER_BYTES) this.#drop();
  }

  #drop(): void {
    if (this.#isEnded) return;
    this.#options.onCutOff();
    this.#finish();
    this.#body.cut();
  }

  async #whenRoom(): Promise<void> {
    const cancel = this.#plan(STALLED_MS, () => this.#drop());
    while (!this.#isEnded && this.#body.waitingBytes > ROOM_BYTES) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
        this.#plan(READ_AGAIN_MS, resolve);
      });
    }
    cancel();
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#plan(delayMs, resolve);
    });
  }

  #plan(delayMs: number, task: () => void): () => void {
    const cancel = this.#options.schedule(delayMs, () => {
      this.#timers.delete(cancel);
      task();
    });
    this.#timers.add(cancel);
    return () => {
      this.#timers.delete(cancel);
      cancel();
    };
  }

  #finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#live = [];
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#onRoom?.();
    this.#options.onEnd();
  }
}

function sequenceOf(place: string): number {
  return parsePosition(place)?.sequence ?? 0;
}
