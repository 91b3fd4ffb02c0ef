import assert from "node:assert/strict";
import { test } from "node:test";
import { DeadlineQueue } from "../../../engine/watch/deadline-queue.ts";
import { AssertionFailure } from "../../../src/assert.ts";
import fc from "../../support/property.ts";

type Deadline = { timeMs: number; owner: number };

/** The same rules over an unordered array. */
class NaiveQueue {
  list: Deadline[] = [];

  set(timeMs: number, owner: number): void {
    if (!this.list.some((held) => held.timeMs === timeMs && held.owner === owner)) this.list.push({ timeMs, owner });
    this.list.sort((left, right) => left.timeMs - right.timeMs || left.owner - right.owner);
  }

  remove(timeMs: number, owner: number): boolean {
    const before = this.list.length;
    this.list = this.list.filter((held) => held.timeMs !== timeMs || held.owner !== owner);
    return this.list.length < before;
  }

  popDue(nowMs: number): number | undefined {
    const first = this.list[0];
    return first !== undefined && first.timeMs <= nowMs ? this.list.shift()?.owner : undefined;
  }
}

const START_MS = 1_732_152_000_000;
const command = fc.tuple(fc.nat({ max: 9 }), fc.integer({ min: START_MS, max: START_MS + 50 }), fc.nat({ max: 20 }));

test("random commands wake what a plain list wakes", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 800, size: "max" }), (commands) => {
      const real = new DeadlineQueue();
      const naive = new NaiveQueue();
      for (const [kind, timeMs, owner] of commands) {
        if (kind <= 5) {
          real.set(timeMs, owner);
          naive.set(timeMs, owner);
        } else if (kind <= 7) {
          assert.equal(real.remove(timeMs, owner), naive.remove(timeMs, owner));
        } else {
          const nowMs = START_MS + (timeMs % 20);
          assert.equal(real.popDue(nowMs), naive.popDue(nowMs));
        }
        assert.equal(real.size, naive.list.length);
        assert.equal(real.nextTimeMs(), naive.list[0]?.timeMs);
      }
      while (naive.list.length > 0) assert.equal(real.popDue(Number.MAX_VALUE), naive.popDue(Number.MAX_VALUE));
      assert.equal(real.size, 0);
    }),
    { numRuns: 100 },
  );
});

test("a deadline is due at its very millisecond and not before", () => {
  const queue = new DeadlineQueue();
  queue.set(START_MS, 7);
  assert.equal(queue.popDue(START_MS - 1), undefined);
  assert.equal(queue.popDue(START_MS), 7);
  assert.equal(queue.popDue(START_MS), undefined);
});

test("deadlines come out by time, equal times by owner", () => {
  const queue = new DeadlineQueue();
  queue.set(START_MS + 1, 1);
  queue.set(START_MS, Number.MAX_SAFE_INTEGER);
  queue.set(START_MS, 2);
  const owners = [queue.popDue(START_MS + 1), queue.popDue(START_MS + 1), queue.popDue(START_MS + 1)];
  assert.deepEqual(owners, [2, Number.MAX_SAFE_INTEGER, 1]);
});

test("a deadline set twice wakes once, and one owner may have several", () => {
  const queue = new DeadlineQueue();
  queue.set(START_MS, 1);
  queue.set(START_MS, 1);
  queue.set(START_MS + 5, 1);
  assert.equal(queue.size, 2);
  assert.ok(queue.remove(START_MS, 1));
  assert.equal(queue.remove(START_MS, 1), false);
  assert.equal(queue.nextTimeMs(), START_MS + 5);
});

test("an empty queue has no next time", () => {
  const queue = new DeadlineQueue();
  assert.equal(queue.nextTimeMs(), undefined);
  assert.equal(queue.popDue(START_MS), undefined);
  assert.equal(queue.remove(START_MS, 1), false);
});

test("a time that is no number is a bug", () => {
  const queue = new DeadlineQueue();
  assert.throws(() => queue.set(Number.NaN, 1), AssertionFailure);
  assert.throws(() => queue.set(Number.POSITIVE_INFINITY, 1), AssertionFailure);
});

test("memory returns when deadlines have passed", () => {
  const queue = new DeadlineQueue();
  const bytesEmpty = queue.bytes;
  for (let owner = 0; owner < 20_000; owner += 1) queue.set(START_MS + ((owner * 7_919) % 10_007), owner);
  assert.ok(queue.bytes > 20_000 * 18);
  while (queue.popDue(START_MS + 10_007) !== undefined);
  assert.equal(queue.size, 0);
  assert.equal(queue.bytes, bytesEmpty);
});
