/** What pairs of bots bring, and their prices. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { buyPricesOf, openProfitOf, pairProfitAt, sellPriceOf } from "../../../edge/web/dashboard/bot/pair-worth.ts";
import type { ClosedPair, Pair } from "../../../edge/web/dashboard/state/model.ts";

const pairOf = (symbol: string, buyPrice: number | null, buyQuantity = 5): Pair =>
  ({ symbol, buyPrice, buyQuantity }) as Pair;

test("open pairs bring what a sale at the last prices brings, and those of unknown price are counted", () => {
  const prices = new Map([
    ["GARAN", 102],
    ["THYAO", 290],
  ]);
  const priceOf = (symbol: string): number | undefined => prices.get(symbol);
  for (const [pairs, profit, missing] of [
    [[], 0, 0],
    [[pairOf("GARAN", 100), pairOf("THYAO", 300, 2)], -10, 0],
    [[pairOf("GARAN", 100), pairOf("SISE", 30), pairOf("GARAN", null)], 10, 2],
  ] as const) {
    assert.deepEqual(openProfitOf(pairs, priceOf), { profit, missing });
  }
  assert.equal(pairProfitAt(pairOf("GARAN", 100), undefined), undefined);
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
  }
});
