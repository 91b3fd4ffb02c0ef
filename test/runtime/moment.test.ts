import assert from "node:assert/strict";
import { test } from "node:test";
import { DualClock } from "../../src/runtime/moment.ts";

function clocksAt(wallMs: number, steadyMs: number) {
  const said = { wallMs, steadyMs };
  const clocks = new DualClock({ clock: { nowMs: () => said.wallMs }, steadyClock: { nowMs: () => said.steadyMs } });
  return { said, clocks };
}

test("how long ago something was is told by the clock that says longer", () => {
  const { said, clocks } = clocksAt(1_000, 50);
  const moment = clocks.now();
  assert.deepEqual(moment, { wallMs: 1_000, steadyMs: 50 });
  said.wallMs = 1_300;
  assert.equal(clocks.msSince(moment), 300, "the steady clock stood still");
  said.steadyMs = 450;
  said.wallMs = 200;
  assert.equal(clocks.msSince(moment), 400, "the wall clock was set back");
});

test("a moment of the steady clock is as long ago by the wall clock, and goes on by both", () => {
  const { said, clocks } = clocksAt(1_000, 50);
  const moment = clocks.at(20);
  assert.deepEqual(moment, { wallMs: 970, steadyMs: 20 });
  said.wallMs = 1_500;
  assert.equal(clocks.msSince(moment), 530);
});
