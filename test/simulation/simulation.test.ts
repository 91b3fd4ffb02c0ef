// tier: full
/** The engine keeps its promises in every world, regardless of what dies, is lost or comes late. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { explain, runSeed, runWorld } from "./run.ts";

const SEED_COUNT = 300;
const SLICES = 4;
/** Beyond these, worlds that once broke a rule, or that the judge once judged wrong. */
const ONCE_BROKEN = [
  1376, 1738, 2082, 2230, 2360, 2802, 2927, 3535, 3576, 3587, 4827, 4919, 5264, 5448, 6345, 11_036, 12_640, 14_183,
  14_476, 14_558, 14_956, 15_004,
];
/** The first world with a crowd of 200 owners. */
const LARGE_CROWD = 500;
/** Events that must have happened somewhere, else the worlds prove little. */
const FAULTS = [
  "a copy is compared",
  "a copy leads",
  "bots: deleted",
  "bots: not deleted, as a pair is open",
  "bots: switched off",
  "brokerage: cancelled",
  "brokerage: cancelled in part",
  "brokerage: completed without a price at first",
  "brokerage: expired",
  "brokerage: late accept",
  "brokerage: lost reply",
  "brokerage: lost request",
  "brokerage: nonsense",
  "brokerage: rejected",
  "brokerage: request doubled on the way",
  "brokerage: unauthorized",
  "brokerage: unreachable",
  "brokerage: update lost",
  "clock: stepped",
  "crash: a write to the store failed",
  "crash: after a batch",
  "crash: after lots were sold elsewhere",
  "crash: around midnight",
  "crash: at the opening",
  "crash: after the answer, before it is noted",
  "crash: after the request left",
  "crash: before a batch",
  "crash: before the request leaves",
  "crash: during a batch",
  "crash: some time later",
  "crash: while catching up",
  "crash: while levels follow a rename",
  "days: actions removed",
  "days: at the lower limit",
  "days: bonus entered ahead",
  "days: bonus entered late",
  "days: did not shrink before a kill",
  "days: dividend entered ahead",
  "days: dividend entered late",
  "days: exits that wait at the floor",
  "days: exits with further orders",
  "days: groups",
  "days: groups with a ladder",
  "days: groups that shrank with their position",
  "days: market orders without a bid",
  "days: orders at the floor",
  "days: orders ended by the close",
  "days: rights entered ahead",
  "days: rights entered late",
  "days: shrank before a kill",
  "days: split entered ahead",
  "days: split entered late",
  "days: stop-losses fired",
  "days: stop-losses that sold what was held",
  "days: symbols renamed",
  "days: symbols that got their name back",
  "days: take-profits fired",
  "days: worlds",
  "disk: batch durable, process never heard",
  "disk: batch lost whole",
  "disk: set back with its witness",
  "entries: a part was protected",
  "entries: bought",
  "entries: conversionFailed",
  "entries: converted",
  "entries: entryRefused",
  "entries: parts were protected",
  "entries: filled after their group was made",
  "entries: removed",
  "feed: worlds of its modules",
  "groups created",
  "ledger: compared while nothing is on its way",
  "ledger: compared with a position",
  "level bots: crowds of 200 owners",
  "level bots: crowds of 3 owners",
  "level bots: symbols with a profit or a loss",
  "level bots: ticks compared",
  "rows that a tick had to sell",
  "setups: conversionFailed",
  "setups: converted",
  "setups: filled while they were registered",
  "setups: removed",
  "setups: removed by their owner",
  "signals: answers compared",
  "signals: kept until the buy completed",
  "signals: sent again",
  "signals: sent to an address that is given up",
  "webhookBots: pairs closed",
];

describe("a simulated partition", () => {
  const counts = new Map<string, number>();
  const perSlice = SEED_COUNT / SLICES;
  const holds = async (seed: number): Promise<void> => {
    const { violation, report } = await runSeed({ seed });
    for (const [what, times] of report.counts) counts.set(what, (counts.get(what) ?? 0) + times);
    if (violation !== undefined) assert.fail(await explain(seed, undefined));
  };

  for (let slice = 0; slice < SLICES; slice += 1) {
    const first = 1 + slice * perSlice;
    test(`orders exactly what was asked for, in the worlds ${first} to ${first + perSlice - 1}`, async () => {
      for (let seed = first; seed < first + perSlice; seed += 1) await holds(seed);
    });
  }

  test("orders exactly what was asked for, in a world with a large crowd", () => holds(LARGE_CROWD));

  test("met every fault there is", () => {
    const missing = FAULTS.filter((fault) => (counts.get(fault) ?? 0) === 0);
    assert.deepEqual(missing, []);
  });

  test("orders exactly what was asked for, in worlds that once broke a rule", async () => {
    for (const seed of ONCE_BROKEN) await holds(seed);
  });

  test("is the same world for the same seed", async () => {
    for (const seed of [1, 2, 3]) {
      const [first, second] = [await runWorld({ seed }), await runWorld({ seed, isTracing: true })];
      assert.equal(first.digest, second.digest);
    }
  });
});
