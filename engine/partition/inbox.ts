/**
 * The inbox: the only queue of a partition. All deciding work passes through it in arrival order.
 *
 * Owns: order and slices. Does not own: the work itself.
 *
 * Invariants:
 * 1. Work never runs inside the call that enqueued it, and never two pieces at a time.
 * 2. A turn of the loop does at most a slice of work, bounded by count and by time. The loop is never blocked for long,
 *    however much work waits and however expensive each piece is.
 * 3. A closed inbox takes no work: an answer that arrives after the store was closed changes nothing, and is asked for
 *    again at the next start.
 */
import type { Clock, Timers } from "../../src/runtime/ports.ts";
import type { Inbox } from "../ports/actor.ts";

interface SliceLimits {
  /** Pieces of work in one turn. */
  readonly countMax: number;
  /** No further piece begins once a turn has taken this long, or a quarter of it if little work waits. */
  readonly timeMsMax: number;
  /** Measures a turn; never steps. Without it only the count bounds a turn, which makes all runs equal. */
  readonly steadyClock?: Clock | undefined;
}

const SLICE = { countMax: 1_024, timeMsMax: 2 };
/**
 * A queue of at most this many pieces is processed in shorter turns: decisions are on their way to the disk while the
 * rest is decided. A longer queue is not, as every turn costs a batch.
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

  /** True if no work waits: new work can then run immediately without overtaking any. */
  get isIdle(): boolean {
    return this.#next === this.#work.length;
  }

  /** The pieces of work taken since the start. */
  get receivedCount(): number {
    return this.#receivedCount;
  }

  /** The pieces of work done since the start: while the n-th runs, those before it. */
  get finishedCount(): number {
    return this.#finishedCount;
  }

  get length(): number {
    return this.#work.length - this.#next;
  }

  /** Drops all later work. Work that waits already still runs. */
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
