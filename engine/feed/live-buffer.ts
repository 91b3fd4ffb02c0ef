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
 * 3. The same holds for what came after a level was armed, for each symbol and each such moment: an extreme from before it
 *    is none for that level.
 * 4. Where somebody counts every tick of a symbol, all of them stay: between two extremes the price may come back to a
 *    stop-loss that trails.
 * 5. It never holds more than the capacity, or twice what must stay, whichever is more.
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
  readonly #countsEveryTick: (symbol: string) => boolean;
  /** Symbols whose extremes count anew from their next tick on, with the moment of that. */
  readonly #marks = new Map<string, number>();
  /** The first ticks after those moments. */
  readonly #anew = new Set<BufferedTick>();
  #ticks: BufferedTick[] = [];
  #limit: number;
  #coalescedCount = 0;

  /** `capacity`: how many ticks wait before they are coalesced; those of a symbol that `countsEveryTick` never are. */
  constructor(capacity: number, countsEveryTick: (symbol: string) => boolean = () => false) {
    this.#capacity = capacity;
    this.#countsEveryTick = countsEveryTick;
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

  /** A level of this symbol was armed at `atMs`. */
  mark(symbol: string, atMs: number): void {
    this.#marks.set(symbol, atMs);
  }

  push(tick: BufferedTick): void {
    if (this.#marks.size > 0) this.#begin(tick);
    this.#ticks.push(tick);
    if (this.#ticks.length > this.#limit) this.#coalesce();
  }

  /** Empties the buffer into `visit`, in order. */
  drain(visit: (tick: BufferedTick) => void): void {
    const ticks = this.#ticks;
    this.#ticks = [];
    this.#limit = this.#capacity;
    this.#marks.clear();
    this.#anew.clear();
    for (const tick of ticks) visit(tick);
  }

  /** What comes in the very millisecond of a mark need not count for its level, so the tick behind it begins anew too. */
  #begin(tick: BufferedTick): void {
    const atMs = this.#marks.get(tick.symbol);
    if (atMs === undefined) return;
    this.#anew.add(tick);
    if (tick.atMs !== atMs) this.#marks.delete(tick.symbol);
  }

  #coalesce(): void {
    const ticks = this.#ticks;
    const kept = findKept(ticks, this.#anew, this.#countsEveryTick);
    this.#ticks = ticks.filter((_, index) => kept.has(index));
    this.#coalescedCount += ticks.length - this.#ticks.length;
    // With room for as many again every tick is looked at a bounded number of times, however many symbols there are.
    this.#limit = Math.max(this.#capacity, this.#ticks.length * 2);
  }
}

/** Where in `ticks` those lie that must stay. From each of `anew` on the extremes of its symbol count anew. */
function findKept(
  ticks: readonly BufferedTick[],
  anew: ReadonlySet<BufferedTick>,
  countsEveryTick: (symbol: string) => boolean,
): ReadonlySet<number> {
  const whole = new Set([...new Set(ticks.map(({ symbol }) => symbol))].filter(countsEveryTick));
  const bySymbol = new Map<string, Kept>();
  const before: number[] = [];
  for (const [index, tick] of ticks.entries()) {
    const { symbol, price } = tick;
    if (whole.has(symbol)) {
      before.push(index);
      continue;
    }
    const kept = bySymbol.get(symbol);
    if (kept === undefined || anew.has(tick)) {
      if (kept !== undefined) for (const one of kept.indexes) before.push(one);
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
  const all = new Set(before);
  for (const { indexes, last } of bySymbol.values()) for (const index of [...indexes, last]) all.add(index);
  return all;
}

function keepInRun(kept: Kept, run: "low" | "high", index: number): void {
  if (kept.run === run) kept.indexes.pop();
  kept.run = run;
  kept.indexes.push(index);
}
