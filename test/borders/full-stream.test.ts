/** A full JetStream: live ticks flow, but a catch-up would find none. Reported immediately, and after a kill. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { headers } from "nats";
import { natsSuite } from "../support/machine/nats-server.ts";
import { temporaryFolder } from "../support/machine/process.ts";
import { pause, until } from "../support/world/stack.ts";
import { FeedWorld, SYMBOL } from "./support/feed-world.ts";

const STORE_BYTES = 64 * 1024;

interface Feed {
  readonly holes: { readonly refused: number };
  readonly stream: { readonly refusedSinceMs: number | null };
}

natsSuite("a tick stream that takes no more", () => {
  test("is told while live ticks flow, and after a kill the missing span is an alarm", async () => {
    const store = await temporaryFolder();
    const configuration = `jetstream { store_dir: "${join(store.path, "js")}", max_file_store: ${STORE_BYTES} }`;
    const world = await FeedWorld.start({ configuration });
    try {
      await world.tick(100);
      await world.createGroup(90, 110);
      const filling = JSON.stringify({ price: 100, filling: "x".repeat(1_000) });
      for (let count = 0; count < (2 * STORE_BYTES) / 1_000; count += 1) world.nats.publish(`ticks.${SYMBOL}`, filling);
      await world.nats.flush();
      const output = await until(
        async () => world.output,
        (text) => text.includes("the tick stream takes no ticks"),
      );
      assert.match(output, /the tick stream takes no ticks/);
      const feed = async (): Promise<Feed> => (await world.stats()).feed as Feed;
      const before = await feed();
      assert.ok(before.holes.refused === 0 && before.stream.refusedSinceMs !== null);
      // The refusal must be on the disk before the kill.
      await pause(2_000);
      await world.kill();
      await world.tick(85);
      await world.tick(100);
      await world.startEngine();
      assert.match(world.output, /took no ticks for a while: what came then while away is lost/);
      assert.doesNotMatch(world.output, /tick feed: caught up/);
      assert.equal((await feed()).holes.refused, 1);
      await world.tick(89);
      assert.equal(await world.settledRows("stop 2, take 4"), "stop 2, take 4", "live ticks count as ever");
    } finally {
      await world.stop();
      await store.remove();
    }
  });

  test("its duplicate window is the shortest: a repeated message id costs no tick", async () => {
    const world = await FeedWorld.start({ jetStream: true });
    try {
      const manager = await world.nats.jetstreamManager();
      const { config } = await manager.streams.info("TICKS");
      assert.equal(config.duplicate_window, 100_000_000);
      const repeated = headers();
      repeated.set("Nats-Msg-Id", "always the same");
      const publish = async (price: number): Promise<void> => {
        world.nats.publish(`ticks.${SYMBOL}`, JSON.stringify({ price }), { headers: repeated });
        await world.nats.flush();
        // Ten duplicate windows: a busy server forgets an id late.
        await pause(1_000);
      };
      await publish(100);
      await world.createGroup(90, 110);
      await pause(3_000);
      await world.untilRead();
      await world.kill();
      await publish(100);
      await publish(85);
      await publish(100);
      await world.startEngine();
      assert.equal(await world.settledRows("stop 2, take 4"), "stop 2, take 4");
    } finally {
      await world.stop();
    }
  });
});
