/** An edge uses the engine's clock if its own is certainly wrong. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineTime } from "../../../edge/client/engine-time.ts";

function makeTime() {
  const world = { nowMs: 1_000_000, steadyMs: 0 };
  const told: string[] = [];
  const tell = (_: object, message: string): void => void told.push(message);
  const log = { debug: tell, info: tell, warn: tell, error: tell };
  const time = new EngineTime({ nowMs: () => world.nowMs, monotonicMs: () => world.steadyMs }, log);
  const read = (timeMs: number, roundTripMs = 0): void =>
    time.read({ timeMs, askedAtMs: world.steadyMs - roundTripMs, answeredAtMs: world.steadyMs });
  return { world, time, told, read };
}

test("its own clock counts before the engine was asked, and where it may be right", () => {
  const { world, time, told, read } = makeTime();
  assert.deepEqual([time.nowMs(), time.aheadMs], [world.nowMs, null]);
  read(world.nowMs + 1_900);
  assert.deepEqual([time.nowMs(), time.aheadMs], [world.nowMs, 1_900]);
  // The clocks are three seconds apart, within the error of an answer that took five.
  const slow = makeTime();
  slow.read(slow.world.nowMs + 3_000 - 2_500, 5_000);
  assert.equal(slow.time.nowMs(), slow.world.nowMs);
  assert.deepEqual(told, []);
});

test("it is corrected where it is surely wrong, also after a step, and told once a minute until it is right", () => {
  const { world, time, told, read } = makeTime();
  read(world.nowMs);
  world.nowMs += 3_600_000;
  assert.equal(time.nowMs(), world.nowMs - 3_600_000, "a step moves nothing");
  for (const steadyMs of [0, 15_000, 30_000, 60_000]) {
    world.nowMs += steadyMs - world.steadyMs;
    world.steadyMs = steadyMs;
    read(world.nowMs - 3_600_000);
  }
  assert.match(told[0] ?? "", /^the edge's clock is 3600000 ms ahead of the engine's clock/);
  assert.equal(told.length, 2);
  world.nowMs -= 3_600_000;
  read(world.nowMs);
  assert.equal(time.nowMs(), world.nowMs);
  assert.match(told[2] ?? "", /agree again/);
});
