/**
 * All streams of events of an edge.
 *
 * Owns: the streaming users, how many streams are open, the bus messages that each receives, and when a stream must
 * end. Does not own: the order of a client's events (event-stream.ts), the right to stream (the route).
 *
 * Invariants:
 * 1. A user's events are subscribed to before the first page is read: between them nothing is lost.
 * 2. A stream ends within a second of its token's end, and immediately when the server closes.
 * 3. The number of streams is limited, of a user and of an edge.
 * 4. Questions to the engine for every stream are asked a few at a time, never for all of them in one moment.
 * 5. A stream receives the events of its user's partition. Another partition counts its events for itself, and its
 *    events of the user (the end of a token family) have no place in the stream's order.
 */
import type { Bus, BusMessage } from "../../src/bus/port.ts";
import { QUERIES } from "../../src/contract/command.ts";
import { type EventsPage, eventsPageSchema, parsePosition } from "../../src/contract/event/event.ts";
import { eventSubject } from "../../src/contract/subject.ts";
import { partitionOf } from "../../src/domain/partition.ts";
import type { Log, Schedule } from "../../src/runtime/ports.ts";
import type { EngineClient, Refusal } from "../client/engine-client.ts";
import type { Authenticator, Caller } from "../middleware/auth.ts";
import { refusal } from "../middleware/errors.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import type { ClientConnection } from "./event-body.ts";
import { EventStream } from "./event-stream.ts";
import type { PriceWatch } from "./price-watch.ts";
import { type PublishedEvent, readPublished } from "./published.ts";

const CHECK_MS = 1_000;
/** A proxy commonly cuts a connection that is silent for a minute, some after 30 s. */
const HEARTBEAT_CHECKS = 15;
const RETRY_SECONDS = 10;
/** Clients that lose one edge come back to another, spread over these. */
const RECONNECT = { msMin: 1_000, msMax: 3_000, stepMs: 100 };
/** The most questions of streams to the engine together. It serves as many with one read of the stored events. */
const READS_AT_ONCE = 128;
const READ_WAIT_MS_MAX = 10_000;

export interface StreamLimits {
  readonly streamsPerUserMax: number;
  readonly streamsMax: number;
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = { streamsPerUserMax: 10, streamsMax: 5_000 };

interface EventHubOptions {
  readonly bus: Pick<Bus, "subscribe" | "flush" | "onStatus">;
  readonly engine: Pick<EngineClient, "query" | "partitions">;
  readonly authenticator: Pick<Authenticator, "whyNotValid">;
  readonly prices: Pick<PriceWatch, "watch">;
  readonly schedule: Schedule;
  readonly log: Log;
  readonly limits: StreamLimits;
  /** Aborted when the server begins to stop. */
  readonly closing: AbortSignal;
  /** Called with the number of open streams whenever that changes. */
  readonly onCount: (count: number) => void;
}

/** A client's request. */
interface StreamRequest {
  readonly caller: Caller;
  readonly requestId: string;
  /** Null: from now on. */
  readonly after: string | null;
  readonly isWanted: (type: string) => boolean;
  readonly symbols: readonly string[];
  /** Undefined for a request without a socket. */
  readonly connection: ClientConnection | undefined;
}

interface Followed {
  readonly caller: Caller;
  /**
   * The number of its check among `HEARTBEAT_CHECKS`: heartbeats to a thousand streams together would hold the engine
   * up.
   */
  readonly turn: number;
  readonly stream: EventStream;
}

interface Channel {
  readonly listeners: Set<(event: PublishedEvent) => void>;
  readonly unsubscribe: () => void;
}

export class EventHub {
  readonly #options: EventHubOptions;
  readonly #channels = new Map<number, Channel>();
  readonly #followed = new Set<Followed>();
  /** Streams by user, streams that are being opened included. */
  readonly #counts = new Map<number, number>();
  readonly #reads: ConcurrencyLimiter;
  #count = 0;
  #checks = 0;
  #opened = 0;
  #cancelCheck: (() => void) | undefined;
  #stopStatus: () => void = () => undefined;

  constructor(options: EventHubOptions) {
    this.#options = options;
    const { schedule } = options;
    this.#reads = new ConcurrencyLimiter({ atOnce: READS_AT_ONCE, waitMsMax: READ_WAIT_MS_MAX, schedule });
  }

  start(): void {
    const { bus, closing } = this.#options;
    // An event that was published while the bus was away is stored, and is not published again.
    this.#stopStatus = bus.onStatus((status) => {
      if (status === "connected") for (const { stream } of this.#followed) void stream.readStored();
    });
    closing.addEventListener("abort", () => this.#endAll("the server is closing; connect again"));
  }

  stop(): void {
    this.#stopStatus();
    this.#endAll("the server is closing; connect again");
    this.#cancelCheck?.();
  }

