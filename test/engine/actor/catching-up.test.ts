/** Levels that are armed while missed ticks are read back: which price is the last is known only afterwards. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { World } from "./host-world.ts";

const STOP_LOSS = ["abcdefghij-r1"];

/** Missed ticks have been read back. */
function endCatchingUp(world: World): void {
  world.isCatchingUp = false;
  world.host.checkWaiting();
}

describe("a level that is armed while ticks are read back", () => {
  test("is reached by a price that only then turns out to be the last", () => {
    const world = new World();
    world.see(100);
    world.isCatchingUp = true;
    world.open(1);
    world.see(85);
    assert.deepEqual(world.names(), []);
    endCatchingUp(world);
    assert.deepEqual(world.names(), STOP_LOSS);
  });

  test("is not reached by a price that turns out not to be the last", () => {
    const world = new World();
    world.see(85);
    world.isCatchingUp = true;
    world.open(1);
    world.see(100);
    endCatchingUp(world);
    assert.deepEqual(world.names(), []);
    world.tick(85);
    assert.deepEqual(world.names(), STOP_LOSS, "it is under watch");
  });

  test("is judged by a last price as old as it was when the level was armed, where none is newer", async () => {
    const world = new World();
    world.see(85, 50_000);
    world.isCatchingUp = true;
    world.open(1);
    await world.time.advance(20_000);
    endCatchingUp(world);
    assert.deepEqual(world.names(), STOP_LOSS);
  });

  test("is not reached by a last price that was too old when the level was armed", () => {
    const world = new World();
    world.see(85, 60_001);
    world.isCatchingUp = true;
    world.open(1);
    endCatchingUp(world);
    assert.deepEqual(world.names(), []);
  });

  for (const [last, sold] of [
    [85, STOP_LOSS],
    [100, []],
  ] as const) {
    test(`is reached by a tick from before it where that is the last price: then ${last}`, () => {
      const world = new World();
      world.see(100);
      world.isCatchingUp = true;
      world.open(1);
      world.see(85, 5);
      world.tick(85, world.time.nowMs() - 5, true);
      assert.deepEqual(world.names(), []);
      world.see(last);
      endCatchingUp(world);
      assert.deepEqual(world.names(), sold);
    });
  }

  test("is reached after a kill by the last tick of its own millisecond, and by no earlier one of it", async () => {
    const world = new World();
    world.open(1);
    const timeMs = world.time.nowMs();
    await world.restart();
    world.isCatchingUp = true;
    for (const price of [110, 110.85]) {
      world.see(price, world.time.nowMs() - timeMs);
      world.tick(price, timeMs, true);
    }
    assert.deepEqual(world.names(), [], "which of them came before it nobody can tell");
    endCatchingUp(world);
    assert.deepEqual(world.names(), ["abcdefghij-r2"]);
    assert.equal(world.group(1).rows[1]?.triggeredPrice, 110.85);
  });

  test("waits on while the next reading has begun, and is asked for once", () => {
    const world = new World();
    world.isCatchingUp = true;
    world.open(1);
    world.see(85);
    world.host.checkWaiting();
    assert.deepEqual(world.names(), []);
    endCatchingUp(world);
    endCatchingUp(world);
    assert.deepEqual(world.names(), STOP_LOSS);
  });

  test("and is no longer armed afterwards is left alone", () => {
    const world = new World();
    world.isCatchingUp = true;
    world.open(1);
    world.host.deliver("group", 1, { type: "cancel", timeMs: world.time.nowMs() });
    world.see(85);
    endCatchingUp(world);
    assert.deepEqual(world.names(), []);
  });
});
