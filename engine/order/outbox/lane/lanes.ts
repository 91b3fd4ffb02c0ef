/**
 * The lanes of a partition, made when an order needs one and forgotten when they have no work.
 *
 * Owns: the set of lanes, and the stored rows of their quotas. Does not own: the work of a lane.
 *
 * Invariants:
 * 1. A restart does not open a full quota again: a lane's uses are stored with every outcome, and attempts recorded
 *    since then count as used. Sends without an attempt record (`idempotent`) and without an outcome do not count: each
 *    account has at most one on its way, in addition to the orders that are being settled.
 * 2. A lane that is forgotten leaves no row.
 * 3. A turn of the loop starts the work of a bounded number of lanes, however many have work.
 */
import { assert } from "../../../../src/assert.ts";
import type { Clock, Timers } from "../../../../src/runtime/ports.ts";
import type { Inbox } from "../../../ports/actor.ts";
import type { Journal, Row } from "../../../ports/storage.ts";
import { encodePace, type OutboxEntry, type PaceRow, paceKey } from "../entry/entry.ts";
import type { TrackedOrder } from "../tracked-order.ts";
import { Lane, type LaneOwner, type LaneSetting } from "./lane.ts";
import { WINDOW_MS } from "./pacing.ts";

/** Lanes that begin their work in one turn; sending that work costs as much again. */
const LANES_A_TURN = 64;

interface LanesOptions {
  readonly journal: Journal;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly timers: Timers;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly ordersPerMinute: (brokerageCode: string) => number;
  readonly send: (lane: Lane, order: TrackedOrder) => void;
  readonly lookUp: (lane: Lane, order: TrackedOrder) => void;
  /** Called after a standstill of the process. */
  readonly onStandstill: () => void;
}

export class Lanes {
  readonly #options: LanesOptions;
  readonly #setting: LaneSetting;
  readonly #lanes = new Map<string, Lane>();
  /** The stored rows of quotas, which a forgotten lane must remove. */
  readonly #rows = new Map<string, Row>();
  /** Keys under which the store may hold a row that could not be read. */
  readonly #unreadable = new Set<string>();
  #recovered: PaceRow[] = [];
  /** Lanes that asked to begin work, in the order in which they asked. */
  #asking: Lane[] = [];
  #nextAsking = 0;
  #isRunning = false;

  constructor(options: LanesOptions) {
    this.#options = options;
    this.#setting = {
      ...options,
      soon: (lane) => this.#beginSoon(lane),
      onIdle: (lane) => this.#forget(lane),
    };
  }

  /** The number of lanes that have work, or whose quota is not whole. */
  get size(): number {
    return this.#lanes.size;
  }

  /** Returns the owner's lane, and makes it if it does not exist. */
  for(owner: LaneOwner): Lane {
    const key = laneKey(owner);
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    const { random, ordersPerMinute } = this.#options;
    const lane = new Lane(this.#setting, owner, ordersPerMinute(owner.brokerageCode), random());
    this.#lanes.set(key, lane);
    if (this.#isRunning) lane.start();
    return lane;
  }

  /** At start: takes in a stored quota and its row. */
  recover(pace: PaceRow, row: Row): void {
    this.#recovered.push(pace);
    this.#rows.set(row.key, row);
  }

  /** At start: notes a key whose row cannot be read. */
  recoverUnreadable(key: string): void {
    this.#unreadable.add(key);
  }

  /** Restores the quotas from recovered rows and from attempts that were recorded later. Called before `start`. */
  restore(entries: Iterable<OutboxEntry>): void {
    assert(!this.#isRunning, "quotas are restored before anything is sent");
    const wallMs = this.#options.clock.nowMs();
    const nowMs = this.#options.steadyClock.nowMs();
    const writtenMs = new Map<string, number>();
    for (const pace of this.#recovered) {
      this.for(pace).window.restore(pace.uses, wallMs - pace.writtenMs, nowMs);
      writtenMs.set(laneKey(pace), pace.writtenMs);
    }
    this.#recovered = [];
    for (const { order, attemptRecordedMs } of entries) {
      if (attemptRecordedMs === null || attemptRecordedMs + WINDOW_MS <= wallMs) continue;
      if (attemptRecordedMs <= (writtenMs.get(laneKey(order)) ?? -1)) continue;
      this.for(order).window.restore([[0, 1]], wallMs - attemptRecordedMs, nowMs);
    }
  }

  /** Lets the lanes send from now on. */
  start(): void {
    this.#isRunning = true;
    for (const lane of this.#lanes.values()) lane.start();
  }

  /** Stops the lanes: they begin no more work. */
  stop(): void {
    this.#isRunning = false;
    for (const lane of this.#lanes.values()) lane.stop();
  }

  /** In a turn: puts the used quota of the owner's lane into the batch. */
  storeQuota(owner: LaneOwner): void {
    const { journal, clock, steadyClock } = this.#options;
    const uses = this.#lanes.get(laneKey(owner))?.window.usesByAge(steadyClock.nowMs()) ?? [];
    if (uses.length === 0) return;
    const { userId, brokerageCode } = owner;
    const key = paceKey(userId, brokerageCode);
    const row = encodePace(userId, brokerageCode, uses, clock.nowMs());
    const before = this.#rows.get(key);
    if (before !== undefined) journal.replace(before, row);
    else this.#rows.set(key, this.#unreadable.has(key) ? journal.put(key, row) : journal.insert(key, row));
  }

  /** Lets the first lanes begin in a microtask, so that the usual few lose no turn. */
  #beginSoon(lane: Lane): void {
    this.#asking.push(lane);
    if (this.#asking.length === 1) queueMicrotask(() => this.#beginAsking());
  }

  #beginAsking(): void {
    const end = this.#nextAsking + LANES_A_TURN;
    while (this.#nextAsking < this.#asking.length && this.#nextAsking < end) {
      const lane = this.#asking[this.#nextAsking];
      this.#nextAsking += 1;
      lane?.begin();
    }
    if (this.#nextAsking < this.#asking.length) {
      this.#options.timers.soon(() => this.#beginAsking());
    } else {
      this.#asking = [];
      this.#nextAsking = 0;
    }
  }

  #forget(lane: Lane): void {
    const { userId, brokerageCode } = lane;
    const key = laneKey(lane);
    this.#lanes.delete(key);
    this.#options.inbox.enqueue(() => {
      const row = paceKey(userId, brokerageCode);
      const before = this.#rows.get(row);
      if (this.#lanes.has(key) || before === undefined) return;
      this.#rows.delete(row);
      this.#options.journal.remove(before);
    });
  }
}

function laneKey({ userId, brokerageCode }: LaneOwner): string {
  return `${userId}/${brokerageCode}`;
}
