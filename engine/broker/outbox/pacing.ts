/**
 * Owns: how many orders one lane may send, over any 60 seconds (specification, "Limits"; decisions 7.1).
 * Does not own: the clock, and which order goes next.
 *
 * Invariants:
 * 1. At most `limit` uses lie within any 60 s; a reservation counts as a use that has no time yet.
 * 2. A clock that goes back never closes the window for longer than 60 s.
 */
import { assert } from "../../../src/assert.ts";

export const WINDOW_MS = 60_000;
const MS_PER_SECOND = 1_000;

/** Uses of a window by second of the epoch: what is stored, so that a restart does not open a full quota again. */
export type UsesBySecond = readonly (readonly [second: number, count: number])[];

export class SlidingWindow {
  readonly #limit: number;
  /** Times of use, ascending, from `#start` on. */
  #times: number[] = [];
  #start = 0;
  #reservedCount = 0;

  /** `limit`: uses allowed within any 60 s. */
  constructor(limit: number) {
    assert(Number.isInteger(limit) && limit > 0, `not a quota: ${limit}`);
    this.#limit = limit;
  }

  /** How many more may be reserved now. */
  freeCount(nowMs: number): number {
    this.#expire(nowMs);
    return Math.max(0, this.#limit - this.#usedCount() - this.#reservedCount);
  }

  /** When the next may be reserved: `nowMs` when one is free, Infinity when only a reservation's end can free one. */
  nextFreeMs(nowMs: number): number {
    if (this.freeCount(nowMs) > 0) return nowMs;
    const excess = this.#usedCount() + this.#reservedCount - this.#limit;
    const leaving = this.#times[this.#start + excess];
    return leaving === undefined ? Number.POSITIVE_INFINITY : leaving + WINDOW_MS;
  }

  /** Takes a place for a use that is about to happen. */
  reserve(nowMs: number): void {
    assert(this.freeCount(nowMs) > 0, "a place is reserved only where one is free");
    this.#reservedCount += 1;
  }

  /** Turns a reservation into a use at `nowMs`. */
  useReserved(nowMs: number): void {
    assert(this.#reservedCount > 0, "only what was reserved is used");
    this.#reservedCount -= 1;
    this.#expire(nowMs);
    this.#times.push(nowMs);
  }

  /** Counts uses of an earlier life of the process; they may exceed the limit. */
  restore(uses: UsesBySecond, nowMs: number): void {
    const times = [...this.#times.slice(this.#start)];
    for (const [second, count] of uses) {
      // The end of the second: later than the use was, never earlier.
      const timeMs = Math.min(nowMs, (second + 1) * MS_PER_SECOND);
      for (let index = 0; index < count; index += 1) times.push(timeMs);
    }
    this.#times = times.sort((a, b) => a - b);
    this.#start = 0;
    this.#expire(nowMs);
  }

  /** When the last use leaves the window; 0 when nothing was used. */
  emptyAtMs(): number {
    const last = this.#times.at(-1);
    return last === undefined ? 0 : last + WINDOW_MS;
  }

  /** The uses that still count. */
  usesBySecond(nowMs: number): UsesBySecond {
    this.#expire(nowMs);
    const counts = new Map<number, number>();
    for (const timeMs of this.#times.slice(this.#start)) {
      const second = Math.floor(timeMs / MS_PER_SECOND);
      counts.set(second, (counts.get(second) ?? 0) + 1);
    }
    return [...counts];
  }

  #usedCount(): number {
    return this.#times.length - this.#start;
  }

  #expire(nowMs: number): void {
    const last = this.#times.at(-1);
    if (last !== undefined && last > nowMs) this.#times = this.#times.map((timeMs) => Math.min(timeMs, nowMs));
    for (;;) {
      const oldest = this.#times[this.#start];
      if (oldest === undefined || oldest + WINDOW_MS > nowMs) break;
      this.#start += 1;
    }
    if (this.#start === this.#times.length || this.#start > this.#limit) {
      this.#times = this.#times.slice(this.#start);
      this.#start = 0;
    }
  }
}
