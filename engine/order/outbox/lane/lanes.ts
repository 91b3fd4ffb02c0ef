/**
 * The lanes of a partition, made when an order needs one and forgotten when they have nothing to do.
 *
 * Owns: which lanes there are, and the stored rows of their quotas. Does not own: what a lane does.
 *
 * Invariants:
 * 1. A restart does not open a full quota again: what a lane has used goes to the store with every outcome, and what
 *    was recorded since then counts as used. Sends without an attempt record (`idempotent`) that had no outcome are not counted:
 *    there is at most one of them on its way for each account, and those that are being settled.
 * 2. A lane that is forgotten leaves no row.
 * 3. However many lanes have work at once, a turn of the loop starts that of a bounded number.
 */
import { assert } from "../../../../src/assert.ts";
import type { Clock, Timers } from "../../../../src/runtime/ports.ts";
import type { Inbox } from "../../../ports/actor.ts";
import type { Journal, Row } from "../../../ports/storage.ts";
import { encodePace, type OutboxEntry, type PaceRow, paceKey } from "../entry/entry.ts";
import type { TrackedOrder } from "../tracked-order.ts";
import { Lane, type LaneOwner, type LaneSetting } from "./lane.ts";
import { WINDOW_MS } from "./pacing.ts";

/** Lanes that begin their work in one turn: what they send costs as much again. */
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
  /** The process stood still. */
  readonly onStandstill: () => void;
}

export class Lanes {
  readonly #options: LanesOptions;
  readonly #setting: LaneSetting;
  readonly #lanes = new Map<string, Lane>();
  /** The quotas' rows that the store holds and a forgotten lane must remove. */
  readonly #rows = new Map<string, Row>();
  /** Keys under which the store may hold something that could not be read. */
  readonly #unreadable = new Set<string>();
  #recovered: PaceRow[] = [];
  /** Those that want to begin something, in the order in which they asked. */
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

  /** Lanes that have work, or whose quota is not whole. */
  get size(): number {
    return this.#lanes.size;
  }

  /** The owner's lane; made when there is none. */
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

  /** At start: a stored quota and its row. */
  recover(pace: PaceRow, row: Row): void {
    this.#recovered.push(pace);
    this.#rows.set(row.key, row);
  }

  /** At start: a key that holds something which cannot be read. */
  recoverUnreadable(key: string): void {
    this.#unreadable.add(key);
  }

  /** Restores the quotas from what was recovered and from attempts that were recorded after that. Before `start`. */
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

  /** From now on the lanes send. */
  start(): void {
    this.#isRunning = true;
    for (const lane of this.#lanes.values()) lane.start();
  }

  /** The lanes begin nothing any more. */
  stop(): void {
    this.#isRunning = false;
    for (const lane of this.#lanes.values()) lane.stop();
  }

  /** In a turn: puts what the owner's lane has used into the batch. */
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

  /** The first asked for run in a microtask, so that the common few lose no turn. */
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
