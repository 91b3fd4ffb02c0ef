/** Times of the feed as a partition meets them: by the stream's clock where the engine's is surely wrong. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PartitionTime } from "../../../engine/host/partition-time.ts";
import type { AcceptedTick } from "../../../engine/ports/price.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import { testFeed } from "../../support/world/test-feed.ts";

const OFF_MS = -120_000;

function makeTime() {
  const world = { nowMs: 1_000_000, steadyMs: 0, offMs: null as number | null };
  const steadyClock = { nowMs: () => world.steadyMs };
  const time = new PartitionTime({ nowMs: () => world.nowMs }, steadyClock, () => world.offMs);
  return { world, time };
}

function tickAt(timeMs: number): AcceptedTick {
  const price = livePrice(10);
  assert.ok(price);
  return { symbol: "THYAO", price, timeMs, isCaughtUp: false };
}

test("a right clock, and one of which nothing is known, are left as they are, and no tick is copied", () => {
  const { world, time } = makeTime();
  for (const offMs of [null, 0]) {
    world.offMs = offMs;
    assert.equal(time.nowMs(), world.nowMs);
    const tick = tickAt(world.nowMs);
    assert.equal(time.tick(tick), tick);
  }
});

test("a clock that is surely wrong is corrected, for all that is compared with each other alike", () => {
  const { world, time } = makeTime();
  world.offMs = OFF_MS;
  const { nowMs } = world;
  assert.equal(time.nowMs(), nowMs + OFF_MS);
  assert.equal(time.tick(tickAt(nowMs)).timeMs, nowMs + OFF_MS);
  const { price } = tickAt(0);
  assert.equal(
    time.feed(testFeed({ prices: { last: () => ({ price, timeMs: nowMs }) } })).prices.last("THYAO")?.timeMs,
    nowMs + OFF_MS,
  );
  assert.equal(
    time.feed(testFeed({ place: () => ({ stream: "s", sequence: 7, aheadMs: OFF_MS + 3 }) })).place()?.aheadMs,
    3,
  );
  const refused = { firstMs: nowMs - 2, lastMs: nowMs - 1 };
  const intakeOf = () => ({ acceptedMs: nowMs, refused });
  const watched = testFeed({ watch: { clockOffMs: () => OFF_MS, areTicksComing: () => true, intakeOf } });
  const intake = time.feed(watched).watch?.intakeOf("THYAO");
  assert.deepEqual(intake, {
    acceptedMs: nowMs + OFF_MS,
    refused: { firstMs: nowMs - 2 + OFF_MS, lastMs: nowMs - 1 + OFF_MS },
  });
});

test("a step of the clock shows in the very next tick", () => {
  const { world, time } = makeTime();
  world.offMs = 0;
  assert.equal(time.tick(tickAt(world.nowMs)).timeMs, world.nowMs);
  world.offMs = OFF_MS;
  world.nowMs -= OFF_MS;
  assert.equal(time.tick(tickAt(world.nowMs)).timeMs, world.nowMs + OFF_MS);
});

test("time jumps forward only once the clocks were so far apart for ten seconds, and back at once", () => {
  const { world, time } = makeTime();
  const aheadMs = 3_600_000;
  const seen: number[] = [];
  for (const [steadyMs, offMs] of [
    [0, 0],
    [1_000, aheadMs],
    [2_000, 0],
    [3_000, aheadMs],
    [12_900, aheadMs + 40],
    [13_000, aheadMs],
    [14_000, 0],
  ] as const) {
    world.steadyMs = steadyMs;
    world.offMs = offMs;
    seen.push(time.nowMs() - world.nowMs);
  }
  assert.deepEqual(seen, [0, 0, 0, 0, 0, aheadMs, 0]);
});

test("measurements that differ by little give a last price one and the same time", () => {
  const { world, time } = makeTime();
  const last = { price: tickAt(0).price, timeMs: world.nowMs };
  const { prices } = time.feed(testFeed({ prices: { last: () => last } }));
  world.offMs = OFF_MS;
  const first = prices.last("THYAO");
  for (const jitterMs of [-1, 1, 40]) {
    world.offMs = OFF_MS + jitterMs;
    assert.deepEqual(prices.last("THYAO"), first);
  }
  world.offMs = OFF_MS - 1_000;
  assert.equal(prices.last("THYAO")?.timeMs, last.timeMs + OFF_MS - 1_000);
});
