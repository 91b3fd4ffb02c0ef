/**
 * The feed of an engine process, as its partitions see it.
 *
 * Owns: which partition is given each tick, the figures of the feed. Does not own: which ticks are believed and read
 * back (engine/feed), the effects of a tick.
 *
 * Invariant: a partition that joins while the feed runs gets every tick after its own position, and no other partition
 * waits for that.
 */
import { mkdir } from "node:fs/promises";
import type { NatsConnection } from "nats";
import type { Bus } from "../../src/bus/port.ts";
import type { FeedStats } from "../../src/contract/operator/operator.ts";
import { ALL_FEED_STATUS_SUBJECT } from "../../src/contract/subject.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import type { Cancel, Log } from "../../src/runtime/ports.ts";
import { atMost } from "../../src/runtime/process.ts";
import type { EngineConfig } from "../config.ts";
import { createTickFeed, type TickFeed } from "../feed/feed.ts";
import { FeedPublishers } from "../feed/publisher-status.ts";
import type { HoleReason, TickHole } from "../feed/stream/missed-ticks.ts";
import { describeClock } from "../feed/stream/stream-clock.ts";
import type { OpenTickBuffer } from "../feed/tick-buffer.ts";
import { PriceHistory } from "../history/price-history.ts";
import type { Partition } from "../partition/partition.ts";
import type { FeedMemory } from "../ports/feed.ts";
import type { AcceptedTick } from "../ports/price.ts";
import type { Store } from "../ports/storage.ts";
import type { SymbolDirectory } from "../reference/symbol-directory.ts";
import type { Head } from "../store/journal/head.ts";
import { openLevelStore, SMALL_WRITE_BUFFER_BYTES } from "../store/level-store.ts";
import type { HostedFeed } from "./hosted-partition.ts";
import { historyFolder } from "./names.ts";
import { PartitionTime } from "./partition-time.ts";

interface HostFeedOptions {
  readonly config: EngineConfig;
  readonly bus: Bus;
  /** The bus's NATS connection, if it is one. */
  readonly connection: NatsConnection | undefined;
  readonly log: Log;
  readonly symbols: SymbolDirectory;
  /** See `TickFeedOptions`. */
  readonly tickReplicas?: number;
  /** Where last prices are stored: see `TickFeedOptions`. */
  readonly priceFiles: readonly string[];
}

/** How long start and end of an engine wait for the price history. */
const HISTORY_WITHIN_MS = 2_000;
/** A feed can name far more symbols than are known here. */
const REFUSED_MAX = 1_000;

const HISTORY_CACHE_BYTES = 8 * 1024 * 1024;

/** A feed that accepted no tick for longer is silent as a whole. */
const TICKS_WITHIN_MS = 60_000;

/** A partition, as the feed sees it. */
interface TickTaker {
  readonly partition: Pick<Partition, "hasArmed" | "countsEveryTick" | "onCaughtUp" | "keepFeedMemory" | "onTicksLost">;
  /** False while no order of the partition can leave. */
  readonly mayAct: boolean;
  onTick(tick: AcceptedTick, ownTimeMs: number): void;
}

/** The part of a partition's head about the ticks that it was given. */
type TickState = Pick<Head, "tickPosition" | "tickStream" | "ticksRefusedSinceMs" | "writtenAtMs">;

export class HostFeed {
  /** For partitions that are there when the feed starts. */
  readonly whole: HostedFeed;
  readonly #feed: TickFeed;
  readonly #takers: Set<TickTaker>;
  /** Holes of the tick stream that this process met, by reason. */
  readonly #holes: Record<HoleReason, number>;
  readonly #history: PriceHistory;
  readonly #publishers = new FeedPublishers(steadyClock);
  readonly #stopHearing: Cancel;

  private constructor(
    feed: TickFeed,
    takers: Set<TickTaker>,
    holes: Record<HoleReason, number>,
    history: PriceHistory,
    bus: Pick<Bus, "subscribe">,
  ) {
    this.#history = history;
    this.#stopHearing = bus.subscribe(ALL_FEED_STATUS_SUBJECT, ({ data }) => this.#publishers.read(data));
    this.#feed = feed;
    this.#takers = takers;
    this.#holes = holes;
    const time = new PartitionTime(systemClock, steadyClock, () => feed.clockOffMs);
    this.whole = {
      prices: feed.prices,
      history,
      isCatchingUp: () => feed.isCatchingUp,
      position: () => feed.position(),
      memory: () => feed.memory(),
      place: () => feed.place(),
      onArmedMeanwhile: (symbol) => feed.onArmedMeanwhile(symbol),
      stats: () => this.#stats(),
      time,
      watch: {
        clockOffMs: () => feed.clockOffMs,
        areTicksComing: () => this.#areTicksComing(),
        intakeOf: (symbol) => feed.intakeOf(symbol),
      },
    };
  }

