import { mulberry32 } from "../../support/random.ts";

/**
 * Chance from a seed: the same seed gives the same world.
 */
export class Random {
  /** From 0 to below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    // Neighbouring seeds must not give neighbouring worlds.
    this.next = mulberry32(Math.imul(seed + 1, 0x9e3779b1) | 0);
  }

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

  /** Returns one of the items, or undefined if there are no items. */
  among<T>(items: readonly T[]): T | undefined {
    return items[this.whole(0, items.length - 1)];
  }

  /** Returns one of the choices, each as likely as its weight. */
  weighted<T>(choices: readonly (readonly [number, T])[], fallback: T): T {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return fallback;
  }
}
