/**
 * Whether a venue's prices are delayed data, judged by trades that arrive too late.
 *
 * Invariant: an old trade alone proves nothing. A venue repeats the last trades of a closed market at every
 * subscription; delayed data continues, with later and later times.
 */

/** Within this time after the first late trade, others can belong to the same repetition. */
const BURST_MS = 5_000;

export class LateTrades {
  #beganMs: number | undefined;
  #newestMs = Number.NEGATIVE_INFINITY;
  #lagMs: number | undefined;

  /** How late the last trade arrived, in milliseconds; `undefined` if the prices are not known to be delayed. */
  get lagMs(): number | undefined {
    return this.#lagMs;
  }

  /** Resets after a trade in time, or at the end of the connection. */
  reset(): void {
    this.#beganMs = undefined;
    this.#newestMs = Number.NEGATIVE_INFINITY;
    this.#lagMs = undefined;
  }

  /**
   * Adds a trade of `timeMs` that arrived too late, at `nowMs`. Returns whether it is the first to show delayed data.
   */
  add(timeMs: number, nowMs: number): boolean {
    // A clock that was set back restarts the interval.
    if (this.#beganMs === undefined || nowMs < this.#beganMs) this.#beganMs = nowMs;
    const wasDelayed = this.#lagMs !== undefined;
    if (timeMs > this.#newestMs) {
      if (nowMs - this.#beganMs > BURST_MS) this.#lagMs = nowMs - timeMs;
      this.#newestMs = timeMs;
    }
    return !wasDelayed && this.#lagMs !== undefined;
  }
}
