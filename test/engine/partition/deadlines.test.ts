/** Deadlines are given their own moments, in order, and ticks come on the side of them on which they lie. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { Deadlines } from "../../../engine/partition/deadlines.ts";
import { PartitionWatchbook } from "../../../engine/watch/watchbook.ts";
import { testFeed } from "../../support/world/test-feed.ts";

describe("deadlines", () => {
  let nowMs = 0;
  let isCatchingUp = false;
  let given: string[] = [];
  let waiting: (() => unknown)[] = [];
  let isIdle = true;
  let deadlines: Deadlines;

  beforeEach(() => {
    nowMs = 10_000;
    isCatchingUp = false;
    isIdle = true;
    given = [];
    waiting = [];
    const { deadlines: queue } = new PartitionWatchbook();
    for (const [owner, dueMs] of [
      [3, 12_000],
      [1, 11_000],
      [2, 11_500],
    ] as const) {
      queue.set(dueMs, owner);
    }
    deadlines = new Deadlines({
      clock: { nowMs: () => nowMs },
      queue,
      inbox: {
        get isIdle() {
          return isIdle;
        },
        enqueue: (work) => waiting.push(work) > 0,
      },
      feed: testFeed({ isCatchingUp: () => isCatchingUp }),
      wake: (owner, timeMs) => void given.push(`${owner} at ${timeMs}`),
    });
    deadlines.start();
  });

  test("pass before a tick at their moment or after it, each with its own moment and in their order", () => {
    nowMs = 11_700;
    deadlines.passBefore(10_999);
    assert.deepEqual(given, []);
    deadlines.passBefore(11_000);
    assert.deepEqual(given, ["1 at 11000"]);
    deadlines.passBefore(11_700);
    assert.deepEqual(given, ["1 at 11000", "2 at 11500"]);
  });

  test("do not pass before a tick that a clock saw which was set back since", () => {
    nowMs = 11_200;
    deadlines.passBefore(30_000);
    assert.deepEqual(given, ["1 at 11000"]);
  });

  test("pass by the clock where no tick comes", () => {
    nowMs = 10_900;
    deadlines.passByClock();
    assert.deepEqual(given, []);
    nowMs = 11_600;
    deadlines.passByClock();
    assert.deepEqual(given, ["1 at 11000", "2 at 11500"]);
  });

  test("are left to the ticks while missed ones are read back, and at the first look after a standstill", () => {
    isCatchingUp = true;
    nowMs = 11_000;
    deadlines.passByClock();
    assert.deepEqual(given, []);
    deadlines.passBefore(11_000);
    assert.deepEqual(given, ["1 at 11000"]);

    isCatchingUp = false;
    nowMs = 13_000;
    deadlines.passByClock();
    assert.deepEqual(given, ["1 at 11000"]);
    deadlines.passByClock();
    assert.deepEqual(given, ["1 at 11000", "2 at 11500", "3 at 12000"]);
  });

  test("wait behind the work that waits", () => {
    isIdle = false;
    nowMs = 11_000;
    deadlines.passBefore(11_000);
    assert.deepEqual(given, []);
    for (const work of waiting) work();
    assert.deepEqual(given, ["1 at 11000"]);
  });
});
