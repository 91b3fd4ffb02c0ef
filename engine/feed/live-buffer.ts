/**
 * Accepted live ticks that wait while earlier ones are read back.
 *
 * Owns: their order and their bound. Does not own: whether they are believed, what happens to them.
 *
 * Invariants:
 * 1. Ticks come out in the order in which they came in.
 * 2. Above its capacity the buffer keeps of every symbol the lowest, the highest and the last: a level that any of the
 *    ticks reached is reached by those that stay.
 * 3. It never holds more than the capacity or six ticks a symbol, whichever is more.
 */
import type { LivePrice } from "../../src/domain/price/price.ts";

export interface BufferedTick {
  readonly symbol: string;
  readonly price: LivePrice;
  /** NaN when the tick had no time of its own. */
  readonly ownTimeMs: number;
  /** When the tick counts. */
  readonly atMs: number;
}

interface Extremes {
  lowest: number;
  highest: number;
  last: number;
}

export class LiveBuffer {
  readonly #capacity: number;
  #ticks: BufferedTick[] = [];
  #limit: number;
  #coalescedCount = 0;

  /** `capacity`: how many ticks wait before they are coalesced. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#limit = capacity;
  }

  /** Ticks waiting now. */
  get length(): number {
    return this.#ticks.length;
  }

  /** Ticks left out so far. */
  get coalescedCount(): number {
    return this.#coalescedCount;
  }

  push(tick: BufferedTick): void {
    this.#ticks.push(tick);
    if (this.#ticks.length > this.#limit) this.#coalesce();
  }

  /** Empties the buffer into `visit`, in order. */
  drain(visit: (tick: BufferedTick) => void): void {
    const ticks = this.#ticks;
    this.#ticks = [];
    this.#limit = this.#capacity;
    for (const tick of ticks) visit(tick);
  }

  #coalesce(): void {
    const ticks = this.#ticks;
    const extremes = findExtremes(ticks);
    this.#ticks = ticks.filter(({ symbol }, index) => {
      const kept = extremes.get(symbol);
      return kept?.lowest === index || kept?.highest === index || kept?.last === index;
    });
    this.#coalescedCount += ticks.length - this.#ticks.length;
    // With room for as many again every tick is looked at a bounded number of times, however many symbols there are.
    this.#limit = Math.max(this.#capacity, this.#ticks.length * 2);
  }
}

/** Where in `ticks` each symbol's extremes lie. */
function findExtremes(ticks: readonly BufferedTick[]): Map<string, Extremes> {
  const extremes = new Map<string, Extremes>();
  for (const [index, { symbol, price }] of ticks.entries()) {
    const found = extremes.get(symbol);
    if (found === undefined) {
      extremes.set(symbol, { lowest: index, highest: index, last: index });
      continue;
    }
    found.last = index;
    if (price.value < (ticks[found.lowest]?.price.value ?? 0)) found.lowest = index;
    if (price.value > (ticks[found.highest]?.price.value ?? 0)) found.highest = index;
  }
  return extremes;
}
