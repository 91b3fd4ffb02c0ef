/**
 * An engine process put together: partitions over their data folders, brokerages, the feed, and answers on the bus.
 *
 * Owns: the order of start and stop. Does not own: configuration, the bus's connection, the process's end (main.ts).
 *
 * Invariant: nothing is armed before its store was read and found whole, no order leaves before all is armed and the
 * missed ticks were given, and `isReady` is true only then.
 */
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import type { NatsConnection } from "nats";
import type { Bus } from "../src/bus/port.ts";
import type { Envelope } from "../src/contract/command.ts";
import { type FeedStats, OPERATOR_COMMANDS } from "../src/contract/operator/operator.ts";
import { commandSubject, querySubject } from "../src/contract/subject.ts";
import type { BrokerageSettings } from "../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock, uniformRandom } from "../src/runtime/clock.ts";
import type { Fatal, Log } from "../src/runtime/ports.ts";
import { Sender } from "./alert/sender.ts";
import { Targets } from "./alert/targets.ts";
import type { PaperBrokerage } from "./broker/paper/paper.ts";
import { BrokerageRegistry, readBrokeragesFile } from "./broker/registry.ts";
import { replyOf } from "./command/context.ts";
import { notificationCommands } from "./command/operator/notification.ts";
import type { EngineConfig } from "./config.ts";
import { createTickFeed, type TickFeed } from "./feed/feed.ts";
import { startSource } from "./feed/source/source.ts";
import type { FeedMemory, HoleReason } from "./feed/stream/catch-up.ts";
import type { Bootstrap } from "./identity/bootstrap.ts";
import { SIGNING_KEY_FILE } from "./identity/signing.ts";
import { heldBack } from "./ownership/held-back.ts";
import { BusOwnership } from "./ownership/ownership.ts";
import { type Answer, type Answerer, answering } from "./partition/answer.ts";
import { openBrokerages } from "./partition/brokerages.ts";
import { Partition, UNHURRIED_MS } from "./partition/partition.ts";
import { openSharedParts, SHARED_PARTITION, type SharedParts } from "./partition/shared-partition.ts";
import type { Brokerage } from "./ports/brokerage.ts";
import type { AcceptedTick, Prices } from "./ports/price.ts";
import type { QueryHandler } from "./query/context.ts";
import { notificationQueries } from "./query/operator/notification.ts";
import { queryHandlers } from "./query/queries.ts";
import { SymbolDirectory } from "./reference/symbol-directory.ts";
import { SymbolFollower } from "./reference/symbol-follower.ts";
import { BackupJobs } from "./store/backup/backup-jobs.ts";
import { type DataFolder, openDataFolder } from "./store/folder/data-folder.ts";
import type { Head } from "./store/journal/head.ts";

const INSTALLATION_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

export interface EngineOptions {
  readonly config: EngineConfig;
  readonly bus: Bus;
  /** The bus's NATS connection, where it is one. */
  readonly connection: NatsConnection | undefined;
  /** A NATS connection without an echo; undefined where the bus is in this process, and so no other engine on it. */
  readonly ownerBus: Bus | undefined;
  readonly log: Log;
  /** The paper brokerages' own log: the only place where their SMS codes go. */
  readonly smsLog: Log;
  readonly fatal: Fatal;
}

interface Opened {
  readonly number: number;
  readonly folder: DataFolder;
  readonly partition: Partition;
  readonly brokerages: readonly Brokerage[];
  /** Those of the brokerages that need prices. */
  readonly papers: readonly PaperBrokerage[];
  readonly targets: Targets;
  readonly queries: ReadonlyMap<string, QueryHandler>;
}

const NOT_NOW: Answer = { ok: false, code: "UNAVAILABLE", message: "the engine is not ready, try again" };

/** Beside the stores: what a backup copies of a partition's folder. */
const BACKED_UP_FILES = [SIGNING_KEY_FILE];

