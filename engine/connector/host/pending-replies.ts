/**
 * Queries that wait for the broker's answer: one per query, settled by an answer or a timeout.
 *
 * Invariant: each is settled exactly once.
 */
import type { Cancel, Timers } from "../../../src/runtime/ports.ts";

interface Waiting<Answer> {
  readonly settle: (answer: Answer) => void;
  readonly cancelTimer: Cancel;
}

export class PendingReplies<Answer> {
  readonly #timers: Timers;
  readonly #byKey = new Map<string, Waiting<Answer>>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Waits for the answer to `key`; resolves with `late` if none arrives within `timeoutMs`. */
  waitFor(key: string, timeoutMs: number, late: Answer): Promise<Answer> {
    return new Promise((resolve) => {
      this.settle(key, late);
      const cancelTimer = this.#timers.after(timeoutMs, () => this.settle(key, late));
      this.#byKey.set(key, { settle: resolve, cancelTimer });
    });
  }

  /** Settles `key`; false if no caller waits for it. */
  settle(key: string, answer: Answer): boolean {
    const waiting = this.#byKey.get(key);
    if (waiting === undefined) return false;
    this.#byKey.delete(key);
    waiting.cancelTimer();
    waiting.settle(answer);
    return true;
  }
}
