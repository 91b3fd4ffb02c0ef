/** Price alerts: their price after a corporate action (behaviour 29.3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adjustment, CorporateAction } from "../../src/domain/market/corporate-action.ts";
import { adjustAlert, type PriceAlert } from "../../src/domain/price-alert.ts";

const EX_MS = 5_000;
const alert: PriceAlert = {
  ...{ version: 1, alertId: 7, userId: 3, symbol: "THYAO", side: "above", price: 32_005, note: null, slot: 0 },
  ...{ createdAtMs: 1_000, armedSinceMs: 1_000, isOver: false, countedActions: [] },
};
const base = { actionId: "a", symbol: "THYAO", exDate: "2026-03-02", exMs: EX_MS } as const;
const split: CorporateAction = { ...base, type: "split", sharesBefore: 1, sharesAfter: 2 };
const of = (action: CorporateAction, sinceMs: number | null = null): Adjustment => ({
  ...{ action, tickTable: "BIST", sinceMs, move: null },
});

test("the price follows a split, rounded away from the last price, and prices from before it do not count", () => {
  const above = adjustAlert(alert, of(split), EX_MS);
  assert.deepEqual([above?.price, above?.armedSinceMs, above?.countedActions], [16_003, EX_MS, ["a"]]);
  const below = adjustAlert({ ...alert, side: "below" }, of(split), EX_MS);
  assert.equal(below?.price, 16_002);
  assert.equal(adjustAlert({ ...alert, side: "below", price: 1 }, of(split), EX_MS)?.price, 1, "the lowest price");
});

test("an action counts once", () => {
  const once = adjustAlert(alert, of(split), EX_MS);
  assert.ok(once !== undefined);
  assert.equal(adjustAlert(once, of(split), EX_MS), undefined);
});

test("a dividend, an action of another symbol, and one of before the alert do not change the price", () => {
  for (const adjustment of [
    of({ ...base, type: "dividend", cash: 10 }),
    of({ ...split, symbol: "GARAN" }),
    of(split, alert.createdAtMs),
    of({ ...base, type: "rights", ratio: 1, subscriptionPrice: 10, closePrice: null }),
  ]) {
    const counted = adjustAlert(alert, adjustment, EX_MS);
    assert.deepEqual([counted?.price, counted?.armedSinceMs], [alert.price, alert.armedSinceMs]);
    assert.deepEqual(counted?.countedActions, ["a"]);
  }
  assert.equal(adjustAlert(alert, of(split, alert.createdAtMs + 1), EX_MS)?.price, 16_003, "it was made before");
});
