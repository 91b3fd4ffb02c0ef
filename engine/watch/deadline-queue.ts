/**
 * Owns: which owner must be woken at which moment.
 * Does not own: the clock (the caller passes the time), and why an owner wants to be woken.
 *
 * Invariants:
 * 1. A deadline (time, owner) is held once, however often it is set; one owner may have several deadlines.
 * 2. Deadlines come out by time, equal times by owner, and never before their time.
 */
import { EntryPool } from "./entry-pool.ts";
import { OrderedEntries } from "./ordered-entries.ts";

/** A deadline carries no watch number: the owner knows what it waited for. */
const NO_WATCH = 0;

/** Moments at which owners must be woken. Times are epoch milliseconds. */
export class DeadlineQueue {
  readonly #pool = new EntryPool({ keys: "float64", watches: "uint16" });
  readonly #entries = new OrderedEntries(this.#pool);

  /** Deadlines held. */
  get size(): number {
    return this.#entries.size;
  }

  /** Memory taken, in bytes. */
  get bytes(): number {
    return this.#pool.bytes + this.#entries.bytes;
  }

  /** Asks for `owner` to be woken at `timeMs`; setting the same deadline again changes nothing. */
  set(timeMs: number, owner: number): void {
    this.#entries.insert(timeMs, owner, NO_WATCH);
  }

  /** Takes a deadline back; false when it is not held (any more). */
  remove(timeMs: number, owner: number): boolean {
    return this.#entries.remove(timeMs, owner, NO_WATCH);
  }

  /** The earliest deadline, for which a timer must be set; undefined when the queue is empty. */
  nextTimeMs(): number | undefined {
    return this.#entries.firstKey();
  }

  /** Removes the earliest deadline at or before `nowMs` and returns its owner; undefined when none is due. */
  popDue(nowMs: number): number | undefined {
    const timeMs = this.#entries.firstKey();
    if (timeMs === undefined || timeMs > nowMs) return undefined;
    return this.#entries.popFirst()?.owner;
  }
}
