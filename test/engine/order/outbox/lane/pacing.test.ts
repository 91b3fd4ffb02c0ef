/** The quota's window against a list of all uses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SlidingWindow, WINDOW_MS } from "../../../../../engine/order/outbox/lane/pacing.ts";
import fc from "../../../../support/property.ts";

function use(window: SlidingWindow, nowMs: number): void {
  window.reserve(nowMs);
  window.useReserved(nowMs);
}

test("at most the limit lies within any 60 s, and nothing is held back longer than that needs", () => {
  const steps = fc.array(fc.record({ passMs: fc.integer({ min: 0, max: 30_000 }), wantCount: fc.nat({ max: 6 }) }));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), steps, (limit, plan) => {
      const window = new SlidingWindow(limit);
      const uses: number[] = [];
      let nowMs = 1_000_000;
      for (const { passMs, wantCount } of plan) {
        nowMs += passMs;
        const recent = () => uses.filter((timeMs) => timeMs > nowMs - WINDOW_MS);
        for (let index = 0; index < wantCount; index += 1) {
          assert.equal(window.freeCount(nowMs), limit - recent().length);
          const oldest = recent()[0];
          const expectedMs = recent().length < limit ? nowMs : (oldest ?? nowMs) + WINDOW_MS;
          assert.equal(window.nextFreeMs(nowMs), expectedMs);
          if (window.freeCount(nowMs) === 0) break;
          use(window, nowMs);
          uses.push(nowMs);
        }
        assert.equal(window.emptyAtMs(nowMs), Math.max(nowMs, (recent().at(-1) ?? 0) + WINDOW_MS));
      }
    }),
  );
});

test("a reservation holds a place from before it has a time, and counts from when it is used", () => {
  const window = new SlidingWindow(2);
  window.reserve(0);
  use(window, 0);
  assert.equal(window.freeCount(0), 0);
  assert.equal(window.nextFreeMs(0), WINDOW_MS);
  window.useReserved(30_000);
  assert.equal(window.freeCount(WINDOW_MS), 1);
  assert.equal(window.freeCount(WINDOW_MS + 29_999), 1);
  assert.equal(window.freeCount(WINDOW_MS + 30_000), 2);
});

test("a reservation that is given back takes no place", () => {
  const window = new SlidingWindow(1);
  window.reserve(0);
  window.release();
  assert.equal(window.freeCount(0), 1);
  assert.throws(() => window.release(), /only what was reserved/);
});

test("where reservations alone fill the quota, no moment can be named", () => {
  const window = new SlidingWindow(1);
  window.reserve(0);
  assert.equal(window.nextFreeMs(0), Number.POSITIVE_INFINITY);
  assert.throws(() => window.reserve(0), /one is free/);
});

test("uses that are stored and restored never count for shorter than they should", () => {
  const uses = fc.array(fc.integer({ min: 0, max: 59_999 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(uses, fc.integer({ min: 0, max: 70_000 }), (ages, awayMs) => {
      const before = new SlidingWindow(20);
      for (const ageMs of [...ages].sort((a, b) => b - a)) use(before, 100_000 - ageMs);
      const after = new SlidingWindow(20);
      // Another life, another clock.
      after.restore(before.usesByAge(100_000), awayMs, 7_000_000);
      const trueCount = ages.filter((ageMs) => ageMs + awayMs < WINDOW_MS).length;
      const longCount = ages.filter((ageMs) => ageMs + awayMs < WINDOW_MS + 1_000).length;
      const count = 20 - after.freeCount(7_000_000);
      assert(count >= trueCount && count <= longCount, `${count} not in ${trueCount} to ${longCount}`);
    }),
  );
});

test("more restored uses than the limit keep the window closed until enough have left", () => {
  const window = new SlidingWindow(2);
  window.restore(
    [
      [30, 3],
      [10, 2],
    ],
    0,
    100_000,
  );
  assert.equal(window.freeCount(100_000), 0);
  assert.equal(window.nextFreeMs(100_000), 150_000);
  assert.equal(window.freeCount(150_000), 2);
});

test("a clock that was set back between two lives opens nothing", () => {
  const window = new SlidingWindow(1);
  window.restore([[0, 1]], -3_600_000, 100_000);
  assert.equal(window.nextFreeMs(100_000), 160_000);
});
