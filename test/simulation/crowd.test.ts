// tier: full
/** Many owners' level bots on one level: the same ticks ask for the same orders at any load (behaviour 8.2). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ActorHost } from "../../engine/actor/host.ts";
import { TickWalk } from "../../engine/watch/tick-walk.ts";
import type { LiveTick } from "../../src/domain/price/price.ts";
import { CrowdWorld } from "./client/crowd.ts";
import { replacing } from "./planting.ts";

const LARGE = 200;
const SMALL_WORLDS = 40;
const LARGE_WORLDS = 4;

async function firstViolation(ownerCount: number, seeds: number): Promise<string | undefined> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { violation } = await CrowdWorld.run({ seed, ownerCount, loadSeed: 1 });
    if (violation !== undefined) return `seed ${seed}: ${violation}`;
  }
  return undefined;
}

describe("level bots of many owners on one level", () => {
  test(`${SMALL_WORLDS} busy worlds of three leave each where a twin is that saw every tick`, async () => {
    assert.equal(await firstViolation(3, SMALL_WORLDS), undefined);
  });

  for (let seed = 1; seed <= LARGE_WORLDS; seed += 1) {
    test(`${LARGE} ask for the same orders with nothing else to do and in a busy engine, world ${seed}`, async () => {
      const idle = await CrowdWorld.run({ seed, ownerCount: LARGE, loadSeed: 0 });
      assert.equal(idle.violation, undefined);
      const busy = await CrowdWorld.run({ seed, ownerCount: LARGE, loadSeed: 1 });
      assert.equal(busy.violation, undefined);
      assert.equal(busy.digest(), idle.digest());
      assert.ok(idle.digest().split(",").length >= LARGE);
    });
  }
});

type Choose = (ticks: readonly LiveTick[]) => readonly LiveTick[];

/** Replaces which ticks a bot is walked through. */
function walkingOnly(choose: Choose, ownerCount: number): Promise<string | undefined> {
  const deliverTicks = (original: ActorHost["deliverTicks"]): ActorHost["deliverTicks"] =>
    function deliverTicks(this: ActorHost, id, watches, walked) {
      original.call(this, id, watches, { ...walked, ticks: choose(walked.ticks) });
    };
  return replacing(ActorHost.prototype, "deliverTicks", deliverTicks, () => firstViolation(ownerCount, SMALL_WORLDS));
}

describe("of level bots the crowd finds out", () => {
  test("a walk that skips the prices between the first and the last", async () => {
    const skips: Choose = (ticks) => ticks.filter((_, index) => index === 0 || index === ticks.length - 1);
    assert.match((await walkingOnly(skips, 3)) ?? "nothing", /it must be at/);
  });

  test("bots that are checked against the last price only once they are walked", async () => {
    assert.match((await walkingOnly((ticks) => ticks.slice(-1), 3)) ?? "nothing", /it must be at/);
  });

  test("news of an order that overtakes the ticks before it", async () => {
    const overtaking = () => () => false;
    const found = await replacing(TickWalk.prototype, "bringUp", overtaking, () => firstViolation(3, SMALL_WORLDS));
    assert.match(found ?? "nothing", /it must be at/);
  });
});
