/**
 * The inbox: the one queue of a partition through which everything that decides goes, in arrival order.
 *
 * Owns: order and slices. Does not own: what the work does.
 *
 * Invariants:
 * 1. Work never runs inside the call that enqueued it, and never two at once.
 * 2. A turn of the loop does at most `SLICE` pieces of work: the loop is never blocked for long, however much waits.
 */
import type { Inbox, Timers } from "./ports.ts";

const SLICE = 256;

export class PartitionInbox implements Inbox {
  readonly #timers: Timers;
  #work: (() => void)[] = [];
  #next = 0;
  #isScheduled = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** True when nothing waits: work may be done at once without overtaking anything. */
  get isIdle(): boolean {
    return this.#next === this.#work.length;
  }

  get length(): number {
    return this.#work.length - this.#next;
  }

  enqueue(work: () => void): void {
    this.#work.push(work);
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
    const end = Math.min(this.#work.length, this.#next + SLICE);
    try {
      while (this.#next < end) {
        const work = this.#work[this.#next];
        this.#next += 1;
        work?.();
      }
    } finally {
      if (this.isIdle) {
        this.#work = [];
        this.#next = 0;
      } else this.#schedule();
    }
  }
}
