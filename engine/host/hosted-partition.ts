/**
 * One partition as an engine hosts it: its folder, its brokerages, the partition itself, and its answers on the bus.
 *
 * Owns: the parts that begin and end with one partition, in their order. Does not own: the feed, the bus, the additions
 * of the shared partition (shared-partition.ts), the decision which engine hosts it.
 *
 * Invariants:
 * 1. Nothing is sent, published or answered before `start` and `answer`, and nothing while its owner cannot act.
 * 2. The end of one partition touches no other: only its own subscriptions, timers, brokerages and store end with it.
 */
import { randomBytes } from "node:crypto";
import { InFlight } from "../../src/bus/handler-runner.ts";
import type { Bus, EndResponder } from "../../src/bus/port.ts";
import type { Envelope } from "../../src/contract/command.ts";
import type { ClusterStanding } from "../../src/contract/operator/cluster.ts";
import { OPERATOR_COMMANDS, TIMING_BUCKETS_MS } from "../../src/contract/operator/operator.ts";
import { commandSubject, querySubject } from "../../src/contract/subject.ts";
import type { BrokerageSettings } from "../../src/contract/trading/order.ts";
import { BucketCounts } from "../../src/runtime/bucket-counts.ts";
import { loopTimers, steadyClock, systemClock, uniformRandom } from "../../src/runtime/clock.ts";
import type { Cancel, Fatal, Log } from "../../src/runtime/ports.ts";
import { atMost } from "../../src/runtime/process.ts";
import { readProcessMemory } from "../../src/runtime/process-memory.ts";
import { replyOf } from "../command/context.ts";
import { notificationCommands } from "../command/operator/notification.ts";
import type { EngineConfig } from "../config.ts";
import type { PaperBrokerage } from "../connector/paper/paper.ts";
import { SIGNING_KEY_FILE } from "../identity/signing.ts";
import { Sender } from "../notification/sender.ts";
import { Targets } from "../notification/targets.ts";
import { requireFence } from "../order/gateway/require-fence.ts";
import { BrokerageRegistry } from "../order/registry.ts";
import { requireLease } from "../order/require-lease.ts";
import { Partition, UNHURRIED_MS } from "../partition/partition.ts";
import type { PartitionIndex } from "../partition/partition-index.ts";
import type { Brokerage } from "../ports/brokerage.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { BarHistory } from "../ports/history.ts";
import type { Ownership } from "../ports/ownership.ts";
import type { AcceptedTick, FeedWatch } from "../ports/price.ts";
import type { QueryHandler } from "../query/context.ts";
import { notificationQueries } from "../query/operator/notification.ts";
import { queryHandlers } from "../query/queries.ts";
import { barQueries } from "../query/trading/bars.ts";
import { followMeasures } from "../reference/measure-follower.ts";
import type { SymbolDirectory } from "../reference/symbol-directory.ts";
import type { CopyPlace } from "../reference/symbol-follower.ts";
import { BackupJobs } from "../store/backup/backup-jobs.ts";
import type { DataFolder } from "../store/folder/data-folder.ts";
import { openBrokerages } from "./brokerages.ts";
import { type Answer, type Answerer, answering, asOwner } from "./bus-answers.ts";
import { marketFactsOf } from "./market-facts.ts";
import type { PartitionTime } from "./partition-time.ts";

/** The services that all partitions of an engine process share. */
export interface SharedServices {
  readonly config: EngineConfig;
  readonly bus: Bus;
  readonly log: Log;
  /** The paper brokerages' own log: the only place where their SMS codes go. */
  readonly smsLog: Log;
  readonly symbols: SymbolDirectory;
  readonly settings: readonly BrokerageSettings[];
  /** The random name of this start: see `PartitionOptions`. */
  readonly life: string;
  /** The state of the partitions that engines share; absent if they share none. */
  readonly cluster?: () => ClusterStanding;
}

/** The feed as one partition sees it, in the engine's own time. */
export interface HostedFeed extends PartitionFeed {
  readonly history: BarHistory;
  readonly watch: FeedWatch;
  /** The partition's time. */
  readonly time: PartitionTime;
}

/** The right and the resources with which a partition is hosted here. */
interface Seat {
  readonly number: number;
  /** Opened; closed with the partition. */
  readonly folder: DataFolder;
  /** A scan of the folder's rows; absent: they are read. */
  readonly memory?: PartitionIndex | undefined;
  readonly feed: HostedFeed;
  /** Undefined if no other engine can host it. */
  readonly ownership: Ownership | undefined;
  /** The number of this leader of the partition; 0 if only one engine can lead. */
  readonly epoch: number;
  readonly fatal: Fatal;
}

