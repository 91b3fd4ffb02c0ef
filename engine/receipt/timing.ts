/**
 * How long something takes, counted in buckets as Prometheus wants them.
 */
import { type Histogram, TIMING_BUCKETS_MS } from "../../src/contract/operator/operator.ts";

export class Timing {
  readonly #counts = TIMING_BUCKETS_MS.map(() => 0);
  #sum = 0;
  #count = 0;

  /** `durationMs` by a clock that never steps. */
  add(durationMs: number): void {
    const index = TIMING_BUCKETS_MS.findIndex((most) => durationMs <= most);
    if (index >= 0) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += durationMs;
    this.#count += 1;
  }

  read(): Histogram {
    return { counts: [...this.#counts], sum: this.#sum, count: this.#count };
  }
}
