/**
 * An engine's part in a cluster of engines that share all partitions (REPLICATION=on): it keeps copies of its share,
 * and leads the partitions assigned to it.
 *
 * Owns: the resources that shared partitions have in common in one process, which of them is handed over. Does not own:
 * the feed and the order of the engine's start and stop (engine.ts), the life of one partition (replica/replica.ts),
 * which engine should lead and have copies (placement/balance.ts), which engine is allowed to lead (the log).
 *
 * Invariants:
 * 1. Nothing is led before every server is known to sync before it acknowledges.
 * 2. Heartbeats between engines only hasten or delay a claim, and report where copies are: the log alone decides which
 *    engine leads.
 */
import { randomUUID } from "node:crypto";
import type { NatsConnection } from "nats";
import { assert } from "../../src/assert.ts";
import type { ClusterView } from "../../src/contract/operator/cluster.ts";
import { every, loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import type { Cancel, Fatal } from "../../src/runtime/ports.ts";
import type { ReplicationConfig } from "../config.ts";
import { TICK_STREAM } from "../feed/stream/jetstream.ts";
import type { HostedPartition, SharedAnswers, SharedServices } from "../host/hosted-partition.ts";
import { newName, partitionFolder } from "../host/names.ts";
import type { HostFeed } from "../host/partition-feed.ts";
import { openSharedParts, SHARED_PARTITION } from "../host/shared-partition.ts";
import { refuseUnlessJudged } from "../host/symbols-missing.ts";
import type { Bootstrap } from "../identity/bootstrap.ts";
import { checkSigningKey } from "../identity/signing.ts";
import type { ReplicatedLog } from "../ports/replica.ts";
import { SymbolFollower } from "../reference/symbol-follower.ts";
import { StreamLog } from "./log/replicated-log.ts";
import { refuseReplicatedStart } from "./log/server/preflight.ts";
import { ServerWatch } from "./log/server/server-watch.ts";
import { StreamRefused } from "./log/server/stream-check.ts";
import { openJetStreamLog } from "./log/stream/jetstream-log.ts";
import { Balance } from "./placement/balance.ts";
import { standingOf, viewOf } from "./placement/cluster-view.ts";
import { type PartitionsReport, Presence } from "./placement/presence.ts";
import { type HostOptions, PartitionReplica } from "./replica/replica.ts";
import { hasReplica } from "./replica/retired-replica.ts";
import { BytePace } from "./seed/byte-pace.ts";

/** How many servers keep each log, and the stream of ticks. */
export const REPLICAS = 3;
/** An engine delays its claim by this time for each engine that ranks before it. */
const CLAIM_STEP_MS = 250;
/** Longer than the interval between heartbeats: a starting engine learns which engines are present before it claims. */
const LISTEN_MS = 600;
const BALANCE_EVERY_MS = 1_000;
/** The pace of rows that are sent to copies on other engines. */
const SEED_BYTES_PER_SECOND = 10_000_000;
const SERVERS_EVERY_MS = 60_000;

/** The servers that hold the logs. */
interface TrustedServers {
  readonly replication: ReplicationConfig;
  readonly connection: NatsConnection;
  readonly servers: ServerWatch;
}

interface ClusterMemberOptions extends TrustedServers {
  readonly services: SharedServices;
  /** Live: a partition joins it when it is led here. */
  readonly feed: HostFeed;
  readonly fatal: Fatal;
  /** Answers a question for readiness if this engine is not ready. */
  readonly whyNotReady: SharedAnswers;
  /** Receives the demo user's key, at the engine that made it at the very first start. */
  readonly onBootstrap: ((bootstrap: Bootstrap) => void) | undefined;
}

/**
 * Refuses brokerages and settings that a cluster cannot have. Resolves once most servers of the log are known to sync;
 * rejects if one of them does not.
 */
export async function trustServers(
  { config, settings, log }: SharedServices,
  replication: ReplicationConfig,
  connection: NatsConnection | undefined,
): Promise<TrustedServers> {
  const { monitorUrls } = replication;
  refuseReplicatedStart({
    natsUrl: config.natsUrl,
    monitorUrls,
    brokeragesInside: settings.filter(({ adapter }) => adapter === "paper").map(({ code }) => code),
    hasSharedPartition: true,
    signingKeyFile: config.signingKeyFile,
  });
  assert(connection !== undefined, "its settings name the servers");
  if (config.signingKeyFile !== undefined) await checkSigningKey(config.signingKeyFile, log);
  const ports = { connection, log, steadyClock, timers: loopTimers };
  const servers = new ServerWatch({ ...ports, monitorUrls, tickStream: TICK_STREAM });
  await servers.askUntilKnown();
  return { replication, connection, servers };
}

export class ClusterMember {
  readonly #options: ClusterMemberOptions;
  /** The name of this start: it distinguishes two engines with the same given name. */
  readonly name: string;
  readonly #replicas: PartitionReplica[] = [];
  readonly #stops: Cancel[] = [];
  readonly #services: SharedServices;
  readonly #presence: Presence;
  readonly #balance: Balance;

  private constructor(options: ClusterMemberOptions) {
    const { services, replication } = options;
    const { bus, config } = services;
    const { machine, copies } = replication;
    const engine = `${replication.engineName}.${services.life}`;
    const { partitions } = config;
    this.#options = options;
    this.#services = { ...services, cluster: () => standingOf(this.view) };
    this.name = engine;
    const told = (): PartitionsReport => this.#told();
    this.#presence = Presence.start({ bus, steadyClock, timers: loopTimers, engine, machine, partitions, told });
    this.#balance = new Balance({ presence: this.#presence, engine, copies, partitions, steadyClock });
  }

  /** Joins the cluster. Partitions are led as they are assigned to this engine. Rejects if it must not take part. */
  static async join(options: ClusterMemberOptions): Promise<ClusterMember> {
    const member = new ClusterMember(options);
    await member.#refuseWrongLog();
    await new Promise<void>((resolve) => void loopTimers.after(LISTEN_MS, resolve));
    member.#follow();
    return member;
  }

  /** The cluster as this engine sees it. */
  get view(): ClusterView {
    const { partitions } = this.#services.config;
    return { ...viewOf(this.#presence.words(), partitions), ...this.#options.servers.view };
  }

  /** Begins the end: the other engines no longer count on this one. */
  beginEnd(): void {
    this.#presence.beginEnd();
  }

  /** Hands each partition that is led here to the next leader, then closes the copies. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    await Promise.all(this.#replicas.map((replica) => replica.stop(this.#balance.heirOf(replica.number))));
  }

  /** Ends the heartbeats. To be called when everything is closed. */
  close(): void {
    this.#presence.stop();
  }

  #follow(): void {
    const { replication, feed, fatal } = this.#options;
    const services = this.#services;
    const { config, bus, log, symbols: directory } = services;
    const seedPace = new BytePace({ bytesPerSecond: SEED_BYTES_PER_SECOND, steadyClock, timers: loopTimers });
    // No partition waits for it: the shared partition can be without a leader for long.
    const symbols = SymbolFollower.begin({ bus, directory, timers: loopTimers, log });
    this.#stops.push(() => symbols.stop());
    this.#balance.rank();
    for (let number = 0; number < config.partitions; number += 1) {
      const folder = partitionFolder(config.dataFolder, number);
      const replica = new PartitionReplica({
        ...{ number, world: services, feed, timers: loopTimers, log, fatal, folder, seedPace },
        isKept: this.#balance.shouldKeep(number, hasReplica(folder)),
        openLog: () => this.#openLog(number),
        moveIn: (hosted) => this.#moveIn(hosted, symbols),
        claimDelayMs: () => this.#balance.claimRankOf(number) * CLAIM_STEP_MS,
        canOthersLead: () => this.#balance.canOthersLead(number),
        leaseMs: replication.leaseMs,
      });
      this.#replicas.push(replica);
      replica.start();
    }
    this.#stops.push(every(BALANCE_EVERY_MS, () => this.#rebalance()));
    this.#stops.push(every(SERVERS_EVERY_MS, () => void this.#checkServersAgain()));
  }

  /** Reports a permanent fault at the start; servers that do not answer yet are asked again later. */
  async #refuseWrongLog(): Promise<void> {
    await this.#openLog(SHARED_PARTITION).catch((error: unknown) => {
      if (!(error instanceof StreamRefused)) return;
      this.#presence.stop();
      throw error;
    });
  }

  async #openLog(partition: number): Promise<ReplicatedLog> {
    const { connection, replication } = this.#options;
    const { config, log } = this.#services;
    const shared = { timers: loopTimers, log };
    const stream = await openJetStreamLog({
      ...{ ...shared, connection, partition, partitions: config.partitions, replicas: REPLICAS },
      newInstallation: newName,
    });
    return new StreamLog({
      ...{ ...shared, stream, owner: this.name, leaseMs: replication.leaseMs, steadyClock, clock: systemClock },
      ...{ newId: randomUUID, keepBytes: replication.keptLogBytes },
      heldByOthers: () => this.#presence.heldByOthers(partition),
    });
  }

  /**
   * Connects the partition to shared parts: the shared partition publishes symbols and users, the others receive them.
   */
  async #moveIn(hosted: HostedPartition, symbols: SymbolFollower): Promise<HostOptions> {
    const { whyNotReady, onBootstrap } = this.#options;
    if (hosted.number === SHARED_PARTITION) {
      const parts = await openSharedParts(this.#services, hosted);
      if (parts.bootstrap !== undefined) onBootstrap?.(parts.bootstrap);
      return { answers: (envelope) => whyNotReady(envelope) ?? parts.answer(envelope), leave: () => parts.stop() };
    }
    const leave = await symbols.join(hosted.copyPlace);
    return { answers: (envelope) => whyNotReady(envelope) ?? refuseUnlessJudged(envelope, symbols), leave };
  }

  /** Ranks again, and hands one partition to the engine that should lead it. */
  #rebalance(): void {
    const balance = this.#balance;
    const { bus, log } = this.#services;
    // An engine that is disconnected and receives nothing must not conclude that it should lead and keep all.
    if (bus.status !== "connected") return;
    balance.rank();
    for (const replica of this.#replicas) {
      replica.keep(balance.shouldKeep(replica.number, replica.hasCopy));
      replica.reconsider();
    }
    for (const replica of this.#replicas) {
      const to = replica.isLeading ? balance.betterLeader(replica.number) : undefined;
      if (to === undefined) continue;
      log.info({ event: "leader.handingOver", partition: replica.number, to }, "handing the partition over");
      replica.handOver(to);
      return;
    }
  }

  #told(): PartitionsReport {
    const word = { lags: {}, leads: {}, positions: {}, takeovers: {}, heldTo: {} } satisfies PartitionsReport as Record<
      keyof Omit<PartitionsReport, "keeps" | "isClockRight">,
      Record<number, number>
    >;
    for (const { number, isLeading, standing, lagMessages, takeoverCount, syncedTo } of this.#replicas) {
      const { epoch, position } = standing ?? {};
      if (isLeading && epoch !== undefined) word.leads[number] = epoch;
      if (!isLeading && lagMessages !== undefined) word.lags[number] = lagMessages;
      if (position !== undefined) word.positions[number] = position;
      if (syncedTo !== undefined) word.heldTo[number] = syncedTo;
      if (takeoverCount > 0) word.takeovers[number] = takeoverCount;
    }
    const keeps = this.#replicas.filter(({ isKept }) => isKept).map(({ number }) => number);
    const offMs = this.#options.feed.clockOffMs;
    return { ...word, keeps, ...(offMs === null ? {} : { isClockRight: offMs === 0 }) };
  }

  async #checkServersAgain(): Promise<void> {
    const { servers } = this.#options;
    const { log } = this.#services;
    const before = servers.view.faults;
    await servers.ask().then(
      () =>
        before.length > 0 &&
        log.info({ event: "servers.trusted" }, "the nats-servers can be trusted with the log again"),
      (err: unknown) =>
        log.error(
          { event: "servers.notTrusted", err },
          "the nats-servers can no longer be trusted with the log: not ready",
        ),
    );
  }
}
