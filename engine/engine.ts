/**
 * An engine process put together: partitions over their data folders, brokerages, the feed, and answers on the bus.
 *
 * Owns: the order of start and stop. Does not own: configuration, the bus's connection, the process's end (main.ts).
 *
 * Invariant: nothing is armed before its store was read and found whole, no order leaves before all is armed and the
 * missed ticks were given, and `isReady` is true only then.
 */
import { randomBytes, randomInt } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { NatsConnection } from "nats";
import type { Bus } from "../src/bus/port.ts";
import type { Envelope } from "../src/contract/command.ts";
import { TOKEN_AUDIENCE, TOKEN_ISSUER } from "../src/contract/identity.ts";
import type { BrokerageSettings } from "../src/contract/order.ts";
import { commandSubject, querySubject, REVOKED_SUBJECT } from "../src/contract/subject.ts";
import { type Answer, answering } from "./answer.ts";
import { connectGateway } from "./broker/gateway/gateway.ts";
import { createPaperBrokerage, type PaperBrokerage } from "./broker/paper/paper.ts";
import { BrokerageRegistry, readBrokeragesFile } from "./broker/registry.ts";
import { anyNumber, every, loopTimers, steadyClock, systemClock } from "./clock.ts";
import { type DataFolder, openDataFolder } from "./commit/data-folder.ts";
import type { EngineConfig } from "./config.ts";
import { createTickFeed, type TickFeed } from "./feed/feed.ts";
import { startSource } from "./feed/source.ts";
import { type Bootstrap, ensureBootstrap } from "./identity/bootstrap.ts";
import { identityHandlers } from "./identity/desk.ts";
import { Directory } from "./identity/directory.ts";
import { Revocations } from "./identity/revocations.ts";
import { openSigner } from "./identity/signing.ts";
import { TokenIssuer } from "./identity/tokens.ts";
import { Partition } from "./partition.ts";
import type { AcceptedTick, Fatal, Log, Prices } from "./ports.ts";
import { queryHandlers } from "./query/queries.ts";
import { SymbolDirectory } from "./reference/symbol-directory.ts";

/** Where users, keys, token families, symbols and restrictions live (design, invariant 7). */
const SHARED_PARTITION = 0;
const SWEEP_MS = 60 * 60 * 1000;
const INSTALLATION_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

export interface EngineOptions {
  readonly config: EngineConfig;
  readonly bus: Bus;
  /** The bus's NATS connection, where it is one. */
  readonly connection: NatsConnection | undefined;
  readonly log: Log;
  /** The paper brokerages' own log: the only place where their SMS codes go. */
  readonly smsLog: Log;
  readonly fatal: Fatal;
}

interface Opened {
  readonly number: number;
  readonly folder: DataFolder;
  readonly partition: Partition;
  readonly papers: readonly PaperBrokerage[];
}

