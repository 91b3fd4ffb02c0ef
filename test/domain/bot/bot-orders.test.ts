/** Orders of pairs that are over, and orders in doubt, of both kinds of bots (behaviour 13.6, 13.7). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseLevelBot, parseWebhookBot } from "../../../src/contract/stored/bot-snapshot.ts";
import { awaitsOrders, type BotDetail, canDelete, openPairs } from "../../../src/domain/bot/bot.ts";
import { PAST_ORDERS_MAX } from "../../../src/domain/bot/bot-orders.ts";
import { canSell } from "../../../src/domain/bot/pair.ts";
import type { OrderNotice } from "../../../src/domain/order/order.ts";
import { levelActorOf, levelPlan, sendAndConfirm, webhookActor, webhookPlan } from "../../machine/bot/bot-samples.ts";

const ACME = { symbol: "ACME", buyGap: 1, sellGap: 2, quantity: 5 };
const CROSS = { symbol: "ACME", algoName: "cross", period: "1H", quantity: 5 };
const BUY: OrderNotice = {
  orderNo: "7",
  symbol: "ACME",
  buySell: 1,
  orderStatus: 3,
  filledQuantity: 0,
  averagePrice: 0,
};
const LATE = { ...BUY, orderStatus: 2, filledQuantity: 5, averagePrice: 99 };
const SIGNAL = { symbol: "ACME", algoName: "cross", period: "1H", price: 100 } as const;

function answered(name: string, orderNo = "7", timeMs = 3_000) {
  return {
    type: "orderPlaced",
    name,
    clientOrderId: `i-${name}`,
    orderNo,
    orderStatus: 1,
    quantity: 5,
    timeMs,
  } as const;
}

/** A level bot whose first buy was cancelled with nothing filled. */
function cancelledLevel() {
  const actor = levelActorOf(ACME);
  for (const price of [100, 99]) {
    const watches = actor.reachedBy("ACME", price);
    actor.send({ type: "priceReached", watches, price, timeMs: 2_000 });
  }
  actor.send(answered("p3000001b"));
  sendAndConfirm(actor, { type: "orderUpdated", record: BUY, timeMs: 4_000 });
  assert.deepEqual([openPairs(actor.context).length, actor.context.pastOrders.length], [0, 1]);
  return actor;
}

/** A webhook bot whose first buy was cancelled with nothing filled, after a sell signal where one is asked for. */
function cancelledWebhook(hasSellSignal: boolean) {
  const actor = webhookActor(webhookPlan(true, CROSS));
  actor.send({ type: "signal", ...SIGNAL, side: "buy", fingerprint: "1", timeMs: 2_000 });
  actor.send(answered("p3000001b"));
  if (hasSellSignal) actor.send({ type: "signal", ...SIGNAL, side: "sell", fingerprint: "2", timeMs: 3_500 });
  sendAndConfirm(actor, { type: "orderUpdated", record: BUY, timeMs: 4_000 });
  return actor;
}

const submitted = (effects: readonly { readonly type: string }[]): string[] =>
  effects.flatMap((effect) => ("name" in effect && effect.type === "submit" ? [String(effect.name)] : []));