  /** Closed: no tick comes before `start`. */
  static async create(options: HostFeedOptions): Promise<HostFeed> {
    const { config, symbols } = options;
    const takers = new Set<TickTaker>();
    const history = new PriceHistory({
      open: () => openHistory(config),
      ...{ days: config.barsDays, clock: systemClock, timers: loopTimers, log: options.log },
    });
    const holes = { missing: 0, tooOld: 0, recreated: 0, unreadable: 0, refused: 0 };
    const feed = await createTickFeed({
      ...options,
      clock: systemClock,
      steadyClock,
      timers: loopTimers,
      // An armed level is watched in every later state of the reference data (behaviour 10.5).
      symbols: {
        isKnown: (symbol) => symbols.isKnown(symbol) || [...takers].some(({ partition }) => partition.hasArmed(symbol)),
      },
      countsEveryTick: (symbol) => [...takers].some(({ partition }) => partition.countsEveryTick(symbol)),
      tickMovePercentMax: config.tickMovePercentMax,
      tickAgeMsMax: config.tickAgeMsMax,
      catchUpSeconds: config.catchUpSeconds,
      onTick: (tick, ownTimeMs) => {
        for (const taker of takers) taker.onTick(tick, ownTimeMs);
        history.onTick(tick);
      },
      onCaughtUp: () => {
        for (const { partition } of takers) partition.onCaughtUp();
      },
      onMemory: () => {
        for (const { partition } of takers) partition.keepFeedMemory();
      },
      mayAct: () => takers.size === 0 || [...takers].some(({ mayAct }) => mayAct),
      onHole: (hole) => {
        holes[hole.reason] += 1;
        for (const { partition } of takers) partition.onTicksLost(hole);
      },
    });
    return new HostFeed(feed, takers, holes, history, options.bus);
  }

  /** Gives the partition every tick from now on. Returns the way to end that. */
  join(taker: TickTaker): Cancel {
    this.#takers.add(taker);
    return () => void this.#takers.delete(taker);
  }

