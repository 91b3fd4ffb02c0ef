/**
 * Accepted live ticks that wait while earlier ones are read back.
 *
 * Owns: their order and their bound. Does not own: whether they are believed, what happens to them.
 *
 * Invariants:
 * 1. Ticks come out in the order in which they came in.
 * 2. Above its capacity the buffer keeps of every symbol the first and the last, and those between that end a run of new
 *    lows or of new highs: a level that any of the ticks reached is reached by those that stay, and of a level below and
 *    one above the one that was reached first is reached first. Else a take-profit would be sold beside the stop-loss
 *    that came before it.
 * 3. It never holds more than the capacity, or twice what must stay, whichever is more.
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

/** What must stay of a symbol's ticks. */
interface Kept {
  /** Where in the buffer they lie. */
  readonly indexes: number[];
  lowest: number;
  highest: number;
  /** What the newest of `indexes` ends: a run of new lows, or of new highs. */
  run: "low" | "high" | undefined;
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
    const kept = findKept(ticks);
    this.#ticks = ticks.filter((_, index) => kept.has(index));
    this.#coalescedCount += ticks.length - this.#ticks.length;
    // With room for as many again every tick is looked at a bounded number of times, however many symbols there are.
    this.#limit = Math.max(this.#capacity, this.#ticks.length * 2);
  }
}

/** Where in `ticks` those lie that must stay. */
function findKept(ticks: readonly BufferedTick[]): ReadonlySet<number> {
  const bySymbol = new Map<string, Kept>();
  for (const [index, { symbol, price }] of ticks.entries()) {
    const kept = bySymbol.get(symbol);
    if (kept === undefined) {
      const { value } = price;
      bySymbol.set(symbol, { indexes: [index], lowest: value, highest: value, run: undefined, last: index });
      continue;
    }
    kept.last = index;
    if (price.value < kept.lowest) {
      kept.lowest = price.value;
      keepInRun(kept, "low", index);
    } else if (price.value > kept.highest) {
      kept.highest = price.value;
      keepInRun(kept, "high", index);
    }
  }
  return new Set([...bySymbol.values()].flatMap(({ indexes, last }) => [...indexes, last]));
}

function keepInRun(kept: Kept, run: "low" | "high", index: number): void {
  if (kept.run === run) kept.indexes.pop();
  kept.run = run;
  kept.indexes.push(index);
}
