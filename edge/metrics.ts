/**
 * Figures for a monitoring system, in the text format of Prometheus: this edge's counts, and the partitions' answers
 * when they are asked (behaviour 11.7).
 *
 * Invariants:
 * 1. Labels come from routes, never from a client's text: their number is bounded.
 * 2. A partition that does not answer shows as down and does not affect the others.
 */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { type ClusterView, clusterSchema } from "../src/contract/operator/cluster.ts";
import {
  BATCH_SIZE_BUCKETS,
  type Histogram as BucketCounts,
  OPERATOR_QUERIES,
  type PartitionStats,
  partitionStatsSchema,
  TIMING_BUCKETS_MS,
} from "../src/contract/operator/operator.ts";
import type { EngineClient } from "./client/engine-client.ts";
import { describeCluster } from "./cluster-metrics.ts";

const TIMEOUT_MS = 2_000;
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class EdgeMetrics {
  /** Content type of the result of `read`. */
  readonly contentType: string;
  readonly #registry: Registry;
  readonly #durations: Histogram<"method" | "route" | "status">;
  readonly #streams: Gauge;

  /**
   * `engineAheadMs`: how far the engine's clock is ahead of this machine's, null if that is not known. `registry`:
   * where the process counts figures that are not the edge's.
   */
  constructor(engineAheadMs: () => number | null, registry: Registry = new Registry()) {
    this.#registry = registry;
    this.contentType = registry.contentType;
    this.#durations = new Histogram({
      name: "trading_edge_request_duration_seconds",
      help: "Requests by method, route and status, and how long they took",
      labelNames: ["method", "route", "status"],
      buckets: SECONDS,
      registers: [registry],
    });
    this.#streams = new Gauge({
      name: "trading_edge_event_streams",
      help: "Streams of events that are open",
      registers: [registry],
    });
    new Gauge({
      name: "trading_edge_engine_clock_ahead_seconds",
      help: "How far the engine's clock is ahead of the edge's",
      registers: [registry],
      collect() {
        const aheadMs = engineAheadMs();
        if (aheadMs === null) this.reset();
        else this.set(aheadMs / 1000);
      },
    });
  }

  /** How many streams of events are open now. */
  setStreams(count: number): void {
    this.#streams.set(count);
  }

  /** Counts a request that was answered. */
  count(method: string, route: string, status: number, durationMs: number): void {
    this.#durations.observe({ method, route, status }, durationMs / 1000);
  }

  /** Returns all existing figures. */
  async read(engine: EngineClient, requestId: string): Promise<string> {
    const partitions = Array.from({ length: engine.partitions }, (_, partition) => partition);
    const [own, cluster, ...stats] = await Promise.all([
      this.#registry.metrics(),
      askCluster(engine, requestId),
      ...partitions.map((partition) => askPartition(engine, partition, requestId)),
    ]);
    return `${own}\n${await describePartitions(stats, cluster)}`;
  }
}

/** Null if engines share no partitions, and if no engine answers. */
async function askCluster(engine: EngineClient, requestId: string): Promise<ClusterView | null> {
  const reply = await engine.cluster({ userId: null, requestId, body: {} });
  return reply.ok ? (clusterSchema.nullable().safeParse(reply.data).data ?? null) : null;
}

async function askPartition(
  engine: EngineClient,
  partition: number,
  requestId: string,
): Promise<PartitionStats | undefined> {
  const ask = { userId: null, requestId, body: {} };
  const reply = await engine.query(OPERATOR_QUERIES.readStats, ask, {
    partition,
    timeoutMs: TIMEOUT_MS,
    mayWait: false,
  });
  if (!reply.ok) return undefined;
  const stats = partitionStatsSchema.safeParse(reply.data);
  return stats.success ? stats.data : undefined;
}

