/**
 * The feed as the engine meets it: accepted ticks in, in order, caught up where the server can.
 *
 * Owns: putting acceptance, live ticks and catching up together. Does not own: what a tick sets off.
 */
import type { NatsConnection } from "nats";
import type { Bus } from "../../src/bus/port.ts";
import type { Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { AcceptedTick, SessionPrices, SymbolIntake, Symbols } from "../ports/price.ts";
import type { StreamPlace } from "../ports/stream.ts";
import { TickAcceptance } from "./acceptance.ts";
import { LastPrices } from "./last-prices.ts";
import { type FeedState, LiveFeed } from "./live.ts";
import { PriceFile } from "./price-file.ts";
import type { FeedCounters } from "./rejected-ticks.ts";
import { StreamCatchUp } from "./stream/catch-up.ts";
import { jetStreamTicks } from "./stream/jetstream.ts";
import { type FeedMemory, logMissingStream, NO_MEMORY, type TickHole } from "./stream/missed-ticks.ts";
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
  /** Whether somebody counts every tick of a symbol: while ticks wait none of them is left out. Default: nobody does. */
  readonly countsEveryTick?: (symbol: string) => boolean;
  readonly tickMovePercentMax: number | undefined;
  /** See `AcceptanceOptions`. */
  readonly tickAgeMsMax: number | undefined;
  readonly catchUpSeconds: number;
  /** How many servers hold the stream of ticks at least. Default: one. */
  readonly tickReplicas?: number;
  /**
   * Where last prices are kept over a restart, and where others of this process' partitions kept theirs. Nothing is read
   * or written before `start`. Absent: none are kept.
   */
  readonly priceFiles?: readonly string[];
  /**
   * Runs inside the bus's call, for every accepted tick. The object is reused: copy what is kept. `ownTimeMs`: by the
   * tick's publisher; NaN where it gave none.
   */
  readonly onTick: (tick: AcceptedTick, ownTimeMs: number) => void;
  /** See `CatchUpOptions.mayAct`. */
  readonly mayAct?: () => boolean;
  /** Ticks were missed for good. It is logged already. */
  readonly onHole: (hole: TickHole) => void;
  /** What `memory` says has changed: to be stored now. */
  readonly onMemory?: () => void;
  /** Ticks that were missed were read back, and all of them handed to `onTick`. */
  readonly onCaughtUp?: () => void;
}

export interface TickFeed {
  readonly prices: SessionPrices;
  readonly state: FeedState;
  /**
   * True from when ticks may be missed until `onCaughtUp`: newer ones than `onTick` was given may exist. Asking notices
   * that the process stood still: what came meanwhile is read back before anything is judged by the clock.
   */
  readonly isCatchingUp: boolean;
  /** A level of this symbol was armed while that is true: of what waits, what comes from now on counts for it. */
  onArmedMeanwhile(symbol: string): void;
  readonly counters: Readonly<FeedCounters>;
  /** What came of a symbol's ticks lately. */
  intakeOf(symbol: string): SymbolIntake;
  /** When the last accepted tick was seen, for the alarm of a silent feed; null before the first. */
  readonly lastTickMs: number | null;
  /** Live ticks that wait while earlier ones are read back. */
  readonly waitingCount: number;
  /**
   * Starts to take ticks. `position` is the stored one and `storedAtMs` when it was stored; null at the very first start.
   * Resolves once everything that was missed has been given to `onTick` and the feed is live; does not reject.
   */
  start(position: number | null, storedAtMs?: number | null, memory?: FeedMemory): Promise<void>;
  /** Up to where of the stream all ticks were applied, to be stored with every batch; null while it is not known. */
  position(): number | null;
  /** To be stored with the position; undefined before `start`: what was stored before stays. */
  memory(): FeedMemory | undefined;
  /** Where the stream stands now; null where there is none, or nothing is known of it. */
  place(): StreamPlace | null;
  /** A gate that is closed, for a partition that comes to a feed that was started. */
  openTickBuffer(options: GateOptions): OpenTickBuffer;
  /** How far the stream's clock is ahead of ours, in ms; null where that is not known. */
  readonly streamAheadMs: number | null;
  /** See `StreamClock.offMs`; null where there is no stream. */
  readonly clockOffMs: number | null;
  /** See `StreamCatchUp.unheardCount`. */
  readonly unheardCount: number;
  stop(): void;
}

/** How many live ticks wait in order; above it only extremes and the last are kept of a symbol of which not every tick counts. */
const BUFFER_CAPACITY = 100_000;

/** Puts the feed together. No tick comes before `start`. */
export async function createTickFeed(options: TickFeedOptions): Promise<TickFeed> {
  const { connection, log, timers, catchUpSeconds: keepSeconds, tickReplicas: replicas, priceFiles = [] } = options;
  const kept = new LastPrices(options);
  const files = priceFiles.map((path) => new PriceFile(path, options.clock));
  /** The ticks behind one that is not handled, in the same message or the same catch-up, must still be. */
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
