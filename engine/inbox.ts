/**
 * The inbox: the one queue of a partition through which everything that decides goes.
 *
 * Owns: order and slices. Does not own: what the work does.
 *
 * Invariants:
 * 1. Work never runs inside the call that enqueued it, and never two at once. It runs in arrival order, but what ticks
 *    and deadlines set off passes what else waits: answers and commands come in their own time, a stop-loss must not
 *    wait for them.
 * 2. A turn of the loop does at most a slice of work, bounded by count and by time: the loop is never blocked for long,
 *    however much waits and however dear each piece is.
 * 3. Once closed it takes nothing: an answer that comes after the store was closed changes nothing, and is asked for
 *    again at the next start.
 */
import type { Clock, Inbox, Timers } from "./ports.ts";

export interface SliceLimits {
  /** Pieces of work in one turn. */
  readonly countMax: number;
  /** No further piece is begun once a turn has taken this long. */
  readonly timeMsMax: number;
  /** Tells how long a turn takes: it never steps. Without it only the count bounds a turn, the same in every run. */
  readonly steadyClock?: Clock | undefined;
}

const SLICE = { countMax: 1_024, timeMsMax: 2 };

export class PartitionInbox implements Inbox {
  readonly #timers: Timers;
  readonly #limits: SliceLimits;
  readonly #urgent = new WorkQueue();
  readonly #other = new WorkQueue();
  #isScheduled = false;
  #isClosed = false;

  constructor(timers: Timers, limits: SliceLimits = { ...SLICE, countMax: 256 }) {
    this.#timers = timers;
    this.#limits = limits;
  }

  /** The inbox of a running engine, bounded by time. */
  static timed(timers: Timers, steadyClock: Clock): PartitionInbox {
    return new PartitionInbox(timers, { ...SLICE, steadyClock });
  }

  get isIdle(): boolean {
    return this.length === 0;
  }

  get length(): number {
    return this.#urgent.length + this.#other.length;
  }

  /** While false, what a tick sets off may be done at once: no earlier tick's work waits. */
  get hasUrgent(): boolean {
    return this.#urgent.length > 0;
  }

  /** From here on work is dropped. To be called once nothing waits. */
  close(): void {
    this.#isClosed = true;
  }

  enqueue(work: () => void): boolean {
    if (this.#isClosed) return false;
    this.#other.push(work);
    this.#schedule();
    return true;
  }

  /** For what ticks and deadlines set off. */
  enqueueUrgent(work: () => void): void {
    if (this.#isClosed) return;
    this.#urgent.push(work);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#timers.soon(() => {
      this.#isScheduled = false;
      this.#runSlice();
    });
  }

  #runSlice(): void {
    const { countMax, timeMsMax, steadyClock } = this.#limits;
    const endMs = steadyClock === undefined ? 0 : steadyClock.nowMs() + timeMsMax;
    // What is enqueued meanwhile waits for the next turn, but for what is urgent.
    const otherMax = Math.min(countMax, this.#other.length);
    try {
      for (let count = 0, others = 0; count < countMax; count += 1) {
        const isUrgent = this.#urgent.length > 0;
        if (!isUrgent && others === otherMax) break;
        if (!isUrgent) others += 1;
        (isUrgent ? this.#urgent : this.#other).take()?.();
        if (steadyClock !== undefined && steadyClock.nowMs() >= endMs) break;
      }
    } finally {
      if (!this.isIdle) this.#schedule();
    }
  }
}

/** First in, first out; taking costs no copy. */
class WorkQueue {
  #work: (() => void)[] = [];
  #next = 0;

  get length(): number {
    return this.#work.length - this.#next;
  }

  push(work: () => void): void {
    this.#work.push(work);
  }

  take(): (() => void) | undefined {
    const work = this.#work[this.#next];
    this.#next += 1;
    if (this.length === 0) {
      this.#work = [];
      this.#next = 0;
    }
    return work;
  }
}
