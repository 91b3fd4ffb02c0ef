/**
 * The time of an edge: its own clock, and the engine's clock if its own is surely wrong.
 *
 * Owns: the difference of the two clocks, reporting when it is large. Does not own: asking the engine
 * (identity-watch.ts).
 *
 * Tokens end, and prices are too old, by the engine's clock: an edge with another time would refuse good ones.
 */
import { type ClockReading, MeasuredClock } from "../../src/runtime/measured-clock.ts";
import type { Log, MonotonicClock } from "../../src/runtime/ports.ts";

const TOLD_EVERY_MS = 60_000;

export class EngineTime implements MonotonicClock {
  readonly #clock: MonotonicClock;
  readonly #log: Log;
  readonly #measured: MeasuredClock;
  #toldAtMs: number | null = null;

  constructor(clock: MonotonicClock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    this.#measured = new MeasuredClock(clock, { nowMs: () => clock.monotonicMs() });
  }

  nowMs(): number {
    return this.#clock.nowMs() + (this.#measured.offMs ?? 0);
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  /** How far the engine's clock is ahead of this machine's, in ms; null before the engine's first answer. */
  get aheadMs(): number | null {
    return this.#measured.aheadMs;
  }

  /** Takes the engine's reading of its clock, made between two moments of `monotonicMs`. */
  read(reading: ClockReading): void {
    this.#measured.read(reading);
    const { offMs } = this.#measured;
    const nowMs = this.#clock.monotonicMs();
    if (offMs === 0 || offMs === null) {
      if (this.#toldAtMs !== null)
        this.#log.info({ event: "clock.right" }, "the clocks of edge and engine agree again");
      this.#toldAtMs = null;
    } else if (this.#toldAtMs === null || nowMs - this.#toldAtMs >= TOLD_EVERY_MS) {
      this.#toldAtMs = nowMs;
      const way = offMs > 0 ? "behind" : "ahead of";
      const text = `the edge's clock is ${Math.abs(offMs)} ms ${way} the engine's clock, which counts; synchronise both with NTP`;
      this.#log.error({ event: "clock.off", aheadMs: offMs }, text);
    }
  }
}
