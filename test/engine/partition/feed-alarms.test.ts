/** Faults of the feed are reported once they last, and not again and again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FeedAlarms } from "../../../engine/partition/feed-alarms.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";

test("a wrong clock is reported once it has lasted ten seconds, and then every ten minutes (behaviour 3.7a)", async () => {
  const time = new FakeTime();
  let offMs: number | null = null;
  const told: number[] = [];
  const alarms = new FeedAlarms({
    ...{ steadyClock: time, timers: time, clockOffMs: () => offMs },
    onClockOff: (aheadMs) => told.push(aheadMs),
  });
  const stop = alarms.start();
  await time.advance(60_000);
  offMs = 7_000;
  await time.advance(9_000);
  offMs = 0;
  await time.advance(5_000);
  assert.deepEqual(told, [], "it was right again soon");
  offMs = -7_000;
  await time.advance(12_000);
  assert.deepEqual(told, [-7_000]);
  await time.advance(580_000);
  assert.equal(told.length, 1);
  await time.advance(20_000);
  assert.equal(told.length, 2);
  stop();
  await time.advance(1_200_000);
  assert.equal(told.length, 2);
});
