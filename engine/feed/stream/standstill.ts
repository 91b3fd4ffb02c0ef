/**
 * Notices that the process stood still: what came meanwhile waits in the socket, and would count when it is seen.
 *
 * Owns: since when the loop has not turned. Does not own: what is read back then (catch-up.ts).
 *
 * Invariants:
 * 1. A standstill is noticed whatever the loop does first afterwards: its own timer is late, or a tick comes later than
 *    that timer should have.
 * 2. It is told once.
 */
import type { Cancel, Clock, Timers } from "../../../src/runtime/ports.ts";

interface StandstillOptions {
  readonly clock: Clock;
  /** Milliseconds since any moment, never stepping. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  /** The loop turns again, `lateMs` too late. */
  readonly onStandstill: (lateMs: number) => void;
}

const BEAT_MS = 500;
/** A beat that is this late tells of a loop that stood still. */
const LATE_MS = 2_000;

export class Standstill {
  readonly #options: StandstillOptions;
  #dueMs = 0;
  #steadyDueMs = 0;
  #cancel: Cancel = () => undefined;

  constructor(options: StandstillOptions) {
    this.#options = options;
  }

  start(): void {
    this.#expectBeat();
    this.#cancel = this.#options.timers.after(BEAT_MS, () => {
      this.#check(this.#options.clock.nowMs());
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
  }

  /** Call before anything is judged by when it is seen: a tick, a time-out. `nowMs`: by the wall clock. */
  look(nowMs: number): void {
    const lateMs = nowMs - this.#dueMs;
    // Before the beat that was last: the wall clock was set back, and the steady one tells.
    if (lateMs > LATE_MS || lateMs < -BEAT_MS) this.#check(nowMs);
  }

  /** Either clock may tell: the wall clock may step back meanwhile, the steady one may stand still with the machine. */
  #check(nowMs: number): void {
    const lateMs = Math.max(nowMs - this.#dueMs, this.#options.steadyClock.nowMs() - this.#steadyDueMs);
    this.#expectBeat();
    if (lateMs > LATE_MS) this.#options.onStandstill(lateMs);
  }

  #expectBeat(): void {
    this.#dueMs = this.#options.clock.nowMs() + BEAT_MS;
    this.#steadyDueMs = this.#options.steadyClock.nowMs() + BEAT_MS;
  }
}
