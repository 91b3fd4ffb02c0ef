/**
 * Verified tokens, so that a signature is checked once and not at every request.
 *
 * Invariants:
 * 1. Bounded: two halves, and when the younger one is full the older one goes. What was used lately stays, and a use
 *    costs one look-up: an order of all entries would have to be kept at each.
 * 2. Holds no token: the key is its SHA-256.
 */
export class TokenCache<T> {
  readonly #halfCapacity: number;
  #younger = new Map<string, T>();
  #older = new Map<string, T>();

  /** `capacity`: how many entries there may be; at least half as many of those used last are there. */
  constructor(capacity: number) {
    this.#halfCapacity = Math.max(1, Math.floor(capacity / 2));
  }

  get size(): number {
    return this.#younger.size + this.#older.size;
  }

  /** The entry, and a new lease of life for it. */
  get(key: string): T | undefined {
    const young = this.#younger.get(key);
    if (young !== undefined) return young;
    const old = this.#older.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, entry: T): void {
    this.#older.delete(key);
    if (this.#younger.size >= this.#halfCapacity && !this.#younger.has(key)) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, entry);
  }

  delete(key: string): void {
    this.#younger.delete(key);
    this.#older.delete(key);
  }
}