/** The shared partition's further answers; undefined: the type is not one of them. */
export type SharedAnswers = (envelope: Envelope) => Promise<Answer> | undefined;

/** How long a clean end waits at most for answers in progress: a brokerage can take longer. */
const ANSWERED_WITHIN_MS = 2_000;
/** The files of a partition's folder that a backup copies in addition to the stores. */
const BACKED_UP_FILES = [SIGNING_KEY_FILE];

interface Parts {
  readonly partition: Partition;
  readonly brokerages: readonly Brokerage[];
  /** The brokerages that need prices. */
  readonly papers: readonly PaperBrokerage[];
  readonly targets: Targets;
  readonly queries: ReadonlyMap<string, QueryHandler>;
}

export class HostedPartition {
  readonly number: number;
  readonly folder: DataFolder;
  readonly partition: Partition;
  readonly #world: SharedServices;
  readonly #seat: Seat;
  readonly #parts: Parts;
  readonly #responders: EndResponder[] = [];
  readonly #answers = new InFlight();
  #endMeasures: Cancel = () => undefined;

  private constructor(world: SharedServices, seat: Seat, parts: Parts) {
    this.#world = world;
    this.#seat = seat;
    this.#parts = parts;
    this.number = seat.number;
    this.folder = seat.folder;
    this.partition = parts.partition;
  }

  /**
   * Recovers the partition from its folder and arms it. Rejects, with nothing left open but the folder, if it cannot.
   */
  static async recover(world: SharedServices, seat: Seat): Promise<HostedPartition> {
    const { settings, bus, log, smsLog, symbols } = world;
    const { folder, feed, fatal, ownership, epoch, number: partition } = seat;
    let recovered: Partition | undefined;
    const market = marketFactsOf(() => recovered);
    const options = { bus, log, smsLog, fatal, folder, prices: feed.prices, symbols, market };
    const { brokerages, papers, sideStores } = await openBrokerages(settings, options);
    try {
      const fenced = epoch === 0 ? brokerages : brokerages.map((one) => requireFence(one, { partition, epoch }));
      const owned = ownership === undefined ? fenced : fenced.map((one) => requireLease(one, ownership));
      recovered = await recoverPartition(world, seat, owned);
      const targets = await openTargets(world, folder, recovered);
      const source = { store: folder.store, folder: folder.folder, files: BACKED_UP_FILES, sideStores };
      addCommands(world, seat, recovered, targets, source);
      const queries = new Map([...queryHandlers, ...notificationQueries(targets), ...barQueries(feed.history)]);
      return new HostedPartition(world, seat, { partition: recovered, brokerages, papers, targets, queries });
    } catch (error) {
      for (const brokerage of brokerages) await brokerage.close();
      throw error;
    }
  }

  /** Where its copy of the shared partition's symbols is kept. */
  get copyPlace(): CopyPlace {
    const { partition, folder } = this;
    return { store: folder.store, journal: partition.journal, decide: (work) => partition.decide(work) };
  }

  /** False while no order can leave, as the log is away or another engine can lead. */
  get mayAct(): boolean {
    return this.#seat.ownership?.mayAct() ?? true;
  }

