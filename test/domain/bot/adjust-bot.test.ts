/** The effect of a corporate action on bots (behaviour 28.6). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { adjustLevelBot } from "../../../src/domain/bot/adjust-bot.ts";
import { createLevelBot } from "../../../src/domain/bot/level-bot.ts";
import { type LevelBot, type LevelPair, levelWatches } from "../../../src/domain/bot/level-bot-levels.ts";
import { adjustPair, openPair } from "../../../src/domain/bot/pair.ts";
import { type ActionRequest, type Adjustment, planAction } from "../../../src/domain/market/corporate-action.ts";
import { levelPlan } from "../../machine/bot/bot-samples.ts";

const NOW_MS = Date.parse("2026-03-02T09:00:00Z");
const EX_MS = Date.parse("2026-03-03T00:00:00Z");
const EX = { symbol: "ACME", exDate: "2026-03-03" } as const;
const BONUS = { ...EX, type: "bonus", ratio: 1 } as const;
const OWNER = { botId: 3, userId: 7, brokerageCode: "PAPER", accountNumber: "A1" };

function adjustmentOf(request: ActionRequest, sinceMs: number | null = null): Adjustment {
  const action = planAction(request, NOW_MS, "UTC");
  assert.ok(action.ok, JSON.stringify(action));
  return { action: action.value, tickTable: "BIST", sinceMs, move: { from: 100, to: 50 } };
}

/** A pair of 10 lots bought at 100, of which `soldQuantity` are sold. */
function boughtPair(soldQuantity = 0): LevelPair {
  const pair = openPair(3_000_001, 10, NOW_MS, 10_000);
  return {
    ...pair,
    buy: { ...pair.buy, orderNo: "B-1", completedAtMs: NOW_MS, averagePrice: 100 },
    soldQuantity,
    ...{ slot: 0, sellLevel: 11_000, sellApproach: "under", retryAtMs: null },
  };
}

function botOf(pairs: readonly LevelPair[] = []): LevelBot {
  const plan = levelPlan({ levelBotDetails: [{ symbol: "ACME", buyGap: 4, sellGap: 10 }] });
  const bot = createLevelBot(plan, OWNER, NOW_MS);
  return { ...bot, details: bot.details.map((detail) => ({ ...detail, anchor: 10_000, pairs })) };
}

function after(bot: LevelBot, adjustment = adjustmentOf(BONUS)): LevelBot {
  const adjusted = adjustLevelBot(bot, adjustment, EX_MS);
  assert.ok(adjusted !== undefined);
  return adjusted;
}

describe("a level bot", () => {
  test("has gaps, anchor and lots on the new base, once", () => {
    const before = botOf();
    const adjusted = after(before);
    const [was, is] = [before.details[0], adjusted.details[0]];
    assert.ok(was !== undefined && is !== undefined);
    assert.deepEqual([is.buyGap, is.sellGap, is.anchor, is.quantity], [200, 500, 5_000, was.quantity * 2]);
    assert.equal(adjusted.levelsChangedAtMs, EX_MS, "no price from before counts");
    assert.equal(adjustLevelBot(adjusted, adjustmentOf(BONUS), EX_MS), undefined);
  });

  test("sells an open pair of twice the lots at the gap over half its price", () => {
    const [pair] = after(botOf([boughtPair()])).details[0]?.pairs ?? [];
    assert.deepEqual(
      [pair?.buy.quantity, pair?.buy.averagePrice, pair?.sell.quantity, pair?.sellLevel, pair?.causePrice],
      [20, 50, 20, 5_500, 5_000],
    );
  });

  test("has the sell levels of a reverse split over the new price, so that its first price sells nothing", () => {
    const adjusted = after(
      botOf([boughtPair()]),
      adjustmentOf({ ...EX, type: "split", sharesBefore: 10, sharesAfter: 1 }),
    );
    const [pair] = adjusted.details[0]?.pairs ?? [];
    assert.deepEqual([pair?.buy.quantity, pair?.sellLevel], [1, 110_000]);
    const reached = levelWatches(adjusted).filter(({ side, level }) => side === "above" && level <= 100_000);
    assert.deepEqual(reached, []);
  });

  test("leaves other symbols, dividends, and bots changed on the day of a late action", () => {
    const details = botOf().details;
    assert.deepEqual(after(botOf(), adjustmentOf({ ...BONUS, symbol: "OTHER" })).details, details);
    assert.deepEqual(after(botOf(), adjustmentOf({ ...EX, type: "dividend", cash: 5 })).details, details);
    assert.deepEqual(after(botOf(), adjustmentOf(BONUS, NOW_MS)).details, details);
  });
});

describe("a pair", () => {
  test("with sold lots keeps at most its lots times the shares of one", () => {
    const adjusted = adjustPair(boughtPair(4), adjustmentOf({ ...EX, type: "split", sharesBefore: 3, sharesAfter: 2 }));
    assert.deepEqual([adjusted?.sell.quantity, adjusted?.soldQuantity, adjusted?.buy.quantity], [4, 2, 6]);
  });

  test("with an order under way does not change, and without a lot it is gone", () => {
    const selling = { ...boughtPair(), sell: { ...boughtPair().sell, sentAtMs: NOW_MS } };
    assert.equal(adjustPair(selling, adjustmentOf(BONUS)), selling);
    const merged = adjustmentOf({ ...EX, type: "split", sharesBefore: 11, sharesAfter: 1 });
    assert.equal(adjustPair(boughtPair(), merged), undefined);
  });
});
