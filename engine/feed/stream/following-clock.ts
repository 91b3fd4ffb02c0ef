/**
 * The clock by which an engine judges: the tick stream's, as far as it was measured, else the machine's own.
 *
 * Owns: how far the machine's clock is corrected. Does not own: measuring (stream-clock.ts), when to correct (catch-up.ts).
 *
 * A machine whose clock is wrong would refuse every price that has a time of its own, and pass deadlines too early or too
 * late. Publishers, servers and other engines agree with each other, so the stream's clock decides.
 *
 * Invariant: reading it costs no more than reading the machine's own clock.
 */
import type { Clock } from "../../../src/runtime/ports.ts";

export class FollowingClock implements Clock {
  readonly #machine: Clock;
  #correctedMs = 0;

  constructor(machine: Clock) {
    this.#machine = machine;
  }

  nowMs(): number {
    return this.#machine.nowMs() + this.#correctedMs;
  }

  /** How far it is ahead of the machine's clock, in ms. */
  get correctedMs(): number {
    return this.#correctedMs;
  }

  /** Sets it forth by so many ms. */
  correct(byMs: number): void {
    this.#correctedMs += byMs;
  }
}
