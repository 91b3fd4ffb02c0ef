/**
 * Work that many callers ask for in the same moment, done a few at a time.
 *
 * Invariants:
 * 1. First come, first served.
 * 2. No caller waits forever: a caller that is not served in time is notified, and its work is not begun.
 */
import type { Schedule } from "../../src/runtime/ports.ts";

interface FewAtOnceOptions {
  readonly atOnce: number;
  readonly waitMsMax: number;
  readonly schedule: Schedule;
}

export class ConcurrencyLimiter {
  readonly #options: FewAtOnceOptions;
  /** Callers that wait for a turn, in the order in which they came. */
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(options: FewAtOnceOptions) {
    this.#options = options;
  }

  /** Does the work when its turn comes; resolves with undefined if it did not come in time. */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#running < this.#options.atOnce) this.#running += 1;
    else if (!(await this.#turn())) return undefined;
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      // A waiting caller takes the place over; otherwise a new caller in between could take it, too.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  /** False: the turn did not come in time. */
  #turn(): Promise<boolean> {
    return new Promise((resolve) => {
      const take = (): void => {
        this.#waiting.delete(take);
        cancel();
        resolve(true);
      };
      const cancel = this.#options.schedule(this.#options.waitMsMax, () => {
        this.#waiting.delete(take);
        resolve(false);
      });
      this.#waiting.add(take);
    });
  }
}
