/** Rows of bots and pairs: what they show, and how they sort. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { botListPrefix } from "../../../engine/projection/bots.ts";
import { botEvent, levelBotView, levelBotViews } from "../../../engine/projection/level-bot.ts";
import { historyPrefix, keepPair, pairListPrefix } from "../../../engine/projection/pairs.ts";
import { webhookBotViews } from "../../../engine/projection/webhook-bot.ts";
import {
  levelBotSchema,
  levelPairSchema,
  webhookBotRowSchema,
  webhookPairSchema,
} from "../../../src/contract/trading/bot.ts";
import type { ClosedPair } from "../../../src/domain/bot/bot.ts";
import { createLevelBot } from "../../../src/domain/bot/level-bot.ts";
import { planLevelBot } from "../../../src/domain/bot/level-bot-plan.ts";
import { openPair, type PairOrder } from "../../../src/domain/bot/pair.ts";
import { createWebhookBot, planWebhookBot } from "../../../src/domain/bot/webhook-bot.ts";
import type { Result } from "../../../src/domain/refusal.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 9);
const owner = { botId: 5, userId: 7, brokerageCode: "PAPER", accountNumber: "A/7" };

function accepted<T>(result: Result<T>): T {
  assert.ok(result.ok);
  return result.value;
}

const plan = accepted(
  planLevelBot({
    name: "One",
    isActive: true,
    levelBotDetails: [{ symbol: "THYAO", buyGap: 0.5, targetProfit: 1.5, maxBuyPrice: 120, quantity: 3 }],
  }),
);
const empty = createLevelBot(plan, owner, NOW_MS);
const levelBot = {
  ...empty,
  details: empty.details.map((detail) => ({
    ...detail,
    pairs: [pairOf(5_000_001), pairOf(5_000_002)].map((pair, slot) => ({
      ...pair,
      slot,
      sellLevel: null,
      sellApproach: "under" as const,
      retryAtMs: null,
    })),
  })),
};

function pairOf(pairId: number): PairOrder {
  return openPair(pairId, 3, NOW_MS);
}

function soldAt(pairId: number, completedAtMs: number): ClosedPair {
  const pair = pairOf(pairId);
  const sell = { ...pair.sell, sentAtMs: completedAtMs - 1, orderNo: "N2", completedAtMs, averagePrice: 101 };
  return { symbol: "THYAO", pair: { ...pair, sell }, hourCount: 4, profit: "6" };
}

test("a level bot's row stands in the list of its account and shows no limit as 0", () => {
  const [row] = levelBotViews(empty);
  assert.ok(row !== undefined);
  assert.ok(row.key.startsWith(botListPrefix("level", 7, "PAPER", "A/7")));
  assert.ok(!row.key.includes("A/7"), "an account number cannot reach into another list");
  const shown = levelBotSchema.strict().parse(JSON.parse(row.json));
  assert.deepEqual(shown.levelBotDetails, [
    {
      symbol: "THYAO",
      quantity: 3,
      maxBuyPrice: 120,
      minBuyPrice: 0,
      maxSellPrice: 0,
      minSellPrice: 0,
      buyGap: 0.5,
      sellGap: 0,
      targetProfit: 1.5,
      profit: 0,
    },
  ]);
  assert.deepEqual([shown.createdDate, shown.updatedDate], ["2026-01-05T09:00:00.000Z", null]);
});

test("open pairs are rows of their own, in the order in which they were opened", () => {
  const pairs = levelBotViews(levelBot).filter(({ key }) => key.startsWith(pairListPrefix(7, 5)));
  assert.deepEqual(
    pairs.map(({ json }) => levelPairSchema.strict().parse(JSON.parse(json)).id),
    [5_000_001, 5_000_002],
  );
  assert.deepEqual(
    pairs.map(({ key }) => key),
    pairs.map(({ key }) => key).sort(),
  );
});

test("a detail that was taken out is not shown, its open pairs are", () => {
  const removed = { ...levelBot, details: levelBot.details.map((detail) => ({ ...detail, isRemoved: true })) };
  assert.deepEqual(levelBotView(removed).levelBotDetails, []);
  assert.equal(levelBotViews(removed).filter(({ key }) => key.startsWith("pairs/")).length, 2);
});

test("history sorts newest first, and of one moment the newest pair", () => {
  const hourMs = 3_600_000;
  const closed = [soldAt(1, NOW_MS), soldAt(2, NOW_MS + hourMs), soldAt(3, NOW_MS + hourMs), soldAt(4, NOW_MS + 9)];
  const rows = closed.map((pair) => keepPair("level")(levelBot, { ...pair }));
  const sorted = [...rows].sort((left, right) => (left.key < right.key ? -1 : 1));
  assert.deepEqual(
    sorted.map(({ json }) => (JSON.parse(json) as { id: number }).id),
    [3, 2, 4, 1],
  );
  assert.ok(rows.every(({ key }) => key.startsWith(historyPrefix("level", 7, "PAPER", "A/7"))));
});

test("a closed pair says what it brought, and the kinds of bots have a history each", () => {
  const sold = soldAt(1, NOW_MS);
  const level = keepPair("level")(levelBot, { ...sold, profit: "12.5" });
  const webhook = keepPair("webhook")(levelBot, { ...sold, profit: "-0.25" });
  assert.equal((JSON.parse(level.json) as { profit: number }).profit, 12.5);
  assert.equal((JSON.parse(webhook.json) as { profit: number }).profit, -0.25);
  assert.ok(webhook.key.startsWith(historyPrefix("webhook", 7, "PAPER", "A/7")));
  assert.notEqual(level.key, webhook.key);
});

test("a pair whose buy failed is kept with the reason and sold nothing", () => {
  const pair = { ...pairOf(9), description: "buy failed: no cash" };
  const { json } = keepPair("level")(levelBot, { symbol: "THYAO", pair, hourCount: 0, profit: "0" });
  const item = JSON.parse(json) as Record<string, unknown>;
  assert.deepEqual(
    [item.sellQuantity, item.sellOrderNo, item.sellOrderDate, item.description, item.buyOrderDate],
    [0, null, null, "buy failed: no cash", "2026-01-05T09:00:00.000Z"],
  );
});

test("an event shows the pair that it is about, or only why there is none", () => {
  const told = botEvent(levelBot, { symbol: "THYAO", pair: pairOf(9), message: "no cash" });
  assert.equal((told as { row: { id: number } }).row.id, 9);
  assert.equal("sellPrice" in (told as { row: object }).row, false);
  for (const [amounts, sellPrice] of [
    [{ soldQuantity: 10, unpricedQuantity: 0, soldAmount: "1025" }, 102.5],
    [{ soldQuantity: 10, unpricedQuantity: 5, soldAmount: "500" }, 100],
    [{ soldQuantity: 10, unpricedQuantity: 10, soldAmount: "0" }, null],
  ] as const) {
    const sold = botEvent(levelBot, { symbol: "THYAO", pair: { ...soldAt(1, NOW_MS).pair, ...amounts } });
    assert.equal((sold as { row: { sellPrice: number | null } }).row.sellPrice, sellPrice);
  }
  const ignored = botEvent(levelBot, { symbol: "THYAO", message: "ignored" });
  assert.deepEqual(ignored, { systemId: 5, symbol: "THYAO", message: "ignored" });
});

test("a webhook bot's rows have the fields of the specification and its address", () => {
  const details = [{ symbol: "THYAO", algoName: "MACD", period: "1H", quantity: 2 }];
  const request = { name: "Two", isActive: true, webhookBotDetails: details };
  const made = createWebhookBot(accepted(planWebhookBot(request)), { ...owner, webhookSecret: "s" }, NOW_MS);
  const bot = { ...made, details: made.details.map((detail) => ({ ...detail, pairs: [pairOf(9)] })) };
  const rows = webhookBotViews(bot);
  const own = rows.find(({ key }) => key.startsWith(botListPrefix("webhook", 7, "PAPER", "A/7")));
  const shown = webhookBotRowSchema.strict().parse(JSON.parse(own?.json ?? ""));
  assert.equal(shown.webhookPath, "/webhooks/s");
  const pair = rows.find(({ key }) => key.startsWith(pairListPrefix(7, 5)));
  const { algoName, period, accountNumber } = webhookPairSchema.strict().parse(JSON.parse(pair?.json ?? ""));
  assert.deepEqual([algoName, period, accountNumber], ["MACD", "1H", "A/7"]);
});
