/** Two engines, one log, one gateway: sold once, whatever happens; and each part of the design that is taken away is missed. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LEASE_MS, ModelWorld, type Plants, seeded, textOf } from "./model-world.ts";

const SEEDS = Number(process.env.REPLICA_SEEDS ?? 8);
const ROUNDS = 8;

/** Lets two engines live through faults, ends the faults, and says what is wrong. */
async function live(seed: number, plants: Plants = {}): Promise<string[]> {
  const world = new ModelWorld(seed, plants);
  const random = seeded(seed + 1_000_000);
  for (const name of ["a", "b"]) world.start(name);
  for (let round = 0; round < ROUNDS; round += 1) {
    await world.time.advance(1_000 + random() * 4_000);
    const victim = world.leader ?? world.engines[0];
    assert.ok(victim !== undefined);
    const luck = random();
    if (luck < 0.25) world.killAndRestart(victim);
    else if (luck < 0.5) victim.freeze(random() * 3 * LEASE_MS);
    else if (luck < 0.8) victim.stopBeforeNextAct();
    else {
      world.stream.isAway = true;
      await world.time.advance(random() * 4_000);
      world.stream.isAway = false;
      world.stream.wake();
    }
  }
  world.hasFaults = false;
  await world.time.advance(30_000);
  return judge(world);
}

function judge(world: ModelWorld): string[] {
  const faults: string[] = [];
  for (const [name, count] of world.sales) if (count > 1) faults.push(`${name} was sold ${count} times`);
  const longest = world.engines.map(({ copy }) => copy).sort((left, right) => right.length - left.length)[0] ?? [];
  for (const { name, copy, hole } of world.engines) {
    if (hole !== undefined) faults.push(`${name} has a hole: ${hole}`);
    const isPrefix = copy.every((record, index) => textOf(record) === textOf(longest[index] ?? record));
    if (!isPrefix) faults.push(`the copy of ${name} is another one`);
    if (copy.length < longest.length - 2) faults.push(`${name} holds ${copy.length} of ${longest.length} records`);
  }
  const settled = longest
    .map(textOf)
    .filter((text) => text.startsWith("sold "))
    .map((text) => text.slice(5));
  for (const number of settled) if (!world.sales.has(`order-${number}`)) faults.push(`order-${number} was never sold`);
  if (settled.length < 100) faults.push(`only ${settled.length} orders were settled`);
  return faults;
}

const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);

describe("two engines over one log, killed, frozen, stopped before they act, with a log that comes and goes", () => {
  for (const seed of seeds) {
    test(`sell each order once and keep the same copy: seed ${seed}`, async () => {
      assert.deepEqual(await live(seed), []);
    });
  }
});

describe("the judge notices", () => {
  const planted: [string, Plants, RegExp][] = [
    ["a copy that is written before the log", { isCopyFirst: true }, /another one|hole|records/],
    ["a gateway without a fence", { hasNoFence: true }, /was sold 2/],
    ["a gateway that does not count attempts", { hasNoAttempt: true }, /was sold 2/],
    ["a request that is repeated without looking", { isRepeatBlind: true }, /was sold 2/],
    ["claims under an id that was used before", { isClaimIdReused: true }, /only \d+ orders|hole|was sold 2/],
  ];
  for (const [name, plants, fault] of planted) {
    test(name, async () => {
      for (const seed of seeds) if ((await live(seed, plants)).some((found) => fault.test(found))) return;
      assert.fail(`in none of ${SEEDS} seeds`);
    });
  }
});
