/**
 * One engine per partition. This engine asks on the bus before it arms, announces its partitions while it runs, and
 * ends when another engine has the better claim.
 *
 * Owns: the requests, the lease, which engine gives way. Does not own: what is held back while the lease is lost
 * (`engine/order/require-lease.ts`, the answers of engine.ts), the end of the process (`onLost`). A replicated log
 * makes this decision itself, and does not need this part.
 *
 * Invariants:
 * 1. Nothing is armed before a request on each partition's subject found no engine, or only engines that gave way. The
 *    connection receives no echo of its own, so "no responders" from the server means that no other engine listens.
 * 2. An engine can act only while its last proof of contact with the server is younger than `LEASE_MS`, by the steady
 *    and by the wall clock. A machine that sleeps can stop either clock. An engine whose request has no answer waits
 *    longer than that. A frozen engine that wakes therefore no longer acts when another has begun.
 * 3. The claim is lost with the lease: the engine asks again as if it had just started, and an engine that began in
 *    that time keeps the partition.
 * 4. Of two that meet exactly one gives way (`contest.ts`). It gives way only to an engine that answered its own
 *    question, because a question can arrive long after its sender died.
 * 5. A silence counts only if this engine itself ran all the time (`src/runtime/event-loop-stall.ts`).
 * 6. An engine with a new folder takes no partition from a silent engine whose subscription still exists, because it
 *    has no data to continue from. Another engine's locked folder is a better claim than no folder.
 */