  /** Opens a stream, or returns why it cannot. */
  async open(request: StreamRequest): Promise<EventStream | Refusal> {
    const { userId } = request.caller;
    const { streamsPerUserMax, streamsMax } = this.#options.limits;
    if (this.#options.closing.aborted) return refusal("UNAVAILABLE", "the server is closing; connect again");
    if ((this.#counts.get(userId) ?? 0) >= streamsPerUserMax) {
      const message = `the limit of ${streamsPerUserMax} open event streams per user is reached; close one`;
      return { ...refusal("LIMITED", message), retryAfterSeconds: RETRY_SECONDS };
    }
    if (this.#count >= streamsMax) return refusal("UNAVAILABLE", "too many streams of events are open; try later");
    this.#take(userId, 1);
    const opened = await this.#open(request).catch((error: unknown) => {
      this.#take(userId, -1);
      throw error;
    });
    if (!(opened instanceof EventStream)) this.#take(userId, -1);
    return opened;
  }

  async #open(request: StreamRequest): Promise<EventStream | Refusal> {
    const { caller, after } = request;
    let stream: EventStream | undefined;
    const early: PublishedEvent[] = [];
    const leave = this.#listen(caller.userId, (event) => {
      if (stream === undefined) early.push(event);
      else stream.hear(event);
    });
    const readSince = (from: string | null): Promise<EventsPage | Refusal> => this.#readSince(request, from);
    const page = await this.#options.bus.flush().then(
      () => readSince(after),
      () => refusal("UNAVAILABLE", "the service is not available now"),
    );
    if ("ok" in page) {
      leave();
      return page;
    }
    let followed: Followed | undefined;
    let stopPrices: () => void = () => undefined;
    stream = new EventStream(
      {
        readSince,
        isWanted: request.isWanted,
        retryMs: this.#nextReconnectMs(),
        schedule: this.#options.schedule,
        connection: request.connection,
        onCutOff: () =>
          this.#options.log.info(
            { event: "reader.cutOff", requestId: request.requestId, userId: caller.userId },
            "a slow reader was cut off",
          ),
        onEnd: () => {
          leave();
          stopPrices();
          if (followed !== undefined) this.#followed.delete(followed);
          this.#options.onCount(this.#followed.size);
          this.#take(caller.userId, -1);
        },
      },
      page,
      after,
    );
    followed = { caller, stream, turn: this.#opened % HEARTBEAT_CHECKS };
    this.#opened += 1;
    this.#followed.add(followed);
    this.#options.onCount(this.#followed.size);
    for (const event of early) stream.hear(event);
    const told = stream;
    stopPrices = this.#options.prices.watch(request.symbols, (price) => told.tellPrice(price));
    this.#planCheck();
    return stream;
  }

  #nextReconnectMs(): number {
    const { msMin, msMax, stepMs } = RECONNECT;
    return msMin + ((this.#opened * stepMs) % (msMax - msMin + stepMs));
  }

  #listen(userId: number, listener: (event: PublishedEvent) => void): () => void {
    const channel = this.#channels.get(userId) ?? this.#subscribe(userId);
    channel.listeners.add(listener);
    return () => {
      channel.listeners.delete(listener);
      if (channel.listeners.size > 0 || this.#channels.get(userId) !== channel) return;
      this.#channels.delete(userId);
      channel.unsubscribe();
    };
  }

  #subscribe(userId: number): Channel {
    const listeners = new Set<(event: PublishedEvent) => void>();
    const partition = partitionOf(userId, this.#options.engine.partitions);
    const tell = ({ data }: BusMessage): void => {
      const event = readPublished(data);
      if (event === undefined)
        this.#options.log.error({ event: "event.malformed", userId }, "malformed event on the bus");
      else if (parsePosition(event.id)?.partition === partition) for (const listener of listeners) listener(event);
    };
    const unsubscribe = this.#options.bus.subscribe(eventSubject(userId, ">"), tell, { readsInPlace: true });
    const channel = { listeners, unsubscribe };
    this.#channels.set(userId, channel);
    return channel;
  }

  async #readSince(request: StreamRequest, after: string | null): Promise<EventsPage | Refusal> {
    const { caller, requestId } = request;
    const ask = { userId: caller.userId, requestId, body: { after } };
    const reply = await this.#reads.run(() => this.#options.engine.query(QUERIES.eventsSince, ask));
    if (reply === undefined) return refusal("UNAVAILABLE", "many clients reconnect at the same time; try again");
    if (!reply.ok) return reply;
    const page = eventsPageSchema.safeParse(reply.data);
    if (page.success) return page.data;
    this.#options.log.error({ event: "event.malformedPage", requestId, error: page.error }, "malformed page of events");
    return refusal("INTERNAL", "the service gave a malformed answer");
  }

  #take(userId: number, change: 1 | -1): void {
    const count = (this.#counts.get(userId) ?? 0) + change;
    if (count > 0) this.#counts.set(userId, count);
    else this.#counts.delete(userId);
    this.#count += change;
  }

  #planCheck(): void {
    if (this.#cancelCheck !== undefined || this.#followed.size === 0) return;
    this.#cancelCheck = this.#options.schedule(CHECK_MS, () => {
      this.#cancelCheck = undefined;
      this.#check();
      this.#planCheck();
    });
  }

  #check(): void {
    this.#checks += 1;
    const turn = this.#checks % HEARTBEAT_CHECKS;
    for (const { caller, stream, turn: ownTurn } of this.#followed) {
      const broken = this.#options.authenticator.whyNotValid(caller);
      if (broken !== undefined) stream.end(broken.message);
      else if (ownTurn === turn) {
        stream.heartbeat();
        // The last of the live ones can have been lost, which no later one would show.
        void stream.readStored();
      }
    }
  }

  #endAll(message: string): void {
    for (const { stream } of this.#followed) stream.end(message);
  }
}
