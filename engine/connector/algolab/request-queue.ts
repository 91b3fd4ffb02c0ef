/**
 * The one queue of requests of an API key: AlgoLab refuses requests that follow one another too fast.
 *
 * Owns: who is next and when. Does not own: what a request is (api.ts).
 *
 * Invariants:
 * 1. Two requests begin at least the interval apart, also those of different accounts.
 * 2. The most urgent request begins at the next free slot; within one urgency the order of arrival counts.
 * 3. A request without an answer does not hold up the next slot.
 * 4. A question takes a free slot only after it has waited for `GIVES_WAY_MS`. A trigger makes the engine ask for the
 *    day's band a moment before the sell arrives: without the wait the sell would leave one interval later.
 */
import type { Cancel, Clock, Timers } from "../../../src/runtime/ports.ts";

/** From the most urgent: triggered sells, cancels with look-ups and bands, the session, clients' orders, polls. */
export const URGENCY = { triggeredSell: 0, cancel: 1, session: 2, order: 3, poll: 4 } as const;
export type Urgency = (typeof URGENCY)[keyof typeof URGENCY];

export const GIVES_WAY_MS = 250;

interface Waiting {
  readonly urgency: Urgency;
  /** By the monotonic clock. */
  readonly earliestMs: number;
  readonly begin: () => void;
}

export class RequestQueue {
  readonly #intervalMs: number;
  readonly #steadyClock: Clock;
  readonly #timers: Timers;
  readonly #waiting: Waiting[] = [];
  #freeAtMs = Number.NEGATIVE_INFINITY;
  #cancelTimer: Cancel = () => undefined;

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
    const isOrder = urgency === URGENCY.triggeredSell || urgency === URGENCY.order;
    const earliestMs = this.#steadyClock.nowMs() + (isOrder ? 0 : Math.min(GIVES_WAY_MS, this.#intervalMs));
    return new Promise((resolve, reject) => {
      const begin = (): void => void send().then(resolve, reject);
      const behind = this.#waiting.findIndex((other) => other.urgency > urgency);
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, { urgency, earliestMs, begin });
      this.#pump();
    });
  }

  #pump(): void {
    this.#cancelTimer();
    if (this.#waiting.length === 0) return;
    const nowMs = this.#steadyClock.nowMs();
    const firstMs = this.#waiting.reduce(
      (least, { earliestMs }) => Math.min(least, earliestMs),
      Number.POSITIVE_INFINITY,
    );
    const waitMs = Math.max(this.#freeAtMs, firstMs) - nowMs;
    if (waitMs > 0) {
      this.#cancelTimer = this.#timers.after(Math.ceil(waitMs), () => this.#pump());
      return;
    }
    this.#freeAtMs = nowMs + this.#intervalMs;
    const next = this.#waiting.findIndex(({ earliestMs }) => earliestMs <= nowMs);
    const [taken] = this.#waiting.splice(next, 1);
    taken?.begin();
    this.#pump();
  }
}
