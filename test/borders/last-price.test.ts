/** The last price of a symbol over a kill -9, with and without JetStream: a new group is judged by it alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { natsSuite } from "../support/machine/nats-server.ts";
import { pause } from "../support/world/stack.ts";
import { FeedWorld } from "./support/feed-world.ts";

natsSuite("the last price over a kill", () => {
  for (const jetStream of [true, false]) {
    const where = jetStream ? "with JetStream" : "without JetStream";

    test(`${where}, a group made after the kill sells by the last price, and its maker is told`, async () => {
      const world = await FeedWorld.start({ jetStream });
      try {
        await world.tick(101);
        await world.tick(99);
        await world.kill();
        await world.startEngine();
        const message = await world.createGroup(100, 110);
        assert.match(message ?? "", /THYAO is at 99, at or under the stop-loss 100, so it sells immediately/);
        assert.equal(await world.settledRows("stop 2, take 4"), "stop 2, take 4");
      } finally {
        await world.stop();
      }
    });

    test(`${where}, a price before the last one sells nothing`, async () => {
      const world = await FeedWorld.start({ jetStream });
      try {
        await world.tick(99);
        await world.tick(105);
        await world.kill();
        // With JetStream, a price that arrives while no engine runs is the last price.
        if (jetStream) await world.tick(104);
        await world.startEngine();
        assert.equal(await world.createGroup(100, 110), undefined);
        await pause(500);
        assert.equal(await world.rows(), "stop 1, take 1");
      } finally {
        await world.stop();
      }
    });
  }
});