/** The answer of each partition; undefined if one did not answer. */
async function describePartitions(
  stats: readonly (PartitionStats | undefined)[],
  cluster: ClusterView | null,
): Promise<string> {
  const registry = new Registry();
  if (cluster !== null) describeCluster(cluster, registry);
  const registers = [registry];
  const up = new Gauge({
    name: "trading_engine_up",
    help: "Whether the partition answers",
    labelNames: ["partition"],
    registers,
  });
  const gauge = (name: string, help: string, ...labelNames: readonly string[]) =>
    new Gauge({ name: `trading_engine_${name}`, help, labelNames: ["partition", ...labelNames], registers });
  const counter = (name: string, help: string, ...labelNames: readonly string[]) =>
    new Counter({ name: `trading_engine_${name}`, help, labelNames: ["partition", ...labelNames], registers });
  const figures = {
    ticks: counter("ticks_total", "Ticks of the process that runs the partition, by result", "result"),
    feed: gauge("feed_state", "1 for the state that the feed is in", "state"),
    lastTick: gauge("last_tick_timestamp_seconds", "When the last accepted tick was seen"),
    publishers: gauge("feed_publisher_state", "1 for the state that a publisher of prices is in", "feed", "state"),
    delayed: counter("feed_publisher_delayed_total", "Trades that a publisher refused as they came too late", "feed"),
    silence: gauge("last_tick_age_seconds", "How long ago the last accepted tick was seen, by the engine's clock"),
    holes: counter("tick_holes_total", "Holes of the tick stream: ticks that are lost to the process", "reason"),
    unheard: counter(
      "ticks_unheard_total",
      "Ticks that the stream stored and that did not arrive live: they were read back",
    ),
    streamClock: gauge("tick_stream_clock_ahead_seconds", "How far the stream's clock is ahead of the engine's"),
    streamRefusing: gauge("tick_stream_refusing", "1 while the tick stream takes no ticks: a kill now would lose some"),
    ticksWaiting: gauge("ticks_waiting", "Live ticks that wait for earlier ones"),
    tickPosition: gauge("tick_position", "Up to where of the tick stream all was applied"),
    orders: gauge("outbox_orders", "Orders without an outcome", "state"),
    orderEvents: counter("outbox_events_total", "Actions of the outbox and reports that it received", "event"),
    brokerages: gauge("brokerage_state", "1 for the state that the way to a brokerage is in", "brokerage", "state"),
    heldBack: gauge("brokerage_held_back", "1 where nothing is sent, as less is promised than relied on", "brokerage"),
    loginNeeded: gauge("brokerage_login_needed", "1 where the session needs a login by the owner", "brokerage"),
    lanes: gauge("outbox_lanes", "Users and brokerages with orders under way or quota in use"),
    unreadable: gauge("outbox_unreadable_rows", "Rows of the outbox that cannot be read: an operator must look"),
    armed: gauge("armed_levels", "Price levels under watch"),
    armedPriceAge: gauge(
      "armed_price_age_seconds",
      "How long ago the last price was accepted of the symbol under watch for which that is longest",
    ),
    silentSymbols: gauge("silent_symbols", "Symbols under watch of which no price counts, by reason", "reason"),
    memory: gauge(
      "memory_bytes",
      "Memory of the process that runs the partition, by kind: resident is anonymous and fileBacked together",
      "kind",
    ),
    deadlines: gauge("deadlines", "Deadlines under watch"),
    quarantined: gauge("quarantined_actors", "Actors in quarantine"),
    heldSymbols: gauge("held_symbols", "Symbols of which no level fires until they are released"),
    inbox: gauge("inbox_length", "Work that waits for its turn"),
    events: gauge("events_waiting", "Events that wait for the bus"),
    unreadableEvents: gauge("events_unreadable_rows", "Rows of events that cannot be read: they are not published"),
    unsold: counter("unsold_events_total", "Events about lots that were not sold, by type", "event"),
    refusedReports: counter(
      "order_reports_refused_total",
      "Reports of orders that contradicted themselves or were of another order, by code",
      "code",
    ),
    oldestOrder: gauge(
      "outbox_oldest_timestamp_seconds",
      "Since when the oldest order without an outcome is in its state",
    ),
    batches: counter("batches_total", "Batches put together since the data folder was made"),
  };
  for (const [number, one] of stats.entries()) {
    const partition = String(number);
    up.set({ partition }, one === undefined ? 0 : 1);
    if (one !== undefined) describePartition(figures, partition, one);
  }
  return `${await registry.metrics()}\n${describeHistograms(stats)}`;
}

