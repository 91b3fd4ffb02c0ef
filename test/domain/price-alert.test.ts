/** Price alerts: their level, changes of them, and their price after a corporate action (behaviour 29). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adjustment, CorporateAction } from "../../src/domain/market/corporate-action.ts";
import { type LiveTick, livePrice } from "../../src/domain/price/price.ts";
import { adjustAlert, changeAlert, levelOf, type PriceAlert, walkAlert } from "../../src/domain/price-alert.ts";

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

test("a repeating alert is armed again by a price on the other side", () => {
  const away = { ...alert, repeats: true, isAway: true } as const;
  assert.deepEqual(levelOf(away), { side: "below", level: 32_004 });
  assert.deepEqual(levelOf({ ...away, side: "below" }), { side: "above", level: 32_006 });
  assert.equal(levelOf({ ...away, price: 1 }), undefined, "no price is lower");
});

test("ticks that are read back count once, also those of one millisecond", () => {
  const repeating = { ...alert, repeats: true } as const;
  const ticks = [330, 310, 330, 310].map((value, index): LiveTick => {
    const price = livePrice(value);
    assert.ok(price !== undefined);
    const stored = { stream: "s", sequence: index + 1, timeMs: 2_000 };
    return { symbol: "THYAO", price, timeMs: 2_000, isCaughtUp: true, stored };
  });
  for (let first = 0; first <= ticks.length; first += 1) {
    const begun = walkAlert(repeating, ticks.slice(0, first));
    const whole = walkAlert(begun.alert, ticks);
    assert.deepEqual([...begun.reachedPrices, ...whole.reachedPrices], [330, 330], `after ${first} of them`);
    assert.equal(walkAlert(whole.alert, ticks).alert, whole.alert);
  }
});

test("a change of price or direction arms it again, any other does not", () => {
  const away = { ...alert, repeats: true, isAway: true, untilMs: 9_000 } as const;
  assert.equal(changeAlert(away, { price: away.price, note: null, repeats: true }, 2_000), undefined);
  const moved = changeAlert(away, { price: 30_000 }, 2_000);
  assert.deepEqual([moved?.isAway, moved?.armedSinceMs, moved?.repeats], [undefined, 2_000, true]);
  const noted = changeAlert(away, { note: "n", repeats: false, untilMs: null }, 2_000);
  assert.deepEqual([noted?.isAway, noted?.armedSinceMs, noted?.note], [true, 1_000, "n"]);
  assert.deepEqual([noted?.repeats, noted?.untilMs], [undefined, undefined]);
});

test("the price follows a split, rounded away from the last price, and prices from before it do not count", () => {
  const above = adjustAlert(alert, of(split), EX_MS);
  assert.deepEqual([above?.price, above?.armedSinceMs, above?.countedActions], [16_003, EX_MS, ["a"]]);
  const below = adjustAlert({ ...alert, side: "below" }, of(split), EX_MS);
  assert.equal(below?.price, 16_002);
  assert.equal(adjustAlert({ ...alert, side: "below", price: 1 }, of(split), EX_MS)?.price, 1, "the lowest price");
});

test("a price that was set after the action began is on its base already", () => {
  const repriced = changeAlert(alert, { price: 17_000 }, EX_MS + 1);
  assert.ok(repriced !== undefined);
  assert.equal(adjustAlert(repriced, of(split, EX_MS), EX_MS + 2)?.price, 17_000);
  const noted = changeAlert(alert, { note: "n" }, EX_MS + 1);
  assert.ok(noted !== undefined);
  assert.equal(adjustAlert(noted, of(split, EX_MS), EX_MS + 2)?.price, 16_003, "a note sets no price");
});

test("a price from before an action does not count, wherever it is in the stream", () => {
  const turned = { ...alert, repeats: true, turnedBy: { stream: "s", sequence: 50 } } as const;
  const price = livePrice(330);
  assert.ok(price !== undefined);
  const stored = { stream: "s", sequence: 80, timeMs: EX_MS - 1 };
  const tick = { symbol: "THYAO", price, timeMs: EX_MS - 1, isCaughtUp: true, stored };
  assert.deepEqual(walkAlert(turned, [tick]).reachedPrices, [330]);
  const adjusted = adjustAlert(turned, of(split), EX_MS);
  assert.ok(adjusted !== undefined);
  assert.deepEqual(walkAlert(adjusted, [tick]).reachedPrices, []);
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
