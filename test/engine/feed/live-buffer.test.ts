import assert from "node:assert/strict";
import { test } from "node:test";
import { type BufferedTick, LiveBuffer } from "../../../engine/feed/live-buffer.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import fc from "../../support/property.ts";

function tick(symbol: string, value: number, atMs = 0): BufferedTick {
  const price = livePrice(value);
  assert.ok(price !== undefined);
  return { symbol, price, ownTimeMs: Number.NaN, atMs };
}

function drain(buffer: LiveBuffer): BufferedTick[] {
  const drained: BufferedTick[] = [];
  buffer.drain((each) => drained.push(each));
  return drained;
}

test("up to its capacity the buffer gives back everything in order", () => {
  const buffer = new LiveBuffer(3);
  const ticks = [tick("A", 3), tick("B", 2), tick("A", 1)];
  for (const each of ticks) buffer.push(each);
  assert.deepEqual(drain(buffer), ticks);
  assert.equal(buffer.length, 0);
  assert.equal(buffer.coalescedCount, 0);
});

test("above its capacity the first, the ends of runs of new extremes and the last stay, in order", () => {
  const buffer = new LiveBuffer(6);
  const values = [5, 9, 6, 1, 7, 6, 6];
  for (const [index, value] of values.entries()) buffer.push(tick("A", value, index));
  assert.deepEqual(
    drain(buffer).map(({ price, atMs }) => [price.value, atMs]),
    [
      [5, 0],
      [9, 1],
      [1, 3],
      [6, 6],
    ],
  );
  assert.equal(buffer.coalescedCount, 3);
});

test("a stop-loss that was reached before the highest price is reached before it still", () => {
  const buffer = new LiveBuffer(5);
  for (const [index, value] of [100, 85, 130, 80, 100, 99].entries()) buffer.push(tick("A", value, index));
  assert.deepEqual(
    drain(buffer).map(({ price }) => price.value),
    [100, 85, 130, 80, 99],
  );
});

/** The side of two levels that ticks reach first. */
function firstSide(ticks: readonly BufferedTick[], below: number, above: number): string | undefined {
  const first = ticks.find(({ price }) => price.value <= below || price.value >= above);
  if (first === undefined) return undefined;
  return first.price.value <= below ? "below" : "above";
}

test("whatever comes in, extremes, their order and the last of every symbol come out, in order", () => {
  const anyTick = fc.tuple(fc.constantFrom("A", "B", "C"), fc.integer({ min: 1, max: 50 }));
  fc.assert(
    fc.property(
      fc.array(anyTick, { maxLength: 200, size: "max" }),
      fc.integer({ min: 1, max: 30 }),
      (given, capacity) => {
        const buffer = new LiveBuffer(capacity);
        const ticks = given.map(([symbol, value], index) => tick(symbol, value, index));
        for (const each of ticks) buffer.push(each);
        const kept = drain(buffer);
        assert.equal(kept.length + buffer.coalescedCount, ticks.length);
        assert.deepEqual(
          kept,
          [...kept].sort((a, b) => a.atMs - b.atMs),
        );
        for (const symbol of ["A", "B", "C"]) {
          const before = ticks.filter((each) => each.symbol === symbol);
          const after = kept.filter((each) => each.symbol === symbol);
          const range = (all: readonly BufferedTick[]) => [
            Math.min(...all.map(({ price }) => price.value)),
            Math.max(...all.map(({ price }) => price.value)),
            all.at(-1)?.atMs,
          ];
          assert.deepEqual(range(after), range(before));
          for (let below = 0; below < 50; below += 7) {
            for (const above of [below + 1, below + 10]) {
              assert.equal(firstSide(after, below, above), firstSide(before, below, above), `${below} or ${above}`);
            }
          }
        }
      },
    ),
  );
});

test("many ticks of few symbols stay few, however often they are coalesced", () => {
  const buffer = new LiveBuffer(10);
  for (let index = 0; index < 10_000; index += 1) {
    buffer.push(tick("A", 50 + ((index * 7_919) % 40), index));
    assert.ok(buffer.length <= 40, "no two in the same direction follow each other");
  }
});

function pricesOf(ticks: readonly BufferedTick[]): readonly number[] {
  return ticks.map(({ price }) => price.value);
}

