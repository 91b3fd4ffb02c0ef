/**
 * The age of a moment by the clock that shows the longer time: the wall clock may step back, and the steady one may
 * stop with the machine.
 */
import type { Clock } from "./ports.ts";

/** Readings of both clocks at one moment, in ms. */
export interface Moment {
  readonly steadyMs: number;
  readonly wallMs: number;
}

export class DualClock {
  readonly #clock: Clock;
  readonly #steadyClock: Clock;

  /** `steadyClock`: milliseconds since any moment, never stepping. */
  constructor({ clock, steadyClock }: { readonly clock: Clock; readonly steadyClock: Clock }) {
    this.#clock = clock;
    this.#steadyClock = steadyClock;
  }

  now(): Moment {
    return { steadyMs: this.#steadyClock.nowMs(), wallMs: this.#clock.nowMs() };
  }

  /** The moment of the steady clock, with a wall clock that advanced with it since. */
  at(steadyMs: number): Moment {
    const now = this.now();
    return { steadyMs, wallMs: now.wallMs - (now.steadyMs - steadyMs) };
  }

  /** How many ms have passed since, or less than 0 for a future moment, by the clock that shows more. */
  msSince({ steadyMs, wallMs }: Moment): number {
    return Math.max(this.#steadyClock.nowMs() - steadyMs, this.#clock.nowMs() - wallMs);
  }
}
