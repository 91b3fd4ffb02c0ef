/**
 * Owns: which rows wait for which price of which symbol, and which of them a tick reaches.
 * Does not own: what a row is, and whether a tick is accepted. No clock, no I/O.
 *
 * Invariants:
 * 1. `bestAbove[symbol]` is the lowest level armed above, `bestBelow[symbol]` the highest armed below; a side
 *    without rows holds a level that no price reaches. A silent tick is therefore two comparisons, however many
 *    rows are armed.
 * 2. Prices are whole hundredths. A live price with more decimals comes as its floor and its ceil, and the answer
 *    is exact: price >= level when floor >= level, price <= level when ceil <= level.
 * 3. The keys of a below side are levels times -1: the row that is reached first comes first on both sides.
 * 4. What `collect` hands out is no longer armed: a row is reached once.
 */
import { assert } from "../../src/assert.ts";
import { type EntryFormat, EntryPool } from "./entry-pool.ts";
import { OrderedEntries } from "./ordered-entries.ts";
import type { ReachedBuffer } from "./reached-buffer.ts";

/** `above` fires at a price of at least the level, `below` at a price of at most the level. */
export type Side = "above" | "below";

const LEVEL_MAX = 999_999_900;
const NO_LEVEL_ABOVE = 2_147_483_647;
const NO_LEVEL_BELOW = -2_147_483_648;
const SYMBOLS_START = 64;

/** Armed price levels of every symbol. */
export class PriceIndex {
  readonly #pool: EntryPool;
  readonly #numbers = new Map<string, number>();
  readonly #above: (OrderedEntries | undefined)[] = [];
  readonly #below: (OrderedEntries | undefined)[] = [];
  #bestAbove = new Int32Array(SYMBOLS_START).fill(NO_LEVEL_ABOVE);
  #bestBelow = new Int32Array(SYMBOLS_START).fill(NO_LEVEL_BELOW);
  #size = 0;

  /** `watches` sets how large a watch number may be: 65,535, or 4,294,967,295 for two more bytes a row. */
  constructor(watches: EntryFormat["watches"] = "uint16") {
    this.#pool = new EntryPool({ keys: "int32", watches });
  }

  /** Rows armed. */
  get size(): number {
    return this.#size;
  }

  /** Memory taken by the rows, in bytes. */
  get bytes(): number {
    let bytes = this.#pool.bytes + this.#bestAbove.byteLength + this.#bestBelow.byteLength;
    for (const entries of this.#above) bytes += entries?.bytes ?? 0;
    for (const entries of this.#below) bytes += entries?.bytes ?? 0;
    return bytes;
  }

  /** The number of a symbol, given out on first use: 0, 1, 2 and so on. */
  symbolNumber(symbol: string): number {
    const known = this.#numbers.get(symbol);
    if (known !== undefined) return known;
    const added = this.#numbers.size;
    if (added === this.#bestAbove.length) this.#growSymbols();
    this.#numbers.set(symbol, added);
    this.#above.push(undefined);
    this.#below.push(undefined);
    return added;
  }

  /** The number of a symbol that was used before; undefined for any other. */
  find(symbol: string): number | undefined {
    return this.#numbers.get(symbol);
  }

  /** Every symbol that was used. */
  symbols(): Iterable<string> {
    return this.#numbers.keys();
  }

  /** Whether a level of the symbol is armed now. */
  isArmed(symbol: string): boolean {
    const number = this.find(symbol) ?? -1;
    return (
      (this.#bestAbove[number] ?? NO_LEVEL_ABOVE) !== NO_LEVEL_ABOVE ||
      (this.#bestBelow[number] ?? NO_LEVEL_BELOW) !== NO_LEVEL_BELOW
    );
  }

  /** Arms a row at `level` (hundredths, 1 to 999,999,900). Arming the same row twice is a bug and throws. */
  arm(symbolNumber: number, side: Side, level: number, owner: number, watch: number): void {
    assert(Number.isInteger(level) && level >= 1 && level <= LEVEL_MAX, "a level is a legal price in hundredths");
    const added = this.#entriesFor(symbolNumber, side).insert(keyOf(side, level), owner, watch);
    assert(added, "a row is armed once");
    this.#size += 1;
    this.#refreshBest(symbolNumber, side);
  }

  /** Takes a row out of the watch; false when it is not armed (any more). */
  disarm(symbolNumber: number, side: Side, level: number, owner: number, watch: number): boolean {
    const entries = this.#lists(side)[symbolNumber];
    if (entries === undefined || !entries.remove(keyOf(side, level), owner, watch)) return false;
    this.#size -= 1;
    this.#refreshBest(symbolNumber, side);
    return true;
  }

  /**
   * Whether a price reaches any row of the symbol; `floor` and `ceil` are the price in hundredths, rounded down and
   * up. Allocates nothing. Exact for prices up to 21,474,836; beyond them a symbol without rows may answer true, and
   * {@link collect} then finds nothing.
   */
  isReached(symbolNumber: number, floor: number, ceil: number): boolean {
    return (
      floor >= (this.#bestAbove[symbolNumber] ?? NO_LEVEL_ABOVE) ||
      ceil <= (this.#bestBelow[symbolNumber] ?? NO_LEVEL_BELOW)
    );
  }

  /**
   * Disarms every row that the price reaches and appends it to `into`; returns how many. First the above side from
   * its lowest level up, then the below side from its highest level down; equal levels by owner, then by watch.
   */
  collect(symbolNumber: number, floor: number, ceil: number, into: ReachedBuffer): number {
    const above = this.#above[symbolNumber]?.drainUpTo(floor, into) ?? 0;
    if (above > 0) this.#refreshBest(symbolNumber, "above");
    const below = this.#below[symbolNumber]?.drainUpTo(-ceil, into) ?? 0;
    if (below > 0) this.#refreshBest(symbolNumber, "below");
    this.#size -= above + below;
    return above + below;
  }

  #lists(side: Side): (OrderedEntries | undefined)[] {
    return side === "above" ? this.#above : this.#below;
  }

  #entriesFor(symbolNumber: number, side: Side): OrderedEntries {
    assert(symbolNumber >= 0 && symbolNumber < this.#numbers.size, "a symbol is registered before it is watched");
    const lists = this.#lists(side);
    const known = lists[symbolNumber];
    if (known !== undefined) return known;
    const added = new OrderedEntries(this.#pool);
    lists[symbolNumber] = added;
    return added;
  }

  #refreshBest(symbolNumber: number, side: Side): void {
    const firstKey = this.#lists(side)[symbolNumber]?.firstKey();
    if (side === "above") this.#bestAbove[symbolNumber] = firstKey ?? NO_LEVEL_ABOVE;
    else this.#bestBelow[symbolNumber] = firstKey === undefined ? NO_LEVEL_BELOW : -firstKey;
  }

  #growSymbols(): void {
    const symbols = this.#bestAbove.length;
    const bestAbove = new Int32Array(symbols * 2).fill(NO_LEVEL_ABOVE);
    const bestBelow = new Int32Array(symbols * 2).fill(NO_LEVEL_BELOW);
    bestAbove.set(this.#bestAbove);
    bestBelow.set(this.#bestBelow);
    this.#bestAbove = bestAbove;
    this.#bestBelow = bestBelow;
  }
}

function keyOf(side: Side, level: number): number {
  return side === "above" ? level : -level;
}
