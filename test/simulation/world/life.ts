/**
 * One life of the engine: from reading the disk back, over catching up, to its death.
 *
 * Owns: the order of a start (as `engine/engine.ts` and `engine/store/folder/data-folder.ts` keep it), and the gates
 * that keep a dead process from doing anything. Does not own: when it dies, and events until then (the world).
 *
 * Invariant: once it is dead nothing of it reaches the disk, a brokerage, a client or the bus, although its code may
 * still run.
 */

import type { PartitionOptions } from "../../../engine/partition/options.ts";
import { Partition } from "../../../engine/partition/partition.ts";
import { PartitionIndex } from "../../../engine/partition/partition-index.ts";
import type { Brokerages } from "../../../engine/ports/brokerage.ts";
import type { CommitLog, RowStore } from "../../../engine/ports/log.ts";
import type { Delete, Put } from "../../../engine/ports/storage.ts";
import type { Witness } from "../../../engine/store/folder/witness.ts";
import { firstHead, type Head } from "../../../engine/store/journal/head.ts";
import { decodeRecord, encodeRecord } from "../../../engine/store/log/log-record.ts";
import { LoggedStore } from "../../../engine/store/log/logged-store.ts";
import { archiveHash, readHead } from "../../../engine/store/recovery.ts";
import { HEAD_KEY } from "../../../engine/table/keys.ts";
import type { Calendar } from "../../../src/domain/market/calendar.ts";
import type { Renaming } from "../../../src/domain/market/rename.ts";
import type { ExitPolicy } from "../../../src/domain/oco/group.ts";
import type { SellLedgerRule } from "../../../src/domain/order/sell-ledger.ts";
import type { Fatal, Log, Timers } from "../../../src/runtime/ports.ts";
import { emptyByRows } from "../../support/store/compare-memory.ts";
import type { DiskPace } from "../../support/store/logged-disk.ts";
import { testFeed } from "../../support/world/test-feed.ts";
import { INSTALLATION } from "../oracle/plain-name.ts";
import type { FollowingCopy } from "./copy.ts";
import type { Random } from "./random.ts";
import type { Report } from "./report.ts";
import { Feed, PROBE_MS, type StreamTick, type TickStream } from "./tick-stream.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Few, so that the names of two lives are like each other, yet never the same. */
const LIFE_LETTERS = ["a", "b", "z", "0", "1", "9"] as const;
const NO_RENAMES: readonly Renaming[] = [];
const PLACE = { partition: 0, partitions: 1 };
/** The most changes of a batch, for lives in turn: from the changes of one turn to as many as in a running engine. */
const CHANGES_MAX = [1, 1_024, 6];
/**
 * So few that some claims share one: the filter sends some to the journal without need, as it does in a large
 * partition.
 */
const CLAIM_COUNTERS = 1_024;
/** The only fatal fault that a world causes. */
const DISK_FAILED = "a write to the store failed";
const DISK_FULL = "no space left on device";
/** Messages that the engine logs on a fault of its own. */
const OWN_FAULTS = [
  "an actor failed and was quarantined",
  "an outcome found no actor",
  "an outbox row cannot be read: it is not sent",
  "stored events cannot be read: they are not published",
];

/** Faults planted on purpose, to prove that they are found. */
export interface Plant {
  readonly options?: (options: PartitionOptions) => PartitionOptions;
  readonly log?: (log: CommitLog) => CommitLog;
  readonly rows?: (rows: RowStore) => RowStore;
}

interface LifeOptions {
  readonly number: number;
  /** Of the disk of this life. */
  readonly copy: FollowingCopy;
  readonly stream: TickStream;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly report: Report;
  readonly hasOversellGuard: boolean;
  readonly exitPolicy: ExitPolicy;
  /** Absent: warn. */
  readonly sellLedger?: SellLedgerRule;
  readonly unhurriedMs: number;
  /** The trading calendar of every symbol; absent: not known. */
  readonly calendar?: Calendar | undefined;
  /** The names of renamed symbols; absent: no symbol is renamed. */
  readonly names?: { present(name: string): string; readonly renames: readonly Renaming[] };
  readonly connect: (life: Life) => Brokerages;
  readonly plant: Plant;
  readonly witness: Witness | undefined;
  readonly onWitness: (witness: Witness) => void;
  /** Called with every batch that is durable and known to be. */
  readonly onBatch: (operations: readonly (Put | Delete)[]) => void;
  /** Called with every event that reached the bus. */
  readonly onEvent: (event: object) => void;
  /** How often a chance to die is taken; 0 once trouble is over. */
  readonly dieShare: () => number;
  readonly failShare: () => number;
}

export class Life {
  readonly #options: LifeOptions;
  readonly number: number;
  isAlive = true;
  isStarted = false;
  /** By the wall clock; 0 before it is. */
  startedMs = 0;
  #partition: Partition | undefined;
  #feed: Feed | undefined;

  constructor(options: LifeOptions) {
    this.#options = options;
    this.number = options.number;
  }