import { type Bus, BusClosedError, NoResponderError, RequestTimeoutError } from "../../../src/bus/port.ts";
import { type OwnershipAnnouncement, ownershipWordSchema } from "../../../src/contract/ownership.ts";
import { ownerSubject } from "../../../src/contract/subject.ts";
import { EventLoopStall } from "../../../src/runtime/event-loop-stall.ts";
import { parseJson } from "../../../src/runtime/json.ts";
import { DualClock, type Moment } from "../../../src/runtime/moment.ts";
import type { Cancel, Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import type { Ownership } from "../../ports/ownership.ts";
import { goesBefore } from "./contest.ts";
import { conflictWith, OwnershipRefused, otherSize, silentOwner } from "./refusal.ts";

export const LEASE_MS = 3_000;
const TELL_EVERY_MS = 500;
/** More than the lease: a silent engine can no longer act after this time. */
const ASK_WITHIN_MS = LEASE_MS + 1_000;
/** A graceful shutdown takes up to nine seconds. */
const ENDING_WITHIN_MS = 15_000;
const ASK_AGAIN_MS = 200;
const BEAT_MS = 200;
const LATE_MS = 1_000;

interface OwnershipOptions {
  /** A connection of its own that receives no echo of what it publishes. */
  readonly bus: Bus;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** The random name of this process. */
  readonly engine: string;
  readonly host: string;
  readonly pid: number;
  readonly partitions: number;
  readonly ownPartitions: readonly number[];
  /** The partition that every installation has: engines of installations with different sizes meet here. */
  readonly sharedPartition: number;
  /** Whether the partition's data folder never held data. */
  readonly isNewFolder: (partition: number) => boolean;
  /** Called once if another engine has the better claim after this one had begun to act. */
  readonly onLost: (reason: string) => void;
}

/** The facts known about a partition's data folder. */
interface FolderName {
  readonly installation: string;
  readonly life: string;
}

export class BusOwnership implements Ownership {
  readonly #options: OwnershipOptions;
  readonly #clocks: DualClock;
  readonly #folders = new Map<number, FolderName>();
  readonly #stops: Cancel[] = [];
  #stage: OwnershipAnnouncement["stage"] = "asking";
  #sinceMs: number;
  /** When the server last certainly received a message of this engine. */
  #provenAt: Moment | undefined;
  #isRegaining = false;
  /** Requests back to engines that asked, one at a time for each partition. */
  readonly #askingBack = new Map<number, Promise<void>>();
  /** True from its first hold: an engine that then loses its claim ends the process. */
  #hasHeld = false;
  #isEnding = false;
  #refusal: OwnershipRefused | undefined;
  #waiting: (() => void)[] = [];

  private constructor(options: OwnershipOptions) {
    this.#options = options;
    this.#clocks = new DualClock(options);
    this.#sinceMs = options.clock.nowMs();
  }

  /** Asks for the partitions. Rejects with {@link OwnershipRefused} if another engine runs one of them. */
  static async ask(options: OwnershipOptions): Promise<BusOwnership> {
    const ownership = new BusOwnership(options);
    const { bus, ownPartitions } = options;
    for (const partition of ownPartitions) {
      const subject = ownerSubject(partition);
      ownership.#stops.push(bus.respond(subject, async ({ data }) => ownership.#answer(partition, data)));
    }
    try {
      await ownership.#askUntilHeard();
    } catch (error) {
      ownership.close();
      throw error;
    }
    return ownership;
  }

  /** Announces the name of a partition's folder, once that is open. */
  name(partition: number, folder: FolderName): void {
    this.#folders.set(partition, folder);
  }

  /** Asks once more, then acts and announces it. To be called right before arming. Rejects as `ask` does. */
  async hold(): Promise<void> {
    const { bus, timers } = this.#options;
    await this.#take();
    this.#stops.push(
      bus.onStatus((status) => {
        if (status === "disconnected") this.#lapse("the connection to NATS was lost");
      }),
    );
    const tell = (): void => {
      this.#tell();
      cancel = timers.after(TELL_EVERY_MS, tell);
    };
    let cancel: Cancel = () => undefined;
    this.#stops.push(() => cancel());
    tell();
  }

  mayAct(): boolean {
    this.#lapseIfStale();
    return this.#stage === "holding";
  }

  get provenForMs(): number {
    return this.#provenAt === undefined ? Number.POSITIVE_INFINITY : this.#clocks.msSince(this.#provenAt);
  }

  whenMayAct(): Promise<void> {
    if (this.mayAct()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Begins the end: an engine that asks now is asked to wait. Operations in progress can still send. */
  beginEnd(): void {
    this.#isEnding = true;
  }

  /** To be called when everything is closed. */
  close(): void {
    this.#stage = "ending";
    for (const stop of this.#stops.splice(0)) stop();
  }

  async #take(): Promise<void> {
    const { bus, timers } = this.#options;
    for (;;) {
      await this.#askUntilHeard();
      await Promise.all(this.#askingBack.values());
      const now = this.#clocks.now();
      const isHeard = await bus.flush().then(
        () => true,
        () => false,
      );
      this.#throwIfRefused();
      if (isHeard && this.#askingBack.size === 0) {
        this.#stage = "holding";
        this.#hasHeld = true;
        this.#sinceMs = now.wallMs;
        this.#provenAt = now;
        break;
      }
      await pause(timers, ASK_AGAIN_MS);
    }
    for (const go of this.#waiting.splice(0)) go();
    this.#announce();
  }

  async #askUntilHeard(): Promise<void> {
    const { ownPartitions, sharedPartition } = this.#options;
    await Promise.all([...new Set([...ownPartitions, sharedPartition])].map((partition) => this.#ask(partition)));
    this.#throwIfRefused();
  }

  /** Asks on a partition's subject until no engine answers that must be waited for. */
  async #ask(partition: number): Promise<void> {
    const { timers, steadyClock, log } = this.#options;
    const untilMs = steadyClock.nowMs() + ENDING_WITHIN_MS;
    for (let isTold = false; ; isTold = true) {
      this.#throwIfRefused();
      const other = await this.#request(partition);
      if (other === undefined) return;
      if (other.stage !== "ending" || steadyClock.nowMs() > untilMs) {
        if (this.#options.ownPartitions.includes(partition)) this.#meet(partition, other, true);
        else if (other.partitions !== this.#options.partitions)
          this.#giveWay(otherSize(other, this.#options.partitions));
        return;
      }
      const { host, pid } = other;
      if (!isTold)
        log.info({ event: "owner.waiting", partition, host, pid }, "waiting for the end of the engine before");
      await pause(timers, ASK_AGAIN_MS);
    }
  }

  /** The other engine that listens on a partition's subject; undefined: no engine, or none that could still act. */
  async #request(partition: number): Promise<OwnershipAnnouncement | undefined> {
    const { bus, clock, steadyClock, timers, log } = this.#options;
    const subject = ownerSubject(partition);
    for (;;) {
      let stoodStill = false;
      const onStandstill = () => {
        stoodStill = true;
      };
      const standstill = new EventLoopStall({
        clock,
        steadyClock,
        timers,
        beatMs: BEAT_MS,
        lateMs: LATE_MS,
        onStandstill,
      });
      standstill.start();
      try {
        return this.#understood(subject, await bus.request(subject, this.#word(partition), ASK_WITHIN_MS));
      } catch (err) {
        if (err instanceof NoResponderError) return undefined;
        if (err instanceof OwnershipRefused || err instanceof BusClosedError) throw err;
        if (err instanceof RequestTimeoutError) {
          // An answer that arrived during the stall can be unread.
          standstill.check();
          if (stoodStill) continue;
          this.#refuseNewFolder(partition);
          log.warn(
            { event: "owner.silent", partition },
            "an engine that listens has been silent for longer than it may act: it counts as gone",
          );
          return undefined;
        }
        log.warn({ event: "owner.cannotAsk", partition, err }, "other engines cannot be asked yet");
        await pause(timers, ASK_AGAIN_MS);
        this.#throwIfRefused();
      } finally {
        standstill.stop();
      }
    }
  }

  #understood(subject: string, data: Uint8Array): OwnershipAnnouncement {
    const word = readWord(data);
    if (word !== undefined) return word;
    throw new OwnershipRefused(`the process that answers on ${subject} is not an engine of this version: end it first`);
  }

  #answer(partition: number, data: Uint8Array): Uint8Array {
    const other = readWord(data);
    if (other !== undefined) this.#meet(partition, other, false);
    return this.#word(partition);
  }

  /** Refuses a new folder: its only claim is the silence of an engine that still has its subscription. */
  #refuseNewFolder(partition: number): void {
    const { ownPartitions, isNewFolder } = this.#options;
    if (this.#hasHeld || !ownPartitions.includes(partition) || !isNewFolder(partition)) return;
    throw new OwnershipRefused(silentOwner(partition));
  }

  /**
   * Handles another engine's announcement on a partition's subject. An unrequested announcement can come from a dead
   * engine, delayed in a frozen server or unread in this engine. This engine therefore asks back before it gives way.
   */
  #meet(partition: number, other: OwnershipAnnouncement, wasAsked: boolean): void {
    const { engine } = this.#options;
    // An engine of another partition only asks for the kind of this installation.
    if (other.engine === engine || other.partition !== partition || this.#stage === "ending") return;
    this.#lapseIfStale();
    const { installation = null } = this.#folders.get(partition) ?? {};
    if (!goesBefore({ engine, stage: this.#stage, sinceMs: this.#sinceMs, installation }, other)) {
      if (wasAsked) this.#giveWay(conflictWith(other));
      else this.#askBack(partition);
    } else if (other.stage === "holding") this.#announce();
  }

  #askBack(partition: number): void {
    if (this.#askingBack.has(partition)) return;
    const asking = this.#request(partition).then(
      (other) => other !== undefined && this.#meet(partition, other, true),
      (error: unknown) => {
        if (error instanceof OwnershipRefused && this.#refusal === undefined) this.#giveWay(error.message);
      },
    );
    this.#askingBack.set(
      partition,
      asking.then(() => void this.#askingBack.delete(partition)),
    );
  }

  #giveWay(reason: string): void {
    this.#refusal = new OwnershipRefused(reason);
    this.#stage = "ending";
    if (this.#hasHeld) this.#options.onLost(reason);
  }

  #throwIfRefused(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  #lapseIfStale(): void {
    if (this.#stage === "holding" && this.#isStale())
      this.#lapse("the server received no message of this engine for longer than its lease");
  }

  #isStale(): boolean {
    return this.provenForMs >= LEASE_MS;
  }

  #lapse(reason: string): void {
    if (this.#stage !== "holding") return;
    this.#stage = "asking";
    this.#sinceMs = this.#options.clock.nowMs();
    this.#provenAt = undefined;
    this.#options.log.warn(
      { event: "owner.lapsed", reason },
      "orders and answers wait until it is known that no other engine has taken over",
    );
    void this.#regain();
  }

  async #regain(): Promise<void> {
    if (this.#isRegaining) return;
    this.#isRegaining = true;
    try {
      await this.#take();
      this.#options.log.info({ event: "owner.regained" }, "no other engine has taken over: continuing");
    } catch (err) {
      // The engine that gave way was notified, and a closed bus is the end of this process.
      if (!(err instanceof OwnershipRefused || err instanceof BusClosedError)) throw err;
    } finally {
      this.#isRegaining = false;
    }
  }

  /** Proves that the server receives this engine's messages, and announces this to other engines. */
  #tell(): void {
    this.#lapseIfStale();
    if (this.#stage !== "holding") return;
    this.#announce();
    const at = this.#clocks.now();
    const { bus } = this.#options;
    bus.flush().then(
      () => {
        if (this.#stage === "holding") this.#provenAt = at;
      },
      () => undefined,
    );
  }

  #announce(): void {
    const { bus, ownPartitions } = this.#options;
    for (const partition of ownPartitions) bus.publish(ownerSubject(partition), this.#word(partition));
  }

  /**
   * The announcement on a subject: on the subject of a partition that is not its own, an engine names its first
   * partition.
   */
  #word(subjectPartition: number): Uint8Array {
    const { engine, host, pid, partitions, ownPartitions } = this.#options;
    const partition = ownPartitions.includes(subjectPartition) ? subjectPartition : (ownPartitions[0] ?? 0);
    const { installation = null, life = null } = this.#folders.get(partition) ?? {};
    const stage = this.#isEnding ? "ending" : this.#stage;
    const word: OwnershipAnnouncement = {
      engine,
      stage,
      sinceMs: this.#sinceMs,
      partition,
      partitions,
      installation,
      life,
      host,
      pid,
    };
    return Buffer.from(JSON.stringify(word));
  }
}

function readWord(data: Uint8Array): OwnershipAnnouncement | undefined {
  return ownershipWordSchema.safeParse(parseJson(data)).data;
}

function pause(timers: Timers, delayMs: number): Promise<void> {
  return new Promise((resolve) => void timers.after(delayMs, resolve));
}
