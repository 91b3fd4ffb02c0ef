/**
 * Owns: the memory of ordered entries (key, owner, watch) for any number of lists: blocks of a few sizes, cut from
 * slabs of some thousand slots. Blocks change hands and no memory is thrown away while lists grow and shrink.
 * Does not own: the entries of a block, and which size a holder should ask for: see entry-chunk.ts.
 *
 * Invariants:
 * 1. A block has one holder: the holder's `slab` and `start` name the block, and the slab names the holder.
 * 2. The blocks of one size are packed: all slabs in use are full except the last. A block that is given back is
 *    filled immediately with the last one in use, whose holder gets the new place. A holder's place can therefore
 *    change whenever any block is given back, by any list: no caller keeps `slab` or `start` past such a call.
 * 3. At most one unused slab follows the blocks in use, and only while they are few. Slots of whole slabs are kept to
 *    be cut again for any size, at most one slab for every sixteen in use. Memory follows the number of blocks down as
 *    well as up; without a block in use no slots are left.
 * 4. Slots never move or grow. The first slabs of a size are small, each next as large as all before it together.
 *
 * Reads end in `?? 0` because the compiler cannot see that an index lies inside; the optimiser drops the branch.
 */
import { assert } from "../../src/assert.ts";

/** How a pool stores its numbers. Keys: prices fit in 32 bits, times do not. */
export type EntryFormat = {
  readonly keys: "int32" | "float64";
  readonly watches: "uint16" | "uint32";
};

/** The holder of a block. The pool sets `slab` and `start`; the first `size` slots of the block are in use. */
export type BlockHolder = { slab: EntrySlab; start: number; readonly size: number };

/** The size of the largest block, in slots. */
export const BLOCK_SLOTS_MAX = 128;

/** Smaller steps at the top: most chunks of a long list hold between half of the largest block and all of it. */
const BLOCK_SLOTS = [4, 8, 16, 32, 48, 64, 96, BLOCK_SLOTS_MAX];
const SLAB_SLOTS = 4_096;
const SLABS_PER_SPARE = 16;
/** Up to so many moved slots a plain loop beats the calls of `copyWithin` and `set`. */
const LOOP_MOVE_MAX = 16;
const OWNER_BYTES = 8;
/**
 * What a slab takes in addition to its slots: its buffer, three views, itself and the list of holders (measured on Node
 * 20).
 */
const SLAB_OVERHEAD_BYTES = 700;
const HOLDER_REFERENCE_BYTES = 8;
/** What a pool takes without any slab (measured on Node 20). */
const POOL_OVERHEAD_BYTES = 1_200;

/** A new column of keys as the format wants them. */
export function newKeys(format: EntryFormat, length: number): Int32Array | Float64Array {
  return format.keys === "int32" ? new Int32Array(length) : new Float64Array(length);
}

/** Slots of one buffer. */
class SlotColumns {
  readonly owners: Float64Array;
  readonly keys: Int32Array | Float64Array;
  readonly watches: Uint16Array | Uint32Array;

  /** The widest column comes first, so that every view starts on a multiple of its own width. */
  constructor(format: EntryFormat, slots: number) {
    const keysAt = slots * OWNER_BYTES;
    const watchesAt = keysAt + slots * (format.keys === "int32" ? 4 : 8);
    const buffer = new ArrayBuffer(watchesAt + slots * (format.watches === "uint16" ? 2 : 4));
    this.owners = new Float64Array(buffer, 0, slots);
    this.keys =
      format.keys === "int32" ? new Int32Array(buffer, keysAt, slots) : new Float64Array(buffer, keysAt, slots);
    this.watches =
      format.watches === "uint16"
        ? new Uint16Array(buffer, watchesAt, slots)
        : new Uint32Array(buffer, watchesAt, slots);
  }

  get slots(): number {
    return this.owners.length;
  }

  /** Whether they are as many as a slab has once its size has many blocks. */
  get isWhole(): boolean {
    return this.slots >= SLAB_SLOTS;
  }

  get bytes(): number {
    return this.owners.buffer.byteLength + SLAB_OVERHEAD_BYTES;
  }
}

/** Slots cut into equal blocks, and their holders. */
export class EntrySlab {
  readonly stack: BlockStack;
  readonly columns: SlotColumns;
  /** The columns once more: what is read most is one step nearer. */
  readonly owners: Float64Array;
  readonly keys: Int32Array | Float64Array;
  readonly watches: Uint16Array | Uint32Array;
  readonly #holders: (BlockHolder | undefined)[];
  #blocksUsed = 0;

