import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { webhookBotSnapshot } from "../../../src/contract/stored/bot-snapshot.ts";
import { openPairs } from "../../../src/domain/bot/bot.ts";
import {
  isWebhookBotRunning,
  matchedCount,
  RECENT_SIGNALS_MAX,
  REPEAT_MS,
  type Signal,
  type WebhookBot,
} from "../../../src/domain/bot/webhook-bot.ts";
import { type WebhookBotEvent, webhookClaim } from "../../../src/machine/webhook-bot.ts";
import type { TestActor } from "../actor.ts";
import { CREATED_MS, sendAndConfirm, webhookActor, webhookPlan } from "./bot-samples.ts";

type Actor = TestActor<WebhookBot, WebhookBotEvent>;

const CROSS = { symbol: "ACME", algoName: "cross", period: "1H", quantity: 5 };
const BUY_1 = "p3000001b";

let fingerprints = 0;

function given(change: object = {}): Actor {
  return webhookActor(webhookPlan(true, { ...CROSS, ...change }));
}

function send(actor: Actor, event: WebhookBotEvent): string[] {
  const effects = sendAndConfirm(actor, event);
  assert.deepEqual(webhookBotSnapshot.parse(JSON.parse(JSON.stringify(actor.context))), actor.context);
  return effects.map((effect) => {
    if (effect.type === "emit") {
      return /^signal\.|leftOut$/.test(effect.event) ? String(effect.data.message) : effect.event;
    }
    if (effect.type === "keep") return "history";
    assert.ok(effect.type === "submit" && effect.urgency === "triggered");
    return `${effect.buySell === 1 ? "buy" : "sell"} ${effect.name} ${effect.quantity} ${effect.symbol}`;
  });
}

/** A signal of its own, unless a fingerprint is given. */
function signal(actor: Actor, side: "buy" | "sell", change: Partial<Signal> = {}): string[] {
  fingerprints += 1;
  const { symbol, algoName, period } = CROSS;
  const own = { symbol, algoName, period, side, price: 100, fingerprint: `f${fingerprints}`, timeMs: 2_000 };
  return send(actor, { type: "signal", ...own, ...change });
}

function placed(actor: Actor, name: string, orderNo: string): void {
  const order = { name, clientOrderId: `i-${name}`, orderNo, orderStatus: 1, quantity: 5 };
  send(actor, { type: "orderPlaced", ...order, timeMs: 3_000 });
}

function completed(actor: Actor, name: string, orderNo: string, buySell: 1 | 2, filledQuantity = 5): string[] {
  placed(actor, name, orderNo);
  const record = { orderNo, symbol: "ACME", buySell, orderStatus: 2, filledQuantity, averagePrice: 100 } as const;
  return send(actor, { type: "orderUpdated", record, timeMs: 4_000 });
}

