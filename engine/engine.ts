/**
 * The parts of an engine process: partitions over their data folders, brokerages, the feed, and answers on the bus.
 *
 * Owns: the order of start and stop. Does not own: configuration, the bus's connection, the process's end (main.ts),
 * the parts of one partition (host/hosted-partition.ts).
 *
 * Invariant: nothing is armed before its store was read and found whole. No order leaves before all is armed and the
 * missed ticks were delivered, and clients are answered only then.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import type { NatsConnection } from "nats";
import type { Bus } from "../src/bus/port.ts";
import { CLUSTER_SUBJECT } from "../src/contract/subject.ts";
import type { BrokerageSettings } from "../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../src/runtime/clock.ts";
import type { Cancel, Fatal, Log } from "../src/runtime/ports.ts";
import { UserError } from "../src/runtime/user-error.ts";
import { BusOwnership } from "./cluster/ownership/ownership.ts";
import type { EngineConfig } from "./config.ts";
import { startSource } from "./feed/source/source.ts";
import { type Answerer, answering, refuseReadiness } from "./host/bus-answers.ts";
import {
  HostedPartition,
  type PartitionFeed,
  type SharedAnswers,
  type SharedServices,
} from "./host/hosted-partition.ts";
import { lookForCluster, nameOf } from "./host/look-for-other-form.ts";
import { newName, partitionFolder } from "./host/names.ts";
import { OtherForm } from "./host/other-form.ts";
import { HostFeed } from "./host/partition-feed.ts";
import { openSharedParts, SHARED_PARTITION, type SharedParts } from "./host/shared-partition.ts";
import type { Bootstrap } from "./identity/bootstrap.ts";
import { readBrokeragesFile } from "./order/registry.ts";
import type { Partition } from "./partition/partition.ts";
import { readCalendars } from "./reference/calendars.ts";
import { SymbolDirectory } from "./reference/symbol-directory.ts";
import { SymbolFollower } from "./reference/symbol-follower.ts";
import { type DataFolder, isNewFolder, openDataFolder } from "./store/folder/data-folder.ts";

interface EngineOptions {
  readonly config: EngineConfig;
  readonly bus: Bus;
  /** The bus's NATS connection, if it has one. */
  readonly connection: NatsConnection | undefined;
  /** A NATS connection without an echo; undefined if the bus is in this process, and so without another engine. */
  readonly ownerBus: Bus | undefined;
  readonly log: Log;
  /** The paper brokerages' own log: the only destination of their SMS codes. */
  readonly smsLog: Log;
  readonly fatal: Fatal;
}

export class Engine {
  readonly #options: EngineOptions;
  readonly #hosted: HostedPartition[] = [];
  readonly #stops: Cancel[] = [];
  readonly #symbols: SymbolDirectory;
  readonly #life = newName();
  #feed: HostFeed | undefined;
  #shared: SharedParts | undefined;
  /** Undefined if no other engine can be on the bus. */
  #ownership: BusOwnership | undefined;
  /** Undefined if no other engine can be on the bus. */
  #otherForm: OtherForm | undefined;
  #isEnding = false;

  private constructor(options: EngineOptions) {
    this.#options = options;
    this.#symbols = new SymbolDirectory(undefined, readCalendars(options.config, options.log));
  }

  get feed(): PartitionFeed | undefined {
    return this.#feed?.whole;
  }

  get partitions(): readonly Partition[] {
    return this.#hosted.map(({ partition }) => partition);
  }