  /** Begins to act: orders, events, deadlines, notifications. Call once the ticks that were missed were given. */
  start(): void {
    this.partition.start();
    this.#parts.targets.start();
    const { measures } = this.partition;
    this.#endMeasures = followMeasures({
      ...{ bus: this.#world.bus, timers: loopTimers, log: this.#world.log },
      take: (all) => this.partition.decide(() => measures.replaceInTurn(all)),
    });
  }

  /** Puts the partition on the bus. Clients reach it once the bus was flushed. */
  answer(shared: SharedAnswers = () => undefined): void {
    const { partition, number } = this;
    const { queries } = this.#parts;
    const unknown: Answer = { ok: false, code: "INVALID", message: "unknown query" };
    this.#respond(commandSubject(number), (envelope) => shared(envelope) ?? partition.handleCommand(envelope));
    this.#respond(
      querySubject(number),
      (envelope) =>
        shared(envelope) ??
        queries.get(envelope.type)?.(partition.context, envelope.userId, envelope.body) ??
        Promise.resolve(unknown),
    );
  }

  /** Compares the archive with its hash: long work that no caller waits for. A damaged archive ends the process. */
  checkArchive(isEnding: () => boolean): void {
    this.folder.checkArchive().catch((cause: unknown) => {
      // A store that closes during the check breaks it off; the next start checks again.
      if (!isEnding()) this.#seat.fatal("the archive cannot be read: restore a backup", cause);
    });
  }

  /** One accepted tick: levels first, then the paper brokerages of this partition. */
  onTick(tick: AcceptedTick, ownTimeMs: number): void {
    this.partition.onTick(this.#seat.feed.time.tick(tick), ownTimeMs);
    for (const paper of this.#parts.papers) paper.onTick(tick.symbol, tick.price, tick.timeMs);
  }

  /**
   * Takes no command, query or event from here on: the first step of a clean end. Resolves once earlier requests are
   * answered, or take too long: a client without an answer waits for as long as an answer can take.
   */
  async silence(): Promise<void> {
    this.#endMeasures();
    const ends = this.#responders.splice(0).map((end) => end());
    this.#parts.targets.stop();
    await Promise.all(ends);
    await atMost(ANSWERED_WITHIN_MS, this.#answers.whenIdle());
  }

  /** Ends cleanly: work in progress first, then the stores. `handOver`: runs once nothing is left to write. */
  async stop(handOver?: () => Promise<void>): Promise<void> {
    await this.silence();
    await this.partition.stop();
    await handOver?.();
    await this.#close();
  }

  /**
   * Ends immediately, because another engine leads: changes that were not durable never happened. The store is closed
   * whole.
   */
  async drop(): Promise<void> {
    void this.silence();
    this.partition.drop();
    await this.#close();
  }

  async #close(): Promise<void> {
    for (const brokerage of this.#parts.brokerages) await brokerage.close();
    await this.folder.close();
  }

  #respond(subject: string, answerer: Answerer): void {
    const { bus, log } = this.#world;
    const { ownership, epoch } = this.#seat;
    const owned = ownership === undefined ? answerer : asOwner(answerer, ownership, epoch > 0, loopTimers);
    const answer = answering(owned, log);
    this.#responders.push(
      bus.respond(subject, async (message) => {
        this.#answers.enter();
        try {
          return await answer(message);
        } finally {
          this.#answers.leave();
        }
      }),
    );
  }
}

function recoverPartition(world: SharedServices, seat: Seat, brokerages: readonly Brokerage[]): Promise<Partition> {
  const { bus, log, life, symbols, config, cluster } = world;
  const { folder, memory, feed, fatal, epoch } = seat;
  const logAppends = new BucketCounts(TIMING_BUCKETS_MS);
  folder.onAppended((durationMs) => logAppends.add(durationMs));
  return Partition.recover({
    store: folder.store,
    head: folder.head,
    memory,
    epoch,
    life,
    clock: feed.time,
    ownClock: systemClock,
    steadyClock,
    timers: loopTimers,
    random: uniformRandom,
    randomBytes,
    fatal,
    log,
    publish: (subject, data) => bus.publish(subject, data),
    flush: () => bus.flush(),
    brokerages: new BrokerageRegistry(brokerages),
    feed: feed.time.feed(feed),
    symbols,
    hasOversellGuard: config.hasOversellGuard,
    exitPolicy: config.exitPolicy,
    sellLedger: config.sellLedger,
    guardPercent: config.guardPercent,
    eventRetention: config.eventRetention,
    processMemory: readProcessMemory,
    logAppends,
    ...(cluster === undefined ? {} : { cluster }),
    onDurable: (head) => folder.onDurable(head.batch, head.tickPosition),
    unhurriedMs: UNHURRIED_MS,
  });
}

function openTargets({ config, log }: SharedServices, folder: DataFolder, partition: Partition): Promise<Targets> {
  return Targets.open({
    ...{ store: folder.store, journal: partition.journal, inbox: partition.inbox, history: partition.history },
    ...{ clock: systemClock, timers: loopTimers, log, randomBytes, sender: new Sender(config.alerts, systemClock) },
  });
}

function addCommands(
  { config, log }: SharedServices,
  { number }: Seat,
  partition: Partition,
  targets: Targets,
  source: ConstructorParameters<typeof BackupJobs>[0]["source"],
): void {
  const backups = new BackupJobs({
    source,
    partition: number,
    allowed: config.backupFolder,
    clock: systemClock,
    timers: loopTimers,
    log,
  });
  partition.addCommands(notificationCommands(targets));
  partition.addCommands(new Map([[OPERATOR_COMMANDS.backup, (_context, body) => backups.handle(body).then(replyOf)]]));
}
