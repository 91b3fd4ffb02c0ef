/**
 * What waits for the broker's word: one waiting a question, ended by an answer or by time.
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

  /** Waits for the answer to `key`; `late` where none comes within `timeoutMs`. */
  waitFor(key: string, timeoutMs: number, late: Answer): Promise<Answer> {
    return new Promise((resolve) => {
      this.settle(key, late);
      const cancelTimer = this.#timers.after(timeoutMs, () => this.settle(key, late));
      this.#byKey.set(key, { settle: resolve, cancelTimer });
    });
  }

  /** Answers `key`; false when nobody waits for it. */
  settle(key: string, answer: Answer): boolean {
    const waiting = this.#byKey.get(key);
    if (waiting === undefined) return false;
    this.#byKey.delete(key);
    waiting.cancelTimer();
    waiting.settle(answer);
    return true;
  }
}
