import assert from "node:assert/strict";
import { test } from "node:test";
import { BLOCK_SLOTS_MAX, type BlockHolder, EntryPool, type EntrySlab } from "../../../engine/watch/entry-pool.ts";
import { AssertionFailure } from "../../../src/assert.ts";
import fc from "../../support/property.ts";

const PRICES = { keys: "int32", watches: "uint16" } as const;
const TIMES = { keys: "float64", watches: "uint32" } as const;

/** A holder whose entries contain its number. */
class Holder implements BlockHolder {
  slab: EntrySlab;
  start = 0;
  size = 0;
  readonly number: number;

  constructor(pool: EntryPool, number: number, size: number) {
    this.number = number;
    this.slab = pool.stackFor(size).take(this);
    this.fill(size);
  }

  fill(size: number): void {
    this.size = size;
    for (let slot = 0; slot < size; slot += 1) {
      this.slab.keys[this.start + slot] = this.number;
      this.slab.owners[this.start + slot] = this.number * 1_000 + slot;
      this.slab.watches[this.start + slot] = slot;
    }
  }

  giveBack(): void {
    this.slab.stack.giveBack(this, this.slab, this.start);
  }

  assertUntouched(): void {
    for (let slot = 0; slot < this.size; slot += 1) {
      const { keys, owners, watches } = this.slab;
      const entry = [keys[this.start + slot], owners[this.start + slot], watches[this.start + slot]];
      assert.deepEqual(entry, [this.number, this.number * 1_000 + slot, slot]);
    }
  }
}

function assertNoneShared(holders: readonly Holder[]): void {
  const taken = new Map<EntrySlab, Set<number>>();
  for (const { slab, start } of holders) {
    const starts = taken.get(slab) ?? new Set();
    taken.set(slab, starts);
    assert.equal(start % slab.stack.blockSlots, 0);
    assert.ok(start + slab.stack.blockSlots <= slab.owners.length);
    assert.ok(!starts.has(start), "a block has two holders");
    starts.add(start);
  }
}

for (const format of [PRICES, TIMES]) {
  test(`random takes and returns never share a block and keep what stands in it (${format.keys} keys)`, () => {
    const command = fc.record({ gives: fc.nat({ max: 9 }), size: fc.integer({ min: 1, max: 128 }), at: fc.nat() });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 400, size: "max" }), (commands) => {
        const pool = new EntryPool(format);
        const bytesEmpty = pool.bytes;
        const holders: Holder[] = [];
        for (const [number, { gives, size, at }] of commands.entries()) {
          if (gives <= 4) holders.splice(at % Math.max(holders.length, 1), 1)[0]?.giveBack();
          else holders.push(new Holder(pool, number, size));
          assertNoneShared(holders);
          for (const holder of holders) holder.assertUntouched();
        }
        for (const holder of holders) holder.giveBack();
        assert.equal(pool.bytes, bytesEmpty);
      }),
      { numRuns: 60 },
    );
  });
}

test("the block that is given back is filled with the last one, whose holder learns its place", () => {
  const pool = new EntryPool(PRICES);
  const holders = [0, 1, 2, 3, 4].map((number) => new Holder(pool, number, 30));
  const [first, second, , , last] = holders;
  assert.ok(first !== undefined && second !== undefined && last !== undefined);
  const { slab, start } = second;
  second.giveBack();
  assert.deepEqual([last.slab === slab, last.start], [true, start]);
  last.assertUntouched();
  first.assertUntouched();
});

test("bytes follow the blocks down, wherever those that stay behind were", () => {
  for (const size of [3, 20, 100, BLOCK_SLOTS_MAX]) {
    const pool = new EntryPool(PRICES);
    const bytesEmpty = pool.bytes;
    const holders = Array.from({ length: 8_000 }, (_, number) => new Holder(pool, number, size));
    const bytesFull = pool.bytes;
    const left = holders.filter(({ number }) => number % 10 === 0);
    for (const holder of holders) if (holder.number % 10 !== 0) holder.giveBack();
    assertNoneShared(left);
    for (const holder of left) holder.assertUntouched();
    const spareBytes = 2.5 * 4_096 * 15;
    assert.ok(pool.bytes < bytesFull / 9 + spareBytes, `${pool.bytes} of ${bytesFull} bytes for a tenth of the blocks`);
    for (const holder of left) holder.giveBack();
    assert.equal(pool.bytes, bytesEmpty);
  }
});

test("what one size no longer needs is cut again for another", () => {
  const pool = new EntryPool(PRICES);
  let small = Array.from({ length: 6_400 }, (_, number) => new Holder(pool, number, 64));
  const bytesBefore = pool.bytes;
  const columns = new Set(small.map(({ slab }) => slab.columns));
  const large: Holder[] = [];
  // Every two blocks of 64 become one of 128, as when lists grow in step.
  while (small.length > 0) {
    for (const holder of small.slice(-2)) holder.giveBack();
    small = small.slice(0, -2);
    large.push(new Holder(pool, large.length, 128));
  }
  assertNoneShared(large);
  for (const holder of large) holder.assertUntouched();
  const used = new Set(large.map(({ slab }) => slab.columns));
  const reused = [...used].filter((each) => columns.has(each)).length;
  assert.ok(reused >= used.size * 0.8, `${reused} of ${used.size} slabs are old ones`);
  assert.ok(pool.bytes < bytesBefore * 1.1, `${pool.bytes} after ${bytesBefore} bytes`);
});

test("a block that comes and goes at the edge of a slab makes no new memory each time", () => {
  // The first slabs of this size have 1, 1, 2, 4, 8, 16, 32 and 64 blocks, and so have all after them.
  for (const blocks of [1, 2, 4, 8, 16, 32, 64, 128, 192]) {
    const pool = new EntryPool(PRICES);
    const holders = Array.from({ length: blocks }, (_, number) => new Holder(pool, number, 64));
    const columns = new Set<unknown>();
    for (let turn = 0; turn < 100; turn += 1) {
      const holder = new Holder(pool, blocks + turn, 64);
      columns.add(holder.slab.columns);
      holder.giveBack();
    }
    assert.equal(columns.size, 1, `${columns.size} slabs at ${blocks} blocks`);
    for (const holder of holders) holder.assertUntouched();
  }
});

test("a block too large, or one given back twice or elsewhere, is a bug", () => {
  const pool = new EntryPool(PRICES);
  assert.throws(() => pool.stackFor(BLOCK_SLOTS_MAX + 1), AssertionFailure);
  const holder = new Holder(pool, 1, 5);
  const other = new Holder(pool, 2, 5);
  assert.throws(() => pool.stackFor(100).giveBack(holder, holder.slab, holder.start), AssertionFailure);
  assert.throws(() => pool.stackFor(5).giveBack(holder, other.slab, other.start), AssertionFailure);
  holder.giveBack();
  assert.throws(() => holder.giveBack(), AssertionFailure);
  other.assertUntouched();
  other.giveBack();
  assert.throws(() => other.giveBack(), AssertionFailure);
});
