/**
 * Owns: an ordered set of entries (key, owner, watch), kept as an ordered list of chunks (a tree of height two).
 * Does not own: what a key means; prices and times are their users' business.
 *
 * Invariants:
 * 1. Entries ascend by (key, owner, watch), inside a chunk and from chunk to chunk; no entry is held twice.
 * 2. No chunk is empty, and none holds more than `chunkEntriesMax` entries.
 * 3. `firstKeys[i]` is the key of the first entry of chunk i: a search looks into a chunk only where keys are equal.
 * 4. Removal is immediate, there are no marks for the dead: a chunk under a quarter joins a neighbour when both fit
 *    into half a chunk, so memory follows the number of entries down as well as up.
 */
import { assert } from "../../src/assert.ts";
import { EntryChunk, type EntryFormat, type EntrySink } from "./entry-chunk.ts";

export type Entry = { readonly key: number; readonly owner: number; readonly watch: number };

const CHUNK_ENTRIES_MAX = 512;
const UINT16_MAX = 0xffff;
const UINT32_MAX = 0xffff_ffff;
/** What a list takes without any chunk (measured on Node 20). */
const LIST_OVERHEAD_BYTES = 500;
/** A slot of the chunk list itself. */
const CHUNK_REFERENCE_BYTES = 8;

/** An ordered set of (key, owner, watch), small when it holds little and fast when it holds millions. */
export class OrderedEntries {
  readonly #format: EntryFormat;
  readonly #chunkEntriesMax: number;
  readonly #chunks: EntryChunk[] = [];
  #firstKeys: Int32Array | Float64Array;
  #size = 0;
  #chunkBytes = 0;

  /** `chunkEntriesMax` is for tests that want many chunks from few entries. */
  constructor(format: EntryFormat, chunkEntriesMax = CHUNK_ENTRIES_MAX) {
    assert(Number.isInteger(chunkEntriesMax) && chunkEntriesMax >= 4, "a chunk holds at least four entries");
    this.#format = format;
    this.#chunkEntriesMax = chunkEntriesMax;
    this.#firstKeys = this.#newKeys(1);
  }

  /** Number of entries. */
  get size(): number {
    return this.#size;
  }

  /** Memory taken, in bytes: every slot, used or not, and what chunks and list take themselves. */
  get bytes(): number {
    const directoryBytes = this.#firstKeys.byteLength + this.#chunks.length * CHUNK_REFERENCE_BYTES;
    return LIST_OVERHEAD_BYTES + directoryBytes + this.#chunkBytes;
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
    return this.#size === 0 ? undefined : this.#firstKeys[0];
  }

  /** The highest key, or undefined when empty. */
  lastKey(): number | undefined {
    if (this.#size === 0) return undefined;
    const chunk = this.#chunk(this.#chunks.length - 1);
    return chunk.keyAt(chunk.size - 1);
  }

  /** Removes the first entry and returns it; undefined when empty. */
  popFirst(): Entry | undefined {
    return this.#size === 0 ? undefined : this.#pop(0, 0);
  }

  /** Removes the last entry and returns it; undefined when empty. */
  popLast(): Entry | undefined {
    if (this.#size === 0) return undefined;
    const index = this.#chunks.length - 1;
    return this.#pop(index, this.#chunk(index).size - 1);
  }

  /** Removes every entry with a key of at most `keyMax`, in order, into `into`; returns how many there were. */
  drainUpTo(keyMax: number, into: EntrySink): number {
    const sizeBefore = this.#size;
    let wholeChunks = 0;
    let reachedInLast = 0;
    for (; wholeChunks < this.#chunks.length; wholeChunks += 1) {
      const chunk = this.#chunk(wholeChunks);
      reachedInLast = 0;
      while (reachedInLast < chunk.size && chunk.keyAt(reachedInLast) <= keyMax) reachedInLast += 1;
      chunk.copyInto(reachedInLast, into);
      if (reachedInLast < chunk.size) break;
    }
    const partial = wholeChunks < this.#chunks.length && reachedInLast > 0;
    if (wholeChunks > 0) this.#dropChunks(0, wholeChunks);
    if (partial) this.#removeFrom(0, 0, reachedInLast);
    return sizeBefore - this.#size;
  }

  /** Every entry in order. Not to be changed meanwhile. */
  *entries(): Generator<Entry, void, undefined> {
    for (const chunk of this.#chunks) {
      for (let slot = 0; slot < chunk.size; slot += 1) {
        yield { key: chunk.keyAt(slot), owner: chunk.ownerAt(slot), watch: chunk.watchAt(slot) };
      }
    }
  }

  #assertStorable(key: number, owner: number, watch: number): void {
    const keyFits = this.#format.keys === "int32" ? (key | 0) === key : Number.isFinite(key);
    assert(keyFits, "a key fits its column");
    assert(Number.isSafeInteger(owner) && owner >= 0, "an owner is a whole number from 0 to 2^53 - 1");
    const watchMax = this.#format.watches === "uint16" ? UINT16_MAX : UINT32_MAX;
    assert(Number.isInteger(watch) && watch >= 0 && watch <= watchMax, "a watch number fits its column");
  }

  #newKeys(length: number): Int32Array | Float64Array {
    return this.#format.keys === "int32" ? new Int32Array(length) : new Float64Array(length);
  }

