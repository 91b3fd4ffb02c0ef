/** The engine's clock differs from the stream's, and is set while the engine is away or frozen, or the stream full. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "nats";
import { QUERIES } from "../../src/contract/command.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { temporaryFolder } from "../support/machine/process.ts";
import { pause, until } from "../support/world/stack.ts";
import { WrongClock } from "./support/clock.ts";
import { FeedWorld, SYMBOL } from "./support/feed-world.ts";

const STORE_BYTES = 64 * 1024;
const SOLD = "stop 2, take 4";
const HOUR_MS = 3_600_000;
/** The engine measures its offset to the stream in less time, and after it an earlier price is not simultaneous. */
const SETTLED_MS = 2_500;
/** The measured offset differs from the set offset by a round trip to the server. */
const NEAR_MS = 1_000;
const DUE_MS = 8_000;

/** Resolves once the engine has read the stream and measured its offset to an engine clock that is `aheadMs` ahead. */
async function settled(world: FeedWorld, aheadMs = 0): Promise<void> {
  await pause(SETTLED_MS);
  await world.untilRead();
  const offset = async (): Promise<number | null> => {
    const { stream } = (await world.stats()).feed as { readonly stream: { readonly clockAheadMs: number | null } };
    return stream.clockAheadMs;
  };
  const isKnown = (now: number | null): boolean => now !== null && Math.abs(now + aheadMs) < NEAR_MS;
  assert.ok(isKnown(await until(offset, isKnown)), "the engine knows how far the stream's clock is");
}

async function inWorld(
  configuration: (folder: string) => string,
  run: (world: FeedWorld, clock: WrongClock) => Promise<void>,
): Promise<void> {
  const folder = await temporaryFolder();
  const clock = new WrongClock(join(folder.path, "ahead"));
  const world = await FeedWorld.start({ configuration: configuration(folder.path) }, clock.environment);
  try {
    await run(world, clock);
  } finally {
    await world.stop();
    await folder.remove();
  }
}

const roomy = (folder: string): string => `jetstream { store_dir: "${join(folder, "js")}" }`;

natsSuite("an engine whose clock is wrong", () => {
  for (const aheadMs of [-2_000, 2_000]) {
    test(`by ${aheadMs} ms sells nothing by a price from before a group, and loses no dip from after it`, async () => {
      await inWorld(roomy, async (world, clock) => {
        clock.setAhead(aheadMs);
        await settled(world, aheadMs);
        await world.tick(85);
        await world.tick(100);
        await world.createGroup(90, 110);
        await world.kill();
        await world.startEngine();
        await pause(500);
        assert.equal(await world.rows(), "stop 1, take 1");
        await world.kill();
        await world.tick(85);
        await world.tick(100);
        await world.startEngine();
        assert.equal(await world.settledRows(SOLD), SOLD);
      });
    });
  }

  for (const byMs of [-HOUR_MS, HOUR_MS]) {
    test(`and is set by ${byMs} ms while it is away, or stands still, loses no dip`, async () => {
      await inWorld(roomy, async (world, clock) => {
        await world.tick(100);
        await world.createGroup(90, 110);
        await settled(world);
        await world.kill();
        clock.setAhead(byMs);
        await world.tick(85);
        await world.tick(100);
        await world.startEngine();
        assert.equal(await world.settledRows(SOLD), SOLD);
        await world.createGroup(90, 110);
        await settled(world, byMs);
        world.signal("SIGSTOP");
        clock.setAhead(0);
        await world.tick(85);
        await world.tick(100);
        await pause(SETTLED_MS);
        world.signal("SIGCONT");
        assert.equal(await world.settledRows(`${SOLD}, ${SOLD}`), `${SOLD}, ${SOLD}`);
      });
    });
  }

  for (const byMs of [-8_000, 120_000]) {
    test(`by ${byMs} ms is not ready, and once it is right sells by the prices that it refused (behaviour 3.7a)`, async () => {
      await inWorld(roomy, async (world, clock) => {
        const health = async (): Promise<string> => {
          const answer = await world.client.query(QUERIES.readHealth, {});
          return answer.ok === true ? "ready" : String(answer.message);
        };
        const publish = async (price: number): Promise<void> => {
          world.nats.publish(`ticks.${SYMBOL}`, JSON.stringify({ price, time: Date.now() }));
          await world.nats.flush();
        };
        await world.tick(100);
        await world.createGroup(90, 110);
        await settled(world);
        assert.equal(await health(), "ready");
        clock.setAhead(byMs);
        const isOff = /^the engine's clock is \d+ ms (behind|ahead of) the clock of the tick stream/;
        assert.match(await until(health, (text) => isOff.test(text)), isOff);
        const logged = await until(
          async () => world.output,
          (text) => text.includes("clock.off"),
        );
        assert.match(logged, /"event":"clock.off"/);
        for (const price of [85, 100]) await publish(price);
        await pause(SETTLED_MS);
        assert.equal(await world.rows(), "stop 1, take 1", "prices are judged by the engine's clock");
        clock.setAhead(0);
        assert.equal(await world.settledRows(SOLD), SOLD);
        assert.equal(await until(health, (text) => text === "ready"), "ready");
      });
    });
  }

  test("and goes ahead of a due date ends no group before its moment, and sells what is reached until then (behaviour 4.7a)", async () => {
    await inWorld(roomy, async (world, clock) => {
      await world.tick(100);
      await world.createGroup(90, 110, { dueDate: new Date(Date.now() + HOUR_MS / 2).toISOString() });
      await settled(world);
      clock.setAhead(HOUR_MS);
      await settled(world, HOUR_MS);
      assert.equal(await world.rows(), "stop 1, take 1");
      await world.tick(85);
      assert.equal(await world.settledRows(SOLD), SOLD);
    });
  });

  test("and is behind a due date ends its group at its moment all the same, over a restart too (behaviour 4.7a)", async () => {
    await inWorld(roomy, async (world, clock) => {
      await world.tick(100);
      await settled(world);
      clock.setAhead(-HOUR_MS);
      await settled(world, -HOUR_MS);
      await world.createGroup(90, 110, { dueDate: new Date(Date.now() + DUE_MS).toISOString() });
      await world.kill();
      await world.startEngine();
      assert.equal(await world.settledRows("stop 4, take 4"), "stop 4, take 4");
    });
  });

  test("and is set while the server of its ticks starts again loses no dip from before it is back", async () => {
    await inWorld(roomy, async (world, clock) => {
      await world.tick(100);
      await world.createGroup(90, 110);
      await settled(world);
      await world.server.restart();
      clock.setAhead(-HOUR_MS);
      const publisher = await connect({ servers: world.server.url });
      for (const price of [85, 100]) publisher.publish(`ticks.${SYMBOL}`, JSON.stringify({ price }));
      await publisher.flush();
      await publisher.close();
      assert.equal(await world.settledRows(SOLD), SOLD);
    });
  });

  test("catches up what a stream took that was full for a while, and was emptied while it was away", async () => {
    const full = (folder: string): string =>
      `jetstream { store_dir: "${join(folder, "js")}", max_file_store: ${STORE_BYTES} }`;
    await inWorld(full, async (world, clock) => {
      clock.setAhead(2_000);
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
      await world.kill();
      clock.setAhead(-2_000);
      const manager = await world.nats.jetstreamManager();
      await manager.streams.purge("TICKS", { keep: 5 });
      await world.tick(85);
      await world.tick(100);
      await world.startEngine();
      assert.match(world.output, /took no ticks for a while: what came then while away is lost/);
      assert.equal(await world.settledRows(SOLD), SOLD);
    });
  });
});
