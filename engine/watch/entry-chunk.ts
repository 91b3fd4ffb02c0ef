/**
 * Owns: one run of ordered entries (key, owner, watch) in one block of a pool, and the moves inside it.
 * Does not own: the memory of the block: see entry-pool.ts; which chunk an entry belongs in, and when chunks split or
 * join: see ordered-entries.ts.
 *
 * Invariants:
 * 1. Slots 0..size-1 are strictly ascending by (key, owner, watch); the slots behind them are unused.
 * 2. A chunk always has a block, until it is released; it is then empty and not to be used again.
 * 3. The block changes when it is full, and when at most three eighths of it are in use: a smaller one then keeps a
 *    quarter free, so that many inexpensive changes follow a change of block.
 * 4. Giving a block back can move any other chunk's block: `slab` and `start` are read again after that.
 */
import { assert } from "../../src/assert.ts";
import type { BlockHolder, EntryPool, EntrySlab } from "./entry-pool.ts";

/** Something that takes the owner and watch of removed entries, in order. */
export type EntrySink = { append(owner: number, watch: number): void };

/** What a chunk takes without its block (measured on Node 20). */
export const CHUNK_BYTES = 56;

/** One ordered run of entries. */
export class EntryChunk implements BlockHolder {
  /** Where its block is; the pool's to change. */
  slab: EntrySlab;
  start = 0;
  size = 0;

  constructor(pool: EntryPool, entriesExpected: number) {
    this.slab = pool.stackFor(entriesExpected).take(this);
  }

  keyAt(slot: number): number {
    return this.slab.keys[this.start + slot] ?? 0;
  }

  ownerAt(slot: number): number {
    return this.slab.owners[this.start + slot] ?? 0;
  }

  watchAt(slot: number): number {
    return this.slab.watches[this.start + slot] ?? 0;
  }

  /** Negative, zero or positive: how the entry in `slot` orders against the given one. */
  compareAt(slot: number, key: number, owner: number, watch: number): number {
    const { slab, start } = this;
    const keyHere = slab.keys[start + slot] ?? 0;
    if (keyHere !== key) return keyHere < key ? -1 : 1;
    const ownerHere = slab.owners[start + slot] ?? 0;
    if (ownerHere !== owner) return ownerHere < owner ? -1 : 1;
    return (slab.watches[start + slot] ?? 0) - watch;
  }

  /** The first slot whose entry is not before the given one; `size` when all are. */
  lowerBound(key: number, owner: number, watch: number): number {
    const { keys, owners, watches } = this.slab;
    let low = this.start;
    let high = low + this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const keyHere = keys[middle] ?? 0;
      let isBefore = keyHere < key;
      if (keyHere === key) {
        const ownerHere = owners[middle] ?? 0;
        isBefore = ownerHere === owner ? (watches[middle] ?? 0) < watch : ownerHere < owner;
      }
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low - this.start;
  }

  /** Whether `slot` is in use and holds exactly this entry. */
  holdsAt(slot: number, key: number, owner: number, watch: number): boolean {
    return slot < this.size && this.compareAt(slot, key, owner, watch) === 0;
  }

  /** Puts an entry into `slot`, moving the later ones up. The caller keeps the order, and to the largest block. */
  insertAt(slot: number, key: number, owner: number, watch: number): void {
    if (this.size === this.slab.stack.blockSlots) this.#changeBlock(this.size + 1);
    const at = this.start + slot;
    this.slab.moveUp(at, this.start + this.size);
    this.slab.keys[at] = key;
    this.slab.owners[at] = owner;
    this.slab.watches[at] = watch;
    this.size += 1;
  }

  /** Takes `count` entries out from `slot` on, moving the later ones down. */
  removeAt(slot: number, count: number): void {
    assert(slot + count <= this.size, "entries to remove lie inside the chunk");
    const { slab, start } = this;
    slab.moveDown(start + slot, start + slot + count, start + this.size);
    this.size -= count;
    if (this.size <= slab.stack.shrinksAt) this.#changeBlock(Math.ceil((this.size * 4) / 3));
  }

  /** Moves the upper half into a new chunk and returns it. */
  split(): EntryChunk {
    const kept = this.size >>> 1;
    const moved = this.size - kept;
    const upper = new EntryChunk(this.slab.stack.pool, moved + 1);
    upper.#append(this, kept, moved);
    this.size = kept;
    this.#changeBlock(kept + 1);
    return upper;
  }

  /** Appends every entry of `later`, all of which order after those here. */
  absorb(later: EntryChunk): void {
    const total = this.size + later.size;
    if (total > this.slab.stack.blockSlots) this.#changeBlock(total);
    this.#append(later, 0, later.size);
  }

  /** How many of its first entries have a key of at most `keyMax`. */
  countUpTo(keyMax: number): number {
    const { start, size } = this;
    const { keys } = this.slab;
    if ((keys[start + size - 1] ?? 0) <= keyMax) return size;
    let at = start;
    while ((keys[at] ?? 0) <= keyMax) at += 1;
    return at - start;
  }

  /** Appends owner and watch of the first `count` entries to `into`. */
  copyInto(count: number, into: EntrySink): void {
    const { owners, watches } = this.slab;
    const end = this.start + count;
    for (let at = this.start; at < end; at += 1) into.append(owners[at] ?? 0, watches[at] ?? 0);
  }

  /** Gives the block back. */
  release(): void {
    this.size = 0;
    this.slab.stack.giveBack(this, this.slab, this.start);
  }

  #append(other: EntryChunk, from: number, count: number): void {
    this.slab.copyFrom(other.slab, other.start + from, this.start + this.size, count);
    this.size += count;
  }

  /** Moves into a block of the smallest size that holds `slots`. */
  #changeBlock(slots: number): void {
    const { slab, start } = this;
    const stack = slab.stack.pool.stackFor(slots);
    if (stack === slab.stack) return;
    this.slab = stack.take(this);
    this.slab.copyFrom(slab, start, this.start, this.size);
    slab.stack.giveBack(this, slab, start);
  }
}
