/**
 * How often a measure fell into which bucket, as Prometheus wants its histograms.
 */
export class BucketCounts {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  /** `bounds`: the upper ones, ascending; what lies above the last is only in `count`. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  add(value: number): void {
    const index = this.#bounds.findIndex((most) => value <= most);
    if (index >= 0) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
    this.#count += 1;
  }

  read(): { readonly counts: number[]; readonly sum: number; readonly count: number } {
    return { counts: [...this.#counts], sum: this.#sum, count: this.#count };
  }
}