  #chunk(index: number): EntryChunk {
    const chunk = this.#chunks[index];
    assert(chunk !== undefined, "a chunk index lies inside the list");
    return chunk;
  }

  #chunkOf(key: number, owner: number, watch: number): EntryChunk {
    const chunk = new EntryChunk(this.#format, 1);
    chunk.insertAt(0, key, owner, watch);
    this.#size += 1;
    return chunk;
  }

  /** The last chunk whose first entry is not after the given one; the first chunk when there is none. */
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
      const bytesBefore = chunk.bytes;
      const upper = chunk.split();
      this.#chunkBytes += chunk.bytes - bytesBefore;
      this.#addChunk(index + 1, upper);
      if (slot > chunk.size) this.#insertInto(index + 1, slot - chunk.size, key, owner, watch);
      else this.#insertInto(index, slot, key, owner, watch);
    }
  }

  #insertInto(index: number, slot: number, key: number, owner: number, watch: number): void {
    const chunk = this.#chunk(index);
    const bytesBefore = chunk.bytes;
    chunk.insertAt(slot, key, owner, watch);
    this.#chunkBytes += chunk.bytes - bytesBefore;
    this.#size += 1;
    if (slot === 0) this.#firstKeys[index] = key;
  }

  #pop(index: number, slot: number): Entry {
    const chunk = this.#chunk(index);
    const entry = { key: chunk.keyAt(slot), owner: chunk.ownerAt(slot), watch: chunk.watchAt(slot) };
    this.#removeFrom(index, slot, 1);
    return entry;
  }

  #removeFrom(index: number, slot: number, count: number): void {
    const chunk = this.#chunk(index);
    if (count === chunk.size) {
      this.#dropChunks(index, 1);
      return;
    }
    const bytesBefore = chunk.bytes;
    chunk.removeAt(slot, count);
    this.#chunkBytes += chunk.bytes - bytesBefore;
    this.#size -= count;
    if (slot === 0) this.#firstKeys[index] = chunk.keyAt(0);
    if (chunk.size * 4 < this.#chunkEntriesMax && this.#chunks.length > 1) this.#joinNeighbour(index);
  }

  #joinNeighbour(index: number): void {
    const roomy = this.#chunkEntriesMax >>> 1;
    const size = this.#chunk(index).size;
    if (index > 0 && this.#chunk(index - 1).size + size <= roomy) this.#join(index - 1);
    else if (index + 1 < this.#chunks.length && this.#chunk(index + 1).size + size <= roomy) this.#join(index);
  }

  /** Puts the entries of chunk `index + 1` behind those of chunk `index`. */
  #join(index: number): void {
    const earlier = this.#chunk(index);
    const later = this.#chunk(index + 1);
    const bytesBefore = earlier.bytes;
    earlier.absorb(later);
    this.#chunkBytes += earlier.bytes - bytesBefore;
    this.#size += later.size;
    this.#dropChunks(index + 1, 1);
  }

  #addChunk(index: number, chunk: EntryChunk): void {
    const count = this.#chunks.length;
    if (count === this.#firstKeys.length) this.#resizeFirstKeys(count * 2);
    this.#firstKeys.copyWithin(index + 1, index, count);
    this.#firstKeys[index] = chunk.keyAt(0);
    this.#chunks.splice(index, 0, chunk);
    this.#chunkBytes += chunk.bytes;
  }

  /** Forgets chunks and the entries in them. */
  #dropChunks(index: number, count: number): void {
    for (const chunk of this.#chunks.splice(index, count)) {
      this.#chunkBytes -= chunk.bytes;
      this.#size -= chunk.size;
    }
    this.#firstKeys.copyWithin(index, index + count, this.#chunks.length + count);
    const room = this.#firstKeys.length;
    if (room > 1 && this.#chunks.length * 4 <= room) this.#resizeFirstKeys(room >>> 1);
  }

  #resizeFirstKeys(length: number): void {
    const keys = this.#newKeys(length);
    keys.set(this.#firstKeys.subarray(0, Math.min(length, this.#chunks.length)));
    this.#firstKeys = keys;
  }
}