describe("signals", () => {
  test("a buy signal opens a pair, a sell signal closes it", () => {
    const actor = given();
    assert.deepEqual(signal(actor, "buy"), [`buy ${BUY_1} 5 ACME`]);
    assert.deepEqual(completed(actor, BUY_1, "7", 1), ["pair.bought"]);
    assert.deepEqual(signal(actor, "sell"), ["sell p3000001s1 5 ACME"]);
    assert.deepEqual(completed(actor, "p3000001s1", "8", 2), ["pair.sold", "history"]);
    assert.deepEqual(openPairs(actor.context), []);
    assert.deepEqual(signal(actor, "buy"), ["buy p3000002b 5 ACME"]);
  });

  test("match by symbol, algorithm and period together", () => {
    const actor = given();
    for (const [other, difference] of [
      [{ symbol: "OTHER" }, "symbol OTHER is not ACME"],
      [{ algoName: "Cross" }, "algoName Cross is not cross"],
      [{ period: "4H" }, "period 4H is not 1H"],
    ] as const) {
      const { algoName, period } = { ...CROSS, ...other };
      const told = `buy signal ${algoName} ${period} matches no detail: ${difference}`;
      assert.deepEqual(signal(actor, "buy", other), [told]);
      assert.equal(matchedCount(actor.context, { ...CROSS, side: "buy", ...other }), 0);
    }
    assert.equal(matchedCount(actor.context, { ...CROSS, side: "buy" }), 1);
    assert.equal(actor.context.recentSignals.length, 0);
  });

  test("a second buy signal does nothing while the pair is open, from its asking on", () => {
    const actor = given();
    signal(actor, "buy");
    const ignored = ["buy signal cross 1H ignored: a pair is open already"];
    assert.deepEqual(signal(actor, "buy"), ignored);
    completed(actor, BUY_1, "7", 1);
    assert.deepEqual(signal(actor, "buy"), ignored);
  });

  test("a sell signal without a pair that could be sold does nothing, and says why", () => {
    const actor = given();
    const ignored = (reason: string): string[] => [`sell signal cross 1H ignored: ${reason}`];
    assert.deepEqual(signal(actor, "sell"), ignored("no pair is open"));
    signal(actor, "buy");
    completed(actor, BUY_1, "7", 1);
    signal(actor, "sell");
    assert.deepEqual(signal(actor, "sell"), ignored("the pair is being sold already"));
  });

  const KEPT = "sell signal cross 1H is kept: it is done once the buy has completed";

  test("a sell signal while the buy is on its way is kept, once, and done when the buy has completed", () => {
    const actor = given();
    signal(actor, "buy");
    assert.deepEqual(signal(actor, "sell"), [KEPT]);
    assert.deepEqual(signal(actor, "sell"), [
      "sell signal cross 1H ignored: a sell waits for the buy of the pair already",
    ]);
    actor.reload();
    assert.deepEqual(completed(actor, BUY_1, "7", 1), ["sell p3000001s1 5 ACME", "pair.bought"]);
    assert.equal(actor.context.details[0]?.deferredSellAtMs, null);
    assert.deepEqual(completed(actor, "p3000001s1", "8", 2), ["pair.sold", "history"]);
  });

  test("a kept sell is judged by the sell limits and the price at its signal", () => {
    const actor = given({ minSellPrice: 120, maxSellPrice: 130 });
    signal(actor, "buy", { price: 100 });
    assert.match(String(signal(actor, "sell", { price: 119 })), /outside the sell limits/);
    assert.deepEqual(signal(actor, "sell", { price: 125 }), [KEPT]);
    assert.deepEqual(completed(actor, BUY_1, "7", 1), ["sell p3000001s1 5 ACME", "pair.bought"]);
  });

  test("a kept sell ends with a buy that fails, and with the switch", () => {
    const failed = given();
    signal(failed, "buy");
    signal(failed, "sell");
    send(failed, { type: "orderRefused", name: BUY_1, message: "no cash", timeMs: 3_000 });
    assert.deepEqual(signal(failed, "buy"), ["buy p3000002b 5 ACME"]);
    assert.deepEqual(completed(failed, "p3000002b", "9", 1), ["pair.bought"]);
    const switched = given();
    signal(switched, "buy");
    signal(switched, "sell");
    send(switched, { type: "update", plan: webhookPlan(false, CROSS), timeMs: 5_000 });
    assert.deepEqual(completed(switched, BUY_1, "7", 1), ["pair.bought"]);
  });

  test("the same signal within 60 seconds is ignored, afterwards it is a new one", () => {
    const actor = given();
    const same = { fingerprint: "same", timeMs: 2_000 };
    assert.equal(signal(actor, "buy", same).length, 1);
    assert.deepEqual(signal(actor, "buy", { ...same, timeMs: 2_000 + REPEAT_MS - 1 }), []);
    send(actor, { type: "orderRefused", name: BUY_1, message: "no", timeMs: 3_000 });
    assert.deepEqual(signal(actor, "buy", { ...same, timeMs: 2_000 + REPEAT_MS - 1 }), []);
    assert.deepEqual(signal(actor, "buy", { ...same, timeMs: 2_000 + REPEAT_MS }), ["buy p3000002b 5 ACME"]);
  });

  test("what is remembered of signals is bounded", () => {
    const actor = given();
    for (let count = 0; count < RECENT_SIGNALS_MAX + 50; count += 1) signal(actor, "sell");
    assert.equal(actor.context.recentSignals.length, RECENT_SIGNALS_MAX);
    signal(actor, "sell", { timeMs: 2_000 + REPEAT_MS });
    assert.equal(actor.context.recentSignals.length, 1);
  });
});

describe("limits", () => {
  test("a price outside the limits of its side orders nothing; the ends are inside", () => {
    const actor = given({ minBuyPrice: 90, maxBuyPrice: 110, minSellPrice: 120, maxSellPrice: 130 });
    for (const price of [89.99, 110.001]) {
      assert.deepEqual(signal(actor, "buy", { price }), [
        `buy signal cross 1H ignored: price ${price} is outside the buy limits`,
      ]);
    }
    assert.deepEqual(signal(actor, "buy", { price: 110 }), [`buy ${BUY_1} 5 ACME`]);
    completed(actor, BUY_1, "7", 1);
    assert.match(String(signal(actor, "sell", { price: 119.5 })), /outside the sell limits/);
    assert.deepEqual(signal(actor, "sell", { price: 120 }), ["sell p3000001s1 5 ACME"]);
  });

  test("a price that is not known is inside only where there are no limits", () => {
    const actor = given({ maxSellPrice: 130 });
    assert.deepEqual(signal(actor, "buy", { price: null }), [`buy ${BUY_1} 5 ACME`]);
    completed(actor, BUY_1, "7", 1);
    assert.match(String(signal(actor, "sell", { price: null })), /the price is not known/);
  });
});

