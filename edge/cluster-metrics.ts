/**
 * Figures of the partitions that engines share, in the text format of Prometheus.
 *
 * Invariant: labels are partitions, servers and the names that operators gave their engines: their number is bounded.
 */
import { Counter, Gauge, type Registry } from "prom-client";
import type { ClusterView } from "../src/contract/operator/cluster.ts";

/** Adds one engine's figures of all partitions. */
export function describeCluster(
  { partitions, engines, servers, streams, faults }: ClusterView,
  registry: Registry,
): void {
  const registers = [registry];
  const gauge = (name: string, help: string, ...labelNames: readonly string[]) =>
    new Gauge({ name: `trading_engine_${name}`, help, labelNames: [...labelNames], registers });
  const leading = gauge("leading", "1 where the engine leads the partition", "partition", "engine");
  const led = gauge("led", "Whether an engine leads the partition", "partition");
  const epoch = gauge("epoch", "Higher with every leader of the partition", "partition");
  const lag = gauge("follower_lag_records", "Records that the engine's copy lacks", "partition", "engine");
  const copies = gauge("copies", "Copies of the partition that follow its log, in addition to its leader", "partition");
  const synced = gauge(
    "log_server_synced",
    "Whether the nats-server syncs what it acknowledges; 0 also: it is away",
    "url",
  );
  const replicas = gauge(
    "stream_current_replicas",
    "nats-servers that hold all of the stream, its leader included",
    "stream",
  );
  const trusted = gauge("log_servers_trusted", "Whether the nats-servers can be trusted with the log");
  const clock = gauge("clock_right", "Whether the engine's clock is within 2 s of the tick stream's", "engine");
  const takeovers = new Counter({
    name: "trading_engine_takeovers_total",
    help: "Partitions that the engine took over from a leader that had fallen silent",
    labelNames: ["partition", "engine"],
    registers,
  });
  const names = new Set(engines.map(({ engine }) => engine));
  for (const { partition, leader, copies: found, epoch: number } of partitions) {
    led.set({ partition }, leader === null ? 0 : 1);
    if (number !== null) epoch.set({ partition }, number);
    for (const engine of names) leading.set({ partition, engine }, engine === leader ? 1 : 0);
    const following = found.flatMap(({ engine, lagRecords }) => (lagRecords === null ? [] : [{ engine, lagRecords }]));
    copies.set({ partition }, following.length);
    for (const { engine, lagRecords } of following) lag.set({ partition, engine }, lagRecords);
  }
  for (const { engine, takeovers: taken, isClockRight } of engines) {
    if (isClockRight !== undefined) clock.set({ engine }, isClockRight ? 1 : 0);
    for (const { partition, count } of taken) takeovers.inc({ partition, engine }, count);
  }
  for (const { url, isSynced } of servers) synced.set({ url }, isSynced === true ? 1 : 0);
  for (const { stream, currentReplicas } of streams) replicas.set({ stream }, currentReplicas);
  trusted.set(faults.length === 0 ? 1 : 0);
}
