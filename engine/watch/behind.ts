/**
 * Owners of stop-losses that trail and that prices did no more than raise: they are given those prices later, all at once.
 *
 * Owns: who is behind, the ticks that each was not given, and which tick they may not wait beyond. Does not own: when
 * they are given them (`tick-walk.ts`), what a tick does to them.
 *
 * Invariants:
 * 1. An owner that is behind is named by `pass` for the first tick that may fire its stop-loss where the ticks before it
 *    put that. One may be named that is not fired; none is missed.
 * 2. Of a symbol that somebody is behind on every tick is kept until nobody lacks it.
 */
import { assert } from "../../src/assert.ts";
import { EntryPool } from "./entry-pool.ts";
import { RaiseClasses } from "./raise-classes.ts";
import { distanceOf } from "./raise-number.ts";

/** Prices of one symbol that follow each other, in hundredths. */
export interface PriceRange {
  /** The highest one, rounded down. */
  readonly floor: number;
  /** The lowest one, rounded up. */
  readonly ceil: number;
  /** The last one, rounded down. */
  readonly lastFloor: number;
  /** The highest of the lower ones of two in a row; the first one counts with the one before. */
  readonly pairFloor: (before: number) => number;
  /** True: prices that were missed are among them. They wait for no round: whether one counts is judged while they come. */
  readonly isCaughtUp: boolean;
}

interface OfSymbol<Tick> {
  readonly name: string;
  /** By how many prices make a high. */
  readonly single: RaiseClasses;
  readonly confirmed: RaiseClasses;
  lastFloor: number;
  count: number;
  /** The ticks that an owner lacks, and their numbers, which rise. */
  ticks: Tick[];
  positions: number[];
  /** What was given last: many owners lack the same. */
  given: { readonly after: number; readonly ticks: readonly Tick[] } | undefined;
}

interface Owner<Tick> {
  readonly symbol: OfSymbol<Tick>;
  /** The number of the last tick that it was given. */
  readonly position: number;
  /** Owners are numbered as they come. */
  readonly number: number;
  readonly classes: RaiseClasses;
}

/** Owners that are behind, in the order in which they came to be. */
export class Behind<Tick> {
  readonly #pool = new EntryPool({ keys: "int32", watches: "uint16" });
  readonly #symbols = new Map<string, OfSymbol<Tick>>();
  readonly #owners = new Map<number, Owner<Tick>>();
  #lastNumber = 0;

  /** How many owners are behind. */
  get size(): number {
    return this.#owners.size;
  }

  has(owner: number): boolean {
    return this.#owners.has(owner);
  }

  /** Whether an owner lacks ticks of the symbol. */
  lacks(symbol: string): boolean {
    return this.#symbols.has(symbol);
  }

  /**
   * An owner comes to be behind from the tick after `position` on. `raise`: the number of its raise in the watchbook;
   * `floor`: the highest price that raised it.
   */
  join(owner: number, symbol: string, raise: number, position: number, floor: number): void {
    assert(!this.#owners.has(owner), "an owner comes to be behind once");
    const known = this.#symbols.get(symbol) ?? this.#begin(symbol);
    const stop = distanceOf(raise);
    const classes = stop.isConfirmed ? known.confirmed : known.single;
    classes.join(owner, stop, floor);
    known.count += 1;
    this.#lastNumber += 1;
    this.#owners.set(owner, { symbol: known, position, number: this.#lastNumber, classes });
  }

  /** Prices pass: returns those that may be fired by one of them, or wait no longer. They are behind still. */
  pass(symbol: string, { floor, ceil, lastFloor, pairFloor, isCaughtUp }: PriceRange): readonly number[] {
    const known = this.#symbols.get(symbol);
    if (known === undefined) return [];
    known.single.raise(floor);
    known.confirmed.raise(pairFloor(known.lastFloor));
    known.lastFloor = lastFloor;
    const level = isCaughtUp ? Number.NEGATIVE_INFINITY : ceil;
    const reached = known.single.takeReached(level);
    const confirmed = known.confirmed.takeReached(level);
    return confirmed.length === 0 ? reached : [...reached, ...confirmed];
  }

  /** Keeps a tick of a symbol for those who lack it; returns how many are kept of it. */
  keep(symbol: string, tick: Tick, position: number): number {
    const known = this.#symbols.get(symbol);
    if (known === undefined) return 0;
    known.given = undefined;
    known.positions.push(position);
    return known.ticks.push(tick);
  }

  /** An owner is behind no more; returns the ticks that it lacks. */
  leave(owner: number): readonly Tick[] {
    const left = this.#owners.get(owner);
    if (left === undefined) return [];
    const { symbol, position, classes } = left;
    this.#owners.delete(owner);
    classes.leave(owner);
    const ticks = ticksAfter(symbol, position);
    symbol.count -= 1;
    if (symbol.count === 0) this.#symbols.delete(symbol.name);
    return ticks;
  }

  /** Those who are behind now, as they came, but for those who are so no more when it is their turn. */
  owners(): Generator<number, void, undefined> {
    return this.#upTo(this.#lastNumber);
  }

  *#upTo(numberMax: number): Generator<number, void, undefined> {
    for (const [owner, { number }] of this.#owners) {
      if (number > numberMax) return;
      yield owner;
    }
  }

  /** Nobody lacks a tick up to this one: they are kept no longer. */
  forgetUpTo(position: number): void {
    for (const symbol of this.#symbols.values()) {
      const index = indexAfter(symbol, position);
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
      // Which price came before is not known here: the first one counts alone.
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

/** The place of the first tick that comes after a number. */
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
