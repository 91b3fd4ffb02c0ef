/**
 * A running engine is found even if it reports late, or ends; an engine that is silent for the whole time does not run.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { heardEngines, LISTEN_MS } from "../../../../engine/cluster/placement/listen.ts";
import { Presence } from "../../../../engine/cluster/placement/presence.ts";
import { createMemoryBus } from "../../../../src/bus/memory/bus.ts";
import type { Bus } from "../../../../src/bus/port.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";

function start(time: FakeTime, bus: Bus, engine: string): Presence {
  const told = () => ({ lags: {}, leads: {}, positions: {}, takeovers: {}, heldTo: {} });
  return Presence.start({ bus, steadyClock: time, timers: time, engine, machine: engine, partitions: 1, told });
}

test("an engine that speaks once, at any moment, and is too busy to speak again runs", async () => {
  for (const spokenMs of [400, LISTEN_MS / 2, LISTEN_MS - 600]) {
    const time = new FakeTime();
    const bus = createMemoryBus();
    const listening = heardEngines(start(time, bus, "listener"), "listener", time);
    await time.advance(spokenMs);
    start(time, bus, "a").stop();
    await time.advance(LISTEN_MS - spokenMs);
    assert.deepEqual(await listening, ["a"]);
  }
});

test("an engine that ends still runs", async () => {
  const time = new FakeTime();
  const bus = createMemoryBus();
  start(time, bus, "a").beginEnd();
  const listening = heardEngines(start(time, bus, "listener"), "listener", time);
  await time.advance(LISTEN_MS);
  assert.deepEqual(await listening, ["a"]);
});

test("where nobody is heard for the whole time none runs, and it is not known before", async () => {
  const time = new FakeTime();
  let isKnown = false;
  const listening = heardEngines(start(time, createMemoryBus(), "listener"), "listener", time).finally(() => {
    isKnown = true;
  });
  await time.advance(LISTEN_MS - 1);
  assert.equal(isKnown, false);
  await time.advance(1);
  assert.deepEqual(await listening, []);
});
