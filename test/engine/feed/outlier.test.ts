/** With MAX_TICK_MOVE_PERCENT: a tick that is held and then read back from the stream is still one tick. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PROBE_MS } from "../../../engine/feed/stream/catch-up.ts";
import { setUp } from "./support/catch-up-world.ts";

const MOVE_PERCENT_MAX = 10;

type World = ReturnType<typeof setUp>;

/** A feed that has seen a price of 100. */
async function setUpAt100(): Promise<World> {
  const world = setUp(MOVE_PERCENT_MAX);
  void world.catchUp.start(null);
  await world.time.advance(500);
  world.server.publish("A", 100);
  await world.time.advance(PROBE_MS * 3);
  return world;
}

async function reconnect({ server, time }: World): Promise<void> {
  server.change("disconnected");
  await time.advance(50);
  server.change("connected");
  await time.advance(300);
}

function pricesOf({ texts }: World): readonly string[] {
  return texts().filter((text) => text.startsWith("A"));
}

test("a jump that is read back after a reconnect does not confirm itself", async () => {
  const world = await setUpAt100();
  world.server.publish("A", 1);
  await world.time.advance(200);
  await reconnect(world);
  assert.equal(world.live.state, "live");
  assert.deepEqual(pricesOf(world), ["A 100"]);
});

test("a jump that is read back after a standstill does not confirm itself", async () => {
  const world = await setUpAt100();
  world.server.publish("A", 1);
  await world.time.advance(200);
  world.time.freeze(5_000);
  world.server.publish("B", 7);
  await world.time.advance(500);
  assert.equal(world.live.state, "live");
  assert.deepEqual(pricesOf(world), ["A 100"]);
});

test("a jump that is read back twice does not confirm itself", async () => {
  const world = await setUpAt100();
  world.server.change("disconnected");
  world.server.publish("A", 1);
  await reconnect(world);
  const readsBefore = world.server.reads.length;
  await reconnect(world);
  assert.equal(world.server.reads.length, readsBefore + 1);
  assert.deepEqual(pricesOf(world), ["A 100"]);
});

test("a jump whose earlier tick is read back with it does not confirm itself", async () => {
  const world = await setUpAt100();
  world.server.publish("A", 99);
  world.server.publish("A", 1);
  await reconnect(world);
  assert.deepEqual(pricesOf(world), ["A 100", "A 99", "A 99 caught up"]);
});

test("a jump that was read back is confirmed by the next live tick, and given first", async () => {
  const world = await setUpAt100();
  world.server.publish("A", 80);
  await reconnect(world);
  world.server.publish("A", 79);
  assert.deepEqual(pricesOf(world), ["A 100", "A 80 caught up", "A 79"]);
});

test("a jump that was seen live is confirmed by another tick that is read back, and given first", async () => {
  const world = await setUpAt100();
  world.server.publish("A", 80);
  world.server.change("disconnected");
  await world.time.advance(PROBE_MS);
  world.server.publish("A", 79);
  await reconnect(world);
  assert.deepEqual(pricesOf(world), ["A 100", "A 80 caught up", "A 79 caught up"]);
});

test("a jump that the position has passed is confirmed by a later tick that is read back", async () => {
  const world = await setUpAt100();
  world.server.publish("A", 80);
  await world.time.advance(PROBE_MS * 3);
  world.server.change("disconnected");
  world.server.publish("A", 79);
  await reconnect(world);
  assert.deepEqual(pricesOf(world), ["A 100", "A 80 caught up", "A 79 caught up"]);
});
