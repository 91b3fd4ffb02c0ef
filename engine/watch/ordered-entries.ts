/**
 * Owns: an ordered set of entries (key, owner, watch), kept as an ordered list of chunks (a tree of height two).
 * Does not own: what a key means; prices and times are their users' business. The slots, which come from a pool that
 * other lists draw on as well: see entry-pool.ts.
 *
 * Invariants:
 * 1. Entries ascend by (key, owner, watch), inside a chunk and from chunk to chunk; no entry is held twice.
 * 2. No chunk is empty, and none holds more than `chunkEntriesMax` entries.
 * 3. From the second chunk on `firstKeys[i]` is the key of the first entry of chunk i: a search reads a chunk only if
 *    keys are equal. A list of one chunk has no first keys, and none are read.
 * 4. Removal is immediate, there are no marks for the dead: a chunk under a quarter joins a neighbour when both fit
 *    into half a chunk, so memory follows the number of entries down as well as up.
 */
import { assert } from "../../src/assert.ts";
import { CHUNK_BYTES, EntryChunk, type EntrySink } from "./entry-chunk.ts";
import { BLOCK_SLOTS_MAX, type EntryPool, newKeys } from "./entry-pool.ts";

export type Entry = { readonly key: number; readonly owner: number; readonly watch: number };

const UINT16_MAX = 0xffff;
const UINT32_MAX = 0xffff_ffff;
/** What a list takes without any chunk (measured on Node 20). */
const LIST_OVERHEAD_BYTES = 130;
/** A slot of the chunk list itself, with a share of the room that it keeps. */
const CHUNK_REFERENCE_BYTES = 12;
const FIRST_KEYS_MIN = 4;
/** What a list of at most one chunk has in place of first keys, shared by all. */
const NO_KEYS = { int32: new Int32Array(0), float64: new Float64Array(0) };

/** An ordered set of (key, owner, watch), small when it holds little and fast when it holds millions. */
export class OrderedEntries {
  readonly #pool: EntryPool;
  readonly #chunkEntriesMax: number;
  #chunks: EntryChunk[] = [];
  #firstKeys: Int32Array | Float64Array;
  #size = 0;

  /** The entries live in `pool`. `chunkEntriesMax` is for tests that want many chunks from few entries. */
  constructor(pool: EntryPool, chunkEntriesMax = BLOCK_SLOTS_MAX) {
    const isPossible = Number.isInteger(chunkEntriesMax) && chunkEntriesMax >= 4 && chunkEntriesMax <= BLOCK_SLOTS_MAX;
    assert(isPossible, "a chunk holds at least four entries and at most the largest block");
    this.#pool = pool;
    this.#chunkEntriesMax = chunkEntriesMax;
    this.#firstKeys = NO_KEYS[pool.format.keys];
  }

  /** Number of entries. */
  get size(): number {
    return this.#size;
  }

  /** Memory taken in addition to the pool's, in bytes. */
  get bytes(): number {
    const chunksBytes = this.#chunks.length * (CHUNK_BYTES + CHUNK_REFERENCE_BYTES);
    return LIST_OVERHEAD_BYTES + this.#firstKeys.byteLength + chunksBytes;
  }

