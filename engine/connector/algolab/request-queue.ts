/**
 * The one queue of requests of an API key: AlgoLab refuses requests that follow one another too fast.
 *
 * Owns: who is next and when. Does not own: what a request is (api.ts).
 *
 * Invariants:
 * 1. Two requests begin at least the interval apart, also those of different accounts.
 * 2. The most urgent request begins at the next free slot; within one urgency the order of arrival counts.
 * 3. A request without an answer does not hold up the next slot.
 */
import type { Clock, Timers } from "../../../src/runtime/ports.ts";

/** From the most urgent: triggered sells, cancels, the session, clients' orders, polls. */
export const URGENCY = { triggeredSell: 0, cancel: 1, session: 2, order: 3, poll: 4 } as const;
export type Urgency = (typeof URGENCY)[keyof typeof URGENCY];

interface Waiting {
  readonly urgency: Urgency;
  readonly begin: () => void;
}

export class RequestQueue {
  readonly #intervalMs: number;
  readonly #steadyClock: Clock;
  readonly #timers: Timers;
  readonly #waiting: Waiting[] = [];
  #freeAtMs = Number.NEGATIVE_INFINITY;
  #isTimed = false;

  /** `steadyClock` is monotonic. */
  constructor(intervalMs: number, steadyClock: Clock, timers: Timers) {
    this.#intervalMs = intervalMs;
    this.#steadyClock = steadyClock;
    this.#timers = timers;
  }

  /** Requests that have not begun. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Runs `send` in its slot and returns its result. */
  run<T>(urgency: Urgency, send: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const begin = (): void => void send().then(resolve, reject);
      const behind = this.#waiting.findIndex((other) => other.urgency > urgency);
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, { urgency, begin });
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#isTimed || this.#waiting.length === 0) return;
    const waitMs = this.#freeAtMs - this.#steadyClock.nowMs();
    if (waitMs > 0) {
      this.#isTimed = true;
      this.#timers.after(Math.ceil(waitMs), () => {
        this.#isTimed = false;
        this.#pump();
      });
      return;
    }
    this.#freeAtMs = this.#steadyClock.nowMs() + this.#intervalMs;
    this.#waiting.shift()?.begin();
    this.#pump();
  }
}