  constructor(stack: BlockStack, columns: SlotColumns) {
    this.stack = stack;
    this.columns = columns;
    this.owners = columns.owners;
    this.keys = columns.keys;
    this.watches = columns.watches;
    const blocks = Math.floor(columns.slots / stack.blockSlots);
    this.#holders = new Array<BlockHolder | undefined>(blocks).fill(undefined);
  }

  /** Blocks it is cut into. */
  get blocks(): number {
    return this.#holders.length;
  }

  /** Blocks that have a holder: always the first ones. */
  get blocksUsed(): number {
    return this.#blocksUsed;
  }

  get bytes(): number {
    return this.columns.bytes + this.blocks * HOLDER_REFERENCE_BYTES;
  }

  /** Who holds the block at `start`. */
  holderAt(start: number): BlockHolder | undefined {
    return this.#holders[start / this.stack.blockSlots];
  }

  /** Gives the next block to `holder`. */
  push(holder: BlockHolder): void {
    assert(this.#blocksUsed < this.blocks, "a block is taken from a slab with room");
    this.#seat(holder, this.#blocksUsed * this.stack.blockSlots);
    this.#blocksUsed += 1;
  }

  /** Takes the last block in use away, and gives its holder the block at `start` of `slab` for it if that is another. */
  popInto(slab: EntrySlab, start: number): void {
    this.#blocksUsed -= 1;
    const lastStart = this.#blocksUsed * this.stack.blockSlots;
    if (slab !== this || start !== lastStart) {
      const holder = this.#holders[this.#blocksUsed];
      assert(holder !== undefined && holder.slab === this && holder.start === lastStart, "a block knows its holder");
      slab.copyFrom(this, lastStart, start, holder.size);
      slab.#seat(holder, start);
    }
    this.#holders[this.#blocksUsed] = undefined;
  }

  /** Copies `count` slots of `source` from slot `from` on to the slots from `to` on; the two do not overlap. */
  copyFrom(source: EntrySlab, from: number, to: number, count: number): void {
    const { owners, keys, watches } = this;
    const { owners: sourceOwners, keys: sourceKeys, watches: sourceWatches } = source;
    if (count > LOOP_MOVE_MAX) {
      owners.set(sourceOwners.subarray(from, from + count), to);
      keys.set(sourceKeys.subarray(from, from + count), to);
      watches.set(sourceWatches.subarray(from, from + count), to);
      return;
    }
    for (let slot = 0; slot < count; slot += 1) owners[to + slot] = sourceOwners[from + slot] ?? 0;
    for (let slot = 0; slot < count; slot += 1) keys[to + slot] = sourceKeys[from + slot] ?? 0;
    for (let slot = 0; slot < count; slot += 1) watches[to + slot] = sourceWatches[from + slot] ?? 0;
  }

  /** Moves the slots from `from` to before `end` one up, into the unused slot at `end`. */
  moveUp(from: number, end: number): void {
    const { owners, keys, watches } = this;
    if (end - from > LOOP_MOVE_MAX) {
      owners.copyWithin(from + 1, from, end);
      keys.copyWithin(from + 1, from, end);
      watches.copyWithin(from + 1, from, end);
      return;
    }
    for (let slot = end; slot > from; slot -= 1) {
      owners[slot] = owners[slot - 1] ?? 0;
      keys[slot] = keys[slot - 1] ?? 0;
      watches[slot] = watches[slot - 1] ?? 0;
    }
  }

  /** Moves the slots from `from` to before `end` down to `to` and after. */
  moveDown(to: number, from: number, end: number): void {
    const { owners, keys, watches } = this;
    if (end - from > LOOP_MOVE_MAX) {
      owners.copyWithin(to, from, end);
      keys.copyWithin(to, from, end);
      watches.copyWithin(to, from, end);
      return;
    }
    for (let source = from, slot = to; source < end; source += 1, slot += 1) {
      owners[slot] = owners[source] ?? 0;
      keys[slot] = keys[source] ?? 0;
      watches[slot] = watches[source] ?? 0;
    }
  }

  #seat(holder: BlockHolder, start: number): void {
    this.#holders[start / this.stack.blockSlots] = holder;
    holder.slab = this;
    holder.start = start;
  }
}

