import assert from "node:assert/strict";
import { test } from "node:test";
import { BLOCK_SLOTS_MAX, type EntryFormat, EntryPool } from "../../../engine/watch/entry-pool.ts";
import { type Entry, OrderedEntries } from "../../../engine/watch/ordered-entries.ts";
import { ReachedBuffer } from "../../../engine/watch/reached-buffer.ts";
import { AssertionFailure } from "../../../src/assert.ts";
import fc from "../../support/property.ts";

const OWNER_MAX = Number.MAX_SAFE_INTEGER;
const PRICES = { keys: "int32", watches: "uint16" } as const;
const TIMES = { keys: "float64", watches: "uint32" } as const;

/** A list with a pool of its own. */
function listOf(format: EntryFormat): OrderedEntries {
  return new OrderedEntries(new EntryPool(format));
}

function compare(left: Entry, right: Entry): number {
  return left.key - right.key || left.owner - right.owner || left.watch - right.watch;
}

/** The same rules over a plain sorted array. */
class NaiveEntries {
  list: Entry[] = [];

  insert(entry: Entry): boolean {
    if (this.list.some((held) => compare(held, entry) === 0)) return false;
    this.list.push(entry);
    this.list.sort(compare);
    return true;
  }

  remove(entry: Entry): boolean {
    const before = this.list.length;
    this.list = this.list.filter((held) => compare(held, entry) !== 0);
    return this.list.length < before;
  }

  drainUpTo(keyMax: number): Entry[] {
    const drained = this.list.filter((held) => held.key <= keyMax);
    this.list = this.list.filter((held) => held.key > keyMax);
    return drained;
  }
}

function pairsOf(buffer: ReachedBuffer): { owner: number; watch: number }[] {
  return Array.from({ length: buffer.length }, (_, index) => ({
    owner: buffer.ownerAt(index),
    watch: buffer.watchAt(index),
  }));
}

/** Gives one command to both and compares their answers. Kinds 0 to 8 insert, so that lists grow. */
function apply(kind: number, entry: Entry, real: OrderedEntries, naive: NaiveEntries): void {
  if (kind <= 8) {
    assert.equal(real.insert(entry.key, entry.owner, entry.watch), naive.insert(entry));
  } else if (kind <= 12) {
    assert.equal(real.remove(entry.key, entry.owner, entry.watch), naive.remove(entry));
  } else if (kind <= 14) {
    const held = naive.list[entry.owner % (naive.list.length + 1)];
    if (held !== undefined) assert.equal(real.remove(held.key, held.owner, held.watch), naive.remove(held));
  } else if (kind === 15) {
    assert.deepEqual(real.popFirst(), naive.list.shift());
  } else if (kind === 16) {
    const last = naive.list.at(-1);
    if (last !== undefined) assert.equal(real.remove(last.key, last.owner, last.watch), naive.remove(last));
  } else {
    const buffer = new ReachedBuffer();
    const keyMax = (naive.list[0]?.key ?? 0) + (entry.watch % 3);
    const expected = naive.drainUpTo(keyMax);
    assert.equal(real.drainUpTo(keyMax, buffer), expected.length);
    assert.deepEqual(
      pairsOf(buffer),
      expected.map(({ owner, watch }) => ({ owner, watch })),
    );
  }
}

function assertSameState(real: OrderedEntries, naive: NaiveEntries): void {
  assert.equal(real.size, naive.list.length);
  assert.equal(real.firstKey(), naive.list[0]?.key);
  let index = 0;
  for (const entry of real.entries()) {
    const expected = naive.list[index];
    assert.ok(expected !== undefined && compare(entry, expected) === 0, `entry ${index} differs`);
    index += 1;
  }
  assert.equal(index, naive.list.length);
}

const command = fc.tuple(
  fc.nat({ max: 17 }),
  fc.record(
    {
      key: fc.integer({ min: -40, max: 40 }),
      owner: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 6 }) }, { weight: 1, arbitrary: fc.constant(OWNER_MAX) }),
      watch: fc.nat({ max: 3 }),
    },
    { noNullPrototype: true },
  ),
);

for (const format of [PRICES, TIMES]) {
  test(`random commands leave what a plain sorted array holds (${format.keys} keys)`, () => {
    const commands = fc.array(command, { maxLength: 800, size: "max" });
    fc.assert(
      fc.property(commands, fc.integer({ min: 4, max: 16 }), (list, chunkEntriesMax) => {
        const real = new OrderedEntries(new EntryPool(format), chunkEntriesMax);
        const naive = new NaiveEntries();
        for (const [kind, entry] of list) {
          apply(kind, entry, real, naive);
          assertSameState(real, naive);
        }
      }),
      { numRuns: 200 },
    );
  });
}

