/**
 * LRU cache of two generations with a bounded total size.
 *
 * When the younger generation is full the older one is dropped, whole. An order of all entries would cost a move per
 * use, and the first key of a `Map` whose first keys were deleted is found only by walking over all deleted ones.
 *
 * Invariants:
 * 1. The sizes together are never above `capacity`, if no entry is above half of it.
 * 2. If none is deleted and each has size 1, the half of that number that was used last is present. A deletion may
 *    displace others.
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
    const young = this.#younger.get(key);
    if (young === undefined) this.#older.delete(key);
    else this.#youngerSize -= this.#sizeOf(young);
    const size = this.#sizeOf(entry);
    if (this.#youngerSize + size > this.#halfCapacity) {
      this.#younger.delete(key);
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
