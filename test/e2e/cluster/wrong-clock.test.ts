/** An engine whose clock is wrong gives its partition to one with a right clock, which sells by what was refused. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { WrongClock } from "../../borders/support/clock.ts";
import { clusterSuite } from "../../support/machine/nats-cluster.ts";
import { temporaryFolder } from "../../support/machine/process.ts";
import { ReplicatedWorld } from "../../support/world/replicated-world.ts";

clusterSuite("a partition whose engine's clock is wrong", () => {
  test("is led by another engine, which sells by what the first refused (behaviour 3.7a)", async () => {
    const folder = await temporaryFolder();
    const clocks = new Map(["a", "b"].map((name) => [name, new WrongClock(join(folder.path, name))]));
    const world = await ReplicatedWorld.start({ partitions: 1 });
    try {
      for (const [name, clock] of clocks) await world.startEngine(name, clock.environment);
      const led = await world.viewOnce("one leads, and the other has a copy", ({ partitions: [first] }) => {
        return first?.leader !== null && first?.copies[0]?.lagRecords === 0;
      });
      const first = led.partitions[0]?.leader ?? "";
      const view = await world.viewOnce("both know their clocks", ({ engines }) =>
        engines.every(({ isClockRight }) => isClockRight === true),
      );
      assert.equal(view.engines.length, 2);
      await world.calm();
      await world.createGroup(0, "first");
      clocks.get(first)?.setAhead(-8_000);
      for (const price of [85, 100]) {
        world.nats.publish("ticks.THYAO", JSON.stringify({ price, time: Date.now() }));
      }
      const other = (name: string | null | undefined): boolean => name !== null && name !== undefined && name !== first;
      const given = await world.viewOnce("the other leads", ({ partitions: [only] }) => other(only?.leader));
      assert.equal(given.engines.find(({ engine }) => engine === first)?.isClockRight, false);
      await world.until("its log says so", () => world.engine(first).output().includes('"event":"clock.off"'));
      await world.until(
        "it sells by the price that the first refused",
        async () => (await world.orders(0)).length === 1,
      );
      clocks.get(first)?.setAhead(0);
      await world.viewOnce("all clocks are right", ({ engines }) =>
        engines.every((each) => each.isClockRight === true),
      );
      assert.equal((await world.orders(0)).length, 1);
    } finally {
      await world.stop();
      await folder.remove();
    }
  });
});
