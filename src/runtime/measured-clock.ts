/**
 * An estimate of the clock of another machine.
 *
 * Owns: how far it is ahead of ours. Does not own: when to ask, what is judged by it.
 *
 * The other clock was read between the question and its answer, so a reading is exact to half of the round trip. From
 * then on the steady clock carries it forward: a step of our wall clock shows immediately and moves nothing that is
 * judged by the other one.
 *
 * Invariant: a reading is replaced by a more certain one, or by one which shows that the other clock stepped.
 */
import type { Clock } from "./ports.ts";

/** Ours is wrong if it is surely further apart. */
const CLOCK_OFF_MS_MAX = 2_000;
/** How much a quartz may drift from another one, in ms a ms. */
const DRIFT = 0.000_5;

export interface ClockReading {
  /** The reading of the other clock. */
  readonly timeMs: number;
  /** By our steady clock. */
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
}

interface Measured {
  readonly otherMs: number;
  readonly steadyMs: number;
  /** How far it may be off. */
  readonly errorMs: number;
}

/** How far a reading may be off, in ms: both clocks are read in whole milliseconds. */
export function errorOf({ askedAtMs, answeredAtMs }: Omit<ClockReading, "timeMs">): number {
  return (answeredAtMs - askedAtMs) / 2 + 1;
}

export class MeasuredClock {
  readonly #clock: Clock;
  readonly #steadyClock: Clock;
  #measured: Measured | undefined;

  /** `clock`: ours. `steadyClock`: milliseconds since any moment, never stepping. */
  constructor(clock: Clock, steadyClock: Clock) {
    this.#clock = clock;
    this.#steadyClock = steadyClock;
  }

  /** How far the other clock is ahead of ours, in ms; null before it was read. */
  get aheadMs(): number | null {
    const known = this.#measured;
    if (known === undefined) return null;
    return Math.round(known.otherMs + (this.#steadyClock.nowMs() - known.steadyMs) - this.#clock.nowMs());
  }

  /**
   * How far the other clock is ahead of ours if ours is surely wrong, in ms; 0 if that is not sure, null before it was
   * read.
   */
  get offMs(): number | null {
    const { aheadMs } = this;
    const known = this.#measured;
    if (aheadMs === null || known === undefined) return null;
    return Math.abs(aheadMs) - errorNow(known, this.#steadyClock.nowMs()) > CLOCK_OFF_MS_MAX ? aheadMs : 0;
  }

  read(reading: ClockReading): void {
    const { timeMs, askedAtMs, answeredAtMs } = reading;
    const measured = { otherMs: timeMs, steadyMs: (askedAtMs + answeredAtMs) / 2, errorMs: errorOf(reading) };
    if (this.#isBetter(measured, answeredAtMs)) this.#measured = measured;
  }

  #isBetter(measured: Measured, nowMs: number): boolean {
    const known = this.#measured;
    if (known === undefined) return true;
    const knownErrorMs = errorNow(known, nowMs);
    const apartMs = Math.abs(known.otherMs - known.steadyMs - (measured.otherMs - measured.steadyMs));
    return measured.errorMs <= knownErrorMs || apartMs > measured.errorMs + knownErrorMs;
  }
}

function errorNow({ errorMs, steadyMs }: Measured, nowMs: number): number {
  return errorMs + (nowMs - steadyMs) * DRIFT;
}
