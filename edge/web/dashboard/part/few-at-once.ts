/** Work that many parts of a page ask for in the same moment, done a few at a time: first come, first served. */
export class FewAtOnce {
  #free: number;
  /** In the order in which they came. */
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Does the work once one of the places is free. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((take) => this.#waiting.push(take));
    try {
      return await work();
    } finally {
      // Waiting work takes the place over.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
