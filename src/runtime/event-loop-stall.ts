/**
 * Notices that the process was stopped: messages that arrived in that time wait in the socket and would count when they
 * are read, and a time-out is over before its answer is read.
 *
 * Owns: since when the loop has not turned. Does not own: the consequences.
 *
 * Invariants:
 * 1. The first code that runs after a stall notices it: its own timer is late, or a tick is later than that timer
 *    should have been.
 * 2. It is reported once.
 */
import { DualClock, type Moment } from "./moment.ts";
import type { Cancel, Clock, Timers } from "./ports.ts";

interface StandstillOptions {
  readonly clock: Clock;
  /** Milliseconds since any moment, never stepping. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  /** How often the loop is looked at. */
  readonly beatMs: number;
  /** A beat that is later than this is the sign of a stalled loop. */
  readonly lateMs: number;
  /** The loop turns again, `lateMs` too late. */
  readonly onStandstill: (lateMs: number) => void;
}

export class EventLoopStall {
  readonly #options: StandstillOptions;
  readonly #clocks: DualClock;
  /** When the next beat should be. */
  #due: Moment = { steadyMs: 0, wallMs: 0 };
  #cancel: Cancel = () => undefined;

  constructor(options: StandstillOptions) {
    this.#options = options;
    this.#clocks = new DualClock(options);
  }

  start(): void {
    this.#expectBeat();
    this.#cancel = this.#options.timers.after(this.#options.beatMs, () => {
      this.check();
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
  }

  /** Call before a tick is judged by when it is seen. `nowMs`: by the wall clock. One comparison where all is well. */
  look(nowMs: number): void {
    const lateMs = nowMs - this.#due.wallMs;
    // Before the last beat: the wall clock was set back, and the steady one decides.
    if (lateMs > this.#options.lateMs || lateMs < -this.#options.beatMs) this.check();
  }

  /** Call before a time-out is judged. Either clock may show a stall. */
  check(): void {
    const lateMs = this.#clocks.msSince(this.#due);
    this.#expectBeat();
    if (lateMs > this.#options.lateMs) this.#options.onStandstill(lateMs);
  }

  #expectBeat(): void {
    const { steadyMs, wallMs } = this.#clocks.now();
    const { beatMs } = this.#options;
    this.#due = { steadyMs: steadyMs + beatMs, wallMs: wallMs + beatMs };
  }
}