export class Engine {
  readonly #options: EngineOptions;
  readonly #opened: Opened[] = [];
  readonly #stops: (() => void)[] = [];
  readonly symbols: SymbolDirectory;
  #feed: TickFeed | undefined;
  #shared: SharedParts | undefined;
  /** Undefined where no other engine can be on the bus. */
  #ownership: BusOwnership | undefined;
  readonly #life = newInstallationName();
  #isReady = false;
  /** Holes of the tick stream that this process met, by reason. */
  readonly #holes: Record<HoleReason, number> = { missing: 0, tooOld: 0, recreated: 0, unreadable: 0, refused: 0 };
  /** The demo user's key, only at the very first start. */
  bootstrap: Bootstrap | undefined;

  private constructor(options: EngineOptions) {
    this.#options = options;
    this.symbols = new SymbolDirectory();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get feed(): TickFeed | undefined {
    return this.#feed;
  }

  get partitions(): readonly Partition[] {
    return this.#opened.map(({ partition }) => partition);
  }

  /** Starts in numbered stages. Rejects with a readable error where something cannot be used as it is. */
  static async start(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options);
    return engine.#start(options).catch(async (error: unknown) => {
      await engine.stop().catch(() => undefined);
      throw error;
    });
  }

  async #start(options: EngineOptions): Promise<Engine> {
    // 1. What there is to trade with, and whether another engine does so already.
    const settings = readBrokeragesFile(options.config.brokeragesFile);
    await this.#askForPartitions();
    // 2. The feed, still closed: partitions ask it for last prices.
    const feed = await this.#createFeed();
    this.#feed = feed;
    // 3. Each partition reads its store back and arms.
    for (const number of options.config.ownPartitions) {
      this.#opened.push(await this.#open(number, settings, feed.prices));
    }
    await this.#ownership?.hold();
    await this.#openShared();
    // 4. Missed ticks, then live ones.
    const oldest = oldestHead(this.#opened);
    await feed.start(oldest?.tickPosition ?? null, oldest?.writtenAtMs, memoryOf(this.#opened, oldest));
    // 5. Orders, events and deadlines.
    for (const { partition, targets } of this.#opened) {
      partition.start();
      targets.start();
    }
    // 6. Clients.
    for (const opened of this.#opened) this.#answer(opened);
    await options.bus.flush();
    this.#isReady = true;
    // 7. What takes long and nobody waits for.
    for (const { folder } of this.#opened) this.#checkArchive(folder);
    return this;
  }

  /** Starts the price source that is configured, once somebody listens. Rejects on a file that cannot be read. */
  async startSource(): Promise<void> {
    const { bus, log, config } = this.#options;
    const stop = await startSource({
      feed: config.feed,
      speed: config.feedSpeed,
      symbols: this.symbols.simulated(),
      bus,
      clock: systemClock,
      timers: loopTimers,
      log,
    });
    this.#stops.push(stop);
  }

  #checkArchive(folder: DataFolder): void {
    folder.checkArchive().catch((cause: unknown) => {
      // A store that closes in the middle of it breaks it off; the next start checks again.
      if (this.#isReady) this.#options.fatal("the archive cannot be read: restore a backup", cause);
    });
  }

  /** Ends politely: intake first, then what is under way, then the stores. */
  async stop(): Promise<void> {
    this.#isReady = false;
    this.#ownership?.beginEnd();
    for (const stop of this.#stops) stop();
    this.#feed?.stop();
    for (const { partition, brokerages, folder } of this.#opened) {
      await partition.stop();
      for (const brokerage of brokerages) await brokerage.close();
      await folder.close();
    }
    this.#ownership?.close();
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
      onLost: (reason) => this.#options.fatal(`this engine gives way: ${reason}`, undefined),
    });
  }

  #createFeed(): Promise<TickFeed> {
    const { bus, connection, log, config } = this.#options;
    return createTickFeed({
      bus,
      connection,
      clock: systemClock,
      steadyClock,
      timers: loopTimers,
      log,
      // What is armed is watched, whatever the reference data says by now (behaviour 10.5).
      symbols: {
        isKnown: (symbol) =>
          this.symbols.isKnown(symbol) || this.#opened.some(({ partition }) => partition.hasArmed(symbol)),
      },
      tickMovePercentMax: config.tickMovePercentMax,
      tickAgeMsMax: config.tickAgeMsMax,
      catchUpSeconds: config.catchUpSeconds,
      priceFiles: config.ownPartitions.map((number) => join(partitionFolder(config, number), "last-prices")),
      onTick: (tick, ownTimeMs) => this.#onTick(tick, ownTimeMs),
      onCaughtUp: () => {
        for (const { partition } of this.#opened) partition.onCaughtUp();
      },
      onMemory: () => {
        for (const { partition } of this.#opened) partition.keepFeedMemory();
      },
      onHole: ({ reason }) => {
        this.#holes[reason] += 1;
      },
    });
  }

  #feedStats(): FeedStats | undefined {
    if (this.#feed === undefined) return undefined;
    const { state, counters, lastTickMs, waitingCount, streamAheadMs } = this.#feed;
    // A clock that was set back makes no feed younger than now.
    const silentMs = lastTickMs === null ? null : Math.max(0, Math.round(systemClock.nowMs() - lastTickMs));
    const refusedSinceMs = this.#feed.memory()?.ticksRefusedSinceMs ?? null;
    const stream = { clockAheadMs: streamAheadMs, refusedSinceMs };
    return { state, ticks: { ...counters }, lastTickMs, silentMs, waitingCount, holes: { ...this.#holes }, stream };
  }

  #onTick(tick: AcceptedTick, ownTimeMs: number): void {
    for (const { partition, papers } of this.#opened) {
      partition.onTick(tick, ownTimeMs);
      for (const paper of papers) paper.onTick(tick.symbol, tick.price, tick.timeMs);
    }
  }

  async #open(number: number, settings: readonly BrokerageSettings[], prices: Prices): Promise<Opened> {
    const { config, log, smsLog, fatal, bus } = this.#options;
    const folder = await openDataFolder({
      folder: partitionFolder(config, number),
      place: { partition: number, partitions: config.partitions },
      clock: systemClock,
      timers: loopTimers,
      log,
      fatal,
      installation: newInstallationName,
    });
    const ownership = this.#ownership;
    ownership?.name(number, { installation: folder.head.installation, life: this.#life });
    const options = { bus, log, smsLog, fatal, folder, prices, symbols: this.symbols };
    const { brokerages, papers, sideStores } = await openBrokerages(settings, options);
    const partition = await Partition.recover({
      store: folder.store,
      head: folder.head,
      life: this.#life,
      clock: systemClock,
      steadyClock,
      timers: loopTimers,
      random: uniformRandom,
      randomBytes,
      fatal,
      log,
      publish: (subject, data) => bus.publish(subject, data),
      flush: () => bus.flush(),
      brokerages: new BrokerageRegistry(
        ownership === undefined ? brokerages : brokerages.map((one) => heldBack(one, ownership)),
      ),
      prices,
      symbols: this.symbols,
      hasOversellGuard: config.hasOversellGuard,
      eventRetention: config.eventRetention,
      tickPosition: () => this.#feed?.position() ?? null,
      feedMemory: () => this.#feed?.memory(),
      streamPlace: () => this.#feed?.place() ?? null,
      isCatchingUp: () => this.#feed?.isCatchingUp ?? false,
      feedStats: () => this.#feedStats(),
      onDurable: (head) => folder.onDurable(head.batch, head.tickPosition),
      unhurriedMs: UNHURRIED_MS,
    });
    const backups = new BackupJobs({
      source: { store: folder.store, folder: folder.folder, files: BACKED_UP_FILES, sideStores },
      partition: number,
      allowed: config.backupFolder,
      clock: systemClock,
      timers: loopTimers,
      log,
    });
    const targets = await Targets.open({
      ...{ store: folder.store, journal: partition.journal, inbox: partition.inbox, history: partition.history },
      ...{ clock: systemClock, timers: loopTimers, log, randomBytes, sender: new Sender(config.alerts, systemClock) },
    });
    partition.addCommands(notificationCommands(targets));
    this.#stops.push(() => targets.stop());
    partition.addCommands(new Map([[OPERATOR_COMMANDS.backup, (_desk, body) => backups.handle(body).then(replyOf)]]));
    const queries = new Map([...queryHandlers, ...notificationQueries(targets)]);
    return { number, folder, partition, brokerages, papers, targets, queries };
  }

  /** What the partitions of this process need beside their own: kept here, or heard from where it is kept. */
  async #openShared(): Promise<void> {
    const { bus, log, config } = this.#options;
    const shared = this.#opened.find(({ number }) => number === SHARED_PARTITION);
    if (shared !== undefined) {
      const { partition, folder } = shared;
      const parts = await openSharedParts({
        partition,
        folder,
        dataFolder: config.dataFolder,
        symbols: this.symbols,
        bus,
        log,
      });
      this.#shared = parts;
      this.bootstrap = parts.bootstrap;
      this.#stops.push(() => parts.stop());
      return;
    }
    const follower = await SymbolFollower.start({
      bus,
      directory: this.symbols,
      partitions: this.#opened.map(({ folder, partition }) => ({
        store: folder.store,
        journal: partition.journal,
        decide: (work) => partition.decide(work),
      })),
      timers: loopTimers,
      log,
    });
    this.#stops.push(() => follower.stop());
  }

  /** While it is not known that no other engine has taken over, nothing new is begun and no answer leaves. */
  #asOnlyEngine(answerer: Answerer): Answerer {
    const ownership = this.#ownership;
    if (ownership === undefined) return answerer;
    return async (envelope) => {
      if (!ownership.mayAct()) return NOT_NOW;
      const answer = await answerer(envelope);
      if (!ownership.mayAct()) await ownership.whenMayAct();
      return answer;
    };
  }

  /** Puts a partition on the bus. The shared one answers for the installation too. */
  #answer({ partition, number, queries }: Opened): void {
    const { bus, log } = this.#options;
    const shared = (envelope: Envelope): Promise<Answer> | undefined =>
      number === SHARED_PARTITION ? this.#shared?.answer(envelope) : undefined;
    const command = async (envelope: Envelope): Promise<Answer> =>
      shared(envelope) ?? partition.handleCommand(envelope);
    const unknown: Answer = { ok: false, code: "INVALID", message: "unknown query" };
    const query = (envelope: Envelope): Promise<Answer> =>
      shared(envelope) ??
      queries.get(envelope.type)?.(partition.context, envelope.userId, envelope.body) ??
      Promise.resolve(unknown);
    this.#stops.push(bus.respond(commandSubject(number), answering(this.#asOnlyEngine(command), log)));
    this.#stops.push(bus.respond(querySubject(number), answering(this.#asOnlyEngine(query), log)));
  }
}

/** That of the earliest position: what one partition has applied, another may not have. Undefined where none has any. */
function oldestHead(opened: readonly Opened[]): Head | undefined {
  const heads = opened.map(({ folder }) => folder.head).filter(({ tickPosition }) => tickPosition !== null);
  return heads.sort((left, right) => (left.tickPosition ?? 0) - (right.tickPosition ?? 0))[0];
}

/** The earliest span that one of them remembers: another may not have been told. */
function memoryOf(opened: readonly Opened[], oldest: Head | undefined): FeedMemory {
  const since = opened.map(({ folder }) => folder.head.ticksRefusedSinceMs).filter((sinceMs) => sinceMs !== null);
  return {
    tickStream: oldest?.tickStream ?? null,
    ticksRefusedSinceMs: since.length === 0 ? null : Math.min(...since),
  };
}

function partitionFolder({ dataFolder }: EngineConfig, number: number): string {
  return join(dataFolder, `partition-${number}`);
}

function newInstallationName(): string {
  return Array.from({ length: 10 }, () => INSTALLATION_CHARACTERS[randomInt(INSTALLATION_CHARACTERS.length)]).join("");
}
