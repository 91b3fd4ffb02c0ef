import assert from "node:assert/strict";
import { test } from "node:test";
import { PriceIndex, type Side } from "../../../engine/watch/price-index.ts";
import { ReachedBuffer } from "../../../engine/watch/reached-buffer.ts";
import { AssertionFailure } from "../../../src/assert.ts";
import fc from "../../support/property.ts";

const OWNER_MAX = Number.MAX_SAFE_INTEGER;
const LEVEL_MAX = 999_999_900;

type Row = { symbol: number; side: Side; level: number; owner: number; watch: number };
type Pair = { owner: number; watch: number };

function isSame(left: Row, right: Row): boolean {
  return (
    left.symbol === right.symbol &&
    left.side === right.side &&
    left.level === right.level &&
    left.owner === right.owner &&
    left.watch === right.watch
  );
}

/** The same rules as a linear search over all rows. */
class NaiveIndex {
  rows: Row[] = [];

  has(row: Row): boolean {
    return this.rows.some((held) => isSame(held, row));
  }

  disarm(row: Row): boolean {
    const before = this.rows.length;
    this.rows = this.rows.filter((held) => !isSame(held, row));
    return this.rows.length < before;
  }

  reached(symbol: number, floor: number, ceil: number): Row[] {
    const reached = this.rows.filter(
      (row) => row.symbol === symbol && (row.side === "above" ? floor >= row.level : ceil <= row.level),
    );
    return reached.sort((left, right) => {
      if (left.side !== right.side) return left.side === "above" ? -1 : 1;
      const byLevel = left.side === "above" ? left.level - right.level : right.level - left.level;
      return byLevel || left.owner - right.owner || left.watch - right.watch;
    });
  }

  collect(symbol: number, floor: number, ceil: number): Pair[] {
    const reached = this.reached(symbol, floor, ceil);
    this.rows = this.rows.filter((row) => !reached.includes(row));
    return reached.map(({ owner, watch }) => ({ owner, watch }));
  }
}

function collected(index: PriceIndex, symbol: number, floor: number, ceil: number): Pair[] {
  const buffer = new ReachedBuffer();
  const count = index.collect(symbol, floor, ceil, buffer);
  assert.equal(count, buffer.length);
  return Array.from({ length: count }, (_, at) => ({ owner: buffer.ownerAt(at), watch: buffer.watchAt(at) }));
}

/** An index with one symbol, number 0, and these rows armed. */
function indexOf(...rows: Row[]): PriceIndex {
  const index = new PriceIndex();
  index.symbolNumber("THYAO");
  for (const row of rows) index.arm(row.symbol, row.side, row.level, row.owner, row.watch);
  return index;
}

const SYMBOLS = 3;
const LEVELS = 60;
const command = fc.record({
  kind: fc.nat({ max: 9 }),
  row: fc.record({
    symbol: fc.nat({ max: SYMBOLS - 1 }),
    side: fc.constantFrom<Side>("above", "below"),
    level: fc.integer({ min: 1, max: LEVELS }),
    owner: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 9 }) }, { weight: 1, arbitrary: fc.constant(OWNER_MAX) }),
    watch: fc.nat({ max: 3 }),
  }),
  isOffGrid: fc.boolean(),
});

/** Kinds 0 to 5 arm, 6 and 7 disarm, 8 disarms a row that is armed, 9 is a tick. */
function apply(kind: number, row: Row, isOffGrid: boolean, index: PriceIndex, naive: NaiveIndex): void {
  const { symbol, side, level, owner, watch } = row;
  if (kind <= 5) {
    if (naive.has(row)) return;
    index.arm(symbol, side, level, owner, watch);
    naive.rows.push(row);
  } else if (kind <= 7) {
    assert.equal(index.disarm(symbol, side, level, owner, watch), naive.disarm(row));
  } else if (kind === 8) {
    const held = naive.rows[(level * 31 + watch) % (naive.rows.length + 1)];
    if (held === undefined) return;
    assert.ok(index.disarm(held.symbol, held.side, held.level, held.owner, held.watch));
    naive.disarm(held);
  } else {
    const ceil = isOffGrid ? level + 1 : level;
    assert.equal(index.isReached(symbol, level, ceil), naive.reached(symbol, level, ceil).length > 0);
    assert.deepEqual(collected(index, symbol, level, ceil), naive.collect(symbol, level, ceil));
  }
}

