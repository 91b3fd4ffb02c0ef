/**
 * An engine process that shares all partitions with others (REPLICATION=on): it keeps copies of its share, and leads
 * the partitions assigned to it.
 *
 * Owns: the order of start and stop, the resources that partitions share in one process. Does not own: the life of one
 * partition (cluster/replica/replica.ts), which engine should lead and have copies (placement/balance.ts), which engine
 * is allowed to lead (the log).
 *
 * Invariants:
 * 1. Nothing is led before every server is known to sync before it acknowledges.
 * 2. Heartbeats between engines only hasten or delay a claim, and report where copies are: the log alone decides which
 *    engine leads.
 */
import { randomUUID } from "node:crypto";
import type { NatsConnection } from "nats";
import type { Bus } from "../../src/bus/port.ts";
import type { Envelope } from "../../src/contract/command.ts";
import type { ClusterView } from "../../src/contract/operator/cluster.ts";
import { CLUSTER_SUBJECT } from "../../src/contract/subject.ts";
import { every, loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import type { Cancel, Fatal, Log } from "../../src/runtime/ports.ts";
import type { EngineConfig, ReplicationConfig } from "../config.ts";
import { startSource } from "../feed/source/source.ts";
import { TICK_STREAM } from "../feed/stream/jetstream.ts";
import { type Answer, type Answerer, answering, refuseReadiness } from "../host/bus-answers.ts";
import type { HostedPartition, SharedServices } from "../host/hosted-partition.ts";
import { lookForSingle } from "../host/look-for-other-form.ts";
import { newName, partitionFolder } from "../host/names.ts";
import { OtherForm } from "../host/other-form.ts";
import { HostFeed } from "../host/partition-feed.ts";
import { openSharedParts, SHARED_PARTITION } from "../host/shared-partition.ts";
import { refuseUnlessJudged } from "../host/symbols-missing.ts";
import type { Bootstrap } from "../identity/bootstrap.ts";
import { checkSigningKey } from "../identity/signing.ts";
import { readBrokeragesFile } from "../order/registry.ts";
import type { ReplicatedLog } from "../ports/replica.ts";
import { readCalendars } from "../reference/calendars.ts";
import { SymbolDirectory } from "../reference/symbol-directory.ts";
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

const REPLICAS = 3;
/** An engine delays its claim by this time for each engine that ranks before it. */
const CLAIM_STEP_MS = 250;
/** Longer than the interval between heartbeats: a starting engine learns which engines are present before it claims. */
const LISTEN_MS = 600;
const BALANCE_EVERY_MS = 1_000;
/** The pace of rows that are sent to copies on other engines. */
const SEED_BYTES_PER_SECOND = 10_000_000;
const SERVERS_EVERY_MS = 60_000;

interface ReplicatedEngineOptions {
  readonly config: EngineConfig;
  readonly replication: ReplicationConfig;
  readonly bus: Bus;
  readonly connection: NatsConnection;
  readonly log: Log;
  readonly smsLog: Log;
  readonly fatal: Fatal;
  /** Receives the demo user's key, at the engine that made it at the very first start. */
  readonly onBootstrap: (bootstrap: Bootstrap) => void;
}

export class ReplicatedEngine {
  readonly #options: ReplicatedEngineOptions;
  /** The name of this start: it distinguishes two engines with the same given name. */
  readonly #name: string;
  readonly #replicas: PartitionReplica[] = [];
  readonly #stops: Cancel[] = [];
  readonly #world: SharedServices;
  readonly #feed: HostFeed;
  readonly #presence: Presence;
  readonly #servers: ServerWatch;
  readonly #otherForm: OtherForm;
  readonly #balance: Balance;

  private constructor(
    options: ReplicatedEngineOptions,
    world: SharedServices,
    feed: HostFeed,
    servers: ServerWatch,
    otherForm: OtherForm,
  ) {
    const { bus, replication, config } = options;
    this.#options = options;
    this.#world = { ...world, cluster: () => standingOf(this.#view()) };
    this.#servers = servers;
    this.#otherForm = otherForm;
    this.#stops.push(() => otherForm.stop());
    this.#feed = feed;
    this.#name = `${replication.engineName}.${world.life}`;
    this.#presence = Presence.start({
      ...{ bus, steadyClock, timers: loopTimers, engine: this.#name, partitions: config.partitions },
      machine: replication.machine,
      told: () => this.#told(),
    });
    const { copies } = replication;
    this.#balance = new Balance({
      ...{ presence: this.#presence, engine: this.#name, copies, steadyClock },
      partitions: config.partitions,
    });
  }

  get name(): string {
    return this.#name;
  }

  /** The partitions that this engine answers for now. */
  get leads(): readonly number[] {
    return this.#replicas.filter(({ isLeading }) => isLeading).map(({ number }) => number);
  }

  /** Starts in numbered stages; partitions are led as they are assigned to this engine. Rejects if it must not run. */
  static async start(options: ReplicatedEngineOptions): Promise<ReplicatedEngine> {
    const { config, bus, log, smsLog } = options;
    // 1. The brokerages, and whether the servers can be trusted with the log.
    const settings = readBrokeragesFile(config.brokeragesFile);
    refuseReplicatedStart({
      natsUrl: config.natsUrl,
      monitorUrls: options.replication.monitorUrls,
      brokeragesInside: settings.filter(({ adapter }) => adapter === "paper").map(({ code }) => code),
      hasSharedPartition: true,
      signingKeyFile: config.signingKeyFile,
    });
    if (config.signingKeyFile !== undefined) await checkSigningKey(config.signingKeyFile, log);
    const servers = new ServerWatch({
      ...{ ...options, steadyClock, timers: loopTimers },
      ...{ monitorUrls: options.replication.monitorUrls, tickStream: TICK_STREAM },
    });
    await servers.askUntilKnown();
    const look = lookForSingle({ bus, engine: options.replication.engineName }, config.partitions);
    const otherForm = await OtherForm.refuse({ look, timers: loopTimers, log });
    // 2. The feed: live for any partition that arrives.
    const symbols = new SymbolDirectory(undefined, readCalendars(config, log));
    const feed = await HostFeed.create({ ...options, symbols, priceFiles: [], tickReplicas: REPLICAS });
    await feed.start([]);
    const world = { config, bus, log, smsLog, symbols, settings, life: newName() };
    // 3. The other engines, then the copies: a partition is led once its log was read and its leader is silent.
    const engine = new ReplicatedEngine(options, world, feed, servers, otherForm);
    await engine.#refuseWrongLog();
    await new Promise<void>((resolve) => void loopTimers.after(LISTEN_MS, resolve));
    engine.#follow();
    return engine;
  }

  /** Starts the configured price source. Rejects if a file cannot be read. */
  async startSource(): Promise<void> {
    const { bus, log, config } = this.#options;
    const symbols = this.#world.symbols.simulated();
    const source = {
      feed: config.feed,
      speed: config.feedSpeed,
      symbols,
      bus,
      clock: systemClock,
      timers: loopTimers,
      log,
    };
    this.#stops.push(await startSource(source));
  }

  /** Ends gracefully: each partition that is led here is handed to the next leader, then the copies are closed. */
  async stop(): Promise<void> {
    this.#presence.beginEnd();
    for (const stop of this.#stops.splice(0)) stop();
    await Promise.all(this.#replicas.map((replica) => replica.stop(this.#balance.heirOf(replica.number))));
    await this.#feed.stop();
    this.#presence.stop();
  }

  #follow(): void {
    const { config, replication, bus, log, fatal } = this.#options;
    const world = this.#world;
    const directory = world.symbols;
    const seedPace = new BytePace({ bytesPerSecond: SEED_BYTES_PER_SECOND, steadyClock, timers: loopTimers });
    // No partition waits for it: the shared partition can be without a leader for long.
    const symbols = SymbolFollower.begin({ bus, directory, timers: loopTimers, log });
    this.#stops.push(() => symbols.stop());
    this.#balance.rank();
    for (let number = 0; number < config.partitions; number += 1) {
      const folder = partitionFolder(config.dataFolder, number);
      const replica = new PartitionReplica({
        ...{ number, world, feed: this.#feed, timers: loopTimers, log, fatal, folder, seedPace },
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
    this.#answer();
    this.#stops.push(every(BALANCE_EVERY_MS, () => this.#rebalance()));
    this.#stops.push(every(SERVERS_EVERY_MS, () => void this.#checkServersAgain()));
  }

  /** Reports a permanent fault at the start; servers that do not answer yet are asked again later. */
  async #refuseWrongLog(): Promise<void> {
    await this.#openLog(SHARED_PARTITION).catch(async (error: unknown) => {
      if (!(error instanceof StreamRefused)) return;
      this.#presence.stop();
      await this.#feed.stop();
      throw error;
    });
  }

  async #openLog(partition: number): Promise<ReplicatedLog> {
    const { connection, config, replication, log } = this.#options;
    const shared = { timers: loopTimers, log };
    const stream = await openJetStreamLog({
      ...{ ...shared, connection, partition, partitions: config.partitions, replicas: REPLICAS },
      newInstallation: newName,
    });
    return new StreamLog({
      ...{ ...shared, stream, owner: this.#name, leaseMs: replication.leaseMs, steadyClock, clock: systemClock },
      ...{ newId: randomUUID, keepBytes: replication.keptLogBytes },
      heldByOthers: () => this.#presence.heldByOthers(partition),
    });
  }

  /**
   * Connects the partition to shared parts: the shared partition publishes symbols and users, the others receive them.
   */
  async #moveIn(hosted: HostedPartition, symbols: SymbolFollower): Promise<HostOptions> {
    const { config, bus, log, onBootstrap } = this.#options;
    const { partition, folder, number } = hosted;
    if (number === SHARED_PARTITION) {
      const { dataFolder, signingKeyFile: keyFile } = config;
      const shared = { partition, folder, dataFolder, keyFile, bus, log };
      const parts = await openSharedParts({ ...shared, symbols: this.#world.symbols });
      if (parts.bootstrap !== undefined) onBootstrap(parts.bootstrap);
      return {
        answers: (envelope) => this.#whyNotReady(envelope) ?? parts.answer(envelope),
        leave: () => parts.stop(),
      };
    }
    const place = { store: folder.store, journal: partition.journal };
    const leave = await symbols.join({ ...place, decide: (work) => partition.decide(work) });
    return { answers: (envelope) => this.#whyNotReady(envelope) ?? refuseUnlessJudged(envelope, symbols), leave };
  }

  /** Ranks again, and hands one partition to the engine that should lead it. */
  #rebalance(): void {
    const balance = this.#balance;
    // An engine that is disconnected and receives nothing must not conclude that it should lead and keep all.
    if (this.#options.bus.status !== "connected") return;
    balance.rank();
    for (const replica of this.#replicas) {
      replica.keep(balance.shouldKeep(replica.number, replica.hasCopy));
      replica.reconsider();
    }
    for (const replica of this.#replicas) {
      const to = replica.isLeading ? balance.betterLeader(replica.number) : undefined;
      if (to === undefined) continue;
      this.#options.log.info(
        { event: "leader.handingOver", partition: replica.number, to },
        "handing the partition over",
      );
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
    const offMs = this.#feed.clockOffMs;
    return { ...word, keeps, ...(offMs === null ? {} : { isClockRight: offMs === 0 }) };
  }

  #view(): ClusterView {
    const { partitions } = this.#options.config;
    return { ...viewOf(this.#presence.words(), partitions), ...this.#servers.view };
  }

  /** Every engine answers, so that a frozen engine does not block an answer. */
  #answer(): void {
    const { bus, log } = this.#options;
    const answerer: Answerer = async () => ({ ok: true, data: this.#view() });
    this.#stops.push(bus.respond(CLUSTER_SUBJECT, answering(answerer, log)));
  }

  /**
   * A partition whose log could lose acknowledged messages is not ready. It continues anyway: its watched orders are
   * safer with a leader than without.
   */
  #whyNotReady(envelope: Envelope): Promise<Answer> | undefined {
    return refuseReadiness(envelope, [...this.#otherForm.faults, ...this.#servers.view.faults, ...this.#feed.faults]);
  }

  async #checkServersAgain(): Promise<void> {
    const before = this.#servers.view.faults;
    const { log } = this.#options;
    await this.#servers.ask().then(
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
