/** The effect of a rename of a symbol on bots (behaviour 30.2). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseLevelBot, parseWebhookBot } from "../../../src/contract/stored/bot-snapshot.ts";
import { createLevelBot } from "../../../src/domain/bot/level-bot.ts";
import { type LevelBot, type LevelPair, levelWatches } from "../../../src/domain/bot/level-bot-levels.ts";
import { openPair } from "../../../src/domain/bot/pair.ts";
import { renameLevelBot, renameWebhookBot } from "../../../src/domain/bot/rename-bot.ts";
import { createWebhookBot, matchedCount, type WebhookBot } from "../../../src/domain/bot/webhook-bot.ts";
import { beginExecution } from "../../../src/domain/order/execution.ts";
import { levelPlan, webhookPlan } from "../../machine/bot/bot-samples.ts";

const NOW_MS = Date.parse("2026-03-02T09:00:00Z");
const RENAMING = { from: "ACME", to: "APEX" };
const OWNER = { botId: 3, userId: 7, brokerageCode: "PAPER", accountNumber: "A1" };
const WISH = {
  clientOrderId: "p1b",
  symbol: "ACME",
  buySell: 1,
  quantity: 10,
  limitPrice: null,
  needsPrice: true,
  createdDate: null,
} as const;
const EXECUTION = beginExecution(WISH, "B-1", 1, NOW_MS).execution;

function levelBot(): LevelBot {
  const plan = levelPlan({
    levelBotDetails: [
      { symbol: "ACME", buyGap: 4, sellGap: 10 },
      { symbol: "OTHER", buyGap: 4, sellGap: 10 },
    ],
  });
  const bot = createLevelBot(plan, OWNER, NOW_MS);
  const bought = { ...openPair(3_000_001, 10, NOW_MS, 10_000), executions: [EXECUTION] };
  const pair: LevelPair = { ...bought, slot: 0, sellLevel: 11_000, sellApproach: "under", retryAtMs: null };
  const pastOrders = [{ detailKey: "ACME", execution: EXECUTION, isSellKept: false }];
  const details = bot.details.map((detail) => ({
    ...detail,
    ...(detail.symbol === "ACME" ? { anchor: 10_000, pairs: [pair] } : {}),
  }));
  return { ...bot, details, pastOrders };
}

function webhookBot(): WebhookBot {
  const plan = webhookPlan(true, { symbol: "ACME", algoName: "trend", period: "1h", quantity: 10 });
  const bot = createWebhookBot(plan, { ...OWNER, webhookSecret: "s" }, NOW_MS);
  const detailKey = JSON.stringify(["ACME", "trend", "1h"]);
  return { ...bot, pastOrders: [{ detailKey, execution: EXECUTION, isSellKept: false }] };
}

describe("a level bot with a symbol that is renamed", () => {
  test("keeps gaps, anchor and pairs of it under the new name, once, and other symbols", () => {
    const before = levelBot();
    const bot = renameLevelBot(before, RENAMING, NOW_MS + 5);
    assert.ok(bot !== undefined);
    assert.deepEqual(
      bot.details.map(({ symbol }) => symbol),
      ["APEX", "OTHER"],
    );
    const [was, is] = [before.details[0], bot.details[0]];
    assert.deepEqual([is?.anchor, is?.buyGap, is?.pairs[0]?.sellLevel], [was?.anchor, was?.buyGap, 11_000]);
    assert.equal(is?.pairs[0]?.executions[0]?.symbol, "APEX");
    assert.deepEqual([bot.pastOrders[0]?.detailKey, bot.pastOrders[0]?.execution.symbol], ["APEX", "APEX"]);
    assert.ok(levelWatches(bot).some(({ symbol }) => symbol === "APEX"));
    assert.ok(levelWatches(bot).every(({ symbol }) => symbol !== "ACME"));
    assert.equal(bot.levelsChangedAtMs, NOW_MS + 5, "no price from before counts");
    assert.equal(renameLevelBot(bot, RENAMING, NOW_MS + 9), undefined);
    assert.deepEqual(parseLevelBot(JSON.parse(JSON.stringify(bot))), bot);
  });
});

describe("a webhook bot with a symbol that is renamed", () => {
  test("is signalled under either name, and keeps its orders", () => {
    const bot = renameWebhookBot(webhookBot(), RENAMING);
    assert.ok(bot !== undefined);
    for (const symbol of ["ACME", "APEX"]) {
      assert.equal(matchedCount(bot, { symbol, algoName: "trend", period: "1h", side: "buy" }), 1, symbol);
    }
    assert.equal(matchedCount(bot, { symbol: "OTHER", algoName: "trend", period: "1h", side: "buy" }), 0);
    assert.equal(bot.pastOrders[0]?.detailKey, JSON.stringify(["APEX", "trend", "1h"]));
    assert.equal(renameWebhookBot(bot, RENAMING), undefined);
    assert.deepEqual(parseWebhookBot(JSON.parse(JSON.stringify(bot))), bot);
  });
});