describe("orders", () => {
  test("a refused buy closes the pair, which is kept as history", () => {
    const actor = given();
    signal(actor, "buy");
    assert.deepEqual(send(actor, { type: "orderRefused", name: BUY_1, message: "no cash", timeMs: 3_000 }), [
      "pair.buyFailed",
      "history",
    ]);
    assert.deepEqual(openPairs(actor.context), []);
  });

  test("a refused sell leaves the pair open for the next sell signal", () => {
    const actor = given();
    signal(actor, "buy");
    completed(actor, BUY_1, "7", 1);
    signal(actor, "sell");
    const refusal: WebhookBotEvent = { type: "orderRefused", name: "p3000001s1", message: "halted", timeMs: 3_000 };
    assert.deepEqual(send(actor, refusal), ["pair.sellFailed"]);
    assert.deepEqual(signal(actor, "sell"), ["sell p3000001s2 5 ACME"]);
  });
});

describe("the owner's switch and updates", () => {
  test("an inactive bot matches and does nothing, and settles what is on its way", () => {
    const actor = given();
    signal(actor, "buy");
    send(actor, { type: "update", plan: webhookPlan(false, CROSS), timeMs: 5_000 });
    assert.equal(actor.state, "inactive");
    assert.ok(!isWebhookBotRunning(actor.context));
    assert.equal(matchedCount(actor.context, { ...CROSS, side: "sell" }), 0);
    assert.deepEqual(completed(actor, BUY_1, "7", 1), ["pair.bought"]);
    assert.deepEqual(signal(actor, "sell"), []);
    send(actor, { type: "update", plan: webhookPlan(true, CROSS), timeMs: 6_000 });
    assert.equal(actor.state, "active");
    assert.deepEqual(signal(actor, "sell"), ["sell p3000001s1 5 ACME"]);
  });

  test("a bot made inactive hears no signal", () => {
    const actor = webhookActor(webhookPlan(false, CROSS));
    assert.deepEqual(signal(actor, "buy"), []);
  });

  test("a detail that is taken out is not bought again, sells its pair at a signal and then leaves", () => {
    const actor = given();
    signal(actor, "buy");
    completed(actor, BUY_1, "7", 1);
    const leftOut = send(actor, {
      type: "update",
      plan: webhookPlan(true, { ...CROSS, period: "4H" }),
      timeMs: 5_000,
    });
    assert.deepEqual(leftOut, ["cross 1H was left out of the bot; its open pair is still sold at its sell signal"]);
    assert.equal(matchedCount(actor.context, { ...CROSS, side: "buy" }), 0);
    const told = "buy signal cross 1H matches no detail: period 1H is not 4H";
    assert.deepEqual(signal(actor, "buy"), [told]);
    assert.deepEqual(signal(actor, "sell"), ["sell p3000001s1 5 ACME"]);
    completed(actor, "p3000001s1", "8", 2);
    assert.deepEqual(
      actor.context.details.map(({ period }) => period),
      ["4H"],
    );
  });
});

test("a bot without open pairs is deleted for good; one with an open pair is not", () => {
  const actor = given();
  signal(actor, "buy");
  send(actor, { type: "delete", timeMs: 4_000 });
  assert.equal(actor.state, "active");
  send(actor, { type: "orderRefused", name: BUY_1, message: "no cash", timeMs: 5_000 });
  send(actor, { type: "delete", timeMs: 6_000 });
  assert.ok(actor.isDone);
  assert.deepEqual(actor.facts.claims, []);
  assert.equal(actor.context.deletedAtMs, 6_000);
});

test("a bot with a new secret is found by it alone, also while it is switched off", () => {
  for (const isActive of [true, false]) {
    const actor = webhookActor(webhookPlan(isActive, CROSS));
    send(actor, { type: "rotateSecret", webhookSecret: "n3w", timeMs: 4_000 });
    assert.deepEqual(actor.facts.claims, ["webhook/n3w"]);
  }
});

test("a webhook bot watches no price, is found by its secret, and follows its orders", () => {
  const actor = given();
  assert.equal(webhookClaim(actor.context), "webhook/s3cret");
  assert.deepEqual(actor.facts, {
    watches: [],
    armedSinceMs: CREATED_MS,
    deadlineMs: null,
    claims: ["webhook/s3cret"],
    follows: [],
  });
  signal(actor, "buy");
  placed(actor, BUY_1, "7");
  const order = {
    userId: 7,
    brokerageCode: "PAPER",
    accountNumber: "A1",
    orderNo: "7",
    clientOrderId: `i-${BUY_1}`,
    isQuiet: false,
  };
  assert.deepEqual(actor.facts.follows, [order]);
});
