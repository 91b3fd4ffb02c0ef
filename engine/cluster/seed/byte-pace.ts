/** Limits the bytes per second over all callers: the next caller waits for the bytes taken before. */
import type { Clock, Timers } from "../../../src/runtime/ports.ts";

interface BytePaceOptions {
  readonly bytesPerSecond: number;
  readonly steadyClock: Clock;
  readonly timers: Pick<Timers, "after">;
}

export class BytePace {
  readonly #options: BytePaceOptions;
  #freeAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: BytePaceOptions) {
    this.#options = options;
  }

  /** Resolves once the time for the bytes taken before has passed. */
  async take(byteCount: number): Promise<void> {
    const { bytesPerSecond, steadyClock, timers } = this.#options;
    const nowMs = steadyClock.nowMs();
    const startMs = Math.max(nowMs, this.#freeAtMs);
    this.#freeAtMs = startMs + (byteCount / bytesPerSecond) * 1_000;
    if (startMs > nowMs) await new Promise<void>((resolve) => void timers.after(startMs - nowMs, resolve));
  }
}
