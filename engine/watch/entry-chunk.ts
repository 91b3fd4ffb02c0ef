/**
 * Owns: the memory of one run of ordered entries (key, owner, watch), and the moves inside it.
 * Does not own: which chunk an entry belongs in, and when chunks split or join: see ordered-entries.ts.
 *
 * Invariants:
 * 1. Slots 0..size-1 are strictly ascending by (key, owner, watch); the slots behind them are unused.
 * 2. The three columns are views of one buffer of `capacity` slots: one allocation a chunk, and no objects a row.
 * 3. After a grow, shrink or split the capacity is the smallest step that holds the entries and some room, so that
 *    a step is followed by many cheap changes before the next one.
 *
 * Reads end in `?? 0` because the compiler cannot see that an index lies inside; the optimiser drops the branch.
 */
import { assert } from "../../src/assert.ts";

/** How a list stores its numbers. Keys: prices fit in 32 bits, times do not. */
export type EntryFormat = {
  readonly keys: "int32" | "float64";
  readonly watches: "uint16" | "uint32";
};

/** Something that takes the owner and watch of removed entries, in order. */
export type EntrySink = { append(owner: number, watch: number): void };

const CAPACITY_MIN = 4;
const DOUBLING_CAPACITY_MAX = 64;
const CAPACITY_STEP = 64;
/** Below this many moved slots a plain loop beats the call of `copyWithin`. */
const LOOP_MOVE_MAX = 48;
const OWNER_BYTES = 8;
/** What a chunk takes beside its slots: its buffer, three views and itself (measured on Node 20). */
const CHUNK_OVERHEAD_BYTES = 450;
/** What a chunk holds until its first allocation, shared by all. */
const NO_KEYS = new Int32Array(0);
const NO_OWNERS = new Float64Array(0);
const NO_WATCHES = new Uint16Array(0);

function capacityFor(entries: number): number {
  let capacity = CAPACITY_MIN;
  while (capacity < entries && capacity < DOUBLING_CAPACITY_MAX) capacity *= 2;
  return capacity >= entries ? capacity : Math.ceil(entries / CAPACITY_STEP) * CAPACITY_STEP;
}

/** Bytes of one slot in the given format. */
function slotBytes(format: EntryFormat): number {
  return OWNER_BYTES + (format.keys === "int32" ? 4 : 8) + (format.watches === "uint16" ? 2 : 4);
}

/** Moves `count` slots of one column from `source` to `target`; the ranges may overlap. */
function moveSlots(
  column: Int32Array | Float64Array | Uint16Array | Uint32Array,
  target: number,
  source: number,
  count: number,
): void {
  if (count > LOOP_MOVE_MAX) {
    column.copyWithin(target, source, source + count);
  } else if (target > source) {
    for (let slot = count - 1; slot >= 0; slot -= 1) column[target + slot] = column[source + slot] ?? 0;
  } else {
    for (let slot = 0; slot < count; slot += 1) column[target + slot] = column[source + slot] ?? 0;
  }
}

/** One ordered run of entries in typed arrays. */
export class EntryChunk {
  size = 0;
  readonly #format: EntryFormat;
  #capacity = 0;
  #keys: Int32Array | Float64Array = NO_KEYS;
  #owners: Float64Array = NO_OWNERS;
  #watches: Uint16Array | Uint32Array = NO_WATCHES;

  constructor(format: EntryFormat, entriesExpected: number) {
    this.#format = format;
    this.#allocate(capacityFor(entriesExpected));
  }

  /** Bytes this chunk takes: every slot, used or not, and the fixed overhead. */
  get bytes(): number {
    return this.#capacity * slotBytes(this.#format) + CHUNK_OVERHEAD_BYTES;
  }

  keyAt(slot: number): number {
    return this.#keys[slot] ?? 0;
  }

  ownerAt(slot: number): number {
    return this.#owners[slot] ?? 0;
  }

  watchAt(slot: number): number {
    return this.#watches[slot] ?? 0;
  }

