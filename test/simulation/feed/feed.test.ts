// tier: full
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AcceptedTick } from "../../../engine/ports/price.ts";
import { type FeedPlant, FeedWorld } from "./world.ts";

const SEEDS = 120;

async function firstViolation(seeds: number, plant: FeedPlant = {}): Promise<string | undefined> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const world = new FeedWorld(seed, plant);
    await world.run();
    if (world.violation !== undefined) return `seed ${seed}: ${world.violation}`;
  }
  return undefined;
}

test(`${SEEDS} worlds of the feed lose no dip, invent none, and take no older price for the last`, async () => {
  assert.equal(await firstViolation(SEEDS), undefined);
});

const PLANTS: readonly (readonly [string, FeedPlant, RegExp, seeds?: number])[] = [
  ["a duplicate window of two minutes", { duplicateWindowMs: 120_000 }, /was not sold by|for the last price/],
  ["ticks of any age", { tickAgeMsMax: undefined }, /too old/],
  [
    "ticks and rows judged by two clocks",
    {
      isFromBefore: (
        { isCaughtUp, timeMs, stored }: Pick<AcceptedTick, "isCaughtUp" | "timeMs" | "stored">,
        { facts },
      ) => isCaughtUp && (stored?.timeMs ?? timeMs) <= facts.armedSinceMs,
    },
    /from \d+ ms before it|was not sold by/,
  ],
  ["a full stream forgotten by a kill", { forgetsRefusals: true }, /was not told/],
  ["the end of a range asked of a server that lags", { asksLagging: true }, /was not sold by|for the last price/],
  ["ticks that a wrong clock refused forgotten", { forgetsRefusedByClock: true }, /was not sold by/],
  ["what live ticks overtook taken for stale", { isOvertakenStale: true }, /was not sold by/, 2_000],
  ["last prices written once in a while", { writesPricesEveryMs: 3_000 }, /for the last price/],
];

for (const [what, plant, expected, seeds = SEEDS] of PLANTS) {
  test(`planted: ${what}`, async () => {
    assert.match((await firstViolation(seeds, plant)) ?? "nothing", expected);
  });
}
