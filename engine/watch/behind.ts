/**
 * Owners of trailing stop-losses that are behind: they lack ticks that only raise their stop-losses, and get them later.
 *
 * Owns: the owners that are behind, the ticks that each lacks, and the tick at which each must get them. Does not own:
 * rounds (`tick-walk.ts`), the effect of a tick on an owner.
 *
 * Invariants:
 * 1. `pass` returns an owner for the first tick that can fire its stop-loss, at the level to which earlier ticks raised
 *    it. It can return an owner that the tick does not fire; it misses none.
 * 2. Every tick of a symbol is kept until no owner lacks it.
 */
import { assert } from "../../src/assert.ts";
import type { LiveTick } from "../../src/domain/price/price.ts";
import { EntryPool } from "./entry-pool.ts";
import { RaiseClasses } from "./raise-classes.ts";
import { distanceOf } from "./raise-number.ts";

type Priced = Pick<LiveTick, "price" | "isCaughtUp">;

const NO_OWNERS: readonly number[] = [];

/** Successive prices of one symbol, in hundredths. */
export interface PriceRange {
  /** The highest price, rounded down. */
  readonly floor: number;
  /** The lowest price, rounded up. */
  readonly ceil: number;
  readonly prices: readonly Priced[];
  /** True: prices that were read back are among them. They wait for no round. */
  readonly isCaughtUp: boolean;
}

interface OfSymbol<Tick> {
  readonly name: string;
  /** Stop-losses with `confirmTicks` 1, and with 2. */
  readonly single: RaiseClasses;
  readonly confirmed: RaiseClasses;
  lastFloor: number;
  count: number;
  /** The kept ticks, and their ascending numbers. */
  ticks: Tick[];
  positions: number[];
  /** The ticks that were returned last: many owners lack the same. */
  given: { readonly after: number; readonly ticks: readonly Tick[] } | undefined;
}

interface Owner<Tick> {
  readonly symbol: OfSymbol<Tick>;
  /** The number of the last tick that it was given. */
  readonly position: number;
  /** Owners have ascending numbers. */
  readonly number: number;
  readonly classes: RaiseClasses;
}

/** The owners that are behind, in the order of their first tick that they lack. */
export class Behind<Tick> {
  readonly #pool = new EntryPool({ keys: "int32", watches: "uint16" });
  readonly #symbols = new Map<string, OfSymbol<Tick>>();
  readonly #owners = new Map<number, Owner<Tick>>();
  #lastNumber = 0;
  #keptCount = 0;

  /** Ticks kept, of all symbols. */
  get keptCount(): number {
    return this.#keptCount;
  }

  /** The number of owners that are behind. */
  get size(): number {
    return this.#owners.size;
  }

  has(owner: number): boolean {
    return this.#owners.has(owner);
  }

  /** Whether an owner lacks ticks of the symbol. */
  lacks(symbol: string): boolean {
    return this.#symbols.size > 0 && this.#symbols.has(symbol);
  }

  /**
   * Adds an owner that lacks the ticks after `position`. `raise`: the number of its raise in the watchbook; `floor`: the
   * highest price that raised it.
   */
  join(owner: number, symbol: string, raise: number, position: number, floor: number): void {
    assert(!this.#owners.has(owner), "an owner joins once");
    const known = this.#symbols.get(symbol) ?? this.#begin(symbol);
    const stop = distanceOf(raise);
    const classes = stop.isConfirmed ? known.confirmed : known.single;
    classes.join(owner, stop, floor);
    known.count += 1;
    this.#lastNumber += 1;
    this.#owners.set(owner, { symbol: known, position, number: this.#lastNumber, classes });
  }

  /** Notes prices; returns the owners that one of them can fire, or that must not wait. They remain behind. */
  pass(symbol: string, { floor, ceil, prices, isCaughtUp }: PriceRange): readonly number[] {
    const known = this.#symbols.get(symbol);
    if (known === undefined) return NO_OWNERS;
    known.single.raise(floor);
    for (const { price } of prices) {
      known.confirmed.raise(Math.min(known.lastFloor, price.floor));
      known.lastFloor = price.floor;
    }
    const level = isCaughtUp ? Number.NEGATIVE_INFINITY : ceil;
    const reached = known.single.takeReached(level);
    const confirmed = known.confirmed.takeReached(level);
    return confirmed.length === 0 ? reached : [...reached, ...confirmed];
  }

  /** Keeps a tick for the owners of its symbol that are behind. */
  keep(symbol: string, tick: Tick, position: number): void {
    const known = this.#symbols.get(symbol);
    if (known === undefined) return;
    known.given = undefined;
    known.positions.push(position);
    known.ticks.push(tick);
    this.#keptCount += 1;
  }

  /** Removes an owner; returns the ticks that it lacks. */
  leave(owner: number): readonly Tick[] {
    const left = this.#owners.get(owner);
    if (left === undefined) return [];
    const { symbol, position, classes } = left;
    this.#owners.delete(owner);
    classes.leave(owner);
    const ticks = ticksAfter(symbol, position);
    symbol.count -= 1;
    if (symbol.count > 0) return ticks;
    this.#symbols.delete(symbol.name);
    this.#keptCount -= symbol.ticks.length;
    return ticks;
  }

  /** Yields the owners that are behind now, in order, without owners that are removed before their turn. */
  owners(): Generator<number, void, undefined> {
    return this.#upTo(this.#lastNumber);
  }

  *#upTo(numberMax: number): Generator<number, void, undefined> {
    for (const [owner, { number }] of this.#owners) {
      if (number > numberMax) return;
      yield owner;
    }
  }

  /** Drops the ticks up to a number, which no owner lacks. */
  forgetUpTo(position: number): void {
    for (const symbol of this.#symbols.values()) {
      const index = indexAfter(symbol, position);
      this.#keptCount -= index;
      symbol.ticks = symbol.ticks.slice(index);
      symbol.positions = symbol.positions.slice(index);
      symbol.given = undefined;
    }
  }

  #begin(name: string): OfSymbol<Tick> {
    const symbol: OfSymbol<Tick> = {
      name,
      single: new RaiseClasses(this.#pool),
      confirmed: new RaiseClasses(this.#pool),
      // The price before is not known here: the first price counts alone.
      lastFloor: Number.POSITIVE_INFINITY,
      ...{ count: 0, ticks: [], positions: [], given: undefined },
    };
    this.#symbols.set(name, symbol);
    return symbol;
  }
}

function ticksAfter<Tick>(symbol: OfSymbol<Tick>, position: number): readonly Tick[] {
  const after = indexAfter(symbol, position);
  if (symbol.given?.after !== after) symbol.given = { after, ticks: symbol.ticks.slice(after) };
  return symbol.given.ticks;
}

/** Returns the index of the first kept tick after a number. */
function indexAfter({ positions }: Pick<OfSymbol<unknown>, "positions">, position: number): number {
  let low = 0;
  let end = positions.length;
  while (low < end) {
    const middle = (low + end) >>> 1;
    if ((positions[middle] ?? 0) > position) end = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the range of successive ticks of one symbol. */
export function rangeOf(prices: readonly Priced[]): PriceRange {
  let [floor, ceil, isCaughtUp] = [0, Number.POSITIVE_INFINITY, false];
  for (const one of prices) {
    const { price } = one;
    floor = Math.max(floor, price.floor);
    ceil = Math.min(ceil, price.ceil);
    isCaughtUp ||= one.isCaughtUp;
  }
  return { floor, ceil, prices, isCaughtUp };
}
