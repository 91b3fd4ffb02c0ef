/**
 * What the journal lately read from the store, absences included, or wrote to it.
 *
 * Owns: which pairs are kept. Does not own: whether they are true; its owner tells it of every change.
 *
 * Invariant: it holds at most about twice `VALUE_BYTES_MAX` of values, and `KEY_COUNT_MAX` keys in each half.
 *
 * What was touched last is touched again soon (a group that fired is settled a moment later), and a look-up in the store
 * costs more than the rest of a change. Two generations are cheaper than an order of use: what is found in the old one
 * moves to the young one, and the old one goes when the young one is full.
 */

const VALUE_BYTES_MAX = 16 * 1024 * 1024;
const KEY_COUNT_MAX = 65_536;

/** A value, or null where the store holds none. */
export type Known = Uint8Array | null;

export class RecentPairs {
  #young = new Map<string, Known>();
  #old = new Map<string, Known>();
  #youngBytes = 0;

  /** Undefined: nothing is known of the key. */
  get(key: string): Known | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** For keys that are not asked for again: what is kept here for nothing costs the collector of garbage time. */
  forget(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  set(key: string, value: Known): void {
    this.#young.set(key, value);
    this.#youngBytes += value?.byteLength ?? 0;
    if (this.#youngBytes <= VALUE_BYTES_MAX && this.#young.size <= KEY_COUNT_MAX) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}
