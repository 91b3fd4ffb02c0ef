/** A frozen process notices that it was frozen, by either clock and at the first step of the loop, whichever it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EventLoopStall } from "../../src/runtime/event-loop-stall.ts";
import { ManualTime } from "../engine/feed/support/ports.ts";

const NOW_MS = 1_800_000_000_000;
const BEATS = { beatMs: 500, lateMs: 2_000 };

test("a beat that is late tells of a standing still, and one that is not tells of none", async () => {
  const time = new ManualTime(NOW_MS);
  const told: number[] = [];
  const onStandstill = (lateMs: number) => told.push(lateMs);
  const standstill = new EventLoopStall({ ...BEATS, clock: time, steadyClock: time, timers: time, onStandstill });
  standstill.start();
  await time.advance(10_000);
  time.freeze(2_400);
  await time.advance(500);
  assert.deepEqual(told, [], "a moment is none");
  time.freeze(2_600);
  await time.advance(500);
  assert.equal(told.length, 1);
  standstill.stop();
  time.freeze(5_000);
  await time.advance(5_000);
  assert.equal(told.length, 1, "nothing once it is over");
});

test("a time-out is judged by both clocks: the wall clock was set back by about as much as the process stood", () => {
  const time = new ManualTime(NOW_MS);
  let [stepMs, toldCount] = [0, 0];
  const clock = { nowMs: () => time.nowMs() + stepMs };
  const onStandstill = () => (toldCount += 1);
  const standstill = new EventLoopStall({ ...BEATS, clock, steadyClock: time, timers: time, onStandstill });
  standstill.start();
  time.freeze(5_000);
  stepMs = -4_500;
  standstill.check();
  assert.equal(toldCount, 1);
  standstill.stop();
});

test("a standing still is noticed although the wall clock was set back meanwhile", async () => {
  const time = new ManualTime(NOW_MS);
  const told: number[] = [];
  let stepMs = 0;
  const clock = { nowMs: () => time.nowMs() + stepMs };
  const onStandstill = (lateMs: number) => told.push(lateMs);
  const standstill = new EventLoopStall({ ...BEATS, clock, steadyClock: time, timers: time, onStandstill });
  standstill.start();
  await time.advance(1_000);
  stepMs = -3_600_000;
  standstill.look(clock.nowMs());
  assert.deepEqual(told, [], "a step alone is none");
  await time.advance(1_000);
  time.freeze(3_000);
  stepMs = -7_200_000;
  standstill.look(clock.nowMs());
  assert.equal(told.length, 1);
  await time.advance(1_000);
  assert.equal(told.length, 1, "told once");
  standstill.stop();
});