test("extremes count anew from where a level was armed, for its symbol alone", () => {
  const buffer = new LiveBuffer(11);
  for (const [index, value] of [100, 80, 100].entries()) buffer.push(tick("A", value, index));
  for (const [index, value] of [100, 80, 100].entries()) buffer.push(tick("B", value, index));
  buffer.mark("A", 5);
  for (const symbol of ["A", "B"]) {
    for (const [index, value] of [99, 85, 98].entries()) buffer.push(tick(symbol, value, 10 + index));
  }
  const kept = drain(buffer);
  assert.deepEqual(pricesOf(kept.filter(({ symbol }) => symbol === "A")), [100, 80, 99, 85, 98]);
  assert.deepEqual(pricesOf(kept.filter(({ symbol }) => symbol === "B")), [100, 80, 98]);
});

test("an extreme of the millisecond in which a level was armed hides none behind it", () => {
  const buffer = new LiveBuffer(4);
  buffer.push(tick("A", 100, 0));
  buffer.mark("A", 1);
  for (const [value, atMs] of [
    [80, 1],
    [85, 2],
    [90, 3],
    [91, 3],
  ] as const)
    buffer.push(tick("A", value, atMs));
  assert.deepEqual(pricesOf(drain(buffer)), [100, 80, 85, 91]);
});

test("a clock that is set back after a level was armed does not keep every tick", () => {
  const buffer = new LiveBuffer(10);
  buffer.mark("A", 3_600_000);
  for (let index = 0; index < 1_000; index += 1) buffer.push(tick("A", 50 + (index % 7), index));
  assert.ok(buffer.length <= 20);
});

test("a buffer that was emptied knows no mark of before", () => {
  const buffer = new LiveBuffer(4);
  buffer.mark("A", 1);
  drain(buffer);
  for (const [index, value] of [100, 80, 90, 85, 99].entries()) buffer.push(tick("A", value, index));
  assert.deepEqual(pricesOf(drain(buffer)), [100, 80, 99]);
});

test("wherever levels are armed among the ticks, each is reached by those behind it, and the same side first", () => {
  const anyStep = fc.record({
    symbol: fc.constantFrom("A", "B"),
    value: fc.integer({ min: 1, max: 50 }),
    isArmed: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
    isLater: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(anyStep, { maxLength: 200, size: "max" }),
      fc.integer({ min: 1, max: 30 }),
      (steps, capacity) => {
        const buffer = new LiveBuffer(capacity);
        const ticks: BufferedTick[] = [];
        const armed = [
          { symbol: "A", atMs: -1 },
          { symbol: "B", atMs: -1 },
        ];
        let nowMs = 0;
        for (const { symbol, value, isArmed, isLater } of steps) {
          if (isLater) nowMs += 1;
          if (isArmed) {
            buffer.mark(symbol, nowMs);
            armed.push({ symbol, atMs: nowMs });
            continue;
          }
          const each = tick(symbol, value, nowMs);
          ticks.push(each);
          buffer.push(each);
        }
        const kept = drain(buffer);
        for (const { symbol, atMs } of armed) {
          // A tick of the very millisecond may have come before.
          const counts = (each: BufferedTick): boolean => each.symbol === symbol && each.atMs > atMs;
          const [before, after] = [ticks.filter(counts), kept.filter(counts)];
          for (let below = 0; below < 50; below += 7) {
            for (const above of [below + 1, below + 10, 100]) {
              assert.equal(firstSide(after, below, above), firstSide(before, below, above), `${below} or ${above}`);
            }
          }
        }
      },
    ),
  );
});

test("of a symbol of which every tick counts all stay, in order, and those of others are coalesced all the same", () => {
  const buffer = new LiveBuffer(6, (symbol) => symbol === "A");
  const values = [5, 9, 6, 1, 7, 6, 6];
  for (const [index, value] of values.entries()) {
    buffer.push(tick("A", value, index));
    for (let times = 0; times < 9; times += 1) buffer.push(tick("B", value, index));
  }
  const drained = drain(buffer);
  assert.deepEqual(
    drained.filter(({ symbol }) => symbol === "A").map(({ price }) => price.value),
    values,
  );
  assert.ok(drained.filter(({ symbol }) => symbol === "B").length < 9 * values.length);
});
