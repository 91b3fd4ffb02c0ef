/**
 * The inbox: the one queue of a partition through which everything that decides goes, in arrival order.
 *
 * Owns: order and slices. Does not own: what the work does.
 *
 * Invariants:
 * 1. Work never runs inside the call that enqueued it, and never two at once.
 * 2. A turn of the loop does at most a slice of work, bounded by count and by time: the loop is never blocked for long,
 *    however much waits and however dear each piece is.
 * 3. Once closed it takes nothing: an answer that comes after the store was closed changes nothing, and is asked for
 *    again at the next start.
 */
import type { Clock, Timers } from "../../src/runtime/ports.ts";
import type { Inbox } from "../ports/actor.ts";

interface SliceLimits {
  /** Pieces of work in one turn. */
  readonly countMax: number;
  /** No further piece is begun once a turn has taken this long, or a quarter of it where little waits. */
  readonly timeMsMax: number;
  /** Tells how long a turn takes: it never steps. Without it only the count bounds a turn, the same in every run. */
  readonly steadyClock?: Clock | undefined;
}

const SLICE = { countMax: 1_024, timeMsMax: 2 };
/**
 * A queue of at most so many pieces is worked off in shorter turns: what is decided is on its way to the disk while the
 * rest is decided. A longer one is not, as every turn costs a batch.
 */
const SHORT_QUEUE = 256;
const SHORT_SHARE = 1 / 4;

export class PartitionInbox implements Inbox {
  readonly #timers: Timers;
  readonly #limits: SliceLimits;
  #work: (() => void)[] = [];
  #next = 0;
  #isScheduled = false;
  #isClosed = false;
  #receivedCount = 0;
  #finishedCount = 0;

  constructor(timers: Timers, limits: SliceLimits = { ...SLICE, countMax: 256 }) {
    this.#timers = timers;
    this.#limits = limits;
  }

  /** The inbox of a running engine, bounded by time. */
  static timed(timers: Timers, steadyClock: Clock): PartitionInbox {
    return new PartitionInbox(timers, { ...SLICE, steadyClock });
  }

  /** True when nothing waits: work may be done at once without overtaking anything. */
  get isIdle(): boolean {
    return this.#next === this.#work.length;
  }

  /** Pieces of work ever taken. */
  get receivedCount(): number {
    return this.#receivedCount;
  }

  /** Pieces of work ever done: while the n-th runs, those before it. */
  get finishedCount(): number {
    return this.#finishedCount;
  }

  get length(): number {
    return this.#work.length - this.#next;
  }

  /** From here on work is dropped. To be called once nothing waits. */
  close(): void {
    this.#isClosed = true;
  }

  enqueue(work: () => void): boolean {
    if (this.#isClosed) return false;
    this.#work.push(work);
    this.#receivedCount += 1;
    this.#schedule();
    return true;
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
    const end = Math.min(this.#work.length, this.#next + countMax);
    const share = this.length > SHORT_QUEUE ? 1 : SHORT_SHARE;
    const endMs = steadyClock === undefined ? 0 : steadyClock.nowMs() + timeMsMax * share;
    try {
      while (this.#next < end) {
        const work = this.#work[this.#next];
        this.#next += 1;
        try {
          work?.();
        } finally {
          this.#finishedCount += 1;
        }
        if (steadyClock !== undefined && steadyClock.nowMs() >= endMs) break;
      }
    } finally {
      if (this.isIdle) {
        this.#work = [];
        this.#next = 0;
      } else this.#schedule();
    }
  }
}
