/**
 * Whether a venue's prices are delayed data, judged by trades that come too late.
 *
 * Invariant: an old trade alone proves nothing. A venue repeats the last trades of a closed market at every subscription;
 * delayed data goes on, with later and later times.
 */

/** For so long after the first late trade others can be of the same repetition. */
const BURST_MS = 5_000;

export class LateTrades {
  #beganMs: number | undefined;
  #newestMs = Number.NEGATIVE_INFINITY;
  #lagMs: number | undefined;

  /** How late the last trade came, in milliseconds; `undefined` if the prices are not known to be delayed. */
  get lagMs(): number | undefined {
    return this.#lagMs;
  }

  /** A trade that came in time, or the end of the connection. */
  reset(): void {
    this.#beganMs = undefined;
    this.#newestMs = Number.NEGATIVE_INFINITY;
    this.#lagMs = undefined;
  }

  /** A trade of `timeMs` that came too late, at `nowMs`. Returns whether this one is the first that shows delayed data. */
  add(timeMs: number, nowMs: number): boolean {
    // A clock that was set back begins the interval again.
    if (this.#beganMs === undefined || nowMs < this.#beganMs) this.#beganMs = nowMs;
    const wasDelayed = this.#lagMs !== undefined;
    if (timeMs > this.#newestMs) {
      if (nowMs - this.#beganMs > BURST_MS) this.#lagMs = nowMs - timeMs;
      this.#newestMs = timeMs;
    }
    return !wasDelayed && this.#lagMs !== undefined;
  }
}
