/**
 * The feed of an engine process, as its partitions meet it.
 *
 * Owns: who is given each tick, the figures of the feed. Does not own: which ticks are believed and read back
 * (engine/feed), what a tick sets off.
 *
 * Invariant: a partition that comes while the feed runs gets every tick after its own position, and no other partition
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
import type { FeedMemory, HoleReason, TickHole } from "../feed/stream/missed-ticks.ts";
import { describeClock } from "../feed/stream/stream-clock.ts";
import type { OpenTickBuffer } from "../feed/tick-buffer.ts";
import { PriceHistory } from "../history/price-history.ts";
import type { Partition } from "../partition/partition.ts";
import type { AcceptedTick } from "../ports/price.ts";
import type { Store } from "../ports/storage.ts";
import type { SymbolDirectory } from "../reference/symbol-directory.ts";
import type { Head } from "../store/journal/head.ts";
import { openLevelStore, SMALL_WRITE_BUFFER_BYTES } from "../store/level-store.ts";
import type { PartitionFeed } from "./hosted-partition.ts";
import { historyFolder } from "./names.ts";
import { PartitionTime } from "./partition-time.ts";

interface HostFeedOptions {
  readonly config: EngineConfig;
  readonly bus: Bus;
  /** The bus's NATS connection, where it is one. */
  readonly connection: NatsConnection | undefined;
  readonly log: Log;
  readonly symbols: SymbolDirectory;
  /** See `TickFeedOptions`. */
  readonly tickReplicas?: number;
  /** Where last prices are kept: see `TickFeedOptions`. */
  readonly priceFiles: readonly string[];
}

/** Start and end of an engine wait so long for the price history. */
const HISTORY_WITHIN_MS = 2_000;
/** A feed may name far more symbols than are known here. */
const REFUSED_MAX = 1_000;

const HISTORY_CACHE_BYTES = 8 * 1024 * 1024;

/** A feed that accepted none for longer is silent as a whole. */
const TICKS_WITHIN_MS = 60_000;

/** A partition, as the feed meets it. */
interface TickTaker {
  readonly partition: Pick<Partition, "hasArmed" | "countsEveryTick" | "onCaughtUp" | "keepFeedMemory" | "onTicksLost">;
  /** False while no order of the partition may leave. */
  readonly mayAct: boolean;
  onTick(tick: AcceptedTick, ownTimeMs: number): void;
}

/** What a partition's head says of the ticks that it was given. */
type TickState = Pick<Head, "tickPosition" | "tickStream" | "ticksRefusedSinceMs" | "writtenAtMs">;

export class HostFeed {
  /** For partitions that are there when the feed starts. */
  readonly whole: PartitionFeed;
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
      get isCatchingUp() {
        return feed.isCatchingUp;
      },
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
      // What is armed is watched, whatever the reference data says by now (behaviour 10.5).
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

  /** Reads back what these missed; then the feed is live. Resolves once it is. */
  async start(heads: readonly TickState[]): Promise<void> {
    // A disk that hangs keeps no price away: what is opened later serves charts from then on.
    await atMost(HISTORY_WITHIN_MS, this.#history.start());
    const oldest = oldestOf(heads);
    await this.#feed.start(oldest?.tickPosition ?? null, oldest?.writtenAtMs, memoryOf(heads, oldest));
  }

  /**
   * The ticks of a partition that comes to a running feed, or may within moments: from now on they wait for those that it
   * missed.
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

/** Opens the store of the price history, which is made where it is missing: nothing but charts rests on it. */
async function openHistory({ dataFolder, ownPartitions }: EngineConfig): Promise<Store> {
  const folder = historyFolder(dataFolder, ownPartitions);
  await mkdir(folder, { recursive: true });
  return openLevelStore(folder, true, SMALL_WRITE_BUFFER_BYTES, HISTORY_CACHE_BYTES);
}

/** What a gate needs of the feed that it is of. */
interface GateWorld {
  readonly onHole: (hole: TickHole) => void;
  readonly join: (taker: TickTaker) => Cancel;
}

/**
 * One partition's own way to the ticks, from its position on.
 *
 * Until its partition is there nobody can tell that a tick of an unknown symbol is meant for one of its levels: such a
 * tick is refused, and read back.
 */
export class PartitionTickBuffer {
  readonly feed: PartitionFeed;
  readonly #gate: OpenTickBuffer;
  readonly #leave: Cancel;
  #taker: TickTaker | undefined;
  /** Symbols that came, are not known, and may be armed once it is known what is; null: too many to remember. */
  #refused: Set<string> | null = new Set();
  #isClosed = false;

  constructor(feed: Pick<TickFeed, "openTickBuffer">, whole: PartitionFeed, { onHole, join }: GateWorld) {
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
      get isCatchingUp() {
        return whole.isCatchingUp || gate.isCatchingUp;
      },
      onArmedMeanwhile: (symbol) => {
        whole.onArmedMeanwhile(symbol);
        gate.onArmedMeanwhile(symbol);
      },
      // Then the partition stays where its head stands: whoever leads it next is given what comes from there on.
      position: () => (isApart() ? null : whole.position()),
      memory: () => (isApart() ? undefined : whole.memory()),
    };
    this.#leave = join({
      partition: {
        hasArmed: (symbol) => this.#taker?.partition.hasArmed(symbol) ?? this.#refuse(symbol),
        // What its levels are, is not known before it is there.
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

  /** Gives the partition what it missed, then what waited. Resolves once it is live. */
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

/** That of the earliest position: what one partition has applied, another may not have. Undefined where none has any. */
function oldestOf(heads: readonly TickState[]): TickState | undefined {
  return heads
    .filter(({ tickPosition }) => tickPosition !== null)
    .sort((left, right) => (left.tickPosition ?? 0) - (right.tickPosition ?? 0))[0];
}

/** The earliest span that one of them remembers: another may not have been told. */
function memoryOf(heads: readonly TickState[], oldest: TickState | undefined): FeedMemory {
  const since = heads.map(({ ticksRefusedSinceMs }) => ticksRefusedSinceMs).filter((sinceMs) => sinceMs !== null);
  return {
    tickStream: oldest?.tickStream ?? null,
    ticksRefusedSinceMs: since.length === 0 ? null : Math.min(...since),
  };
}