/** Counted by the engines: a histogram of the package could only be fed one by one. */
function describeHistograms(stats: readonly (PartitionStats | undefined)[]): string {
  const lines = HISTOGRAMS.flatMap(({ name, help, read, ...scale }) => [
    `# HELP trading_engine_${name} ${help}`,
    `# TYPE trading_engine_${name} histogram`,
    ...stats.flatMap((one, partition) =>
      one === undefined ? [] : histogramLines(`trading_engine_${name}`, partition, read(one), scale),
    ),
  ]);
  return `${lines.join("\n")}\n`;
}

/** The scale of a histogram's output: its bounds, and how many counted units make one unit of the output. */
interface Scale {
  readonly bounds: readonly number[];
  readonly unit: number;
}

interface ToldHistogram extends Scale {
  readonly name: string;
  readonly help: string;
  readonly read: (stats: PartitionStats) => BucketCounts;
}

const HISTOGRAMS: readonly ToldHistogram[] = [
  {
    name: "tick_to_durable_seconds",
    help: "From a tick's arrival until what it triggered was durable",
    ...{ bounds: TIMING_BUCKETS_MS, unit: 1_000, read: ({ timings }) => timings.tickToDurable },
  },
  {
    name: "durable_to_sent_seconds",
    help: "From then until the first attempt of its order left",
    ...{ bounds: TIMING_BUCKETS_MS, unit: 1_000, read: ({ timings }) => timings.durableToSent },
  },
  {
    name: "log_append_seconds",
    help: "From handing records to the log until they are durable in it",
    ...{ bounds: TIMING_BUCKETS_MS, unit: 1_000, read: ({ timings }) => timings.logAppend },
  },
  {
    name: "batch_rows",
    help: "How many rows each batch changed",
    ...{ bounds: BATCH_SIZE_BUCKETS, unit: 1, read: ({ batchSizes }) => batchSizes },
  },
];

function histogramLines(
  name: string,
  partition: number,
  { counts, sum, count }: BucketCounts,
  { bounds, unit }: Scale,
): string[] {
  let below = 0;
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0;
    return `${name}_bucket{partition="${partition}",le="${bound / unit}"} ${below}`;
  });
  return [
    ...buckets,
    `${name}_bucket{partition="${partition}",le="+Inf"} ${count}`,
    `${name}_sum{partition="${partition}"} ${sum / unit}`,
    `${name}_count{partition="${partition}"} ${count}`,
  ];
}

type Figures = Readonly<Record<GaugeName, Gauge>> & Readonly<Record<CounterName, Counter>>;
type CounterName = "ticks" | "holes" | "unheard" | "delayed" | "orderEvents" | "unsold" | "refusedReports" | "batches";
type GaugeName =
  | "feed"
  | "lastTick"
  | "publishers"
  | "silence"
  | "streamClock"
  | "streamRefusing"
  | "ticksWaiting"
  | "tickPosition"
  | "orders"
  | "brokerages"
  | "heldBack"
  | "loginNeeded"
  | "lanes"
  | "unreadable"
  | "armed"
  | "armedPriceAge"
  | "silentSymbols"
  | "deadlines"
  | "memory"
  | "quarantined"
  | "heldSymbols"
  | "inbox"
  | "events"
  | "unreadableEvents"
  | "oldestOrder";