for (const format of [PRICES, TIMES]) {
  test(`lists that share a pool never disturb each other (${format.keys} keys)`, () => {
    const commands = fc.array(fc.tuple(fc.nat({ max: 5 }), command), { maxLength: 500, size: "max" });
    fc.assert(
      fc.property(commands, fc.integer({ min: 4, max: 40 }), (list, chunkEntriesMax) => {
        const pool = new EntryPool(format);
        const bytesEmpty = pool.bytes;
        const pairs = Array.from({ length: 6 }, () => {
          return { real: new OrderedEntries(pool, chunkEntriesMax), naive: new NaiveEntries() };
        });
        for (const [at, [kind, entry]] of list) {
          const pair = pairs[at];
          assert.ok(pair !== undefined);
          apply(kind, entry, pair.real, pair.naive);
          for (const { real, naive } of pairs) assertSameState(real, naive);
        }
        for (const { real } of pairs) real.drainUpTo(Number.MAX_SAFE_INTEGER, new ReachedBuffer());
        assert.equal(pool.bytes, bytesEmpty);
      }),
      { numRuns: 60 },
    );
  });
}

/** Returns the index of an entry in a sorted array, or where it would be inserted. */
function positionOf(list: readonly Entry[], entry: Entry): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const held = list[middle];
    if (held !== undefined && compare(held, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

test("200,000 commands over 50 lists of one pool leave what plain sorted arrays hold", () => {
  const pool = new EntryPool(PRICES);
  const bytesEmpty = pool.bytes;
  const pairs = Array.from({ length: 50 }, () => ({ real: new OrderedEntries(pool), naive: new NaiveEntries() }));
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let turn = 0; turn < 200_000; turn += 1) {
    const pair = pairs[random(50)];
    assert.ok(pair !== undefined);
    const { real, naive } = pair;
    const entry = { key: random(300), owner: random(500), watch: random(3) };
    const at = positionOf(naive.list, entry);
    const held = naive.list[at];
    // Waves: for a while mostly more rows, for a while mostly fewer.
    const isGrowing = Math.floor(turn / 40_000) % 2 === 0;
    if (random(2_000) === 0) {
      const buffer = new ReachedBuffer();
      const drained = naive.drainUpTo(entry.key);
      assert.equal(real.drainUpTo(entry.key, buffer), drained.length);
      assert.deepEqual(
        pairsOf(buffer),
        drained.map(({ owner, watch }) => ({ owner, watch })),
      );
    } else if (random(10) < (isGrowing ? 8 : 2)) {
      const isHeld = held !== undefined && compare(held, entry) === 0;
      assert.equal(real.insert(entry.key, entry.owner, entry.watch), !isHeld);
      if (!isHeld) naive.list.splice(at, 0, entry);
    } else if (held !== undefined) {
      assert.ok(real.remove(held.key, held.owner, held.watch));
      naive.list.splice(at, 1);
    }
    if (turn % 10_000 === 0) for (const each of pairs) assertSameState(each.real, each.naive);
  }
  for (const { real, naive } of pairs) {
    assertSameState(real, naive);
    real.drainUpTo(Number.MAX_SAFE_INTEGER, new ReachedBuffer());
  }
  assert.equal(pool.bytes, bytesEmpty);
});

test("a drain gives the blocks of whole chunks back, and the next entries take them", () => {
  const pool = new EntryPool(PRICES);
  const drained = new OrderedEntries(pool);
  const other = new OrderedEntries(pool);
  const rows = 200 * BLOCK_SLOTS_MAX;
  for (let row = 0; row < rows; row += 1) {
    drained.insert(row, row, 1);
    other.insert(row, row, 2);
  }
  const bytesFull = pool.bytes;
  assert.equal(drained.drainUpTo(rows - 4, new ReachedBuffer()), rows - 3);
  assert.ok(pool.bytes < bytesFull * 0.7, `${pool.bytes} of ${bytesFull} bytes`);
  assert.deepEqual(
    [...drained.entries()].map(({ key }) => key),
    [rows - 3, rows - 2, rows - 1],
  );
  assert.deepEqual(
    [...other.entries()].map(({ key, watch }) => [key, watch]),
    Array.from({ length: rows }, (_, row) => [row, 2]),
  );
  for (let row = rows - 4; row >= 0; row -= 1) drained.insert(row, row, 1);
  assert.ok(pool.bytes <= bytesFull * 1.1, `${pool.bytes} after ${bytesFull} bytes`);
});

test("the order is key, then owner, then watch", () => {
  const entries = listOf(PRICES);
  for (const [key, owner, watch] of [
    [5, 1, 0],
    [-5, OWNER_MAX, 1],
    [5, 0, 9],
    [-5, OWNER_MAX, 0],
  ] as const) {
    assert.ok(entries.insert(key, owner, watch));
  }
  assert.deepEqual(
    [...entries.entries()],
    [
      { key: -5, owner: OWNER_MAX, watch: 0 },
      { key: -5, owner: OWNER_MAX, watch: 1 },
      { key: 5, owner: 0, watch: 9 },
      { key: 5, owner: 1, watch: 0 },
    ],
  );
});

test("an empty list has no first entry", () => {
  const entries = listOf(PRICES);
  assert.equal(entries.firstKey(), undefined);
  assert.equal(entries.popFirst(), undefined);
  assert.equal(entries.remove(1, 1, 1), false);
  assert.equal(entries.drainUpTo(Number.MAX_SAFE_INTEGER, new ReachedBuffer()), 0);
});

test("the largest keys, owners and watch numbers of a format come back unchanged", () => {
  const largest = [
    { format: PRICES, entry: { key: 2_147_483_647, owner: OWNER_MAX, watch: 0xffff } },
    { format: PRICES, entry: { key: -2_147_483_648, owner: OWNER_MAX - 1, watch: 0 } },
    { format: TIMES, entry: { key: 8.64e15, owner: OWNER_MAX, watch: 0xffff_ffff } },
  ];
  for (const { format, entry } of largest) {
    const entries = listOf(format);
    entries.insert(entry.key, entry.owner, entry.watch);
    assert.deepEqual(entries.popFirst(), entry);
  }
});

test("what does not fit its column is refused loudly, never cut", () => {
  const prices = listOf(PRICES);
  const times = listOf(TIMES);
  assert.throws(() => prices.insert(2_147_483_648, 1, 1), AssertionFailure);
  assert.throws(() => prices.insert(1.5, 1, 1), AssertionFailure);
  assert.throws(() => prices.insert(1, OWNER_MAX + 1, 1), AssertionFailure);
  assert.throws(() => prices.insert(1, -1, 1), AssertionFailure);
  assert.throws(() => prices.insert(1, 1, 0x1_0000), AssertionFailure);
  assert.throws(() => times.insert(Number.NaN, 1, 1), AssertionFailure);
  assert.throws(() => times.insert(1, 1, 0x1_0000_0000), AssertionFailure);
  assert.equal(prices.size + times.size, 0);
});

/** Returns the size of a list with all of its pool. */
function bytesOf(pool: EntryPool, entries: OrderedEntries): number {
  return pool.bytes + entries.bytes;
}

test("ascending and descending inserts leave full chunks", () => {
  for (const direction of [1, -1]) {
    const pool = new EntryPool(PRICES);
    const entries = new OrderedEntries(pool);
    for (let row = 0; row < 100_000; row += 1) entries.insert(row * direction, row, 0);
    const bytes = bytesOf(pool, entries) / 100_000;
    assert.ok(bytes < 15.5, `${bytes} bytes a row`);
  }
});

test("rows in step on 900 levels, on random levels and in one list take less than 22 bytes each", () => {
  for (const { lists, levelOf } of [
    { lists: 60, levelOf: (row: number) => Math.floor(row / 60) % 900 },
    { lists: 60, levelOf: (row: number) => (row * 7_919) % 900 },
    { lists: 600, levelOf: (row: number) => (row * 7_919) % 100_003 },
    { lists: 1, levelOf: (row: number) => (row * 7_919) % 100_003 },
  ]) {
    const pool = new EntryPool(PRICES);
    const all = Array.from({ length: lists }, () => new OrderedEntries(pool));
    for (let row = 0; row < 200_000; row += 1) all[row % lists]?.insert(levelOf(row), row, 0);
    const bytes = all.reduce((sum, entries) => sum + entries.bytes, pool.bytes) / 200_000;
    assert.ok(bytes < 22, `${bytes} bytes a row in ${lists} lists`);
  }
});

test("memory follows the number of entries down", () => {
  const pool = new EntryPool(PRICES);
  const entries = new OrderedEntries(pool);
  const bytesEmpty = bytesOf(pool, entries);
  const rows = Array.from({ length: 50_000 }, (_, row) => ({ key: (row * 7919) % 10_007, owner: row }));
  for (const { key, owner } of rows) entries.insert(key, owner, 0);
  const bytesFull = bytesOf(pool, entries);
  for (const { key, owner } of rows) if (owner % 10 !== 0) assert.ok(entries.remove(key, owner, 0));
  assert.equal(entries.size, 5_000);
  const bytesLeft = bytesOf(pool, entries);
  assert.ok(bytesLeft < bytesFull / 4, `${bytesLeft} of ${bytesFull} bytes left for a tenth of the rows`);
  for (const { key, owner } of rows) entries.remove(key, owner, 0);
  assert.equal(bytesOf(pool, entries), bytesEmpty);
});

test("a list that shrank to three entries takes no more than one that never grew", () => {
  const [grownPool, smallPool] = [new EntryPool(PRICES), new EntryPool(PRICES)];
  const [grown, small] = [new OrderedEntries(grownPool), new OrderedEntries(smallPool)];
  for (let row = 0; row < 400; row += 1) grown.insert(row, row, 0);
  for (let row = 3; row < 400; row += 1) assert.ok(grown.remove(row, row, 0));
  for (let row = 0; row < 3; row += 1) small.insert(row, row, 0);
  assert.equal(bytesOf(grownPool, grown), bytesOf(smallPool, small));
});

test("a list of three entries among many takes less than 300 bytes", () => {
  const pool = new EntryPool(PRICES);
  let bytes = 0;
  for (let list = 0; list < 1_000; list += 1) {
    const entries = new OrderedEntries(pool);
    for (let row = 0; row < 3; row += 1) entries.insert(row, row, 0);
    bytes += entries.bytes;
  }
  assert.ok((bytes + pool.bytes) / 1_000 < 300, `${(bytes + pool.bytes) / 1_000} bytes`);
});
