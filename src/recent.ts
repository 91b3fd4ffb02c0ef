/**
 * What was used lately, by key, up to a number of entries.
 *
 * Two halves: when the younger one is full the older one goes, whole. An order of all entries would cost a move at each
 * use, and the first key of a `Map` whose first keys were deleted is found only by walking over all that were.
 *
 * Invariants:
 * 1. Never more than `capacity` entries.
 * 2. Where none is deleted, half as many as that, those used last, are there. A deletion may cost others their place.
 */
import { assert } from "./assert.ts";

export class Recent<K, V> {
  readonly #halfCapacity: number;
  #younger = new Map<K, V>();
  #older = new Map<K, V>();

  /** `capacity`: how many entries there may be; at least 2. */
  constructor(capacity: number) {
    assert(Number.isInteger(capacity) && capacity >= 2, `not a capacity: ${capacity}`);
    this.#halfCapacity = Math.floor(capacity / 2);
  }

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
    this.#older.delete(key);
    if (this.#younger.size >= this.#halfCapacity && !this.#younger.has(key)) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, entry);
  }

  delete(key: K): void {
    this.#younger.delete(key);
    this.#older.delete(key);
  }
}
