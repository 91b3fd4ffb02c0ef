/**
 * Owns: how many orders one lane may send, over any 60 seconds (behaviour 7).
 * Does not own: the clock, and which order goes next.
 *
 * Invariants:
 * 1. At most `limit` uses lie within any 60 s; a reservation counts as a use without a time.
 * 2. Times come from a clock that never steps.
 */
import { assert } from "../../../../src/assert.ts";

export const WINDOW_MS = 60_000;
const MS_PER_SECOND = 1_000;

/** The uses of a window by age, as stored, so that a restart does not open a full quota again. */
export type UsesByAge = readonly (readonly [ageSeconds: number, count: number])[];

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

  /** Returns how many more uses may be reserved now. */
  freeCount(nowMs: number): number {
    this.#expire(nowMs);
    return Math.max(0, this.#limit - this.#usedCount() - this.#reservedCount);
  }

  /** When the next use may be reserved: `nowMs` if a place is free, Infinity if only a reservation's end frees one. */
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

  /** Gives a reserved place back: nothing is used. */
  release(): void {
    assert(this.#reservedCount > 0, "only what was reserved is given back");
    this.#reservedCount -= 1;
  }

  /** Counts uses of an earlier run of the process, noted `notedAgoMs` ago; they may exceed the limit. */
  restore(uses: UsesByAge, notedAgoMs: number, nowMs: number): void {
    const times = this.#times.slice(this.#start);
    for (const [ageSeconds, count] of uses) {
      const timeMs = nowMs - Math.max(0, notedAgoMs) - ageSeconds * MS_PER_SECOND;
      for (let index = 0; index < count; index += 1) times.push(timeMs);
    }
    this.#times = times.sort((a, b) => a - b);
    this.#start = 0;
    this.#expire(nowMs);
  }

  /** When the last use leaves the window: `nowMs` if it has left. */
  emptyAtMs(nowMs: number): number {
    const last = this.#times.at(-1);
    return last === undefined ? nowMs : Math.max(nowMs, last + WINDOW_MS);
  }

  /** Returns the uses that still count, youngest last. Ages are rounded down, so that no use counts for too short. */
  usesByAge(nowMs: number): UsesByAge {
    this.#expire(nowMs);
    const uses: [number, number][] = [];
    let last: [number, number] | undefined;
    // Times ascend, so equal ages are neighbours.
    for (let index = this.#start; index < this.#times.length; index += 1) {
      const ageSeconds = Math.floor((nowMs - (this.#times[index] ?? nowMs)) / MS_PER_SECOND);
      if (last?.[0] === ageSeconds) last[1] += 1;
      else {
        last = [ageSeconds, 1];
        uses.push(last);
      }
    }
    return uses;
  }

  #usedCount(): number {
    return this.#times.length - this.#start;
  }

  #expire(nowMs: number): void {
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