  /** Negative, zero or positive: how the entry in `slot` orders against the given one. */
  compareAt(slot: number, key: number, owner: number, watch: number): number {
    const keyHere = this.#keys[slot] ?? 0;
    if (keyHere !== key) return keyHere < key ? -1 : 1;
    const ownerHere = this.#owners[slot] ?? 0;
    if (ownerHere !== owner) return ownerHere < owner ? -1 : 1;
    return (this.#watches[slot] ?? 0) - watch;
  }

  /** The first slot whose entry is not before the given one; `size` when all are. */
  lowerBound(key: number, owner: number, watch: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compareAt(middle, key, owner, watch) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether `slot` is in use and holds exactly this entry. */
  holdsAt(slot: number, key: number, owner: number, watch: number): boolean {
    return slot < this.size && this.compareAt(slot, key, owner, watch) === 0;
  }

  /** Puts an entry into `slot`, moving the later ones up. The caller keeps the order. */
  insertAt(slot: number, key: number, owner: number, watch: number): void {
    if (this.size === this.#capacity) this.#resize(capacityFor(this.size + 1));
    this.#move(slot + 1, slot, this.size - slot);
    this.#keys[slot] = key;
    this.#owners[slot] = owner;
    this.#watches[slot] = watch;
    this.size += 1;
  }

  /** Takes `count` entries out from `slot` on, moving the later ones down; gives memory back when much is unused. */
  removeAt(slot: number, count: number): void {
    assert(slot + count <= this.size, "entries to remove lie inside the chunk");
    this.#move(slot, slot + count, this.size - slot - count);
    this.size -= count;
    if (this.size * 8 <= this.#capacity * 3 && this.#capacity > CAPACITY_MIN) {
      this.#resize(capacityFor(Math.ceil((this.size * 4) / 3)));
    }
  }

  /** Moves the upper half into a new chunk and returns it. */
  split(): EntryChunk {
    const kept = this.size >>> 1;
    const moved = this.size - kept;
    const upper = new EntryChunk(this.#format, moved + 1);
    upper.#copyFrom(this, kept, moved);
    this.size = kept;
    this.#resize(capacityFor(kept + 1));
    return upper;
  }

  /** Appends every entry of `later`, all of which order after those here. */
  absorb(later: EntryChunk): void {
    const total = this.size + later.size;
    if (total > this.#capacity) this.#resize(capacityFor(total));
    this.#copyFrom(later, 0, later.size);
  }

  /** Appends owner and watch of the first `count` entries to `into`. */
  copyInto(count: number, into: EntrySink): void {
    for (let slot = 0; slot < count; slot += 1) into.append(this.#owners[slot] ?? 0, this.#watches[slot] ?? 0);
  }

  #move(target: number, source: number, count: number): void {
    moveSlots(this.#keys, target, source, count);
    moveSlots(this.#owners, target, source, count);
    moveSlots(this.#watches, target, source, count);
  }

  #copyFrom(other: EntryChunk, from: number, count: number): void {
    this.#keys.set(other.#keys.subarray(from, from + count), this.size);
    this.#owners.set(other.#owners.subarray(from, from + count), this.size);
    this.#watches.set(other.#watches.subarray(from, from + count), this.size);
    this.size += count;
  }

  #resize(capacity: number): void {
    if (capacity === this.#capacity) return;
    const keys = this.#keys;
    const owners = this.#owners;
    const watches = this.#watches;
    this.#allocate(capacity);
    this.#keys.set(keys.subarray(0, this.size));
    this.#owners.set(owners.subarray(0, this.size));
    this.#watches.set(watches.subarray(0, this.size));
  }

  /** The widest column comes first, so that every view starts on a multiple of its own width. */
  #allocate(capacity: number): void {
    const buffer = new ArrayBuffer(capacity * slotBytes(this.#format));
    const keysAt = capacity * OWNER_BYTES;
    this.#owners = new Float64Array(buffer, 0, capacity);
    this.#keys =
      this.#format.keys === "int32"
        ? new Int32Array(buffer, keysAt, capacity)
        : new Float64Array(buffer, keysAt, capacity);
    const watchesAt = keysAt + this.#keys.byteLength;
    this.#watches =
      this.#format.watches === "uint16"
        ? new Uint16Array(buffer, watchesAt, capacity)
        : new Uint32Array(buffer, watchesAt, capacity);
    this.#capacity = capacity;
  }
}