/** The highest price still silent below, and the lowest silent above, show both best levels of every symbol. */
function assertSameBest(index: PriceIndex, naive: NaiveIndex): void {
  assert.equal(index.size, naive.rows.length);
  for (let symbol = 0; symbol < SYMBOLS; symbol += 1) {
    let above = LEVELS + 1;
    let below = 0;
    for (const row of naive.rows) {
      if (row.symbol !== symbol) continue;
      if (row.side === "above") above = Math.min(above, row.level);
      else below = Math.max(below, row.level);
    }
    assert.equal(index.isReached(symbol, above - 1, LEVELS + 1), false);
    assert.equal(index.isReached(symbol, above, LEVELS + 1), above <= LEVELS);
    assert.equal(index.isReached(symbol, 0, below + 1), false);
    assert.equal(index.isReached(symbol, 0, below), below > 0);
  }
}

/** Takes out everything level by level: shows every row that is held. */
function assertSameRows(index: PriceIndex, naive: NaiveIndex): void {
  for (let symbol = 0; symbol < SYMBOLS; symbol += 1) {
    for (let level = 1; level <= LEVELS; level += 1) {
      assert.deepEqual(collected(index, symbol, level, LEVELS + 1), naive.collect(symbol, level, LEVELS + 1));
    }
    for (let level = LEVELS; level >= 1; level -= 1) {
      assert.deepEqual(collected(index, symbol, 0, level), naive.collect(symbol, 0, level));
    }
  }
  assert.equal(index.size, 0);
  assert.equal(naive.rows.length, 0);
}

test("more than 100,000 random commands reach what a linear search reaches, in its order", () => {
  const commands = fc.array(command, { maxLength: 2_000, size: "max" });
  fc.assert(
    fc.property(commands, (list) => {
      const index = new PriceIndex();
      for (let symbol = 0; symbol < SYMBOLS; symbol += 1) index.symbolNumber(`S${symbol}`);
      const naive = new NaiveIndex();
      for (const { kind, row, isOffGrid } of list) {
        apply(kind, row, isOffGrid, index, naive);
        assertSameBest(index, naive);
      }
      assertSameRows(index, naive);
    }),
    { numRuns: 200 },
  );
});

test("thousands of rows on few levels stay armed until their level is reached, whatever leaves between", () => {
  const index = new PriceIndex();
  const naive = new NaiveIndex();
  const symbol = index.symbolNumber("S0");
  for (let owner = 0; owner < 6_000; owner += 1) {
    const row: Row = { symbol, side: owner % 2 === 0 ? "above" : "below", level: 30 + (owner % 5), owner, watch: 1 };
    index.arm(row.symbol, row.side, row.level, row.owner, row.watch);
    naive.rows.push(row);
  }
  for (const row of naive.rows.filter(({ owner }) => owner % 3 === 0)) {
    assert.ok(index.disarm(row.symbol, row.side, row.level, row.owner, row.watch));
  }
  naive.rows = naive.rows.filter(({ owner }) => owner % 3 !== 0);
  assertSameBest(index, naive);
  const everything = naive.collect(symbol, LEVEL_MAX, LEVEL_MAX);
  assert.deepEqual(collected(index, symbol, LEVEL_MAX, LEVEL_MAX), everything);
  assert.deepEqual(collected(index, symbol, 0, 0), naive.collect(symbol, 0, 0));
  assert.equal(index.size, 0);
});

test("a symbol gets its number on first use and keeps it", () => {
  const index = new PriceIndex();
  assert.equal(index.find("THYAO"), undefined);
  assert.equal(index.symbolNumber("THYAO"), 0);
  assert.equal(index.symbolNumber("GARAN"), 1);
  assert.equal(index.symbolNumber("THYAO"), 0);
  assert.equal(index.find("GARAN"), 1);
  assert.equal(index.find("AKBNK"), undefined);
});

test("more symbols than the first allocation keep their armed levels apart", () => {
  const index = new PriceIndex();
  for (let symbol = 0; symbol < 1_000; symbol += 1) {
    assert.equal(index.symbolNumber(`S${symbol}`), symbol);
    index.arm(symbol, "above", 1_000 + symbol, symbol, 0);
  }
  for (let symbol = 0; symbol < 1_000; symbol += 1) {
    assert.equal(index.isReached(symbol, 999 + symbol, 999 + symbol), false);
    assert.deepEqual(collected(index, symbol, 1_000 + symbol, 1_000 + symbol), [{ owner: symbol, watch: 0 }]);
  }
});

