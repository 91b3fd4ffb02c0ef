import assert from "node:assert/strict";
import { test } from "node:test";
import { type Entry, OrderedEntries } from "../../../engine/watch/ordered-entries.ts";
import { ReachedBuffer } from "../../../engine/watch/reached-buffer.ts";
import { AssertionFailure } from "../../../src/assert.ts";
import fc from "../../support/property.ts";

const OWNER_MAX = Number.MAX_SAFE_INTEGER;
const PRICES = { keys: "int32", watches: "uint16" } as const;
const TIMES = { keys: "float64", watches: "uint32" } as const;

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

/** Does one command to both and compares what they answer. Kinds 0 to 8 insert, so that lists grow. */
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
    assert.deepEqual(real.popLast(), naive.list.pop());
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
  assert.equal(real.lastKey(), naive.list.at(-1)?.key);
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
        const real = new OrderedEntries(format, chunkEntriesMax);
        const naive = new NaiveEntries();
        for (const [kind, entry] of list) {
          apply(kind, entry, real, naive);
          assertSameState(real, naive);
        }
      }),
      { numRuns: 250 },
    );
  });
}

test("the order is key, then owner, then watch", () => {
  const entries = new OrderedEntries(PRICES);
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

test("an empty list has no first and no last entry", () => {
  const entries = new OrderedEntries(PRICES);
  assert.equal(entries.firstKey(), undefined);
  assert.equal(entries.lastKey(), undefined);
  assert.equal(entries.popFirst(), undefined);
  assert.equal(entries.popLast(), undefined);
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
    const entries = new OrderedEntries(format);
    entries.insert(entry.key, entry.owner, entry.watch);
    assert.deepEqual(entries.popFirst(), entry);
  }
});

test("what does not fit its column is refused loudly, never cut", () => {
  const prices = new OrderedEntries(PRICES);
  const times = new OrderedEntries(TIMES);
  assert.throws(() => prices.insert(2_147_483_648, 1, 1), AssertionFailure);
  assert.throws(() => prices.insert(1.5, 1, 1), AssertionFailure);
  assert.throws(() => prices.insert(1, OWNER_MAX + 1, 1), AssertionFailure);
  assert.throws(() => prices.insert(1, -1, 1), AssertionFailure);
  assert.throws(() => prices.insert(1, 1, 0x1_0000), AssertionFailure);
  assert.throws(() => times.insert(Number.NaN, 1, 1), AssertionFailure);
  assert.throws(() => times.insert(1, 1, 0x1_0000_0000), AssertionFailure);
  assert.equal(prices.size + times.size, 0);
});

test("ascending and descending inserts leave full chunks", () => {
  for (const direction of [1, -1]) {
    const entries = new OrderedEntries(PRICES);
    for (let row = 0; row < 100_000; row += 1) entries.insert(row * direction, row, 0);
    assert.ok(entries.bytes / 100_000 < 15.5, `${entries.bytes / 100_000} bytes a row`);
  }
});

test("memory follows the number of entries down", () => {
  const entries = new OrderedEntries(PRICES);
  const bytesEmpty = entries.bytes;
  const rows = Array.from({ length: 50_000 }, (_, row) => ({ key: (row * 7919) % 10_007, owner: row }));
  for (const { key, owner } of rows) entries.insert(key, owner, 0);
  const bytesFull = entries.bytes;
  for (const { key, owner } of rows) if (owner % 10 !== 0) assert.ok(entries.remove(key, owner, 0));
  assert.equal(entries.size, 5_000);
  assert.ok(entries.bytes < bytesFull / 4, `${entries.bytes} of ${bytesFull} bytes left for a tenth of the rows`);
  for (const { key, owner } of rows) entries.remove(key, owner, 0);
  assert.equal(entries.bytes, bytesEmpty);
});

test("a list that shrank to three entries takes no more than one that never grew", () => {
  const grown = new OrderedEntries(PRICES);
  const small = new OrderedEntries(PRICES);
  for (let row = 0; row < 400; row += 1) grown.insert(row, row, 0);
  for (let row = 3; row < 400; row += 1) assert.ok(grown.remove(row, row, 0));
  for (let row = 0; row < 3; row += 1) small.insert(row, row, 0);
  assert.equal(grown.bytes, small.bytes);
});

test("a list of three entries takes about a kilobyte", () => {
  const entries = new OrderedEntries(PRICES);
  for (let row = 0; row < 3; row += 1) entries.insert(row, row, 0);
  assert.ok(entries.bytes < 1_100, `${entries.bytes} bytes`);
});
