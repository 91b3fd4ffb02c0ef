/**
 * Verified tokens, so that a signature is checked once and not at every request.
 *
 * Invariants:
 * 1. Bounded: the least recently used one makes room.
 * 2. Holds no token: the key is its SHA-256.
 */
export class TokenCache<T> {
  readonly #entries = new Map<string, T>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The entry, and a new lease of life for it. */
  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(key: string, entry: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