  get partition(): Partition {
    if (this.#partition === undefined) throw new Error("the engine has not recovered");
    return this.#partition;
  }

  get feed(): Feed {
    if (this.#feed === undefined) throw new Error("the engine has not recovered");
    return this.#feed;
  }

  /** Reads the disk back and arms. Rejects if the engine refuses the disk. */
  async recover(): Promise<Head> {
    const { stream, random, plant, connect, hasOversellGuard, unhurriedMs, witness, report, time } = this.#options;
    const timers = this.#timers();
    const store = await this.#openStore(timers);
    const head = await readHead(store, PLACE, witness);
    if (head === undefined) throw new Error("the disk holds a head");
    if (head.batch !== store.lastSequence) report.violate("the log ends with the batch of the head");
    if ((await archiveHash(store)) !== head.archiveHash) report.violate("the archive is as the head says");
    const feed = new Feed(stream, head.tickPosition);
    this.#feed = feed;
    const options: PartitionOptions = {
      store,
      head,
      life: Array.from({ length: 10 }, () => random.pick(LIFE_LETTERS)).join(""),
      clock: time.wallClock,
      steadyClock: time.steadyClock,
      timers,
      random: random.next,
      randomBytes: (count) => Uint8Array.from({ length: count }, () => random.whole(0, 255)),
      fatal: this.#fatal,
      log: this.#log(),
      publish: (_subject, data) => this.#publish(data),
      flush: () => this.#flush(),
      brokerages: connect(this),
      feed: testFeed({
        prices: feed,
        position: () => feed.position(),
        isCatchingUp: () => !this.isStarted,
      }),
      symbols: {
        isKnown: () => true,
        isActive: () => true,
        tickTableOf: () => "BIST",
        zoneOf: () => "UTC",
        calendarOf: () => this.#options.calendar,
        presentName: (name) => this.#options.names?.present(name) ?? name,
        renames: () => this.#options.names?.renames ?? NO_RENAMES,
      },
      hasOversellGuard,
      exitPolicy: this.#options.exitPolicy,
      sellLedger: this.#options.sellLedger ?? "warn",
      onDurable: ({ batch, tickPosition }) => this.#witnessLater(timers, { batch, tickPosition }),
      unhurriedMs,
      areRowsChecked: true,
      changesMax: CHANGES_MAX[this.number % CHANGES_MAX.length] ?? 1,
      claimCounters: CLAIM_COUNTERS,
    };
    const memory = await this.#memoryOf(options);
    this.#partition = await Partition.recover(plant.options?.(options) ?? { ...options, memory });
    return head;
  }

  /**
   * Every other life continues from the memory of a copy that followed the life before. In the rest that memory is
   * compared with the rows, and the disk is read.
   */
  async #memoryOf(options: PartitionOptions): Promise<PartitionIndex | undefined> {
    const { copy, number, report, plant } = this.#options;
    const followed = copy.exchange(await PartitionIndex.read(options));
    if (followed === undefined || Object.keys(plant).length > 0) return undefined;
    report.count(number % 2 === 0 ? "a copy leads" : "a copy is compared");
    if (number % 2 === 0) return followed;
    emptyByRows(followed, copy.disk.entries);
    return undefined;
  }

  /** One tick, live or read back. */
  give(tick: StreamTick, isCaughtUp: boolean): void {
    const accepted = this.feed.accept(tick, this.#options.time.wallClock.nowMs(), isCaughtUp);
    this.partition.onTick(accepted);
  }

  /** All that was missed was given: orders leave, deadlines pass. */
  start(): void {
    this.isStarted = true;
    this.partition.onCaughtUp();
    this.partition.start();
    this.startedMs = this.#options.time.wallClock.nowMs();
    const timers = this.#timers();
    const probe = (): void => {
      this.feed.probe();
      timers.after(PROBE_MS, probe);
    };
    timers.after(PROBE_MS, probe);
  }

  /** The process dies at this instant: a batch on its way is on disk whole or not at all. */
  die(why: string): void {
    if (!this.isAlive) return;
    const { copy, report, random } = this.#options;
    this.isAlive = false;
    report.count(`crash: ${why}`);
    const isPowerCut = random.chance(0.5);
    if (isPowerCut) report.count("disk: the power went");
    copy.disk.leave({
      isPowerCut,
      isKept: () => {
        const isKept = random.chance(0.5);
        report.count(isKept ? "disk: batch durable, process never heard" : "disk: batch lost whole");
        return isKept;
      },
      keptOf: (count) => random.whole(0, count),
    });
    report.note(() => `life ${this.number} dies: ${why}`);
  }

  /** A named point at which the process may die; true when it did. */
  mayDieHere(point: string): boolean {
    if (this.isAlive && this.#options.random.chance(this.#options.dieShare())) this.die(point);
    return !this.isAlive;
  }

  /** The log and the rows of this life, each gated; the rows follow as far behind as chance has it. */
  #openStore(timers: Timers): Promise<LoggedStore> {
    const {
      copy: { disk },
      random,
      plant,
    } = this.#options;
    if (disk.lastSequence === undefined) this.#beginLog();
    const pace: DiskPace = {
      timers,
      tookMs: () => (random.chance(0.1) ? random.whole(20, 400) : random.whole(0, 8)),
      failsNow: () => random.chance(this.#options.failShare()),
    };
    const log = this.#gateLog(disk.openLog(pace));
    const rows = this.#gateRows(disk.openRows(pace));
    return LoggedStore.open({
      log: plant.log?.(log) ?? log,
      rows: plant.rows?.(rows) ?? rows,
      timers,
      fatal: this.#fatal,
      pace: {
        roundMs: random.pick([1, 20, 250]),
        roundsWaited: random.whole(0, 4),
        roundsBetweenPositions: random.pick([1, 3, 16]),
      },
    });
  }

  /** The very first start is not a part of this world: it takes no time and never fails. */
  #beginLog(): void {
    const {
      copy: { disk },
      time,
    } = this.#options;
    const head = firstHead(INSTALLATION, PLACE, time.wallClock.nowMs());
    const row: Put = { type: "put", key: HEAD_KEY, value: Buffer.from(JSON.stringify(head)) };
    disk.beginAppend([{ sequence: head.batch, bytes: encodeRecord({ isFirst: true, operations: [row] }) }]);
    disk.endAppend();
  }

  #timers(): Timers {
    const { time } = this.#options;
    const gated = (task: () => void) => (): void => {
      if (this.isAlive) task();
    };
    return {
      after: (delayMs, task) => time.after(delayMs, gated(task)),
      soon: (task) => time.soon(gated(task)),
    };
  }

  #gateLog(log: CommitLog): CommitLog {
    return {
      get firstSequence() {
        return log.firstSequence;
      },
      get lastSequence() {
        return log.lastSequence;
      },
      readFrom: (sequence) => log.readFrom(sequence),
      close: () => log.close(),
      append: (sequence, records) =>
        this.#gated("a batch", () =>
          log.append(sequence, records).then(() => {
            for (const bytes of records) if (this.isAlive) this.#options.onBatch(decodeRecord(bytes).operations);
          }),
        ),
      trim: (sequence) => this.#gated("a trimming", () => log.trim(sequence)),
    };
  }

  #gateRows(rows: RowStore): RowStore {
    return {
      read: (key) => rows.read(key),
      scan: (range) => rows.scan(range),
      close: () => rows.close(),
      writeUnsynced: (operations) => this.#gated("a slice", () => rows.writeUnsynced(operations)),
      sync: () => this.#gated("a sync", () => rows.sync()),
    };
  }

  /** The process may die before `work`, in the middle of it and after it. */
  async #gated(what: string, work: () => Promise<void>): Promise<void> {
    const never = new Promise<void>(() => undefined);
    if (!this.isAlive || this.mayDieHere(`before ${what}`)) return never;
    const done = work();
    this.mayDieHere(`during ${what}`);
    await done;
    if (!this.isAlive || this.mayDieHere(`after ${what}`)) return never;
  }

  /** A process that ends cannot be simulated by a call that does not return: what it still does is gated off. */
  readonly #fatal = ((reason: string, cause: unknown): void => {
    const { report } = this.#options;
    report.note(() => `fatal: ${reason}`);
    const isOurs = reason === DISK_FAILED && cause instanceof Error && cause.message === DISK_FULL;
    if (this.isAlive && !isOurs) report.fault(cause);
    this.die(reason);
  }) as unknown as Fatal;

  #log(): Log {
    const { report } = this.#options;
    const note = (level: string) => (fields: object, message: string) => {
      report.note(() => `log ${level}: ${message} ${JSON.stringify(fields)}`);
    };
    return {
      debug: note("debug"),
      info: note("info"),
      warn: note("warn"),
      error: (fields, message) => {
        note("error")(fields, message);
        if (this.isAlive && OWN_FAULTS.includes(message)) report.violate(`${message}: ${describe(fields)}`);
      },
    };
  }

  #publish(data: Uint8Array): void {
    if (!this.isAlive) return;
    const event: unknown = JSON.parse(Buffer.from(data).toString());
    if (typeof event === "object" && event !== null) this.#options.onEvent(event);
  }

  async #flush(): Promise<void> {
    const { random, dieShare, report } = this.#options;
    if (dieShare() > 0 && random.chance(0.02)) {
      report.count("bus: flush failed");
      throw new Error("the bus is away");
    }
  }

  /** The witness follows the store at most once a second, never ahead of it. */
  #witnessLater(timers: Timers, reached: Omit<Witness, "installation">): void {
    timers.after(1_000, () => this.#options.onWitness({ installation: INSTALLATION, ...reached }));
  }
}

function describe(fields: object): string {
  const cause: unknown = Reflect.get(fields, "err");
  return cause instanceof Error ? `${cause.stack}` : JSON.stringify(fields);
}
