/**
 * The one queue of requests of an API key: AlgoLab refuses requests that follow one another too fast.
 *
 * Owns: the order of requests and their times. Does not own: the content of a request (api.ts).
 *
 * Invariants:
 * 1. Two requests leave at least the interval apart, also those from different accounts. Work before a request leaves
 *    (an order is written to a journal) counts for neither; a request that is called off then takes no slot.
 * 2. The most urgent request begins at the next free slot; within one urgency the order of arrival counts.
 * 3. A request without an answer does not hold up the next slot.
 * 4. A question takes a free slot only after it has waited for `GIVES_WAY_MS`. A trigger makes the engine ask for the
 *    day's band a moment before the sell arrives: without the wait the sell would leave one interval later.
 * 5. The number of waiting requests of each urgency is limited. Questions take no place of an order; bands take no
 *    place of a cancel.
 * 6. A request leaves no later than its `waitMsMax` allows, by the clock that shows more: a stall counts.
 */
import { DualClock, type Moment } from "../../../src/runtime/moment.ts";
import type { Cancel, Clock, Timers } from "../../../src/runtime/ports.ts";

/** From the most urgent: triggered sells, cancels with look-ups, the session, clients' orders, bands, polls. */
export const URGENCY = { triggeredSell: 0, cancel: 1, session: 2, order: 3, band: 4, poll: 5 } as const;
export type Urgency = (typeof URGENCY)[keyof typeof URGENCY];

export const GIVES_WAY_MS = 250;

/**
 * How many requests of an urgency can wait. Twelve leave in a minute, and the engine waits half a minute for an answer.
 * If more polls waited than leave in that time, none would be answered in time.
 */
export const WAITING_MAX: Readonly<Record<Urgency, number>> = {
  [URGENCY.triggeredSell]: 1_000,
  [URGENCY.cancel]: 50,
  [URGENCY.session]: 10,
  [URGENCY.order]: 300,
  [URGENCY.band]: 20,
  [URGENCY.poll]: 5,
};

/**
 * How long an order waits if it cannot be looked up, in milliseconds. It is less than an engine waits for its answer
 * (30 s) before it calls a person.
 */
export const ORDER_WAIT_MS_MAX = 25_000;

/** Sends a request; calls `leave` right before its first byte can leave. */
type Send<T> = (leave: () => void) => Promise<T>;

interface Waiting {
  readonly urgency: Urgency;
  /** By the monotonic clock. */
  readonly earliestMs: number;
  readonly since: Moment;
  readonly waitMsMax: number;
  readonly begin: () => void;
  readonly giveUp: () => void;
}

interface QueuePorts {
  readonly clock: Clock;
  /** Monotonic. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
}

export class RequestQueue {
  readonly #intervalMs: number;
  readonly #steadyClock: Clock;
  readonly #clocks: DualClock;
  readonly #timers: Timers;
  readonly #waiting: Waiting[] = [];
  #freeAtMs = Number.NEGATIVE_INFINITY;
  /** Whether a request has begun and has not left. */
  #isBusy = false;
  #isStopped = false;
  #cancelTimer: Cancel = () => undefined;

  constructor(intervalMs: number, { clock, steadyClock, timers }: QueuePorts) {
    this.#intervalMs = intervalMs;
    this.#steadyClock = steadyClock;
    this.#clocks = new DualClock({ clock, steadyClock });
    this.#timers = timers;
  }

  /** Requests that have not begun. */
  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Runs `send` in its slot and returns its result; `undefined` if too many requests of this urgency wait, and, as a
   * promise, if it waited for `waitMsMax` milliseconds.
   */
  run<T>(urgency: Urgency, send: Send<T>, waitMsMax = Number.POSITIVE_INFINITY): Promise<T | undefined> | undefined {
    const waitingCount = this.#waiting.reduce((count, other) => count + (other.urgency === urgency ? 1 : 0), 0);
    if (waitingCount >= WAITING_MAX[urgency]) return undefined;
    const isOrder = urgency === URGENCY.triggeredSell || urgency === URGENCY.order;
    const earliestMs = this.#steadyClock.nowMs() + (isOrder ? 0 : Math.min(GIVES_WAY_MS, this.#intervalMs));
    return new Promise((resolve, reject) => {
      const begin = (): void => void this.#begin(send).then(resolve, reject);
      const giveUp = (): void => resolve(undefined);
      const entry = { urgency, earliestMs, since: this.#clocks.now(), waitMsMax, begin, giveUp };
      const behind = this.#waiting.findIndex((other) => other.urgency > urgency);
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, entry);
      this.#pump();
    });
  }

  /** Nothing leaves any more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
  }

  async #begin<T>(send: Send<T>): Promise<T> {
    this.#isBusy = true;
    let isDone = false;
    const done = (): void => {
      if (isDone) return;
      isDone = true;
      this.#isBusy = false;
      this.#pump();
    };
    const leave = (): void => {
      if (!isDone) this.#freeAtMs = this.#steadyClock.nowMs() + this.#intervalMs;
      done();
    };
    try {
      return await send(leave);
    } finally {
      done();
    }
  }

  /** Removes requests that waited too long; returns in how many milliseconds the next one will have. */
  #giveUpLate(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const entry of [...this.#waiting]) {
      if (entry.waitMsMax === Number.POSITIVE_INFINITY) continue;
      const leftMs = entry.waitMsMax - this.#clocks.msSince(entry.since);
      if (leftMs > 0) {
        nextMs = Math.min(nextMs, leftMs);
        continue;
      }
      this.#waiting.splice(this.#waiting.indexOf(entry), 1);
      entry.giveUp();
    }
    return nextMs;
  }

  #pump(): void {
    this.#cancelTimer();
    if (this.#isStopped) return;
    const lateInMs = this.#giveUpLate();
    const nowMs = this.#steadyClock.nowMs();
    const slotInMs = this.#isBusy ? Number.POSITIVE_INFINITY : this.#slotMs() - nowMs;
    if (slotInMs <= 0) {
      const next = this.#waiting.findIndex(({ earliestMs }) => earliestMs <= nowMs);
      const [taken] = this.#waiting.splice(next, 1);
      taken?.begin();
      return;
    }
    const waitMs = Math.min(lateInMs, slotInMs);
    if (waitMs < Number.POSITIVE_INFINITY)
      this.#cancelTimer = this.#timers.after(Math.ceil(waitMs), () => this.#pump());
  }

  /** When the next request can begin, by the steady clock; infinite if none waits. */
  #slotMs(): number {
    const firstMs = this.#waiting.reduce(
      (least, { earliestMs }) => Math.min(least, earliestMs),
      Number.POSITIVE_INFINITY,
    );
    return Math.max(this.#freeAtMs, firstMs);
  }
}
