/**
 * One partition of which this engine can keep a copy, and which it leads when it is its turn.
 *
 * Owns: the cycle of following, claiming, leading and following again; the end of one partition without the end of the
 * process. Does not own: following until a claim (candidate.ts), when leading is allowed (the log), which engine should
 * lead (engine/cluster/placement), leading itself (hosted-partition.ts).
 *
 * Invariants:
 * 1. A copy fires nothing: only a claimed partition is armed, and nothing is sent before it received its missed ticks.
 * 2. A fenced engine drops this partition alone and follows it again; a change that is not in the log never happened.
 * 3. A copy that the log cannot fill takes its leader's rows, and follows from there; until it has all of them it leads
 *    nothing.
 * 4. A graceful shutdown releases the log in its last record, once all operations in progress are durable.
 * 5. A led partition is kept: a copy is left only while another engine leads.
 * 6. An engine that claimed and could not lead lets other engines claim first, longer with each failure. Until then it
 *    is not offered the partition (claim-backoff.ts).
 */
import { steadyClock, systemClock } from "../../../src/runtime/clock.ts";
import type { Fatal, Log, Timers } from "../../../src/runtime/ports.ts";
import { HostedPartition, type SharedAnswers, type SharedServices } from "../../host/hosted-partition.ts";
import { newName } from "../../host/names.ts";
import type { HostFeed, PartitionTickBuffer } from "../../host/partition-feed.ts";
import type { PartitionIndex } from "../../partition/partition-index.ts";
import type { Leadership, LogStatus, ReplicatedLog } from "../../ports/replica.ts";
import { DiskRefused } from "../../store/disk-refused.ts";
import type { DataFolder } from "../../store/folder/data-folder.ts";
import { CopyBehind, StoreRefused } from "../../store/refused.ts";
import { pause } from "../log/stream/pause.ts";
import type { BytePace } from "../seed/byte-pace.ts";
import { SeedServer } from "../seed/seed-server.ts";
import { Candidate } from "./candidate.ts";
import { ClaimBackoff } from "./claim-backoff.ts";
import { ReplicaFolder } from "./replica-folder.ts";
import { ReplicaRetention } from "./replica-retention.ts";
import { ReplicaSeeding } from "./replica-seeding.ts";
import { restoreRetiredReplica } from "./retired-replica.ts";
import { WarmStandby } from "./warm-standby.ts";

/** The resources that a partition shares with the others of its process while it is led here. */
export interface HostOptions {
  /** The answers for the installation, in addition to its own. */
  readonly answers: SharedAnswers;
  leave(): void;
}

interface ReplicaOptions {
  readonly number: number;
  readonly folder: string;
  /** Whether a copy must be kept, until `keep` changes that. */
  readonly isKept: boolean;
  readonly world: SharedServices;
  readonly feed: HostFeed;
  readonly openLog: () => Promise<ReplicatedLog>;
  /** The pace of all rows that this process sends to copies on other engines. */
  readonly seedPace: BytePace;
  /** Runs once the partition was read, before it receives ticks. */
  readonly moveIn: (hosted: HostedPartition) => Promise<HostOptions>;
  /** How long this engine currently lets others claim first, in ms. */
  readonly claimDelayMs: () => number;
  /** Whether another engine reports that it could lead immediately. */
  readonly canOthersLead: () => boolean;
  readonly leaseMs: number;
  readonly timers: Timers;
  readonly log: Log;
  readonly fatal: Fatal;
}

/** A step that fails now is retried after this time. */
const RETRY_MS = 2_000;

/** One term of leading. */
interface Term {
  readonly leadership: Leadership;
  readonly life: number;
  /** Resolves once another engine leads. */
  readonly lost: Promise<"lost">;
  isOver: boolean;
  /** Clients were answered. */
  hasHeld: boolean;
}

