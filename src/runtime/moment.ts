/**
 * How long ago something was, by the clock that says longer: the wall clock may step back meanwhile, the steady one may
 * stand still with the machine.
 */
import type { Clock } from "./ports.ts";

/** What both clocks said at once, in ms. */
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

  /** The moment that the steady clock says, with a wall clock that went like it since. */
  at(steadyMs: number): Moment {
    const now = this.now();
    return { steadyMs, wallMs: now.wallMs - (now.steadyMs - steadyMs) };
  }

  /** How many ms have passed since, or less than 0 where it is still to come, by the clock that says more. */
  msSince({ steadyMs, wallMs }: Moment): number {
    return Math.max(this.#steadyClock.nowMs() - steadyMs, this.#clock.nowMs() - wallMs);
  }
}
