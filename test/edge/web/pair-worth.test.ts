/** What pairs of bots bring, and their prices. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buyPricesOf,
  closedShareOf,
  heldMsOf,
  openProfitOf,
  pairProfitAt,
  pairShareAt,
  sellPriceOf,
  targetStateOf,
} from "../../../edge/web/dashboard/bot/pair-worth.ts";
import { sumsOf } from "../../../edge/web/dashboard/bot/profit-sums.ts";
import {
  allOpenOf,
  type BotTotals,
  closedTotalsOf,
  drawdownNowOf,
  inUseOf,
  netProfitOf,
  nextSignalOf,
  openWorthOf,
  profitFactorOf,
  reachedOf,
  winShareOf,
} from "../../../edge/web/dashboard/bot/totals.ts";
import type { ClosedPair, Pair } from "../../../edge/web/dashboard/state/model.ts";

const pairOf = (symbol: string, buyPrice: number | null, buyQuantity = 5): Pair =>
  ({ symbol, buyPrice, buyQuantity }) as Pair;

test("open pairs bring what a sale at the last prices brings, and those of unknown price are counted", () => {
  const prices = new Map([
    ["GARAN", 102],
    ["THYAO", 290],
  ]);
  const priceOf = (symbol: string): number | undefined => prices.get(symbol);
  for (const [pairs, profit, share, missing] of [
    [[], 0, undefined, 0],
    [[pairOf("GARAN", 100), pairOf("THYAO", 300, 2)], -10, -10 / 1_100, 0],
    [[pairOf("GARAN", 100), pairOf("SISE", 30), pairOf("GARAN", null)], 10, 10 / 500, 2],
  ] as const) {
    assert.deepEqual(openProfitOf(pairs, priceOf), { profit, share, missing });
  }
  assert.equal(pairProfitAt(pairOf("GARAN", 100), undefined), undefined);
  assert.equal(pairShareAt(pairOf("GARAN", 100), 98), 98 / 100 - 1);
  assert.equal(pairShareAt(pairOf("GARAN", null), 98), undefined);
  assert.equal(pairShareAt(pairOf("GARAN", 100), undefined), undefined);
});

test("the time that a pair was held is the difference of the seconds that are shown", () => {
  const pair = { buyOrderDate: "2026-11-29T17:58:07.900Z", sellOrderDate: "2026-11-29T17:58:34.100Z" };
  assert.equal(heldMsOf(pair), 27_000);
  assert.equal(heldMsOf({ ...pair, sellOrderDate: null }), undefined);
  assert.equal(heldMsOf({ ...pair, buyOrderDate: null }), undefined);
});

test("closed pairs have the prices that their events and their profits give", () => {
  const prices = buyPricesOf([
    { type: "pair.sold", row: { id: 7, buyPrice: 101.5 } },
    { type: "pair.bought", row: { id: 8, buyPrice: 30 } },
    { type: "pair.bought", row: { id: 9, buyPrice: null } },
    { type: "pair.sold" },
    { type: "oco.triggered", row: { id: 10, buyPrice: 4 } },
  ]);
  assert.deepEqual(
    [...prices],
    [
      [7, 101.5],
      [8, 30],
    ],
  );
  for (const [profit, sellOrderDate, buyPrice, sold] of [
    [7.5, "2026-03-02T10:00:00.000Z", 101.5, 103],
    [-5, "2026-03-02T10:00:00.000Z", 101.5, 100.5],
    [0.1, "2026-03-02T10:00:00.000Z", 0.3, 0.32],
    [0, null, 101.5, undefined],
    [7.5, "2026-03-02T10:00:00.000Z", undefined, undefined],
  ] as const) {
    assert.equal(sellPriceOf({ buyQuantity: 5, sellOrderDate, profit } as ClosedPair, buyPrice), sold);
    const share = sold === undefined ? undefined : profit / (5 * (buyPrice ?? 0));
    assert.equal(closedShareOf({ buyQuantity: 5, sellOrderDate, profit } as ClosedPair, buyPrice), share);
  }
});

test("the line of profits begins at what older pairs brought and ends at the profit of all", () => {
  const at = (second: number): string => new Date(1_000 * second).toISOString();
  const pairs = [
    { buyOrderDate: at(20), sellOrderDate: at(30), profit: 0.2 },
    { buyOrderDate: at(10), sellOrderDate: at(15), profit: 0.1 },
  ] as ClosedPair[];
  assert.deepEqual(
    sumsOf(pairs, 100.3).map(({ timeMs, value }) => [timeMs, Math.round(value * 100) / 100]),
    [
      [10_000, 100],
      [15_000, 100.1],
      [30_000, 100.3],
    ],
  );
  assert.equal(sumsOf(pairs, 0.3).at(-1)?.value, 0.3, "exactly");
  assert.deepEqual(sumsOf([], 5), []);
});

const totals: BotTotals = {
  ...{ systemId: 1, closedCount: 5, buyFailedCount: 1, winCount: 3, lossCount: 1, profit: 12, openCount: 3 },
  ...{ grossProfit: 18, grossLoss: 6, largestDrawdown: 4 },
  open: [
    { symbol: "GARAN", quantity: 10, cost: 1_000, pairCount: 2 },
    { symbol: "SISE", quantity: 1, cost: 30, pairCount: 1 },
  ],
};

test("totals of bots add up, and what is not known is left out and counted", () => {
  const both = closedTotalsOf([totals, { ...totals, systemId: 2, profit: -2 }]);
  assert.deepEqual(both, {
    ...{ closedCount: 10, buyFailedCount: 2, winCount: 6, profit: 10 },
    ...{ grossProfit: 36, grossLoss: 12, largestDrawdown: undefined },
  });
  assert.equal(profitFactorOf(both), 3);
  assert.equal(profitFactorOf({ ...both, grossLoss: 0 }), undefined, "nothing was lost");
  const unused = { ...totals, closedCount: 0, largestDrawdown: 0 };
  assert.equal(closedTotalsOf([unused, totals]).largestDrawdown, 4, "of the only bot with closed trades");
  assert.equal(closedTotalsOf([]).largestDrawdown, 0);
  assert.equal(winShareOf(both), 6 / 8);
  assert.equal(winShareOf({ ...both, closedCount: 2 }), undefined, "nothing was traded");
  assert.deepEqual(
    openWorthOf(totals, (symbol) => (symbol === "GARAN" ? 101 : undefined)),
    {
      profit: 10,
      share: 0.01,
      missing: 1,
    },
  );
  assert.deepEqual(
    openWorthOf(totals, () => undefined),
    { profit: undefined, share: undefined, missing: 3 },
  );
});

test("the net profit of a bot is known once the price of each open trade is", () => {
  const prices = new Map([
    ["GARAN", 101],
    ["SISE", 20],
  ]);
  assert.equal(
    netProfitOf(totals, (symbol) => prices.get(symbol)),
    12,
    "10 more for GARAN and 10 less for SISE",
  );
  assert.equal(
    netProfitOf(totals, (symbol) => (symbol === "GARAN" ? 101 : undefined)),
    undefined,
  );
  assert.equal(
    netProfitOf({ ...totals, openCount: 0, open: [] }, () => undefined),
    12,
  );
  assert.equal(inUseOf(totals), 1_030);
  assert.equal(inUseOf({ ...totals, openCount: 4 }), undefined, "a buy price is not known");
  assert.equal(inUseOf({ openCount: 0, open: [] }), undefined);
});

test("the drawdown of now is the fall from the highest closed profit, with the open trades", () => {
  const priceAt = (price: number | undefined) => (symbol: string) => (symbol === "GARAN" ? price : 30);
  const known = { ...totals, highestProfit: 14 };
  assert.equal(drawdownNowOf(known, priceAt(100)), 2, "12 closed, nothing gained or lost with the open ones");
  assert.equal(drawdownNowOf(known, priceAt(95)), 52);
  assert.equal(drawdownNowOf(known, priceAt(110)), 0, "a new high");
  assert.equal(drawdownNowOf(known, priceAt(undefined)), undefined, "a price is not known");
  assert.equal(drawdownNowOf(totals, priceAt(100)), undefined, "a service of the release before");
  const all = allOpenOf([totals, { openCount: 1, open: [] }]);
  assert.deepEqual([all.openCount, all.open.length], [4, 2]);
});

test("a reached target is sold once its order is sent, whatever the price does then", () => {
  for (const [sellStatus, target, price, state] of [
    [0, 101, 100, undefined],
    [0, 101, 101, "reached"],
    [0, null, 101, undefined],
    [0, 101, undefined, undefined],
    [1, 101, 101, "selling"],
    [1, 101, 100, "selling"],
  ] as const)
    assert.equal(targetStateOf({ sellStatus }, target, price), state);
});

test("the next level of a bot is reached at its price, within the limits of the symbol", () => {
  const [next, limits] = [
    { buyPrice: 175.2, sellPrice: 175.7 },
    { minBuyPrice: 170, maxSellPrice: 0 },
  ];
  for (const [price, buy, sale] of [
    [undefined, false, false],
    [175.3, false, false],
    [175.2, true, false],
    [169.9, false, false],
    [175.7, false, true],
    [190, false, true],
  ] as const)
    assert.deepEqual(reachedOf(next, price, limits), { buy, sale }, String(price));
  assert.equal(reachedOf(next, 190, { ...limits, maxSellPrice: 180 }).sale, false);
  assert.deepEqual(reachedOf({ buyPrice: null, sellPrice: null }, 175, limits), { buy: false, sale: false });
});

test("a webhook bot waits for a sell signal while its trade is open, and either may be next where that is not known", () => {
  const [one, other] = [{ symbol: "GARAN" }, { symbol: "SISE" }];
  const open = { openCount: 1, open: [{ symbol: "GARAN", quantity: 5, cost: 500, pairCount: 1 }] };
  assert.equal(nextSignalOf([one, other], one, open), "sell");
  assert.equal(nextSignalOf([one, other], other, open), "buy");
  assert.equal(nextSignalOf([one, one], one, open), "either", "two details of a symbol");
  assert.equal(nextSignalOf([one, other], other, { ...open, openCount: 2 }), "either", "a buy price is missing");
  assert.equal(nextSignalOf([one], one, undefined), undefined);
});
