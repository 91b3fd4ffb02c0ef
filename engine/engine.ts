/**
 * The parts of an engine process: partitions, brokerages, the feed, and answers on the bus. Its partitions are its own
 * (a log in each data folder), or it shares all partitions with other engines (REPLICATION=on).
 *
 * Owns: the order of start and stop. Does not own: configuration, the bus's connection, the process's end (main.ts),
 * the parts of one partition (host/hosted-partition.ts), shared partitions (cluster/cluster-member.ts).
 *
 * Invariant: nothing is armed before its store was read and found whole. No order leaves before all is armed and the
 * missed ticks were delivered, and clients are answered only then.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import type { NatsConnection } from "nats";
import type { Bus } from "../src/bus/port.ts";
import type { Envelope } from "../src/contract/command.ts";
import { CLUSTER_SUBJECT } from "../src/contract/subject.ts";
import { loopTimers, steadyClock, systemClock } from "../src/runtime/clock.ts";
import type { Cancel, Fatal, Log } from "../src/runtime/ports.ts";
import { UserError } from "../src/runtime/user-error.ts";
import { ClusterMember, REPLICAS, trustServers } from "./cluster/cluster-member.ts";
import type { ServerWatch } from "./cluster/log/server/server-watch.ts";
import { BusOwnership } from "./cluster/ownership/ownership.ts";
import type { EngineConfig } from "./config.ts";
import { startSource } from "./feed/source/source.ts";
import { type Answer, type Answerer, answering, refuseReadiness } from "./host/bus-answers.ts";
import { type HostedFeed, HostedPartition, type SharedServices } from "./host/hosted-partition.ts";
import { lookForCluster, lookForSingle, nameOf } from "./host/look-for-other-form.ts";
import { newName, partitionFolder } from "./host/names.ts";
import { type Look, OtherForm } from "./host/other-form.ts";
import { HostFeed } from "./host/partition-feed.ts";
import { openSharedParts, SHARED_PARTITION, type SharedParts } from "./host/shared-partition.ts";
import type { Bootstrap } from "./identity/bootstrap.ts";
import { readBrokeragesFile } from "./order/registry.ts";
import type { Partition } from "./partition/partition.ts";
import { readCalendars } from "./reference/calendars.ts";
import { SymbolDirectory } from "./reference/symbol-directory.ts";
import { SymbolFollower } from "./reference/symbol-follower.ts";
import { isNewFolder, openDataFolder } from "./store/folder/data-folder.ts";

interface EngineOptions {
  readonly config: EngineConfig;
  readonly bus: Bus;
  /** The bus's NATS connection, if it has one. */
  readonly connection: NatsConnection | undefined;
  /**
   * A NATS connection without an echo; undefined if no other engine can be on the bus, or if engines share partitions.
   */
  readonly ownerBus: Bus | undefined;
  readonly log: Log;
  /** The paper brokerages' own log: the only destination of their SMS codes. */
  readonly smsLog: Log;
  readonly fatal: Fatal;
  /** Receives the demo user's key if engines share partitions: an engine can make it long after its start. */
  readonly onBootstrap?: (bootstrap: Bootstrap) => void;
}

export class Engine {
  readonly #options: EngineOptions;
  /** The partitions of its own; empty if engines share partitions. */
  readonly #hosted: HostedPartition[] = [];
  readonly #stops: Cancel[] = [];
  readonly #services: SharedServices;
  #feed: HostFeed | undefined;
  #shared: SharedParts | undefined;
  /** Undefined if no other engine can be on the bus. */
  #ownership: BusOwnership | undefined;
  /** Undefined if no other engine can be on the bus. */
  #otherForm: OtherForm | undefined;
  /** Undefined unless engines share partitions. */
  #servers: ServerWatch | undefined;
  /** Undefined unless engines share partitions. */
  #member: ClusterMember | undefined;
  #isEnding = false;

