/**
 * The feed as the engine uses it: accepted ticks, in order, caught up if the server can.
 *
 * Owns: the combination of acceptance, live ticks and catching up. Does not own: the effects of a tick.
 */
import type { NatsConnection } from "nats";
import type { Bus } from "../../src/bus/port.ts";
import type { Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { FeedMemory } from "../ports/feed.ts";
import type { AcceptedTick, SessionPrices, SymbolIntake, Symbols } from "../ports/price.ts";
import type { StreamPlace } from "../ports/stream.ts";
import { TickAcceptance } from "./acceptance.ts";
import { LastPrices } from "./last-prices.ts";
import { type FeedState, LiveFeed } from "./live.ts";
import { PriceFile } from "./price-file.ts";
import type { FeedCounters } from "./rejected-ticks.ts";
import { StreamCatchUp } from "./stream/catch-up.ts";
import { jetStreamTicks } from "./stream/jetstream.ts";
import { logMissingStream, NO_MEMORY, type TickHole } from "./stream/missed-ticks.ts";
import { type GateOptions, type OpenTickBuffer, openTickBuffer } from "./tick-buffer.ts";

interface TickFeedOptions {
  readonly bus: Bus;
  /** The bus's NATS connection; undefined for the in-process bus, which stores nothing. */
  readonly connection: NatsConnection | undefined;
  readonly clock: Clock;
  /** Milliseconds since any moment, never stepping. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly symbols: Pick<Symbols, "isKnown">;
  /**
   * Whether every tick of a symbol counts for some caller: none of them is then left out while ticks wait. Default: no.
   */
  readonly countsEveryTick?: (symbol: string) => boolean;
  readonly tickMovePercentMax: number | undefined;
  /** See `AcceptanceOptions`. */
  readonly tickAgeMsMax: number | undefined;
  readonly catchUpSeconds: number;
  /** The least number of servers that hold the stream of ticks. Default: one. */
  readonly tickReplicas?: number;
  /**
   * The files for last prices over a restart: this process's own, and its other partitions' files. Nothing is read or
   * written before `start`. Absent: no prices are kept.
   */
  readonly priceFiles?: readonly string[];
  /**
   * Runs inside the bus's call, for every accepted tick. The object is reused: copy the values to keep. `ownTimeMs`:
   * the publisher's time; NaN if it gave none.
   */
  readonly onTick: (tick: AcceptedTick, ownTimeMs: number) => void;
  /** See `CatchUpOptions.mayAct`. */
  readonly mayAct?: () => boolean;
  /** Called when ticks were missed permanently. This is already logged. */
  readonly onHole: (hole: TickHole) => void;
  /** Called when `memory` has changed: store it now. */
  readonly onMemory?: () => void;
  /** Called when missed ticks were read back, and all of them passed to `onTick`. */
  readonly onCaughtUp?: () => void;
}

export interface TickFeed {
  readonly prices: SessionPrices;
  readonly state: FeedState;
  /**
   * True from when ticks can be missed until `onCaughtUp`: ticks newer than the last `onTick` can exist. Reading this
   * also detects that the process stalled: ticks of that time are read back before anything is judged by the clock.
   */
  readonly isCatchingUp: boolean;
  /**
   * Notes a level of this symbol that was armed while that is true: of the waiting ticks, those from now count for it.
   */
  onArmedMeanwhile(symbol: string): void;
  readonly counters: Readonly<FeedCounters>;
  /** The outcome of a symbol's recent ticks. */
  intakeOf(symbol: string): SymbolIntake;
  /** When the last accepted tick was seen, for the alarm of a silent feed; null before the first. */
  readonly lastTickMs: number | null;
  /** Live ticks that wait while earlier ones are read back. */
  readonly waitingCount: number;
  /**
   * Starts to take ticks. `position` is the stored one and `storedAtMs` when it was stored; null at the very first
   * start. Resolves once all missed ticks were passed to `onTick` and the feed is live; does not reject.
   */
  start(position: number | null, storedAtMs?: number | null, memory?: FeedMemory): Promise<void>;
  /** The place in the stream up to which all ticks were applied, stored with every batch; null if not known. */
  position(): number | null;
  /** Stored with the position; undefined before `start`: the stored memory then remains. */
  memory(): FeedMemory | undefined;
  /** The current end of the stream; null without a stream, or if it is not known. */
  place(): StreamPlace | null;
  /** Opens a closed gate, for a partition that joins a running feed. */
  openTickBuffer(options: GateOptions): OpenTickBuffer;
  /** How far the stream's clock is ahead of ours, in ms; null if not known. */
  readonly streamAheadMs: number | null;
  /** See `StreamClock.offMs`; null without a stream. */
  readonly clockOffMs: number | null;
  /** See `StreamCatchUp.unheardCount`. */
  readonly unheardCount: number;
  stop(): void;
}

/**
 * How many live ticks wait in order. Above it, only extremes and the last tick are kept, except of a symbol of which
 * every tick counts.
 */
const BUFFER_CAPACITY = 100_000;

/** Builds the feed. No tick arrives before `start`. */
export async function createTickFeed(options: TickFeedOptions): Promise<TickFeed> {
  const { connection, log, timers, catchUpSeconds: keepSeconds, tickReplicas: replicas, priceFiles = [] } = options;
  const kept = new LastPrices(options);
  const files = priceFiles.map((path) => new PriceFile(path, options.clock));
  /** Handles the other ticks of the same message or catch-up even if one fails. */
  const guarded =
    (onTick: TickFeedOptions["onTick"]): TickFeedOptions["onTick"] =>
    (tick, ownTimeMs) => {
      try {
        onTick(tick, ownTimeMs);
      } catch (error) {
        log.error(
          { event: "tick.failed", symbol: tick.symbol, error: String(error) },
          "tick feed: a tick was not handled",
        );
      }
    };
  const clockOffMs = (): number | null => (catchUp === undefined ? 0 : catchUp.clock.offMs);
  const acceptance = new TickAcceptance({ ...options, clockOffMs, kept, onTick: guarded(options.onTick) });
  const live = new LiveFeed({ ...options, acceptance, bufferCapacity: BUFFER_CAPACITY });
  const forgetPrices = (): void => {
    acceptance.forgetLast();
    kept.forgetAll();
  };
  const stream =
    connection === undefined ? undefined : await jetStreamTicks({ connection, timers, keepSeconds, replicas });
  const catchUp =
    stream === undefined
      ? undefined
      : new StreamCatchUp({
          ...options,
          live,
          onUnknownPast: forgetPrices,
          onHole: (hole) => {
            if (hole.reason === "refused") kept.forget();
            else forgetPrices();
            options.onHole(hole);
          },
          stream,
        });
  let isStarted = false;
  return {
    prices: acceptance,
    counters: acceptance.counters,
    intakeOf: (symbol) => acceptance.intakeOf(symbol),
    get state() {
      return live.state;
    },
    get isCatchingUp() {
      catchUp?.look();
      return live.isCatchingUp;
    },
    onArmedMeanwhile: (symbol) => live.onArmedMeanwhile(symbol),
    get lastTickMs() {
      return acceptance.lastSeenMs;
    },
    get waitingCount() {
      return live.waitingCount;
    },
    async start(position, storedAtMs, memory) {
      isStarted = true;
      kept.open(files);
      if (catchUp !== undefined) return catchUp.start(position, storedAtMs, memory);
      logMissingStream(log, true);
      live.open();
    },
    position: () => catchUp?.position() ?? null,
    memory: () => (isStarted ? (catchUp?.memory() ?? NO_MEMORY) : undefined),
    place: () => catchUp?.clock.place() ?? null,
    openTickBuffer: (gated) =>
      openTickBuffer({
        ...options,
        ...gated,
        clockOffMs,
        stream,
        prices: acceptance,
        isLive: () => live.state === "live",
        bufferCapacity: BUFFER_CAPACITY,
        onTick: guarded(gated.onTick),
      }),
    get streamAheadMs() {
      return catchUp?.clock.aheadMs ?? null;
    },
    get clockOffMs() {
      return catchUp?.clock.offMs ?? null;
    },
    get unheardCount() {
      return catchUp?.unheardCount ?? 0;
    },
    stop() {
      (catchUp ?? { stop: () => live.close() }).stop();
      kept.flush();
      for (const file of files) file.close();
    },
  };
}
