/**
 * Acts of durable batches, on their way out.
 *
 * Owns: their order, and how many run in one turn of the loop. Does not own: when a batch is durable, what acts do.
 *
 * Invariants:
 * 1. They run in the order in which they were let out.
 * 2. However many a batch lets out, a turn of the loop runs a bounded number of them.
 */
import type { Timers } from "../../../src/runtime/ports.ts";

/** Far more than a turn of the loop puts into one batch: what became durable together is let out together. */
const ACTS_A_TURN = 4_096;

type Act = () => void;

export class DueActs {
  readonly #timers: Timers;
  #waiting: Act[] = [];
  #next = 0;
  #isScheduled = false;
  #isStopped = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** No act runs any more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Runs what has become due, after what became due before; what is more than a turn's share waits. */
  letOut(acts: readonly Act[]): void {
    if (this.#waiting.length === 0 && acts.length <= ACTS_A_TURN) {
      for (const act of acts) act();
      return;
    }
    for (const act of acts) this.#waiting.push(act);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    this.#timers.soon(() => {
      this.#isScheduled = false;
      this.#runTurn();
    });
  }

  #runTurn(): void {
    const end = Math.min(this.#waiting.length, this.#next + ACTS_A_TURN);
    try {
      while (this.#next < end && !this.#isStopped) {
        const act = this.#waiting[this.#next];
        this.#next += 1;
        act?.();
      }
    } finally {
      if (this.#next === this.#waiting.length) {
        this.#waiting = [];
        this.#next = 0;
      } else this.#schedule();
    }
  }
}