describe("a buy that is filled after its pair was over", () => {
  test("is held by a new pair of a level bot, with a level to sell at", () => {
    const actor = cancelledLevel();
    actor.send({ type: "orderUpdated", record: LATE, timeMs: 5_000 });
    const [open] = openPairs(actor.context);
    assert.deepEqual([open?.pair.pairId, open?.pair.buy.orderNo, open?.pair.sellLevel], [3_000_002, "7", 10_100]);
    const watches = actor.reachedBy("ACME", 101);
    assert.deepEqual(submitted(actor.send({ type: "priceReached", watches, price: 101, timeMs: 6_000 })), [
      "p3000002s1",
    ]);
  });

  test("whose price never comes has the level of the price that caused the buy (behaviour 8.2a)", () => {
    const actor = cancelledLevel();
    actor.send({ type: "orderUpdated", record: { ...LATE, averagePrice: 0 }, timeMs: 5_000 });
    assert.deepEqual(openPairs(actor.context), [], "its price is asked for first");
    while (openPairs(actor.context).length === 0) {
      actor.send({ type: "deadline", timeMs: actor.facts.deadlineMs ?? assert.fail("the lots are forgotten") });
    }
    const [open] = openPairs(actor.context);
    assert.deepEqual([open?.pair.buy.averagePrice, open?.pair.sellLevel], [null, 10_100]);
    assert.equal(open?.pair.description, "no price of the buy is known: it counts as 99");
    assert.deepEqual(parseLevelBot(JSON.parse(JSON.stringify(actor.context))), actor.context);
    const changed = levelPlan({ levelBotDetails: [{ ...ACME, sellGap: 3 }] });
    actor.send({ type: "update", plan: changed, timeMs: 1_000_000 });
    assert.equal(openPairs(actor.context)[0]?.pair.sellLevel, 10_200, "the level follows the new gap");
    const timeMs = 1_000_001;
    const watches = actor.reachedBy("ACME", 102);
    assert.deepEqual(submitted(actor.send({ type: "priceReached", watches, price: 102, timeMs })), ["p3000002s1"]);
  });

  test("is held though an open order of the bot has its number by now: its name decides (behaviour 13.1)", () => {
    const actor = cancelledLevel();
    const watches = actor.reachedBy("ACME", 98);
    actor.send({ type: "priceReached", watches, price: 98, timeMs: 4_500 });
    actor.send(answered("p3000002b"));
    actor.send({ type: "orderUpdated", record: { ...LATE, clientOrderId: "i-p3000001b" }, timeMs: 5_000 });
    actor.send({ type: "orderUpdated", record: { ...LATE, clientOrderId: "i-p3000002b" }, timeMs: 5_500 });
    assert.deepEqual(
      openPairs(actor.context).map(({ pair }) => [pair.pairId, pair.buy.completedAtMs]),
      [
        [3_000_002, 5_500],
        [3_000_003, 5_000],
      ],
    );
  });

  test("is not held twice, however often it is told", () => {
    const actor = cancelledLevel();
    for (const timeMs of [5_000, 6_000]) actor.send({ type: "orderUpdated", record: LATE, timeMs });
    assert.equal(openPairs(actor.context).length, 1);
    assert.deepEqual(actor.context.pastOrders, [], "nothing more can become of it");
  });

  test("is told of and not held where the owner took the symbol out", () => {
    const actor = cancelledLevel();
    const other = levelPlan({ levelBotDetails: [{ ...ACME, symbol: "OTHER" }] });
    actor.send({ type: "update", plan: other, timeMs: 4_500 });
    const effects = actor.send({ type: "orderUpdated", record: LATE, timeMs: 5_000 });
    assert.ok(effects.some((effect) => effect.type === "tell" && effect.facts[0]?.type === "filledAfterEnd"));
    assert.deepEqual(openPairs(actor.context), []);
  });

  test("is held by a new pair of a webhook bot, and sold at once where a sell signal waited for it", () => {
    for (const hasSellSignal of [false, true]) {
      const actor = cancelledWebhook(hasSellSignal);
      const effects = actor.send({ type: "orderUpdated", record: LATE, timeMs: 5_000 });
      assert.deepEqual(submitted(effects), hasSellSignal ? ["p3000002s1"] : []);
      assert.equal(openPairs(actor.context).length, 1);
    }
  });

  test("is not sold at once after the bot was switched off", () => {
    const actor = cancelledWebhook(true);
    actor.send({ type: "update", plan: webhookPlan(false, CROSS), timeMs: 4_500 });
    const effects = actor.send({ type: "orderUpdated", record: LATE, timeMs: 5_000 });
    assert.deepEqual(submitted(effects), []);
    assert.equal(openPairs(actor.context).length, 1);
  });

  test("is told of and not held where the detail of a webhook bot has another pair", () => {
    const actor = cancelledWebhook(false);
    actor.send({ type: "signal", ...SIGNAL, side: "buy", fingerprint: "3", timeMs: 4_500 });
    actor.send({ type: "orderUpdated", record: LATE, timeMs: 5_000 });
    assert.deepEqual(
      openPairs(actor.context).map(({ pair }) => pair.pairId),
      [3_000_002],
    );
    assert.equal(openPairs(actor.context)[0]?.pair.buy.completedAtMs, null);
  });
});

test("a buy that is filled with more than was ordered, part by part, is sold whole (behaviour 13.3)", () => {
  const actor = webhookActor(webhookPlan(true, CROSS));
  actor.send({ type: "signal", ...SIGNAL, side: "buy", fingerprint: "1", timeMs: 2_000 });
  actor.send(answered("p3000001b"));
  for (const filledQuantity of [3, 5, 8]) {
    const record = { ...LATE, orderStatus: filledQuantity === 8 ? 2 : 1, filledQuantity };
    actor.send({ type: "orderUpdated", record, timeMs: 4_000 });
  }
  const effects = actor.send({ type: "signal", ...SIGNAL, side: "sell", fingerprint: "2", timeMs: 5_000 });
  assert.deepEqual(
    effects.flatMap((effect) => (effect.type === "submit" ? [effect.quantity] : [])),
    [8],
  );
});

