/** Ticks that a wrong clock refused: the position does not pass them, and a right clock judges them again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PROBE_MS } from "../../../../engine/feed/stream/catch-up.ts";
import { setUp } from "../support/catch-up-world.ts";

const BEHIND_MS = -10_000;

/** A live feed whose clock is then set. */
async function liveFeed(byMs = BEHIND_MS) {
  const world = setUp();
  void world.catchUp.start(null);
  await world.time.advance(PROBE_MS * 3);
  world.step.byMs = byMs;
  const publish = (symbol: string, price: number): void => {
    world.server.publish(symbol, price, 0, world.time.nowMs());
  };
  return { ...world, publish };
}

test("what was refused is read back once the clock is right, though newer prices came before that (behaviour 3.7a)", async () => {
  const { catchUp, time, step, publish, texts, log } = await liveFeed(-6_000);
  publish("A", 1);
  await time.advance(PROBE_MS * 3);
  publish("A", 2);
  await time.advance(PROBE_MS * 3);
  assert.deepEqual(texts(), []);
  assert.equal(catchUp.clock.offMs, 6_000);
  // In small steps, so that they do not look like a paused process.
  for (const byMs of [-4_500, -3_000, -1_500]) {
    step.byMs = byMs;
    if (byMs === -4_500) publish("A", 3);
    assert.deepEqual(texts(), ["A 3"]);
    await time.advance(PROBE_MS + 500);
  }
  assert.deepEqual(texts(), ["A 3", "A 1 caught up", "A 2 caught up", "A 3 caught up"]);
  assert.equal(log.lines.filter(({ fields }) => "event" in fields && fields.event === "clock.right").length, 1);
});

test("a clock that is set forth at once reads back what it refused once, as after a standstill", async () => {
  const { time, step, publish, texts } = await liveFeed();
  publish("A", 1);
  await time.advance(PROBE_MS * 3);
  step.byMs = 0;
  publish("A", 2);
  await time.advance(PROBE_MS * 3);
  // Ticks that wait until then are stored as well, and may be given twice.
  assert.deepEqual([...new Set(texts())], ["A 1 caught up", "A 2 caught up"]);
  assert.equal(texts()[1], "A 2 caught up");
});

test("the position stays before the first that was refused, for whoever reads on from it", async () => {
  const { catchUp, server, time, step, publish, texts, live, connect } = await liveFeed();
  await time.advance(PROBE_MS * 2);
  const before = catchUp.position() ?? 0;
  publish("A", 1);
  const refused = server.last;
  await time.advance(PROBE_MS * 5);
  const held = catchUp.position() ?? 0;
  assert.ok(held >= before && held < refused, `${before} ${held} ${refused}`);
  assert.equal(live.state, "live");
  catchUp.stop();
  step.byMs = 0;
  const next = connect();
  void next.catchUp.start(held);
  await time.advance(500);
  assert.deepEqual(texts(), ["A 1 caught up"]);
});

test("what was refused while the clock was not compared yet is read back", async () => {
  const world = setUp();
  const { server, time, step, catchUp, texts } = world;
  step.byMs = BEHIND_MS;
  server.publish("A", 1, 0, time.nowMs());
  void catchUp.start(0);
  await time.advance(50);
  server.publish("A", 2, 0, time.nowMs());
  await time.advance(PROBE_MS * 3);
  assert.deepEqual(texts(), []);
  assert.equal(catchUp.position(), 0);
  step.byMs = 0;
  await time.advance(PROBE_MS + 500);
  assert.deepEqual(texts(), ["A 1 caught up", "A 2 caught up"]);
});

test("what a right clock refuses holds no position and is not read back", async () => {
  const { catchUp, server, time, texts } = await liveFeed(0);
  const reads = server.reads.length;
  server.publish("A", 1, 0, time.nowMs() + 60_000);
  await time.advance(PROBE_MS * 3);
  assert.equal(server.reads.length, reads);
  assert.ok((catchUp.position() ?? 0) >= server.last - 2);
  assert.deepEqual(texts(), []);
});

test("what the stream's clock would refuse as well holds no position, though ours is wrong", async () => {
  const { catchUp, server, time } = await liveFeed();
  server.publish("A", 1, 0, time.nowMs() + 60_000);
  await time.advance(PROBE_MS * 3);
  assert.equal(catchUp.clock.offMs, -BEHIND_MS);
  assert.ok((catchUp.position() ?? 0) >= server.last - 2);
});

for (const [offMs, isOff] of [
  [1_990, false],
  [-1_990, false],
  [2_010, true],
  [-2_010, true],
] as const) {
  test(`a clock that is ${offMs} ms off is ${isOff ? "" : "not "}wrong, which is logged once a minute`, async () => {
    const { catchUp, time, log } = await liveFeed(offMs);
    await time.advance(59_000);
    assert.equal(catchUp.clock.offMs, isOff ? -offMs : 0);
    const lines = () => log.lines.filter(({ fields }) => "event" in fields && fields.event === "clock.off");
    assert.equal(lines().length, isOff ? 1 : 0);
    await time.advance(PROBE_MS * 4);
    assert.equal(lines().length, isOff ? 2 : 0);
    const way = offMs > 0 ? "ahead of" : "behind";
    if (isOff)
      assert.match(lines()[0]?.message ?? "", new RegExp(`the engine's clock is 2010 ms ${way} the clock of the tick`));
  });
}

test("a clock is not wrong while its measurement is too old to be sure", async () => {
  const { catchUp, server, time } = await liveFeed(-2_010);
  await time.advance(PROBE_MS);
  assert.equal(catchUp.clock.offMs, 2_010);
  server.failure = new Error("no answer");
  await time.advance(60_000);
  assert.equal(catchUp.clock.offMs, 0);
});
