/**
 * Accepted live ticks that wait while earlier ones are read back.
 *
 * Owns: their order and their bound. Does not own: whether they are accepted, their effects.
 *
 * Invariants:
 * 1. Ticks leave in the order in which they arrived.
 * 2. Above its capacity the buffer keeps the first and the last tick of every symbol, and each tick that ends a run of
 *    new lows or of new highs. A level that any tick reached is reached by the kept ticks. Of a level below and a level
 *    above, the one reached first is still reached first. Otherwise a take-profit would be sold in addition to the
 *    stop-loss before it.
 * 3. The same holds for the ticks after a level was armed, for each symbol and each such moment: an earlier extreme
 *    does not count for that level.
 * 4. If every tick of a symbol counts for a caller, all of them remain: between two extremes the price can return to a
 *    trailing stop-loss.
 * 5. It never holds more than the capacity, or twice the ticks that must remain, whichever is more.
 */
import type { LivePrice } from "../../src/domain/price/price.ts";

export interface BufferedTick {
  readonly symbol: string;
  readonly price: LivePrice;
  /** NaN if the tick had no time of its own. */
  readonly ownTimeMs: number;
  /** When the tick counts. */
  readonly atMs: number;
}

/** The ticks of a symbol that must remain. */
interface Kept {
  /** Their indexes in the buffer. */
  readonly indexes: number[];
  lowest: number;
  highest: number;
  /** The run that the newest of `indexes` ends: new lows, or new highs. */
  run: "low" | "high" | undefined;
  last: number;
}

export class LiveBuffer {
  readonly #capacity: number;
  readonly #countsEveryTick: (symbol: string) => boolean;
  /** Symbols whose extremes start again from their next tick, with the moment of that. */
  readonly #marks = new Map<string, number>();
  /** The first ticks after those moments. */
  readonly #anew = new Set<BufferedTick>();
  #ticks: BufferedTick[] = [];
  #limit: number;
  #coalescedCount = 0;

  /** `capacity`: how many ticks wait before they are coalesced; ticks of a symbol that `countsEveryTick` never are. */
  constructor(capacity: number, countsEveryTick: (symbol: string) => boolean = () => false) {
    this.#capacity = capacity;
    this.#countsEveryTick = countsEveryTick;
    this.#limit = capacity;
  }

  /** The number of waiting ticks. */
  get length(): number {
    return this.#ticks.length;
  }

  /** The number of ticks left out so far. */
  get coalescedCount(): number {
    return this.#coalescedCount;
  }

  /** Notes that a level of this symbol was armed at `atMs`. */
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

  /**
   * A tick in the same millisecond as a mark does not need to count for its level, so the tick after it also starts
   * again.
   */
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
    // With room for as many again, every tick is visited a bounded number of times, for any number of symbols.
    this.#limit = Math.max(this.#capacity, this.#ticks.length * 2);
  }
}

/**
 * Returns the indexes in `ticks` of the ticks that must remain. From each tick of `anew`, the extremes of its symbol
 * start again.
 */
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