  /** Reads back the ticks that these missed; then the feed is live. Resolves once it is. */
  async start(heads: readonly TickState[]): Promise<void> {
    // A disk that hangs keeps no price away: a store that opens later serves charts from then on.
    await atMost(HISTORY_WITHIN_MS, this.#history.start());
    const oldest = oldestOf(heads);
    await this.#feed.start(oldest?.tickPosition ?? null, oldest?.writtenAtMs, memoryOf(heads, oldest));
  }

  /**
   * Opens a buffer for a partition that joins a running feed, or can within moments: from now on its ticks wait for the
   * missed ones.
   */
  openTickBuffer(): PartitionTickBuffer {
    const onHole = ({ reason }: TickHole): void => {
      this.#holes[reason] += 1;
    };
    return new PartitionTickBuffer(this.#feed, this.whole, { onHole, join: (taker) => this.join(taker) });
  }

  /** No tick comes any more. Resolves once the price history is closed. */
  stop(): Promise<void> {
    this.#stopHearing();
    this.#feed.stop();
    return atMost(HISTORY_WITHIN_MS, this.#history.stop());
  }

  /** How far the stream's clock is ahead of the engine's if the engine's is surely wrong; 0 if not, null: not known. */
  get clockOffMs(): number | null {
    return this.#feed.clockOffMs;
  }

  /** Why no partition of this engine is ready, as sentences. */
  get faults(): readonly string[] {
    const offMs = this.clockOffMs ?? 0;
    return offMs === 0 ? [] : [describeClock(offMs)];
  }

  #areTicksComing(): boolean {
    const { state, lastTickMs } = this.#feed;
    return state === "live" && lastTickMs !== null && systemClock.nowMs() - lastTickMs < TICKS_WITHIN_MS;
  }

  #stats(): FeedStats {
    const { state, counters, lastTickMs, waitingCount, streamAheadMs, unheardCount } = this.#feed;
    // A clock that was set back makes no feed younger than now.
    const silentMs = lastTickMs === null ? null : Math.max(0, Math.round(systemClock.nowMs() - lastTickMs));
    const refusedSinceMs = this.#feed.memory()?.ticksRefusedSinceMs ?? null;
    const stream = { clockAheadMs: streamAheadMs, refusedSinceMs, unheardCount };
    const counts = { ticks: { ...counters }, holes: { ...this.#holes }, publishers: this.#publishers.stats() };
    return { state, lastTickMs, silentMs, waitingCount, stream, ...counts };
  }
}

/** Opens the store of the price history, which is created if it is missing: only charts rely on it. */
async function openHistory({ dataFolder, ownPartitions }: EngineConfig): Promise<Store> {
  const folder = historyFolder(dataFolder, ownPartitions);
  await mkdir(folder, { recursive: true });
  return openLevelStore(folder, true, SMALL_WRITE_BUFFER_BYTES, HISTORY_CACHE_BYTES);
}

/** The parts of its feed that a gate needs. */
interface GateWorld {
  readonly onHole: (hole: TickHole) => void;
  readonly join: (taker: TickTaker) => Cancel;
}

/**
 * One partition's own way to the ticks, from its position on.
 *
 * Until its partition is there, a tick of an unknown symbol can be meant for one of its levels: such a tick is refused,
 * and read back.
 */
export class PartitionTickBuffer {
  readonly feed: HostedFeed;
  readonly #gate: OpenTickBuffer;
  readonly #leave: Cancel;
  #taker: TickTaker | undefined;
  /** Unknown symbols of refused ticks, which can be armed once the levels are known; null: too many to remember. */
  #refused: Set<string> | null = new Set();
  #isClosed = false;

  constructor(feed: Pick<TickFeed, "openTickBuffer">, whole: HostedFeed, { onHole, join }: GateWorld) {
    /** Without its partition nothing can be decided: a claim while the log is away must not end the wait of others. */
    const mayAct = (): boolean => this.#taker?.mayAct ?? false;
    const gate = feed.openTickBuffer({
      onTick: (tick, ownTimeMs) => this.#taker?.onTick(tick, ownTimeMs),
      onCaughtUp: () => this.#taker?.partition.onCaughtUp(),
      mayAct,
      onHole: (hole) => {
        onHole(hole);
        this.#taker?.partition.onTicksLost(hole);
      },
    });
    this.#gate = gate;
    /** Whether the feed's position is the partition's: not while it catches up, nor once it gets no tick any more. */
    const isApart = (): boolean => this.#isClosed || gate.isCatchingUp;
    this.feed = {
      ...whole,
      isCatchingUp: () => whole.isCatchingUp() || gate.isCatchingUp,
      onArmedMeanwhile: (symbol) => {
        whole.onArmedMeanwhile(symbol);
        gate.onArmedMeanwhile(symbol);
      },
      // Then the partition's position is its head's: the next leader is given the ticks from there on.
      position: () => (isApart() ? null : whole.position()),
      memory: () => (isApart() ? undefined : whole.memory()),
    };
    this.#leave = join({
      partition: {
        hasArmed: (symbol) => this.#taker?.partition.hasArmed(symbol) ?? this.#refuse(symbol),
        // Its levels are not known before it is there.
        countsEveryTick: (symbol) => this.#taker?.partition.countsEveryTick(symbol) ?? true,
        onCaughtUp: () => {
          if (!gate.isCatchingUp) this.#taker?.partition.onCaughtUp();
        },
        keepFeedMemory: () => {
          if (!gate.isCatchingUp) this.#taker?.partition.keepFeedMemory();
        },
        onTicksLost: (hole) => this.#taker?.partition.onTicksLost(hole),
      },
      get mayAct() {
        return mayAct();
      },
      onTick: (tick, ownTimeMs) => gate.take(tick, ownTimeMs),
    });
  }

  /** Gives the partition the missed ticks, then the waiting ones. Resolves once it is live. */
  catchUp(taker: TickTaker, head: TickState): Promise<void> {
    const refused = this.#refused;
    this.#taker = taker;
    this.#refused = null;
    const lacksTick = refused === null || [...refused].some((symbol) => taker.partition.hasArmed(symbol));
    return this.#gate.catchUp({
      ...{ position: head.tickPosition, storedAtMs: head.writtenAtMs, memory: head, lacksTick },
    });
  }

  #refuse(symbol: string): false {
    this.#refused?.add(symbol);
    if (this.#refused !== null && this.#refused.size > REFUSED_MAX) this.#refused = null;
    return false;
  }

  /** The partition gets no tick any more. */
  close(): void {
    this.#isClosed = true;
    this.#taker = undefined;
    this.#leave();
    this.#gate.stop();
  }
}

/**
 * The head of the earliest position: ticks that one partition has applied, another may have missed. Undefined if no
 * head has a position.
 */
function oldestOf(heads: readonly TickState[]): TickState | undefined {
  return heads
    .filter(({ tickPosition }) => tickPosition !== null)
    .sort((left, right) => (left.tickPosition ?? 0) - (right.tickPosition ?? 0))[0];
}

/** The earliest span that one of them remembers: another may not have been notified. */
function memoryOf(heads: readonly TickState[], oldest: TickState | undefined): FeedMemory {
  const since = heads.map(({ ticksRefusedSinceMs }) => ticksRefusedSinceMs).filter((sinceMs) => sinceMs !== null);
  return {
    tickStream: oldest?.tickStream ?? null,
    ticksRefusedSinceMs: since.length === 0 ? null : Math.min(...since),
  };
}
