// tier: full
import assert from "node:assert/strict";
import { test } from "node:test";
import { SetBackWorld } from "./client/set-back.ts";

const SEEDS = 60;

async function violations(lifeName?: (life: number) => string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { violation } = await SetBackWorld.run(seed, lifeName);
    if (violation !== undefined) found.push(`seed ${seed}: ${violation}`);
  }
  return found;
}

test(`${SEEDS} worlds whose data folder is set back take no order for one that a lost life sent`, async () => {
  assert.deepEqual(await violations(), []);
});

test("planted: lives that are all called alike", async () => {
  assert.match((await violations(() => "abcdefghij")).join(), /has status 2 and 0 orders/);
});
