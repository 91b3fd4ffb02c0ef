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

test("above its capacity the lowest, the highest and the last of every symbol stay, in order", () => {
  const buffer = new LiveBuffer(6);
  const values = [5, 9, 6, 1, 7, 6, 6];
  for (const [index, value] of values.entries()) buffer.push(tick("A", value, index));
  assert.deepEqual(
    drain(buffer).map(({ price, atMs }) => [price.value, atMs]),
    [
      [9, 1],
      [1, 3],
      [6, 6],
    ],
  );
  assert.equal(buffer.coalescedCount, 4);
});

test("whatever comes in, extremes and the last of every symbol come out, in order and within the bound", () => {
  const anyTick = fc.tuple(fc.constantFrom("A", "B", "C"), fc.integer({ min: 1, max: 50 }));
  fc.assert(
    fc.property(fc.array(anyTick, { maxLength: 200 }), fc.integer({ min: 1, max: 30 }), (given, capacity) => {
      const buffer = new LiveBuffer(capacity);
      const ticks = given.map(([symbol, value], index) => tick(symbol, value, index));
      for (const each of ticks) {
        buffer.push(each);
        assert.ok(buffer.length <= Math.max(capacity, 18));
      }
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
      }
    }),
  );
});
