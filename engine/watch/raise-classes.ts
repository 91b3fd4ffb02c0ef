/**
 * Stop-losses of one symbol that follow one sequence of prices, in classes of an equal high.
 *
 * Owns: which of them a price can have reached. Does not own: the exact level of a stop-loss (its group), which prices
 * count. No clock, no I/O.
 *
 * Invariants:
 * 1. Highs fall from class to class, and no class is empty. The classes that a new high raises are at the end and become
 *    one class.
 * 2. `level` is an upper bound of the price that fires one of them: a distance is not rounded to the tick table here.
 * 3. An owner is in one class at most. A merge moves the owners of the smaller class, so that new highs move an owner at
 *    most as often as the size of its class doubles.
 */
import { assert } from "../../src/assert.ts";
import type { EntryPool } from "./entry-pool.ts";
import { OrderedEntries } from "./ordered-entries.ts";
import type { StopDistance } from "./raise-number.ts";

const BASIS_POINTS = 10_000;
const KEY_MAX = 2 ** 31 - 1;
/** A level that no price reaches. */
const NO_LEVEL = 0;
const NO_OWNERS: readonly number[] = [];
const NOWHERE = { append: (): void => undefined };

interface RaiseClass {
  high: number;
  readonly absolute: OrderedEntries;
  readonly percent: OrderedEntries;
  /** The highest level of this class and of those before it. */
  levelUpTo: number;
  /** The class that took the owners of this one. */
  mergedInto: RaiseClass | undefined;
}

interface Member extends StopDistance {
  readonly of: RaiseClass;
}

/** A set of stop-losses (owner, distance), each under the greatest price since it joined. */
export class RaiseClasses {
  readonly #pool: EntryPool;
  readonly #members = new Map<number, Member>();
  #classes: RaiseClass[] = [];

  /** The owners live in `pool`, whose keys are whole numbers of 32 bits. */
  constructor(pool: EntryPool) {
    this.#pool = pool;
  }

  /** The highest price, in hundredths, that can fire one of them; 0: none can. */
  get level(): number {
    return this.#classes.at(-1)?.levelUpTo ?? NO_LEVEL;
  }

  /** Adds an owner whose high is `high` (hundredths). */
  join(owner: number, stop: StopDistance, high: number): void {
    assert(!this.#members.has(owner), "an owner joins once");
    const index = this.#indexOf(high);
    let joined = this.#classes[index];
    if (joined?.high !== high) {
      joined = this.#classAt(high);
      this.#classes.splice(index, 0, joined);
    }
    this.#members.set(owner, { ...stop, of: joined });
    listOf(joined, stop).insert(stop.distance, owner, 0);
    this.#refreshFrom(index);
  }

  /** Removes an owner; false if it is not a member. */
  leave(owner: number): boolean {
    const member = this.#members.get(owner);
    if (member === undefined) return false;
    this.#members.delete(owner);
    const left = newest(member.of);
    listOf(left, member).remove(member.distance, owner, 0);
    const index = this.#indexOf(left.high);
    if (isEmpty(left)) this.#classes.splice(index, 1);
    this.#refreshFrom(index);
    return true;
  }

  /** Makes a price (hundredths) the high of every member with a lower one. */
  raise(price: number): void {
    let merged: RaiseClass | undefined;
    for (let last = this.#classes.at(-1); last !== undefined && last.high <= price; last = this.#classes.at(-1)) {
      if (merged === undefined && last.high === price) return;
      this.#classes.pop();
      merged = merged === undefined ? last : mergeClasses(merged, last);
    }
    if (merged === undefined) return;
    merged.high = price;
    this.#classes.push(merged);
    this.#refreshFrom(this.#classes.length - 1);
  }

  /** Removes and returns the members that a price of `ceil` hundredths can fire, in no order. */
  takeReached(ceil: number): readonly number[] {
    if (ceil > this.level) return NO_OWNERS;
    const reached: number[] = [];
    for (const { high, absolute, percent } of this.#classes) {
      takeWhile(absolute, (distance) => high - distance >= ceil, reached);
      takeWhile(percent, (basisPoints) => percentLevel(high, basisPoints) >= ceil, reached);
    }
    for (const owner of reached) this.#members.delete(owner);
    this.#classes = this.#classes.filter((one) => !isEmpty(one));
    this.#refreshFrom(0);
    return reached;
  }

  /** Returns the index of the first class whose high is not above `high`. */
  #indexOf(high: number): number {
    let low = 0;
    let end = this.#classes.length;
    while (low < end) {
      const middle = (low + end) >>> 1;
      if ((this.#classes[middle]?.high ?? 0) > high) low = middle + 1;
      else end = middle;
    }
    return low;
  }

  #classAt(high: number): RaiseClass {
    const [absolute, percent] = [new OrderedEntries(this.#pool), new OrderedEntries(this.#pool)];
    return { high, absolute, percent, levelUpTo: NO_LEVEL, mergedInto: undefined };
  }

  #refreshFrom(index: number): void {
    let level = this.#classes[index - 1]?.levelUpTo ?? NO_LEVEL;
    for (let place = index; place < this.#classes.length; place += 1) {
      const one = this.#classes[place];
      if (one === undefined) return;
      level = Math.max(level, levelOf(one));
      one.levelUpTo = level;
    }
  }
}

function listOf({ absolute, percent }: RaiseClass, { isPercent }: StopDistance): OrderedEntries {
  return isPercent ? percent : absolute;
}

function isEmpty({ absolute, percent }: RaiseClass): boolean {
  return absolute.size + percent.size === 0;
}

function levelOf({ high, absolute, percent }: RaiseClass): number {
  const distance = absolute.firstKey();
  const basisPoints = percent.firstKey();
  return Math.max(
    distance === undefined ? NO_LEVEL : high - distance,
    basisPoints === undefined ? NO_LEVEL : percentLevel(high, basisPoints),
  );
}

function takeWhile(list: OrderedEntries, isReached: (key: number) => boolean, into: number[]): void {
  for (let key = list.firstKey(); key !== undefined && isReached(key); key = list.firstKey()) {
    const first = list.popFirst();
    if (first !== undefined) into.push(first.owner);
  }
}

function percentLevel(high: number, basisPoints: number): number {
  return Math.floor((high * (BASIS_POINTS - basisPoints)) / BASIS_POINTS);
}

/** Moves the owners of the smaller class into the larger one, and returns that. */
function mergeClasses(left: RaiseClass, right: RaiseClass): RaiseClass {
  const isLeftLarger = left.absolute.size + left.percent.size >= right.absolute.size + right.percent.size;
  const [large, small] = isLeftLarger ? [left, right] : [right, left];
  for (const [to, from] of [
    [large.absolute, small.absolute],
    [large.percent, small.percent],
  ] as const) {
    for (const { key, owner } of from.entries()) to.insert(key, owner, 0);
    from.drainUpTo(KEY_MAX, NOWHERE);
  }
  small.mergedInto = large;
  return large;
}

/** Returns the class that has the owners of `first` now, and shortens the chain of merges that leads to it. */
function newest(first: RaiseClass): RaiseClass {
  let last = first;
  while (last.mergedInto !== undefined) last = last.mergedInto;
  for (let one = first; one !== last; ) {
    const next: RaiseClass = one.mergedInto ?? last;
    one.mergedInto = last;
    one = next;
  }
  return last;
}
