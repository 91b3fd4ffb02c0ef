/**
 * Chance from a seed: the same seed gives the same world.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not give neighbouring worlds.
    this.#state = Math.imul(seed + 1, 0x9e3779b1) | 0;
  }

  /** From 0 to below 1 (mulberry32). */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };

  /** True so many times out of one. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.whole(0, choices.length - 1)] ?? choices[0];
  }

  /** One of the items, or undefined when there is none. */
  among<T>(items: readonly T[]): T | undefined {
    return items[this.whole(0, items.length - 1)];
  }

  /** One of the choices, each as likely as its weight says. */
  weighted<T>(choices: readonly (readonly [number, T])[], fallback: T): T {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return fallback;
  }
}
