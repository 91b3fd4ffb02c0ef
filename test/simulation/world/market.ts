/**
 * The prices of a world's symbols, in thousandths.
 */
import type { Random } from "./random.ts";

const FIRST_MILLI = 100_000;
/** The lowest price there is. */
export const LEAST_MILLI = 60_000;
const MOST_MILLI = 180_000;

export class Market {
  readonly symbols: readonly [string, ...string[]];
  readonly #random: Random;
  readonly #prices = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
    this.symbols = random.chance(0.5) ? ["AAA"] : ["AAA", "BBB"];
  }

  readonly milliOf = (symbol: string): number => this.#prices.get(symbol) ?? FIRST_MILLI;

  /** The price of a symbol moves by a little, or jumps, or stays. */
  move(): { readonly symbol: string; readonly milli: number } {
    const random = this.#random;
    const symbol = random.pick(this.symbols);
    const was = this.milliOf(symbol);
    const moved = random.weighted(
      [
        [5, was + random.whole(-20, 20) * 50],
        [3, Math.round(was / 1000) * 1000 + random.whole(-2, 2) * 1000],
        [1, was + random.whole(-6, 6) * 1000],
        [1, was + random.whole(-999, 999)],
        [1, was],
      ],
      was,
    );
    const milli = Math.min(MOST_MILLI, Math.max(LEAST_MILLI, moved));
    this.#prices.set(symbol, milli);
    return { symbol, milli };
  }
}