function describePartition(figures: Figures, partition: string, stats: PartitionStats): void {
  const { feed, outbox } = stats;
  if (feed !== undefined) {
    for (const [result, count] of Object.entries(feed.ticks)) figures.ticks.inc({ partition, result }, count);
    for (const state of ["live", "catchingUp", "disconnected"]) {
      figures.feed.set({ partition, state }, feed.state === state ? 1 : 0);
    }
    if (feed.lastTickMs !== null) figures.lastTick.set({ partition }, feed.lastTickMs / 1000);
    if (feed.silentMs !== null) figures.silence.set({ partition }, feed.silentMs / 1000);
    for (const [reason, count] of Object.entries(feed.holes)) figures.holes.inc({ partition, reason }, count);
    const { clockAheadMs, refusedSinceMs, unheardCount } = feed.stream;
    figures.unheard.inc({ partition }, unheardCount);
    if (clockAheadMs !== null) figures.streamClock.set({ partition }, clockAheadMs / 1000);
    figures.streamRefusing.set({ partition }, refusedSinceMs === null ? 0 : 1);
    figures.ticksWaiting.set({ partition }, feed.waitingCount);
    for (const { name, state: now, delayed } of feed.publishers) {
      for (const state of ["connected", "delayed", "silent", "down", "gone"]) {
        figures.publishers.set({ partition, feed: name, state }, now === state ? 1 : 0);
      }
      figures.delayed.inc({ partition, feed: name }, delayed);
    }
  }
  if (stats.tickPosition !== null) figures.tickPosition.set({ partition }, stats.tickPosition);
  for (const [state, count] of Object.entries(outbox.byState)) figures.orders.set({ partition, state }, count);
  const events = {
    sent: outbox.sendCount,
    lookedUp: outbox.lookUpCount,
    placed: outbox.placedCount,
    refused: outbox.refusedCount,
    unknown: outbox.unknownCount,
    quarantined: outbox.quarantineCount,
  };
  for (const [event, count] of Object.entries(events)) figures.orderEvents.inc({ partition, event }, count);
  for (const { code: brokerage, state, refusal, needsLogin = false } of stats.brokerages) {
    for (const each of ["up", "down", "silent", "untold"]) {
      figures.brokerages.set({ partition, brokerage, state: each }, state === each ? 1 : 0);
    }
    figures.heldBack.set({ partition, brokerage }, refusal === null ? 0 : 1);
    figures.loginNeeded.set({ partition, brokerage }, needsLogin ? 1 : 0);
  }
  figures.lanes.set({ partition }, outbox.laneCount);
  figures.unreadable.set({ partition }, outbox.unreadableCount);
  figures.armed.set({ partition }, stats.armedCount);
  if (stats.armedPrices !== undefined) {
    const { silent, oldestAgeMs } = stats.armedPrices;
    for (const [reason, count] of Object.entries(silent)) figures.silentSymbols.set({ partition, reason }, count);
    if (oldestAgeMs !== null) figures.armedPriceAge.set({ partition }, oldestAgeMs / 1000);
  }
  for (const [kind, bytes] of Object.entries(stats.memory ?? {})) figures.memory.set({ partition, kind }, bytes);
  figures.deadlines.set({ partition }, stats.deadlineCount);
  figures.quarantined.set({ partition }, stats.quarantinedActorCount);
  figures.heldSymbols.set({ partition }, stats.heldSymbolCount ?? 0);
  figures.inbox.set({ partition }, stats.inboxLength);
  figures.events.set({ partition }, stats.eventsWaitingCount);
  figures.unreadableEvents.set({ partition }, stats.unreadableEventRowCount);
  for (const [event, count] of Object.entries(stats.unsold)) figures.unsold.inc({ partition, event }, count);
  for (const [code, count] of Object.entries(stats.refusedReports ?? {})) {
    figures.refusedReports.inc({ partition, code }, count);
  }
  if (stats.oldestOrderSinceMs !== null) figures.oldestOrder.set({ partition }, stats.oldestOrderSinceMs / 1000);
  figures.batches.inc({ partition }, stats.batch);
}