  /** The demo user's key, only at the very first start. */
  get bootstrap(): Bootstrap | undefined {
    return this.#shared?.bootstrap;
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
    const { config, bus, log, smsLog } = this.#options;
    // 1. The brokerages, and whether another engine already uses them.
    const settings = readBrokeragesFile(config.brokeragesFile);
    await this.#refuseOtherForm(settings);
    await this.#askForPartitions();
    // 2. The feed, still closed: partitions ask it for last prices.
    const priceFiles = config.ownPartitions.map((number) =>
      join(partitionFolder(config.dataFolder, number), "last-prices"),
    );
    const feed = await HostFeed.create({ ...this.#options, symbols: this.#symbols, priceFiles });
    this.#feed = feed;
    // 3. Each partition reads its store back and arms.
    const world: SharedServices = { config, bus, log, smsLog, symbols: this.#symbols, settings, life: this.#life };
    for (const number of config.ownPartitions) this.#hosted.push(await this.#host(number, world, feed));
    await this.#ownership?.hold();
    await this.#openShared();
    // 4. Missed ticks, then live ones.
    await feed.start(this.#hosted.map(({ folder }) => folder.head));
    // 5. Orders, events and deadlines.
    for (const hosted of this.#hosted) hosted.start();
    // 6. Clients. The shared partition answers for the installation too.
    for (const hosted of this.#hosted) {
      const ofInstallation: SharedAnswers = (envelope) =>
        hosted.number === SHARED_PARTITION ? this.#shared?.answer(envelope) : undefined;
      const faults = (): string[] => [...(this.#otherForm?.faults ?? []), ...feed.faults];
      hosted.answer((envelope) => refuseReadiness(envelope, faults()) ?? ofInstallation(envelope));
    }
    const shareNothing: Answerer = async () => ({ ok: true, data: null });
    this.#stops.push(bus.respond(CLUSTER_SUBJECT, answering(shareNothing, log)));
    await bus.flush();
    // 7. Long work that no caller waits for.
    for (const { folder } of this.#hosted) this.#checkArchive(folder);
    return this;
  }

  /** Starts the configured price source, once it has a subscriber. Rejects on a file that cannot be read. */
  async startSource(): Promise<void> {
    const { bus, log, config } = this.#options;
    const stop = await startSource({
      feed: config.feed,
      speed: config.feedSpeed,
      symbols: this.#symbols.simulated(),
      bus,
      clock: systemClock,
      timers: loopTimers,
      log,
    });
    this.#stops.push(stop);
  }

  #checkArchive(folder: DataFolder): void {
    folder.checkArchive().catch((cause: unknown) => {
      // A store that closes during the check breaks it off; the next start checks again.
      if (!this.#isEnding) this.#options.fatal("the archive cannot be read: restore a backup", cause);
    });
  }

  /** Stops in order: intake first, then work under way, then the stores. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    this.#ownership?.beginEnd();
    await Promise.all(this.#hosted.map((hosted) => hosted.silence()));
    for (const stop of this.#stops) stop();
    const feedStopped = this.#feed?.stop();
    for (const hosted of this.#hosted) await hosted.stop();
    await feedStopped;
    this.#ownership?.close();
  }

  async #refuseOtherForm(settings: readonly BrokerageSettings[]): Promise<void> {
    const { ownerBus: bus, connection, log, config } = this.#options;
    if (bus === undefined || connection === undefined) return;
    const codes = settings.filter(({ adapter }) => adapter === "gateway").map(({ code }) => code);
    const engine = nameOf({ pid: process.pid, host: hostname() });
    const { ownPartitions } = config;
    const look = lookForCluster({ bus, connection, timers: loopTimers, engine, codes, ownPartitions });
    const form = await OtherForm.refuse({ look, timers: loopTimers, log });
    this.#stops.push(() => form.stop());
    this.#otherForm = form;
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

  async #host(number: number, world: SharedServices, feed: HostFeed): Promise<HostedPartition> {
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
    ownership?.name(number, { installation: folder.head.installation, life: this.#life });
    const seat = { number, folder, feed: feed.whole, ownership, epoch: 0, fatal };
    try {
      const hosted = await HostedPartition.recover(world, seat);
      feed.join(hosted);
      return hosted;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  /** Opens the services that this process's partitions share: its own, or followed from the engine that keeps them. */
  async #openShared(): Promise<void> {
    const { bus, log, config } = this.#options;
    const symbols = this.#symbols;
    const shared = this.#hosted.find(({ number }) => number === SHARED_PARTITION);
    if (shared !== undefined) {
      const { partition, folder } = shared;
      const { dataFolder, signingKeyFile: keyFile } = config;
      const parts = await openSharedParts({ partition, folder, dataFolder, keyFile, symbols, bus, log });
      this.#shared = parts;
      this.#stops.push(() => parts.stop());
      return;
    }
    const follower = await SymbolFollower.start({
      bus,
      directory: symbols,
      partitions: this.#hosted.map(({ folder, partition }) => ({
        store: folder.store,
        journal: partition.journal,
        decide: (work) => partition.decide(work),
      })),
      timers: loopTimers,
      log,
    });
    this.#stops.push(() => follower.stop());
  }
}