test("a price exactly at the level fires on both sides, one hundredth before it does not", () => {
  const index = indexOf(
    { symbol: 0, side: "above", level: 2_000, owner: 1, watch: 1 },
    { symbol: 0, side: "below", level: 1_000, owner: 2, watch: 2 },
  );
  assert.equal(index.isReached(0, 1_999, 1_999), false);
  assert.equal(index.isReached(0, 1_001, 1_001), false);
  assert.ok(index.isReached(0, 2_000, 2_000));
  assert.ok(index.isReached(0, 1_000, 1_000));
  assert.deepEqual(collected(index, 0, 2_000, 2_000), [{ owner: 1, watch: 1 }]);
  assert.deepEqual(collected(index, 0, 1_000, 1_000), [{ owner: 2, watch: 2 }]);
});

test("20.005 is above 20.00 but not above 20.01", () => {
  const index = indexOf(
    { symbol: 0, side: "above", level: 2_000, owner: 1, watch: 0 },
    { symbol: 0, side: "above", level: 2_001, owner: 2, watch: 0 },
  );
  assert.deepEqual(collected(index, 0, 2_000, 2_001), [{ owner: 1, watch: 0 }]);
  assert.equal(index.isReached(0, 2_000, 2_001), false);
});

test("20.005 is below 20.01 but not below 20.00", () => {
  const index = indexOf(
    { symbol: 0, side: "below", level: 2_000, owner: 1, watch: 0 },
    { symbol: 0, side: "below", level: 2_001, owner: 2, watch: 0 },
  );
  assert.deepEqual(collected(index, 0, 2_000, 2_001), [{ owner: 2, watch: 0 }]);
  assert.equal(index.isReached(0, 2_000, 2_001), false);
});

test("a gap through many levels hands them out nearest level first, equal levels by owner and watch", () => {
  const rows = [1_010, 1_030, 1_020, 1_020].map((level, at) => ({ level, owner: 9 - at, watch: at }));
  const up = indexOf(...rows.map((row): Row => ({ ...row, symbol: 0, side: "above" })));
  const down = indexOf(...rows.map((row): Row => ({ ...row, symbol: 0, side: "below" })));
  const [lowest, highest, middleLater, middleEarlier] = rows.map(({ owner, watch }) => ({ owner, watch }));
  assert.deepEqual(collected(up, 0, 5_000, 5_000), [lowest, middleEarlier, middleLater, highest]);
  assert.deepEqual(collected(down, 0, 500, 500), [highest, middleEarlier, middleLater, lowest]);
});

test("one price can reach both sides: the above side comes first", () => {
  const index = indexOf(
    { symbol: 0, side: "below", level: 2_000, owner: 1, watch: 0 },
    { symbol: 0, side: "above", level: 2_000, owner: 2, watch: 0 },
  );
  assert.deepEqual(collected(index, 0, 2_000, 2_000), [
    { owner: 2, watch: 0 },
    { owner: 1, watch: 0 },
  ]);
});

test("what was collected is no longer armed", () => {
  const index = indexOf({ symbol: 0, side: "above", level: 2_000, owner: 1, watch: 0 });
  assert.equal(collected(index, 0, 2_000, 2_000).length, 1);
  assert.equal(index.isReached(0, LEVEL_MAX, LEVEL_MAX), false);
  assert.equal(collected(index, 0, LEVEL_MAX, LEVEL_MAX).length, 0);
  assert.equal(index.disarm(0, "above", 2_000, 1, 0), false);
  index.arm(0, "above", 2_000, 1, 0);
  assert.equal(index.size, 1);
});

test("disarming the best level makes the next one the best", () => {
  const index = indexOf(
    { symbol: 0, side: "below", level: 2_000, owner: 1, watch: 0 },
    { symbol: 0, side: "below", level: 1_000, owner: 1, watch: 1 },
  );
  assert.ok(index.disarm(0, "below", 2_000, 1, 0));
  assert.equal(index.isReached(0, 1_001, 1_001), false);
  assert.ok(index.isReached(0, 1_000, 1_000));
});

test("a disarm must name side, level, owner and watch exactly", () => {
  const index = indexOf({ symbol: 0, side: "above", level: 2_000, owner: 1, watch: 1 });
  assert.equal(index.disarm(0, "below", 2_000, 1, 1), false);
  assert.equal(index.disarm(0, "above", 2_001, 1, 1), false);
  assert.equal(index.disarm(0, "above", 2_000, 2, 1), false);
  assert.equal(index.disarm(0, "above", 2_000, 1, 2), false);
  assert.equal(index.disarm(7, "above", 2_000, 1, 1), false);
  assert.equal(index.size, 1);
});