  private constructor(options: EngineOptions) {
    const { config, bus, log, smsLog } = options;
    this.#options = options;
    const symbols = new SymbolDirectory(undefined, readCalendars(config, log));
    const settings = readBrokeragesFile(config.brokeragesFile);
    this.#services = { config, bus, log, smsLog, symbols, settings, life: newName() };
  }

  get feed(): HostedFeed | undefined {
    return this.#feed?.whole;
  }

  /** The partitions of its own. */
  get partitions(): readonly Partition[] {
    return this.#hosted.map(({ partition }) => partition);
  }

  /** The demo user's key, only at the very first start; engines that share partitions report it to `onBootstrap`. */
  get bootstrap(): Bootstrap | undefined {
    return this.#shared?.bootstrap;
  }

  /** The name of this start among engines that share partitions; undefined for other engines. */
  get name(): string | undefined {
    return this.#member?.name;
  }

  /** Starts in numbered stages. Rejects with a readable error if something cannot be used as it is. */
  static async start(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options);
    return engine.#start().catch(async (error: unknown) => {
      await engine.stop().catch(() => undefined);
      throw error;
    });
  }

  async #start(): Promise<Engine> {
    const { config, bus, log, connection, fatal, onBootstrap } = this.#options;
    const { replication } = config;
    const services = this.#services;
    // 1. Whether the servers can be trusted with shared logs, and whether another engine already uses the brokerages.
    const cluster = replication && (await trustServers(services, replication, connection));
    this.#servers = cluster?.servers;
    await this.#refuseOtherForm();
    await this.#askForPartitions();
    // 2. The feed, still closed: partitions ask it for last prices.
    const own = cluster === undefined ? config.ownPartitions : [];
    const priceFiles = own.map((number) => join(partitionFolder(config.dataFolder, number), "last-prices"));
    const tickReplicas = cluster === undefined ? {} : { tickReplicas: REPLICAS };
    const { symbols } = services;
    const feed = await HostFeed.create({ ...this.#options, ...tickReplicas, symbols, priceFiles });
    this.#feed = feed;
    // 3. Each partition of its own reads its store back and arms.
    for (const number of own) this.#hosted.push(await this.#host(number, feed));
    await this.#ownership?.hold();
    if (cluster === undefined) await this.#openShared();
    // 4. Missed ticks, then live ones. Shared partitions join the live feed.
    await feed.start(this.#hosted.map(({ folder }) => folder.head));
    // 5. Orders, events and deadlines.
    for (const hosted of this.#hosted) hosted.start();
    // 6. Clients. The shared partition answers for the installation too.
    const whyNotReady = (envelope: Envelope): Promise<Answer> | undefined => this.#whyNotReady(envelope);
    for (const hosted of this.#hosted) {
      const parts = hosted.number === SHARED_PARTITION ? this.#shared : undefined;
      hosted.answer((envelope) => whyNotReady(envelope) ?? parts?.answer(envelope));
    }
    const part = { services, feed, fatal, whyNotReady, onBootstrap };
    if (cluster !== undefined) this.#member = await ClusterMember.join({ ...part, ...cluster });
    const answerer: Answerer = async () => ({ ok: true, data: this.#member?.view ?? null });
    this.#stops.push(bus.respond(CLUSTER_SUBJECT, answering(answerer, log)));
    // Another engine can answer for a shared partition: this start does not wait for a server.
    if (cluster === undefined) await bus.flush();
    // 7. Long work that no caller waits for.
    for (const hosted of this.#hosted) hosted.checkArchive(() => this.#isEnding);
    return this;
  }

  /** Starts the configured price source, once it has a subscriber. Rejects on a file that cannot be read. */
  async startSource(): Promise<void> {
    const { bus, log, config, symbols } = this.#services;
    const stop = await startSource({
      feed: config.feed,
      speed: config.feedSpeed,
      symbols: symbols.simulated(),
      bus,
      clock: systemClock,
      timers: loopTimers,
      log,
    });
    this.#stops.push(stop);
  }

  /** Stops in order: intake first, then work under way, then the stores. Shared partitions are handed over. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    this.#ownership?.beginEnd();
    this.#member?.beginEnd();
    await Promise.all(this.#hosted.map((hosted) => hosted.silence()));
    for (const stop of this.#stops.splice(0)) stop();
    await this.#member?.stop();
    const feedStopped = this.#feed?.stop();
    for (const hosted of this.#hosted) await hosted.stop();
    await feedStopped;
    this.#ownership?.close();
    this.#member?.close();
  }

  async #refuseOtherForm(): Promise<void> {
    const look = this.#lookForOtherForm();
    if (look === undefined) return;
    const form = await OtherForm.refuse({ look, timers: loopTimers, log: this.#options.log });
    this.#stops.push(() => form.stop());
    this.#otherForm = form;
  }

  /** Undefined if no other engine can be on the bus. */
  #lookForOtherForm(): Look | undefined {
    const { ownerBus, bus, connection, config } = this.#options;
    const { replication, partitions, ownPartitions } = config;
    if (replication !== undefined) return lookForSingle({ bus, engine: replication.engineName }, partitions);
    if (ownerBus === undefined || connection === undefined) return undefined;
    const codes = this.#services.settings.filter(({ adapter }) => adapter === "gateway").map(({ code }) => code);
    const engine = nameOf({ pid: process.pid, host: hostname() });
    return lookForCluster({ bus: ownerBus, connection, timers: loopTimers, engine, codes, ownPartitions });
  }

  async #askForPartitions(): Promise<void> {
    const { ownerBus, log, config } = this.#options;
    if (ownerBus === undefined) return;
    this.#ownership = await BusOwnership.ask({
      bus: ownerBus,
      clock: systemClock,
      steadyClock,
      timers: loopTimers,
      log,
      engine: randomUUID(),
      host: hostname(),
      pid: process.pid,
      partitions: config.partitions,
      ownPartitions: config.ownPartitions,
      sharedPartition: SHARED_PARTITION,
      isNewFolder: (partition) => isNewFolder(partitionFolder(config.dataFolder, partition)),
      onLost: (reason) => {
        const words = `this engine gives way: ${reason}`;
        this.#options.fatal(words, new UserError(words, { reason: "unavailable" }));
      },
    });
  }

  async #host(number: number, feed: HostFeed): Promise<HostedPartition> {
    const { config, log, fatal } = this.#options;
    const folder = await openDataFolder({
      folder: partitionFolder(config.dataFolder, number),
      place: { partition: number, partitions: config.partitions },
      clock: systemClock,
      timers: loopTimers,
      log,
      fatal,
      installation: newName,
    });
    const ownership = this.#ownership;
    ownership?.name(number, { installation: folder.head.installation, life: this.#services.life });
    const seat = { number, folder, feed: feed.whole, ownership, epoch: 0, fatal };
    try {
      const hosted = await HostedPartition.recover(this.#services, seat);
      feed.join(hosted);
      return hosted;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  /** Opens the services that its partitions share: its own, or followed from the engine that keeps them. */
  async #openShared(): Promise<void> {
    const shared = this.#hosted.find(({ number }) => number === SHARED_PARTITION);
    if (shared !== undefined) {
      const parts = await openSharedParts(this.#services, shared);
      this.#shared = parts;
      this.#stops.push(() => parts.stop());
      return;
    }
    const { bus, log, symbols: directory } = this.#services;
    const partitions = this.#hosted.map(({ copyPlace }) => copyPlace);
    const follower = await SymbolFollower.start({ bus, directory, partitions, timers: loopTimers, log });
    this.#stops.push(() => follower.stop());
  }

  /**
   * An engine that can sell twice, or lose what it acknowledged, is not ready. It continues anyway: its watched orders
   * are safer with an engine than without.
   */
  #whyNotReady(envelope: Envelope): Promise<Answer> | undefined {
    const known = [this.#otherForm, this.#servers?.view, this.#feed];
    return refuseReadiness(
      envelope,
      known.flatMap((part) => part?.faults ?? []),
    );
  }
}
