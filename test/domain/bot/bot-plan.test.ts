import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type LevelBotRequest, type LevelDetailRequest, planLevelBot } from "../../../src/domain/bot/level-bot-plan.ts";
import { planWebhookBot, type WebhookDetailRequest } from "../../../src/domain/bot/webhook-bot.ts";

const DETAIL: LevelDetailRequest = { symbol: "ACME", buyGap: 1.5 };
const SIGNAL: WebhookDetailRequest = { symbol: "ACME", quantity: 1, algoName: "cross", period: "1H" };

function levelMessage(change: Partial<LevelBotRequest>): string {
  const plan = planLevelBot({ name: "Bot", isActive: true, levelBotDetails: [DETAIL], ...change });
  assert.ok(!plan.ok);
  assert.equal(plan.code, "INVALID");
  return plan.message;
}

function detailMessage(change: Partial<LevelDetailRequest>): string {
  return levelMessage({ levelBotDetails: [{ ...DETAIL, ...change }] });
}

function signalMessage(...webhookBotDetails: WebhookDetailRequest[]): string {
  const plan = planWebhookBot({ name: "Bot", isActive: true, webhookBotDetails });
  assert.ok(!plan.ok);
  return plan.message;
}

describe("what both kinds check", () => {
  test("a name has 1 to 100 characters and not only blanks", () => {
    const rule = "name must have 1 to 100 characters and not only blanks";
    for (const name of ["", "   ", "x".repeat(101)]) assert.equal(levelMessage({ name }), rule);
    assert.ok(planLevelBot({ name: "😀".repeat(100), isActive: true, levelBotDetails: [DETAIL] }).ok);
  });

  test("1 to 100 details", () => {
    assert.match(levelMessage({ levelBotDetails: [] }), /^levelBotDetails must have at least 1 element$/);
    const details = Array.from({ length: 101 }, (_, index) => ({ symbol: `S${index}`, buyGap: 1 }));
    assert.match(levelMessage({ levelBotDetails: details }), /^levelBotDetails must have at most 100 elements$/);
    assert.ok(planLevelBot({ name: "Bot", isActive: true, levelBotDetails: details.slice(1) }).ok);
  });

  test("quantity is 1 where none is given; 0, null and absent limits are none", () => {
    const plan = planLevelBot({
      name: "Bot",
      isActive: false,
      levelBotDetails: [{ ...DETAIL, maxBuyPrice: 0, minBuyPrice: null, minSellPrice: 101.5 }],
    });
    assert.ok(plan.ok);
    assert.deepEqual(plan.value, {
      name: "Bot",
      isActive: false,
      details: [
        {
          symbol: "ACME",
          quantity: 1,
          limits: { minBuyPrice: null, maxBuyPrice: null, minSellPrice: 10_150, maxSellPrice: null },
          buyGap: 150,
          sellGap: 0,
          targetProfit: 0,
          profit: 0,
          confirmTicks: 1,
          tickTable: "BIST",
        },
      ],
    });
  });

  test("limits are prices on the grid, each minimum at most its maximum", () => {
    assert.match(
      detailMessage({ maxBuyPrice: 100.05 }),
      /^levelBotDetails\[0\]\.maxBuyPrice 100\.05 is not a multiple/,
    );
    assert.match(detailMessage({ minSellPrice: -1 }), /minSellPrice -1 is not a price/);
    assert.match(detailMessage({ minBuyPrice: -0 }), /minBuyPrice -0 is not a price/);
    const buy = detailMessage({ minBuyPrice: 101, maxBuyPrice: 100 });
    assert.equal(buy, "levelBotDetails[0].minBuyPrice must not be higher than maxBuyPrice");
    const sell = detailMessage({ minSellPrice: 101, maxSellPrice: 100 });
    assert.equal(sell, "levelBotDetails[0].minSellPrice must not be higher than maxSellPrice");
    const equal = { ...DETAIL, minBuyPrice: 100, maxBuyPrice: 100 };
    assert.ok(planLevelBot({ name: "Bot", isActive: true, levelBotDetails: [equal] }).ok);
  });

  test("quantities are integers of at least 1", () => {
    assert.match(detailMessage({ quantity: 0 }), /^levelBotDetails\[0\]\.quantity 0 /);
    assert.match(signalMessage({ ...SIGNAL, quantity: 2.5 }), /^webhookBotDetails\[0\]\.quantity 2\.5 /);
  });
});

describe("level bots", () => {
  test("a symbol may be there once", () => {
    const message = levelMessage({ levelBotDetails: [DETAIL, { symbol: "ACME", buyGap: 2 }] });
    assert.equal(message, "levelBotDetails[1] repeats the symbol of another element");
  });

  test("gaps are whole hundredths; the buy gap is greater than 0", () => {
    assert.equal(detailMessage({ buyGap: 0 }), "levelBotDetails[0].buyGap must be greater than 0");
    assert.match(detailMessage({ buyGap: 0.005 }), /buyGap/);
    assert.match(detailMessage({ buyGap: 1.005 }), /buyGap 1\.005 has more than two decimals/);
    assert.match(detailMessage({ sellGap: -1 }), /sellGap -1 is not a number of at least 0/);
    assert.match(detailMessage({ sellGap: Number.NaN }), /sellGap NaN/);
  });

  test("target profit and profit are numbers of at least 0", () => {
    assert.match(detailMessage({ targetProfit: -0.1 }), /targetProfit -0\.1 is not a number of at least 0/);
    assert.match(detailMessage({ targetProfit: 10_001 }), /targetProfit 10001 is over 10000/);
    assert.match(detailMessage({ profit: Number.POSITIVE_INFINITY }), /profit Infinity is not a number/);
  });
});

describe("webhook bots", () => {
  test("symbol, algorithm and period together may be there once", () => {
    assert.equal(
      signalMessage(SIGNAL, { ...SIGNAL, period: "4H" }, { ...SIGNAL, quantity: 3 }),
      "webhookBotDetails[2] repeats the symbol, algoName and period of another element",
    );
  });

  test("algorithm and period are not empty and not endless", () => {
    assert.match(signalMessage({ ...SIGNAL, algoName: "" }), /algoName must have 1 to 100 characters/);
    assert.match(signalMessage({ ...SIGNAL, period: "x".repeat(21) }), /period must have 1 to 20 characters/);
  });

  test("algorithm and period are not blank and have no blank at an end (behaviour 9.2)", () => {
    const rule = "must not be blank, nor begin or end with a blank";
    for (const wrong of [" ", "\u00a0", " x", "x ", "x\n", "\tx"]) {
      assert.equal(signalMessage({ ...SIGNAL, algoName: wrong }), `webhookBotDetails[0].algoName ${rule}`);
      assert.equal(signalMessage({ ...SIGNAL, period: wrong }), `webhookBotDetails[0].period ${rule}`);
    }
    for (const algoName of ["x", "two words", "two\nlines", "😀"]) {
      assert.ok(planWebhookBot({ name: "Bot", isActive: true, webhookBotDetails: [{ ...SIGNAL, algoName }] }).ok);
    }
  });
});
