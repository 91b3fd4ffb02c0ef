/**
 * What the journal lately read from the store, absences included, or wrote to it.
 *
 * Owns: which pairs are kept. Does not own: whether they are true; its owner tells it of every change.
 *
 * Invariants:
 * 1. It holds at most about twice `VALUE_BYTES_MAX` of values, and `KEY_COUNT_MAX` keys in each half.
 * 2. No small value holds on to memory outside the heap. Small buffers are cut from pools of 8 KiB: one that is kept keeps
 *    the pool, and what is kept for long is given back by full collections only, which stop the loop.
 *
 * What was touched last is touched again soon (a group that fired is settled a moment later), and a look-up in the store
 * costs more than the rest of a change. Two generations are cheaper than an order of use: what is found in the old one
 * moves to the young one, and the old one goes when the young one is full.
 */

const VALUE_BYTES_MAX = 16 * 1024 * 1024;
const KEY_COUNT_MAX = 65_536;

/** A value, or null where the store holds none. */
export type Known = Uint8Array | null;

/** One character a byte. */
type Kept = string | null;

export class RecentPairs {
  #young = new Map<string, Kept>();
  #old = new Map<string, Kept>();
  #youngBytes = 0;

  /** Undefined: nothing is known of the key. The bytes are a copy. */
  get(key: string): Known | undefined {
    let kept = this.#young.get(key);
    if (kept === undefined) {
      kept = this.#old.get(key);
      if (kept === undefined) return undefined;
      this.#keep(key, kept);
    }
    return kept === null ? null : Buffer.from(kept, "latin1");
  }

  /** For keys that are not asked for again: what is kept here for nothing costs the collector of garbage time. */
  forget(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  set(key: string, value: Known): void {
    this.#keep(key, value === null ? null : textOf(value));
  }

  #keep(key: string, kept: Kept): void {
    this.#young.set(key, kept);
    this.#youngBytes += kept?.length ?? 0;
    if (this.#youngBytes <= VALUE_BYTES_MAX && this.#young.size <= KEY_COUNT_MAX) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}

function textOf(value: Uint8Array): string {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return bytes.toString("latin1");
}