/** All blocks of one size: a stack of blocks over a stack of slabs. */
class BlockStack {
  readonly pool: EntryPool;
  readonly blockSlots: number;
  /** A holder with at most this many entries in a block of this size should move into a smaller one. */
  readonly shrinksAt: number;
  readonly #slabs: EntrySlab[] = [];
  /** Slabs with a block in use. */
  #slabsUsed = 0;
  #blocks = 0;
  #bytes = 0;

  constructor(pool: EntryPool, blockSlots: number) {
    this.pool = pool;
    this.blockSlots = blockSlots;
    this.shrinksAt = (blockSlots * 3) / 8;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Gives a block to `holder`: sets its `slab` and `start`, and returns the slab. Moves no other block. */
  take(holder: BlockHolder): EntrySlab {
    let slab = this.#slabs[this.#slabsUsed - 1];
    if (slab === undefined || slab.blocksUsed === slab.blocks) {
      slab = this.#slabs[this.#slabsUsed] ?? this.#addSlab();
      this.#slabsUsed += 1;
    }
    slab.push(holder);
    return slab;
  }

  /** Takes the block at `start` of `slab` back from `holder`, which may have taken another one already. */
  giveBack(holder: BlockHolder, slab: EntrySlab, start: number): void {
    const last = this.#slabs[this.#slabsUsed - 1];
    assert(last !== undefined && slab.stack === this, "a block is given back to where it was taken");
    assert(slab.holderAt(start) === holder, "a block is given back by its holder");
    last.popInto(slab, start);
    if (last.blocksUsed === 0) this.#slabsUsed -= 1;
    this.#dropUnused();
  }

  #addSlab(): EntrySlab {
    const slots = Math.max(this.#blocks, 1) * this.blockSlots;
    const slab = new EntrySlab(this, this.pool.takeColumns(slots));
    this.#slabs.push(slab);
    this.#blocks += slab.blocks;
    this.#bytes += slab.bytes;
    return slab;
  }

  /**
   * Keeps one unused slab behind a small slab that is more than half full, so that none is made and dropped in turns.
   */
  #dropUnused(): void {
    const last = this.#slabs[this.#slabsUsed - 1];
    const isKept = last !== undefined && !last.columns.isWhole && last.blocksUsed * 2 > last.blocks;
    const kept = this.#slabsUsed + (isKept ? 1 : 0);
    while (this.#slabs.length > kept) {
      const dropped = this.#slabs.pop();
      assert(dropped !== undefined && dropped.blocksUsed === 0, "a slab that is dropped has no block in use");
      this.#blocks -= dropped.blocks;
      this.#bytes -= dropped.bytes;
      this.pool.giveColumnsBack(dropped.columns);
    }
  }
}

/** The slots that the lists of one index or queue share. */
export class EntryPool {
  readonly format: EntryFormat;
  readonly #stacks: readonly BlockStack[];
  /** Columns of a whole slab that no stack has. */
  readonly #spares: SlotColumns[] = [];
  /** Whole slabs that a stack has. */
  #slabsWhole = 0;

  constructor(format: EntryFormat) {
    this.format = format;
    this.#stacks = BLOCK_SLOTS.map((blockSlots) => new BlockStack(this, blockSlots));
  }

  /** Memory taken by all slabs, whether their blocks are in use or not, in bytes. */
  get bytes(): number {
    let bytes = POOL_OVERHEAD_BYTES;
    for (const stack of this.#stacks) bytes += stack.bytes;
    for (const spare of this.#spares) bytes += spare.bytes;
    return bytes;
  }

  /** The blocks of the smallest size that holds `slots`. */
  stackFor(slots: number): BlockStack {
    const stack = this.#stacks.find(({ blockSlots }) => blockSlots >= slots);
    assert(stack !== undefined, "no more slots are asked for than the largest block has");
    return stack;
  }

  /** Columns of `slots`, or of a whole slab when that is less; for the stacks alone. */
  takeColumns(slots: number): SlotColumns {
    if (slots < SLAB_SLOTS) return new SlotColumns(this.format, slots);
    this.#slabsWhole += 1;
    return this.#spares.pop() ?? new SlotColumns(this.format, SLAB_SLOTS);
  }

  /** Takes columns back that a stack no longer uses. */
  giveColumnsBack(columns: SlotColumns): void {
    if (!columns.isWhole) return;
    this.#slabsWhole -= 1;
    this.#spares.push(columns);
    while (this.#spares.length * SLABS_PER_SPARE >= this.#slabsWhole + SLABS_PER_SPARE) this.#spares.pop();
  }
}
