/**
 * Whether this process itself stood still while it waited for an answer. What came meanwhile lies unread, and a time-out
 * is over before it is read: such a silence proves nothing.
 */
import type { Cancel, Clock, Timers } from "../../src/runtime/ports.ts";

const BEAT_MS = 200;
/** A beat that is this late tells of a loop that stood still. */
const LATE_MS = 1_000;

export class Pulse {
  readonly #steadyClock: Clock;
  readonly #timers: Timers;
  #lastMs: number;
  #hasMissed = false;
  #cancel: Cancel = () => undefined;

  constructor(steadyClock: Clock, timers: Timers) {
    this.#steadyClock = steadyClock;
    this.#timers = timers;
    this.#lastMs = steadyClock.nowMs();
    this.#plan();
  }

  /** Ends. True where the process ran all the time, but for moments. */
  stop(): boolean {
    this.#cancel();
    this.#note();
    return !this.#hasMissed;
  }

  #plan(): void {
    this.#cancel = this.#timers.after(BEAT_MS, () => {
      this.#note();
      this.#plan();
    });
  }

  #note(): void {
    const nowMs = this.#steadyClock.nowMs();
    if (nowMs - this.#lastMs > BEAT_MS + LATE_MS) this.#hasMissed = true;
    this.#lastMs = nowMs;
  }
}