test("a brokerage that cancels every order leaves a bot with a bounded number of orders to follow", () => {
  const actor = webhookActor(webhookPlan(true, CROSS));
  for (let number = 1; number <= PAST_ORDERS_MAX + 5; number += 1) {
    actor.send({ type: "signal", ...SIGNAL, side: "buy", fingerprint: `${number}`, timeMs: 2_000 });
    const name = `p${3_000_000 + number}b`;
    actor.send(answered(name, `${number}`));
    sendAndConfirm(actor, { type: "orderUpdated", record: { ...BUY, orderNo: `${number}` }, timeMs: 4_000 });
  }
  const numbers = actor.context.pastOrders.map(({ execution }) => execution.orders[0]?.orderNo);
  assert.deepEqual([numbers.length, numbers.at(-1)], [PAST_ORDERS_MAX, String(PAST_ORDERS_MAX + 5)]);
});

test("an end with a rest is asked for again for an hour, also by a bot that is switched off (behaviour 13.5)", () => {
  const actor = cancelledLevel();
  actor.send({ type: "update", plan: levelPlan({ isActive: false, levelBotDetails: [ACME] }), timeMs: 4_500 });
  const asked: number[] = [];
  for (let count = 0; count < 9; count += 1) {
    const { deadlineMs } = actor.facts;
    if (deadlineMs === null) break;
    const effects = actor.send({ type: "deadline", timeMs: deadlineMs });
    const looks = effects.flatMap((effect) => (effect.type === "tell" ? effect.facts : []));
    if (looks.some(({ type }) => type === "lookUp")) asked.push(deadlineMs - 4_000);
    for (const fact of looks) {
      if (fact.type !== "lookUp") continue;
      actor.send({ type: "orderUpdated", record: BUY, look: fact.look, timeMs: deadlineMs + 1 });
    }
  }
  assert.deepEqual(asked, [10_000, 60_000, 600_000, 3_600_000]);
  assert.deepEqual([actor.context.pastOrders, actor.facts.follows], [[], []]);
});

test("an order that the brokerage does not know any more is in doubt: nothing is ordered until a person decides", () => {
  const actor = webhookActor(webhookPlan(true, CROSS));
  actor.send({ type: "signal", ...SIGNAL, side: "buy", fingerprint: "1", timeMs: 2_000 });
  actor.send(answered("p3000001b"));
  for (const timeMs of [10_000, 41_000]) actor.send({ type: "orderMissing", orderNo: "7", answer: "notFound", timeMs });
  assert.equal(actor.facts.follows[0]?.isInDoubt, true);
  assert.match(openPairs(actor.context)[0]?.pair.description ?? "", /order 7 is in doubt/);
  assert.ok(awaitsOrders(actor.context) && !canDelete(actor.context));
  actor.send({ type: "orderDecided", orderNo: "7", fill: { quantity: 5, price: 99 }, timeMs: 50_000 });
  const [open] = openPairs(actor.context);
  assert.ok(open !== undefined && canSell(open.pair));
});

test("bots of the edition before are read: their orders without an end are open", () => {
  for (const [actor, parse] of [
    [levelActorOf(ACME), parseLevelBot],
    [webhookActor(webhookPlan(true, CROSS)), parseWebhookBot],
  ] as const) {
    const { pastOrders: _, ...bot } = actor.context;
    const leg = { quantity: 5, sentAtMs: 2_000, orderNo: "7", completedAtMs: null, averagePrice: null };
    const pair = {
      pairId: 3_000_001,
      buy: leg,
      sell: { ...leg, sentAtMs: null, orderNo: null },
      sellAttempts: 0,
      soldQuantity: 0,
      soldAmount: "0",
      description: "",
    };
    const placed =
      "levelsChangedAtMs" in bot ? { slot: 0, sellLevel: null, sellApproach: "under", retryAtMs: null } : {};
    const details = bot.details.map((detail) => ({ ...detail, pairs: [{ ...pair, ...placed }] }));
    const read = parse({ ...bot, version: 1, details, lastPairNumber: 1 });
    const [open] = openPairs<BotDetail>(read);
    assert.deepEqual(
      open?.pair.executions.map(({ orders, phase, quantity }) => [orders[0]?.orderNo, phase, quantity]),
      [["7", "open", 5]],
    );
    assert.deepEqual(read.pastOrders, []);
  }
});