export class PartitionReplica {
  readonly #options: ReplicaOptions;
  readonly #ending = new AbortController();
  #replicated: ReplicatedLog | undefined;
  #ready: WarmStandby | undefined;
  /** Ticks buffered before a claim that can be due soon. */
  #gate: PartitionTickBuffer | undefined;
  #candidate: Candidate | undefined;
  /** While leading: releases the partition, to a named engine or to the next one. */
  #giveUp: ((to: string | undefined) => void) | undefined;
  #isLeading = false;
  #takeoverCount = 0;
  #seeds: SeedServer | undefined;
  #copy: ReplicaFolder | undefined;
  readonly #missing: ReplicaSeeding;
  readonly #keeping: ReplicaRetention;
  readonly #holdBack: ClaimBackoff;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#missing = new ReplicaSeeding(options);
    this.#keeping = new ReplicaRetention(options);
    this.#holdBack = new ClaimBackoff({ ...options, onOver: () => this.reconsider() });
  }

  get number(): number {
    return this.#options.number;
  }

  /** True from when this engine answers for the partition. */
  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** How often it was taken over from a silent leader, since this engine started. */
  get takeoverCount(): number {
    return this.#takeoverCount;
  }

  /**
   * How far the copy is from being ready to lead; undefined if not known, during the first read, or
   * while this engine holds back after a failed term.
   */
  get lagMessages(): number | undefined {
    return this.#ready?.isReading === true || this.#holdBack.isOn ? undefined : this.standing?.lagMessages;
  }

  /** Whether this engine has a copy, or should have one. */
  get isKept(): boolean {
    return this.#keeping.isKept;
  }

  /** The same, or it still has a copy that it must leave: a leader keeps its copy until another engine leads. */
  get hasCopy(): boolean {
    return this.isKept || this.#copy !== undefined;
  }

  get standing(): LogStatus | undefined {
    return this.#replicated?.standing;
  }

  /**
   * The record from which this copy can need the log; undefined: no copy yet, or no record is known to be on its disk.
   */
  get syncedTo(): number | undefined {
    return this.#copy?.syncedTo ?? this.#missing.seededTo;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Checks the delay again: a waiting claim starts over with its new delay if that changed. */
  reconsider(): void {
    this.#candidate?.reconsider();
  }

  /** Sets whether a copy must be kept from now on. */
  keep(isKept: boolean): void {
    if (isKept === this.isKept) return;
    this.#keeping.keep(isKept);
    this.reconsider();
    this.#missing.keep(isKept);
  }

  /** Hands the partition to another engine, if it is led here. */
  handOver(to: string): void {
    this.#giveUp?.(to);
  }

  /** Ends gracefully: a partition that is led here is released to the named engine, or to the next one. */
  async stop(to?: string): Promise<void> {
    this.#ending.abort();
    this.#holdBack.reset();
    this.reconsider();
    this.#giveUp?.(to);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, number: partition, folder } = this.#options;
    while (!this.#ending.signal.aborted) {
      if (!this.isKept) {
        this.#missing.forget();
        await this.#keeping.leave(this.#ending.signal);
      }
      try {
        await this.#turn();
      } catch (error) {
        if (this.#ending.signal.aborted) return;
        if (!this.isKept) continue;
        if (error instanceof CopyBehind) {
          this.#missing.note(error);
          continue;
        }
        if (error instanceof StoreRefused && !(error instanceof DiskRefused)) {
          this.#missing.forget();
          log.error(
            { event: "replica.unusable", partition, folder, err: error },
            "the copy of the partition cannot be used: follow the reason's instructions, then restart this engine",
          );
          return;
        }
        log.warn(
          { event: "replica.cannotFollow", partition, err: error },
          "the log of the partition cannot be followed now: trying again",
        );
        await pause(this.#options.timers, RETRY_MS, this.#ending.signal).catch(() => undefined);
      }
    }
  }

  /** Runs from following to the end of leading. Rejects if the copy cannot follow or lead, or is no longer kept. */
  async #turn(): Promise<void> {
    this.#ending.signal.throwIfAborted();
    const { folder, world, openLog, number: partition, timers, log, fatal } = this.#options;
    const replicated = await openLog();
    this.#replicated = replicated;
    await restoreRetiredReplica(folder);
    await this.#missing.fill(replicated, this.#ending.signal);
    const state = { isOver: false, hasHeld: false };
    const copy = await ReplicaFolder.open({
      ...{ folder, clock: systemClock, timers, log, installation: replicated.installation },
      life: replicated.life,
      place: { partition, partitions: world.config.partitions },
      // After the log is lost, its refusals are not faults of the disk.
      fatal: (reason, cause) => {
        if (!state.isOver) fatal(reason, cause);
      },
    });
    const ready = new WarmStandby({ partition, copy, steadyClock, log });
    this.#ready = ready;
    this.#copy = copy;
    let isLed = false;
    let isClaimed = false;
    try {
      const leadership = await this.#claim(replicated, copy, ready);
      isClaimed = true;
      this.#tellOfTakeover(leadership);
      const { life } = replicated;
      const term: Term = Object.assign(state, { leadership, life, lost: this.#whenLost(leadership, state) });
      const data = await copy.lead(leadership.log).catch(async (error: unknown) => {
        // A leader that continues without a store would keep every other engine from leading.
        await leadership.release();
        throw error;
      });
      isLed = true;
      await this.#lead(data, await ready.take(data.head), term);
    } finally {
      state.isOver = true;
      this.#holdTicks(false);
      this.#replicated = undefined;
      this.#ready = undefined;
      this.#copy = undefined;
      this.#missing.forget();
      if (isClaimed && !state.hasHeld) this.#letOthersGoFirst();
      await replicated.close();
      if (!isLed) await copy.close();
    }
  }

  #claim(replicated: ReplicatedLog, copy: ReplicaFolder, ready: WarmStandby): Promise<Leadership> {
    const { log, number: partition, claimDelayMs, canOthersLead } = this.#options;
    this.#candidate = new Candidate({
      ...{ partition, replicated, copy, ready, log },
      isWanted: () => this.isKept && !this.#ending.signal.aborted,
      claimDelayMs: () => claimDelayMs() + (this.#holdBack.isOn && canOthersLead() ? this.#holdBack.durationMs : 0),
      onSilence: (isSilent) => this.#holdTicks(isSilent),
    });
    return this.#candidate.claim().finally(() => {
      this.#candidate = undefined;
    });
  }

  #letOthersGoFirst(): void {
    if (this.#ending.signal.aborted) return;
    const { log, number: partition } = this.#options;
    const heldBackMs = this.#holdBack.fail();
    log.warn(
      { event: "leader.backingOff", partition, heldBackMs },
      "this engine claimed the partition and could not lead it: for a while it lets others go first who could",
    );
  }

  #tellOfTakeover({ epoch, silenced }: Leadership): void {
    if (silenced === undefined) return;
    const { log, number: partition } = this.#options;
    this.#takeoverCount += 1;
    log.info(
      { event: "leader.takingOver", partition, epoch, from: silenced },
      "its leader fell silent: this engine takes the partition over",
    );
  }

  /**
   * Buffers ticks before a claim: earlier ticks are in the stream by the time it is read. Not while another engine
   * could arm levels.
   */
  #holdTicks(isHeld: boolean): void {
    if (isHeld) this.#gate ??= this.#options.feed.openTickBuffer();
    else {
      this.#gate?.close();
      this.#gate = undefined;
    }
  }

  #whenLost(leadership: Leadership, state: { isOver: boolean }): Promise<"lost"> {
    const { log, number: partition } = this.#options;
    return new Promise((resolve) => {
      leadership.onLost((reason) => {
        state.isOver = true;
        log.warn(
          { event: "leader.lost", partition, epoch: leadership.epoch, reason },
          "another engine leads the partition: it is dropped here",
        );
        resolve("lost");
      });
    });
  }

  /** Leads until the term ends; then closes the folder. */
  async #lead(folder: DataFolder, memory: PartitionIndex | undefined, term: Term): Promise<void> {
    const { world, feed, number, fatal } = this.#options;
    const { leadership } = term;
    const given = new Promise<string | undefined>((resolve) => {
      this.#giveUp = resolve;
      if (this.#ending.signal.aborted) resolve(undefined);
    });
    const gate = this.#gate ?? feed.openTickBuffer();
    this.#gate = undefined;
    try {
      const seat = { number, folder, memory, feed: gate.feed, ownership: leadership, epoch: leadership.epoch };
      // Orders of each term have names of their own.
      const hosted = await HostedPartition.recover(
        { ...world, life: newName() },
        {
          ...seat,
          fatal: (reason, cause) => {
            if (!term.isOver) fatal(reason, cause);
          },
        },
      ).catch(async (error: unknown) => {
        await leadership.release();
        await folder.close();
        throw error;
      });
      await this.#host(hosted, gate, term, given);
    } finally {
      this.#giveUp = undefined;
      this.#isLeading = false;
      gate.close();
    }
  }

  async #host(hosted: HostedPartition, gate: PartitionTickBuffer, term: Term, given: Promise<string | undefined>) {
    const { leadership, lost } = term;
    const residence = this.#begin(hosted, gate, term);
    residence.catch(() => undefined);
    const end = await Promise.race([residence.then(() => given), lost]).catch(async (error: unknown) => {
      term.isOver = true;
      await leadership.release();
      await hosted.drop();
      throw error;
    });
    this.#isLeading = false;
    this.#seeds?.stop();
    if (!term.isOver) {
      await Promise.race([hosted.silence(), lost]);
      (await residence).leave();
      gate.close();
      const stopped = hosted.stop(async () => {
        term.isOver = true;
        await leadership.release(end);
      });
      if ((await Promise.race([stopped, lost])) !== "lost") return;
    }
    gate.close();
    // Work that began for a lost partition can fail: that ends nothing else.
    void residence.then(({ leave }) => leave()).catch(() => undefined);
    await hosted.drop();
  }

  /** Runs every step until clients are answered. */
  async #begin(hosted: HostedPartition, gate: PartitionTickBuffer, term: Term): Promise<HostOptions> {
    const { log, moveIn, number: partition, world } = this.#options;
    const residence = await moveIn(hosted);
    await gate.catchUp(hosted, hosted.folder.head);
    if (term.isOver) return residence;
    hosted.start();
    hosted.answer(residence.answers);
    await world.bus.flush();
    this.#isLeading = !term.isOver;
    term.hasHeld = !term.isOver;
    if (term.hasHeld) this.#holdBack.reset();
    if (!term.isOver) this.#seeds = this.#offerSeeds(hosted, term.life);
    log.info({ event: "leader.ready", partition, epoch: term.leadership.epoch }, "this engine leads the partition");
    hosted.checkArchive(() => term.isOver);
    return residence;
  }

  #offerSeeds({ folder: { store } }: HostedPartition, life: number): SeedServer {
    const { number: partition, world, timers, log, seedPace: pace } = this.#options;
    return new SeedServer({ partition, life, store, bus: world.bus, timers, log, pace, newName });
  }
}