test("no legal price reaches a symbol without rows, or one that nobody registered", () => {
  const index = new PriceIndex();
  const symbol = index.symbolNumber("THYAO");
  for (const price of [1, LEVEL_MAX, 2_147_483_646]) {
    assert.equal(index.isReached(symbol, price, price), false);
    assert.equal(index.isReached(symbol + 1, price, price), false);
    assert.equal(index.isReached(1_000_000, price, price), false);
  }
});

test("a price beyond every level collects what is armed and nothing else", () => {
  const index = indexOf({ symbol: 0, side: "above", level: LEVEL_MAX, owner: OWNER_MAX, watch: 0xffff });
  assert.equal(index.isReached(0, LEVEL_MAX - 1, LEVEL_MAX - 1), false);
  assert.deepEqual(collected(index, 0, 1e15, 1e15), [{ owner: OWNER_MAX, watch: 0xffff }]);
  assert.deepEqual(collected(index, 0, 1e15, 1e15), []);
});

test("the lowest legal level below is reached by 0.01 only", () => {
  const index = indexOf({ symbol: 0, side: "below", level: 1, owner: OWNER_MAX, watch: 0 });
  assert.equal(index.isReached(0, 1, 2), false);
  assert.ok(index.isReached(0, 0, 1));
  assert.deepEqual(collected(index, 0, 0, 1), [{ owner: OWNER_MAX, watch: 0 }]);
});

test("watch numbers beyond 65,535 need the wide format", () => {
  const wide = new PriceIndex("uint32");
  wide.arm(wide.symbolNumber("THYAO"), "above", 100, 1, 0xffff_ffff);
  assert.deepEqual(collected(wide, 0, 100, 100), [{ owner: 1, watch: 0xffff_ffff }]);
  const narrow = new PriceIndex();
  assert.throws(() => narrow.arm(narrow.symbolNumber("THYAO"), "above", 100, 1, 0x1_0000), AssertionFailure);
});

test("arming a row twice, an unknown symbol or an illegal level is a bug", () => {
  const index = indexOf({ symbol: 0, side: "above", level: 2_000, owner: 1, watch: 0 });
  assert.throws(() => index.arm(0, "above", 2_000, 1, 0), AssertionFailure);
  assert.throws(() => index.arm(1, "above", 2_000, 1, 0), AssertionFailure);
  assert.throws(() => index.arm(-1, "above", 2_000, 1, 0), AssertionFailure);
  for (const level of [0, -1, 20.5, LEVEL_MAX + 1, Number.NaN]) {
    assert.throws(() => index.arm(0, "above", level, 2, 0), AssertionFailure);
  }
  assert.equal(index.size, 1);
});

test("a row takes less than 24 bytes, and memory returns when rows leave", () => {
  const index = new PriceIndex();
  for (let symbol = 0; symbol < 30; symbol += 1) index.symbolNumber(`S${symbol}`);
  const rows = 120_000;
  const levelOf = (owner: number): number => 1 + ((owner * 7_919) % 100_003);
  for (let owner = 0; owner < rows; owner += 1) {
    index.arm(owner % 30, owner % 3 === 0 ? "below" : "above", levelOf(owner), owner, owner % 3);
  }
  const bytesFull = index.bytes;
  assert.ok(bytesFull / rows < 24, `${bytesFull / rows} bytes a row`);
  for (let owner = 0; owner < rows; owner += 1) {
    assert.ok(index.disarm(owner % 30, owner % 3 === 0 ? "below" : "above", levelOf(owner), owner, owner % 3));
  }
  assert.equal(index.size, 0);
  assert.ok(index.bytes < bytesFull / 20, `${index.bytes} of ${bytesFull} bytes are left`);
});

test("a buffer is cleared and used again", () => {
  const index = indexOf({ symbol: 0, side: "above", level: 100, owner: 1, watch: 0 });
  const buffer = new ReachedBuffer();
  index.collect(0, 100, 100, buffer);
  buffer.clear();
  assert.equal(buffer.length, 0);
  assert.throws(() => buffer.ownerAt(0), AssertionFailure);
  index.arm(0, "above", 100, 2, 3);
  index.collect(0, 100, 100, buffer);
  assert.deepEqual([buffer.length, buffer.ownerAt(0), buffer.watchAt(0)], [1, 2, 3]);
});