  /** Adds an entry; false, and nothing changes, when it is held already. */
  insert(key: number, owner: number, watch: number): boolean {
    this.#assertStorable(key, owner, watch);
    if (this.#chunks.length === 0) {
      this.#addChunk(0, this.#chunkOf(key, owner, watch));
      return true;
    }
    const index = this.#locate(key, owner, watch);
    const chunk = this.#chunk(index);
    const slot = chunk.lowerBound(key, owner, watch);
    if (chunk.holdsAt(slot, key, owner, watch)) return false;
    if (chunk.size === this.#chunkEntriesMax) this.#insertIntoFull(index, slot, key, owner, watch);
    else this.#insertInto(index, slot, key, owner, watch);
    return true;
  }

  /** Removes an entry; false when it is not held. */
  remove(key: number, owner: number, watch: number): boolean {
    if (this.#chunks.length === 0) return false;
    const index = this.#locate(key, owner, watch);
    const chunk = this.#chunk(index);
    const slot = chunk.lowerBound(key, owner, watch);
    if (!chunk.holdsAt(slot, key, owner, watch)) return false;
    this.#removeFrom(index, slot, 1);
    return true;
  }

  /** The lowest key, or undefined when empty. */
  firstKey(): number | undefined {
    return this.#size === 0 ? undefined : this.#chunk(0).keyAt(0);
  }

  /** Removes the first entry and returns it; undefined when empty. */
  popFirst(): Entry | undefined {
    if (this.#size === 0) return undefined;
    const chunk = this.#chunk(0);
    const first = { key: chunk.keyAt(0), owner: chunk.ownerAt(0), watch: chunk.watchAt(0) };
    this.#removeFrom(0, 0, 1);
    return first;
  }

  /** Removes every entry with a key of at most `keyMax`, in order, into `into`; returns how many there were. */
  drainUpTo(keyMax: number, into: EntrySink): number {
    const sizeBefore = this.#size;
    let wholeChunks = 0;
    let reachedInLast = 0;
    for (; wholeChunks < this.#chunks.length; wholeChunks += 1) {
      const chunk = this.#chunk(wholeChunks);
      reachedInLast = chunk.countUpTo(keyMax);
      chunk.copyInto(reachedInLast, into);
      if (reachedInLast < chunk.size) break;
    }
    const partial = wholeChunks < this.#chunks.length && reachedInLast > 0;
    if (wholeChunks > 0) this.#dropChunks(0, wholeChunks);
    if (partial) this.#removeFrom(0, 0, reachedInLast);
    return sizeBefore - this.#size;
  }

  /** Yields every entry in order. The set must not change during the walk. */
  *entries(): Generator<Entry, void, undefined> {
    for (const chunk of this.#chunks) {
      for (let slot = 0; slot < chunk.size; slot += 1) {
        yield { key: chunk.keyAt(slot), owner: chunk.ownerAt(slot), watch: chunk.watchAt(slot) };
      }
    }
  }

  #assertStorable(key: number, owner: number, watch: number): void {
    const keyFits = this.#pool.format.keys === "int32" ? (key | 0) === key : Number.isFinite(key);
    assert(keyFits, "a key fits its column");
    assert(Number.isSafeInteger(owner) && owner >= 0, "an owner is a whole number from 0 to 2^53 - 1");
    const watchMax = this.#pool.format.watches === "uint16" ? UINT16_MAX : UINT32_MAX;
    assert(Number.isInteger(watch) && watch >= 0 && watch <= watchMax, "a watch number fits its column");
  }

  #chunk(index: number): EntryChunk {
    const chunk = this.#chunks[index];
    assert(chunk !== undefined, "a chunk index lies inside the list");
    return chunk;
  }

  #chunkOf(key: number, owner: number, watch: number): EntryChunk {
    const chunk = new EntryChunk(this.#pool, 1);
    chunk.insertAt(0, key, owner, watch);
    this.#size += 1;
    return chunk;
  }

  /** The last chunk whose first entry is not after the given one; the first chunk if all are. */
  #locate(key: number, owner: number, watch: number): number {
    let low = 1;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const firstKey = this.#firstKeys[middle] ?? 0;
      const isAfter = firstKey === key ? this.#chunk(middle).compareAt(0, key, owner, watch) > 0 : firstKey > key;
      if (isAfter) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  /** Past either end of the list a new chunk starts, so that ascending or descending inserts leave full chunks. */
  #insertIntoFull(index: number, slot: number, key: number, owner: number, watch: number): void {
    const chunk = this.#chunk(index);
    if (slot === chunk.size && index === this.#chunks.length - 1) {
      this.#addChunk(index + 1, this.#chunkOf(key, owner, watch));
    } else if (slot === 0) {
      this.#addChunk(index, this.#chunkOf(key, owner, watch));
    } else {
      this.#addChunk(index + 1, chunk.split());
      if (slot > chunk.size) this.#insertInto(index + 1, slot - chunk.size, key, owner, watch);
      else this.#insertInto(index, slot, key, owner, watch);
    }
  }

  #insertInto(index: number, slot: number, key: number, owner: number, watch: number): void {
    this.#chunk(index).insertAt(slot, key, owner, watch);
    this.#size += 1;
    if (slot === 0 && this.#chunks.length > 1) this.#firstKeys[index] = key;
  }

  #removeFrom(index: number, slot: number, count: number): void {
    const chunk = this.#chunk(index);
    if (count === chunk.size) {
      this.#dropChunks(index, 1);
      return;
    }
    chunk.removeAt(slot, count);
    this.#size -= count;
    if (this.#chunks.length === 1) return;
    if (slot === 0) this.#firstKeys[index] = chunk.keyAt(0);
    if (chunk.size * 4 < this.#chunkEntriesMax) this.#joinNeighbour(index);
  }

  #joinNeighbour(index: number): void {
    const roomy = this.#chunkEntriesMax >>> 1;
    const size = this.#chunk(index).size;
    if (index > 0 && this.#chunk(index - 1).size + size <= roomy) this.#join(index - 1);
    else if (index + 1 < this.#chunks.length && this.#chunk(index + 1).size + size <= roomy) this.#join(index);
  }

  /** Appends the entries of chunk `index + 1` to chunk `index`. */
  #join(index: number): void {
    const later = this.#chunk(index + 1);
    this.#chunk(index).absorb(later);
    this.#size += later.size;
    this.#dropChunks(index + 1, 1);
  }

  #addChunk(index: number, chunk: EntryChunk): void {
    const count = this.#chunks.length;
    if (count === 0) {
      // Not `push`, which would make room for sixteen more.
      this.#chunks = [chunk];
      return;
    }
    if (count + 1 > this.#firstKeys.length) this.#resizeFirstKeys(Math.max(count * 2, FIRST_KEYS_MIN));
    if (count === 1) this.#firstKeys[0] = this.#chunk(0).keyAt(0);
    this.#firstKeys.copyWithin(index + 1, index, count);
    this.#firstKeys[index] = chunk.keyAt(0);
    this.#chunks.splice(index, 0, chunk);
  }

  /** Forgets chunks and the entries in them. */
  #dropChunks(index: number, count: number): void {
    for (const chunk of this.#chunks.splice(index, count)) {
      this.#size -= chunk.size;
      chunk.release();
    }
    const left = this.#chunks.length;
    if (left <= 1) {
      this.#firstKeys = NO_KEYS[this.#pool.format.keys];
      return;
    }
    this.#firstKeys.copyWithin(index, index + count, left + count);
    const room = this.#firstKeys.length;
    if (room > FIRST_KEYS_MIN && left * 4 <= room) this.#resizeFirstKeys(room >>> 1);
  }

  #resizeFirstKeys(length: number): void {
    const keys = newKeys(this.#pool.format, length);
    keys.set(this.#firstKeys.subarray(0, Math.min(length, this.#chunks.length)));
    this.#firstKeys = keys;
  }
}