export class Engine {
  readonly #options: EngineOptions;
  readonly #opened: Opened[] = [];
  readonly #stops: (() => void)[] = [];
  readonly symbols: SymbolDirectory;
  #feed: TickFeed | undefined;
  #isReady = false;
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
    // 1. What there is to trade with.
    const settings = readBrokeragesFile(options.config.brokeragesFile);
    // 2. The feed, still closed: partitions ask it for last prices.
    const feed = await engine.#createFeed();
    engine.#feed = feed;
    // 3. Each partition reads its store back and arms.
    for (const number of options.config.ownPartitions) {
      engine.#opened.push(await engine.#open(number, settings, feed.prices));
    }
    // 4. Missed ticks, then live ones.
    await feed.start(oldestPosition(engine.#opened));
    // 5. Orders, events and deadlines.
    for (const { partition } of engine.#opened) partition.start();
    // 6. Clients.
    for (const opened of engine.#opened) await engine.#answer(opened);
    await options.bus.flush();
    engine.#isReady = true;
    // 7. What takes long and nobody waits for.
    for (const { folder } of engine.#opened) void folder.checkArchive();
    return engine;
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

  /** Ends politely: intake first, then what is under way, then the stores. */
  async stop(): Promise<void> {
    this.#isReady = false;
    for (const stop of this.#stops) stop();
    this.#feed?.stop();
    for (const { partition, papers, folder } of this.#opened) {
      await partition.stop();
      for (const paper of papers) await paper.close();
      await folder.close();
    }
  }

  #createFeed(): Promise<TickFeed> {
    const { bus, connection, log, config } = this.#options;
    return createTickFeed({
      bus,
      connection,
      clock: systemClock,
      timers: loopTimers,
      log,
      symbols: this.symbols,
      tickMovePercentMax: config.tickMovePercentMax,
      catchUpSeconds: config.catchUpSeconds,
      onTick: (tick) => this.#onTick(tick),
      onHole: () => undefined,
    });
  }

  #onTick(tick: AcceptedTick): void {
    for (const { partition, papers } of this.#opened) {
      partition.onTick(tick);
      for (const paper of papers) paper.onTick(tick.symbol, tick.price, tick.timeMs);
    }
  }

  async #open(number: number, settings: readonly BrokerageSettings[], prices: Prices): Promise<Opened> {
    const { config, log, fatal, bus } = this.#options;
    const folder = await openDataFolder({
      folder: join(config.dataFolder, `partition-${number}`),
      place: { partition: number, partitions: config.partitions },
      clock: systemClock,
      timers: loopTimers,
      log,
      fatal,
      installation: newInstallationName,
    });
    const papers: PaperBrokerage[] = [];
    const brokerages = await Promise.all(
      settings.map(async (one) => {
        if (one.adapter === "gateway") return connectGateway({ settings: one, bus, log });
        const paper = await this.#openPaper(one, folder.folder, prices);
        papers.push(paper);
        return paper;
      }),
    );
    const partition = await Partition.recover({
      store: folder.store,
      head: folder.head,
      clock: systemClock,
      steadyClock,
      timers: loopTimers,
      random: anyNumber,
      randomBytes,
      fatal,
      log,
      publish: (subject, data) => bus.publish(subject, data),
      flush: () => bus.flush(),
      brokerages: new BrokerageRegistry(brokerages),
      prices,
      symbols: this.symbols,
      hasOversellGuard: config.hasOversellGuard,
      tickPosition: () => this.#feed?.position() ?? null,
      onDurable: (head) => folder.onDurable(head.batch, head.tickPosition),
    });
    return { number, folder, partition, papers };
  }

  async #openPaper(settings: BrokerageSettings, folder: string, prices: Prices): Promise<PaperBrokerage> {
    const { log, smsLog, fatal } = this.#options;
    const own = join(folder, `paper-${settings.code}`);
    await mkdir(own, { recursive: true, mode: 0o700 });
    return createPaperBrokerage({
      settings,
      folder: own,
      clock: systemClock,
      timers: loopTimers,
      random: randomBytes,
      prices,
      startPriceOf: (symbol) => this.symbols.startPriceOf(symbol),
      onSms: ({ accountNumber, code }) => smsLog.info({ accountNumber, code }, "SMS of the paper brokerage"),
      log,
      fatal,
    });
  }

  /** Puts a partition on the bus. The shared one answers for identity too. */
  async #answer(opened: Opened): Promise<void> {
    const { bus, log } = this.#options;
    const { partition, number } = opened;
    const shared = number === SHARED_PARTITION ? await this.#openIdentity(opened) : new Map();
    const command = (envelope: Envelope): Promise<Answer> => {
      const handler = shared.get(envelope.type);
      return handler === undefined ? partition.handleCommand(envelope) : handler(envelope.body, envelope);
    };
    const query = async (envelope: Envelope): Promise<Answer> => {
      const handler = shared.get(envelope.type);
      if (handler !== undefined) return handler(envelope.body, envelope);
      const own = queryHandlers.get(envelope.type);
      if (own === undefined) return { ok: false, code: "INVALID", message: "unknown query" };
      return own(partition.desk, envelope.userId, envelope.body);
    };
    this.#stops.push(bus.respond(commandSubject(number), answering(command, log)));
    this.#stops.push(bus.respond(querySubject(number), answering(query, log)));
  }

  async #openIdentity({ partition, folder }: Opened): Promise<ReturnType<typeof identityHandlers>> {
    const { bus, log, config } = this.#options;
    const decide = <T>(work: () => T): Promise<T> => partition.decide(work);
    const ports = {
      journal: partition.journal,
      store: folder.store,
      clock: systemClock,
      random: randomBytes,
      log,
      decide,
    };
    const directory = new Directory(ports);
    const revocations = new Revocations({
      ...ports,
      onRevoked: (event) => bus.publish(REVOKED_SUBJECT, Buffer.from(JSON.stringify(event))),
    });
    const signer = await openSigner({
      dataFolder: folder.folder,
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      log,
    });
    const issuer = new TokenIssuer({ ...ports, actors: partition.host, directory, revocations, signer });
    this.bootstrap = await ensureBootstrap({ ...ports, dataFolder: config.dataFolder, directory });
    const sweep = (): void => void issuer.sweep().catch((err: unknown) => log.error({ err }, "a sweep failed"));
    sweep();
    this.#stops.push(every(SWEEP_MS, sweep));
    return identityHandlers({ directory, issuer, revocations, signer, decide });
  }
}

/** The earliest stored position: what one partition has applied, another may not have. Null where none has any. */
function oldestPosition(opened: readonly Opened[]): number | null {
  const positions = opened.map(({ folder }) => folder.head.tickPosition).filter((position) => position !== null);
  return positions.length === 0 ? null : Math.min(...positions);
}

function newInstallationName(): string {
  return Array.from({ length: 10 }, () => INSTALLATION_CHARACTERS[randomInt(INSTALLATION_CHARACTERS.length)]).join("");
}
