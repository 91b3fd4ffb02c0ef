/**
 * What was used lately, by key, up to a number of entries or whatever else their sizes are told in.
 *
 * Two halves: when the younger one is full the older one goes, whole. An order of all entries would cost a move at each
 * use, and the first key of a `Map` whose first keys were deleted is found only by walking over all that were.
 *
 * Invariants:
 * 1. The sizes together are never above `capacity`, where no entry is above half of it.
 * 2. Where none is deleted and each is of size 1, half as many as that, those used last, are there. A deletion may cost
 *    others their place.
 */
import { assert } from "../assert.ts";

export class LruCache<K, V> {
  readonly #halfCapacity: number;
  readonly #sizeOf: (entry: V) => number;
  #younger = new Map<K, V>();
  #older = new Map<K, V>();
  #youngerSize = 0;

  /** `capacity`: how much there may be, at least 2; `sizeOf` an entry, always the same for it. Default: 1 each. */
  constructor(capacity: number, sizeOf: (entry: V) => number = () => 1) {
    assert(Number.isInteger(capacity) && capacity >= 2, `not a capacity: ${capacity}`);
    this.#halfCapacity = Math.floor(capacity / 2);
    this.#sizeOf = sizeOf;
  }

  /** How many entries there are. */
  get size(): number {
    return this.#younger.size + this.#older.size;
  }

  /** The entry, and a new lease of life for it. */
  get(key: K): V | undefined {
    const young = this.#younger.get(key);
    if (young !== undefined) return young;
    const old = this.#older.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, entry: V): void {
    this.delete(key);
    const size = this.#sizeOf(entry);
    if (this.#youngerSize + size > this.#halfCapacity) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#youngerSize = 0;
    }
    this.#younger.set(key, entry);
    this.#youngerSize += size;
  }

  delete(key: K): void {
    const young = this.#younger.get(key);
    if (young === undefined) this.#older.delete(key);
    else {
      this.#younger.delete(key);
      this.#youngerSize -= this.#sizeOf(young);
    }
  }
}
