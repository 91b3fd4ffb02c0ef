import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { levelBotSnapshot } from "../../../src/contract/stored/bot-snapshot.ts";
import { openPairs } from "../../../src/domain/bot/bot.ts";
import { isLevelBotRunning } from "../../../src/domain/bot/level-bot.ts";
import type { LevelBot } from "../../../src/domain/bot/level-bot-levels.ts";
import { legStatus } from "../../../src/domain/bot/pair.ts";
import type { OrderNotice } from "../../../src/domain/order/order.ts";
import type { Effect } from "../../../src/machine/effect.ts";
import type { LevelBotEvent } from "../../../src/machine/level-bot.ts";
import type { TestActor } from "../actor.ts";
import { CREATED_MS, levelActor, levelActorOf, levelPlan, sendAndConfirm } from "./bot-samples.ts";

type Actor = TestActor<LevelBot, LevelBotEvent>;

const ACME = { symbol: "ACME", buyGap: 1, sellGap: 2, quantity: 5 };
const BUY_1 = "p3000001b";

function send(actor: Actor, event: LevelBotEvent): string[] {
  const effects = sendAndConfirm(actor, event);
  assert.deepEqual(levelBotSnapshot.parse(JSON.parse(JSON.stringify(actor.context))), actor.context);
  return effects.map(textOf);
}

function textOf(effect: Effect): string {
  switch (effect.type) {
    case "submit":
      assert.equal(effect.urgency, "triggered");
      return `${effect.buySell === 1 ? "buy" : "sell"} ${effect.name} ${effect.quantity} ${effect.symbol}`;
    case "emit":
      return effect.event;
    case "keep":
      return `keep ${effect.data.profit} ${effect.data.hourCount}h`;
    case "openGroup":
    case "growGroup":
    case "endEntry":
    case "withdraw":
    case "cancelOrder":
    case "tell":
      return effect.type;
  }
}

function tick(actor: Actor, price: number, timeMs = 2_000, symbol = "ACME"): string[] {
  const watches = actor.reachedBy(symbol, price);
  return watches.length === 0 ? [] : send(actor, { type: "priceReached", watches, price, timeMs });
}

function placed(actor: Actor, name: string, orderNo: string): string[] {
  const order = { name, clientOrderId: `i-${name}`, orderNo, orderStatus: 1, quantity: 5 };
  return send(actor, { type: "orderPlaced", ...order, timeMs: 3_000 });
}

function updated(
  actor: Actor,
  record: Pick<OrderNotice, "orderNo" | "buySell"> & Partial<OrderNotice>,
  timeMs = 4_000,
) {
  const filled = { symbol: "ACME", orderStatus: 2, filledQuantity: 5, averagePrice: 99 };
  return send(actor, { type: "orderUpdated", record: { ...filled, ...record }, timeMs });
}

/** A bot whose first pair was bought for 99, with the anchor there. */
function bought(detail: object = {}, fill: Partial<OrderNotice> = {}): Actor {
  const actor = levelActorOf({ ...ACME, ...detail });
  tick(actor, 100);
  assert.deepEqual(tick(actor, 99), [`buy ${BUY_1} ${fill.filledQuantity ?? 5} ACME`]);
  placed(actor, BUY_1, "7");
  assert.deepEqual(updated(actor, { orderNo: "7", buySell: 1, ...fill }), ["pair.bought"]);
  return actor;
}

function levels(actor: Actor): string[] {
  return actor.facts.watches.map(({ watch, side, level }) => `${watch} ${side} ${level}`);
}

describe("the anchor", () => {
  test("is the first new tick after activation", () => {
    const actor = levelActorOf(ACME);
    assert.deepEqual(actor.facts.watches, [
      { watch: 0, symbol: "ACME", side: "above", level: 1, onlyNewTicks: true, countsEveryTick: true },
    ]);
    tick(actor, 100);
    assert.deepEqual(levels(actor), ["0 above 10001", "1 below 9900"]);
  });

  test("follows the price up while no pair is open, never down", () => {
    const actor = levelActorOf(ACME);
    for (const price of [100, 101.5, 100.6]) assert.deepEqual(tick(actor, price), []);
    assert.deepEqual(levels(actor), ["0 above 10151", "1 below 10050"]);
  });

  test("stays at the price that bought while pairs are open", () => {
    const actor = levelActorOf(ACME);
    tick(actor, 100);
    tick(actor, 98.4);
    assert.deepEqual(levels(actor), ["1 below 9740"]);
    assert.deepEqual(tick(actor, 105), []);
    assert.deepEqual(levels(actor), ["1 below 9740"]);
  });

  test("becomes the sell price once a pair is sold, and follows the price up again", () => {
    const actor = bought();
    assert.deepEqual(tick(actor, 101.3), ["sell p3000001s1 5 ACME"]);
    placed(actor, "p3000001s1", "8");
    updated(actor, { orderNo: "8", buySell: 2, averagePrice: 101.25 });
    assert.deepEqual(levels(actor), ["0 above 10126", "1 below 10020"]);
  });

  test("buy levels are rounded down to the grid, and there is none at or under zero", () => {
    const actor = levelActorOf({ symbol: "ACME", buyGap: 1.03 });
    tick(actor, 101);
    assert.deepEqual(levels(actor), ["0 above 10101", "1 below 9995"]);
    const wide = levelActorOf({ symbol: "ACME", buyGap: 200 });
    tick(wide, 101);
    assert.deepEqual(levels(wide), ["0 above 10101"]);
  });
});

describe("buying", () => {
  test("one order for one level, the next a gap under the price that bought", () => {
    const actor = levelActorOf(ACME);
    tick(actor, 100);
    assert.deepEqual(tick(actor, 99), [`buy ${BUY_1} 5 ACME`]);
    assert.deepEqual(tick(actor, 98.9), []);
    const stale: LevelBotEvent = { type: "priceReached", watches: [1], price: 98.9, timeMs: 2_000 };
    assert.deepEqual(send(actor, stale), [], "a queued price of the level before does nothing");
    assert.deepEqual(tick(actor, 97.5), ["buy p3000002b 5 ACME"], "a fall over the level buys once");
    assert.deepEqual(levels(actor), ["1 below 9650"]);
    assert.equal(openPairs(actor.context).length, 2);
  });

  test("waits under minBuyPrice without being woken, and buys when the price is back inside", () => {
    const actor = levelActorOf({ ...ACME, minBuyPrice: 95 });
    tick(actor, 100);
    assert.deepEqual(tick(actor, 90), []);
    assert.deepEqual(levels(actor), ["0 above 10001", "1 above 9500"]);
    assert.deepEqual(actor.reachedBy("ACME", 89), []);
    assert.deepEqual(tick(actor, 96), [`buy ${BUY_1} 5 ACME`]);
  });

  test("a jump from under minBuyPrice to over the level buys nothing", () => {
    const actor = levelActorOf({ ...ACME, minBuyPrice: 95 });
    tick(actor, 100);
    tick(actor, 90);
    assert.deepEqual(tick(actor, 99.5), []);
    assert.deepEqual(levels(actor), ["0 above 10001", "1 below 9900"]);
  });

  test("over maxBuyPrice waits for it, and limits that leave no price wait for none", () => {
    const actor = levelActorOf({ ...ACME, maxBuyPrice: 95 });
    tick(actor, 100);
    assert.deepEqual(levels(actor), ["0 above 10001", "1 below 9500"]);
    const none = levelActorOf({ ...ACME, minBuyPrice: 99.5 });
    tick(none, 100);
    assert.deepEqual(levels(none), ["0 above 10001"]);
  });

  test("a refused buy closes the pair with the reason, and is kept", () => {
    const actor = levelActorOf(ACME);
    tick(actor, 100);
    tick(actor, 99);
    const event: LevelBotEvent = { type: "orderRefused", name: BUY_1, message: "no cash", timeMs: 3_000 };
    const [notice, row] = actor.send(event);
    assert.ok(notice?.type === "emit" && row?.type === "keep");
    assert.deepEqual([notice.event, notice.data.message], ["pair.buyFailed", "buy failed: no cash"]);
    assert.equal((row.data.pair as { description: string }).description, "buy failed: no cash");
    assert.deepEqual([row.data.profit, row.data.hourCount], ["0", 0]);
    assert.deepEqual(openPairs(actor.context), []);
    assert.deepEqual(send(actor, event), [], "said twice");
    assert.deepEqual(levels(actor), ["0 above 9901", "1 below 9800"]);
  });

  test("a buy that was placed and then ended: unfilled it closes the pair, part-filled it is what it bought", () => {
    for (const orderStatus of [3, 4]) {
      const actor = levelActorOf(ACME);
      tick(actor, 100);
      tick(actor, 99);
      placed(actor, BUY_1, "7");
      const unfilled = { orderNo: "7", buySell: 1, orderStatus, filledQuantity: 0, averagePrice: 0 } as const;
      assert.deepEqual(updated(actor, unfilled), ["pair.buyFailed", "keep 0 0h"]);
    }
    const part = bought({}, { orderStatus: 3, filledQuantity: 5 });
    assert.deepEqual(
      openPairs(part.context).map(({ pair }) => pair.buy.quantity),
      [5],
    );
    const actor = levelActorOf(ACME);
    tick(actor, 100);
    tick(actor, 99);
    placed(actor, BUY_1, "7");
    updated(actor, { orderNo: "7", buySell: 1, orderStatus: 3, filledQuantity: 2 });
    assert.deepEqual(tick(actor, 101), ["sell p3000001s1 2 ACME"]);
  });

  test("at most 100 pairs of a symbol are open", () => {
    const actor = levelActorOf({ symbol: "ACME", buyGap: 1 });
    tick(actor, 300);
    for (let price = 299; price >= 200; price -= 1) assert.equal(tick(actor, price).length, 1);
    assert.deepEqual(levels(actor), []);
    assert.deepEqual(tick(actor, 100), []);
    assert.equal(new Set(openPairs(actor.context).map(({ pair }) => pair.slot)).size, 100);
  });
});

describe("selling", () => {
  test("waits for the greater of gap and target profit over the fill, rounded up", () => {
    assert.deepEqual(levels(bought({}, { averagePrice: 99.005 })), ["1 below 9800", "2 above 10110"]);
    assert.deepEqual(levels(bought({ targetProfit: 5 })), ["1 below 9800", "2 above 10400"]);
  });

  test("a sold pair goes to the history with whole hours and its exact profit", () => {
    const actor = bought({}, { averagePrice: 99.005 });
    tick(actor, 102);
    assert.deepEqual(levels(actor), ["1 below 9800"]);
    assert.deepEqual(placed(actor, "p3000001s1", "8"), []);
    const soldAtMs = 4_000 + 3 * 3_600_000 - 1;
    const sold = updated(actor, { orderNo: "8", buySell: 2, averagePrice: 102.1 }, soldAtMs);
    assert.deepEqual(sold, ["pair.sold", "keep 15.475 2h"]);
    assert.equal(actor.context.details[0]?.realisedProfit, "15.475");
    assert.deepEqual(openPairs(actor.context), []);
  });

  test("over maxSellPrice waits for it from above; minSellPrice lifts the level", () => {
    const actor = bought({ maxSellPrice: 103 });
    assert.deepEqual(tick(actor, 104), []);
    assert.deepEqual(levels(actor), ["1 below 9800", "2 below 10300"]);
    assert.deepEqual(actor.reachedBy("ACME", 105), []);
    assert.deepEqual(tick(actor, 103), ["sell p3000001s1 5 ACME"]);
    assert.deepEqual(levels(bought({ minSellPrice: 110 })), ["1 below 9800", "2 above 11000"]);
    assert.deepEqual(levels(bought({ maxSellPrice: 100 })), ["1 below 9800"]);
  });

  test("a refused sell leaves the pair open and is tried again after a minute, under a new name", () => {
    const actor = bought();
    tick(actor, 101);
    const refusal: LevelBotEvent = { type: "orderRefused", name: "p3000001s1", message: "halted", timeMs: 5_000 };
    assert.deepEqual(send(actor, refusal), ["pair.sellFailed"]);
    assert.equal(openPairs(actor.context)[0]?.pair.description, "sell failed: halted");
    assert.deepEqual(levels(actor), ["1 below 9800"]);
    assert.equal(actor.facts.deadlineMs, 65_000);
    assert.deepEqual(tick(actor, 105, 64_999), []);
    send(actor, { type: "deadline", timeMs: 65_000 });
    assert.equal(actor.facts.deadlineMs, null);
    assert.deepEqual(tick(actor, 101, 65_000), ["sell p3000001s2 5 ACME"]);
    assert.equal(openPairs(actor.context)[0]?.pair.description, "");
  });

  test("a sell that ended in part sells the rest later; the profit is that of all", () => {
    const actor = bought();
    tick(actor, 101);
    placed(actor, "p3000001s1", "8");
    const part = { orderNo: "8", buySell: 2, orderStatus: 3, filledQuantity: 2, averagePrice: 101 } as const;
    assert.deepEqual(updated(actor, part), ["pair.sellFailed"]);
    assert.deepEqual(updated(actor, part), [], "said twice");
    send(actor, { type: "deadline", timeMs: 64_000 });
    assert.deepEqual(tick(actor, 102), ["sell p3000001s2 3 ACME"]);
    placed(actor, "p3000001s2", "9");
    const rest = { orderNo: "9", buySell: 2, filledQuantity: 3, averagePrice: 102 } as const;
    assert.deepEqual(updated(actor, rest), ["pair.sold", "keep 13 0h"]);
  });

  test("a record of a completed order without a price is waited out, not guessed at", () => {
    const actor = levelActorOf(ACME);
    tick(actor, 100);
    tick(actor, 99);
    placed(actor, BUY_1, "7");
    assert.deepEqual(updated(actor, { orderNo: "7", buySell: 1, averagePrice: 0 }), []);
    assert.match(openPairs(actor.context)[0]?.pair.description ?? "", /without what was filled or its price/);
    assert.equal(actor.facts.follows.length, 1);
    assert.deepEqual(updated(actor, { orderNo: "7", buySell: 1 }), ["pair.bought"]);
  });

  test("a level that would be no price leaves the pair open and says so", () => {
    const actor = bought({ sellGap: 9_999_999 });
    assert.deepEqual(levels(actor), ["1 below 9800"]);
    assert.match(openPairs(actor.context)[0]?.pair.description ?? "", /^no sell level: /);
  });

  test("once the realised profit reaches the target the symbol buys no more and runs out", () => {
    const actor = bought({ profit: 10 });
    tick(actor, 97.5);
    placed(actor, "p3000002b", "9");
    updated(actor, { orderNo: "9", buySell: 1, averagePrice: 97.5 });
    tick(actor, 101);
    placed(actor, "p3000001s1", "8");
    updated(actor, { orderNo: "8", buySell: 2, averagePrice: 101 });
    assert.equal(actor.context.details[0]?.realisedProfit, "10");
    assert.deepEqual(levels(actor), [], "the second pair is on its way out");
    assert.ok(isLevelBotRunning(actor.context));
    placed(actor, "p3000002s1", "10");
    updated(actor, { orderNo: "10", buySell: 2, averagePrice: 101 });
    assert.deepEqual(levels(actor), []);
    assert.ok(!isLevelBotRunning(actor.context));
  });
});

describe("the owner's switch and updates", () => {
  test("an inactive bot orders nothing, keeps its pairs and settles what is on its way", () => {
    const actor = bought();
    tick(actor, 98);
    send(actor, { type: "update", plan: levelPlan({ isActive: false, levelBotDetails: [ACME] }), timeMs: 5_000 });
    assert.equal(actor.state, "inactive");
    assert.deepEqual(actor.facts.watches, []);
    assert.ok(!isLevelBotRunning(actor.context));
    const queued: LevelBotEvent = { type: "priceReached", watches: [0, 1, 2, 3], price: 101, timeMs: 5_001 };
    assert.deepEqual(send(actor, queued), []);
    assert.deepEqual(placed(actor, "p3000002b", "9"), []);
    assert.deepEqual(updated(actor, { orderNo: "9", buySell: 1, averagePrice: 98 }), ["pair.bought"]);
    assert.deepEqual(
      openPairs(actor.context).map(({ pair }) => legStatus(pair.buy)),
      [2, 2],
    );
  });

  test("switched on again, it waits for a first tick and sells the pairs it kept", () => {
    const actor = bought();
    send(actor, { type: "update", plan: levelPlan({ isActive: false, levelBotDetails: [ACME] }), timeMs: 5_000 });
    send(actor, { type: "update", plan: levelPlan({ levelBotDetails: [ACME] }), timeMs: 6_000 });
    assert.equal(actor.state, "active");
    assert.deepEqual(levels(actor), ["0 above 1", "2 above 10100"]);
    assert.equal(actor.facts.armedSinceMs, 6_000);
    assert.deepEqual(tick(actor, 95), []);
    assert.deepEqual(levels(actor), ["1 below 9400", "2 above 10100"]);
  });

  test("a bot made inactive waits for nothing", () => {
    const actor = levelActor(levelPlan({ isActive: false }));
    assert.deepEqual(actor.facts.watches, []);
    assert.deepEqual(send(actor, { type: "priceReached", watches: [0], price: 100, timeMs: 2_000 }), []);
    assert.equal(actor.context.details[0]?.anchor, null);
  });

  test("a symbol that is taken out buys no more, sells what it has and then leaves", () => {
    const actor = bought();
    const other = { symbol: "OTHER", buyGap: 1 };
    send(actor, { type: "update", plan: levelPlan({ levelBotDetails: [other] }), timeMs: 5_000 });
    assert.deepEqual(levels(actor), ["128 above 1", "2 above 10100"]);
    tick(actor, 101);
    placed(actor, "p3000001s1", "8");
    updated(actor, { orderNo: "8", buySell: 2, averagePrice: 101 });
    assert.deepEqual(
      actor.context.details.map(({ symbol }) => symbol),
      ["OTHER"],
    );
  });

  test("an update moves the levels of open pairs and keeps the anchor", () => {
    const actor = bought();
    const detail = { ...ACME, buyGap: 2, sellGap: 4 };
    send(actor, { type: "update", plan: levelPlan({ name: "New", levelBotDetails: [detail] }), timeMs: 5_000 });
    assert.deepEqual(levels(actor), ["1 below 9700", "2 above 10300"]);
    assert.deepEqual([actor.context.name, actor.context.updatedAtMs], ["New", 5_000]);
  });

  test("a raised profit target makes the symbol start over with a new anchor", () => {
    const actor = bought({ profit: 10 });
    tick(actor, 101);
    placed(actor, "p3000001s1", "8");
    updated(actor, { orderNo: "8", buySell: 2, averagePrice: 101 });
    assert.deepEqual(levels(actor), []);
    const raised = levelPlan({ levelBotDetails: [{ ...ACME, profit: 20 }] });
    send(actor, { type: "update", plan: raised, timeMs: 5_000 });
    assert.deepEqual(levels(actor), ["0 above 1"]);
    assert.equal(actor.context.details[0]?.realisedProfit, "10");
  });
});

describe("facts", () => {
  test("orders are followed from their placing to their end", () => {
    const actor = levelActorOf(ACME);
    tick(actor, 100);
    tick(actor, 99);
    assert.deepEqual(actor.facts.follows, []);
    placed(actor, BUY_1, "7");
    const account = { userId: 7, brokerageCode: "PAPER", accountNumber: "A1" };
    const order = { ...account, orderNo: "7", clientOrderId: `i-${BUY_1}`, isQuiet: false };
    assert.deepEqual(actor.facts.follows, [order]);
    updated(actor, { orderNo: "7", buySell: 1 });
    assert.deepEqual(actor.facts.follows, []);
  });

  test("ticks count from the last change of the levels, which never goes back", () => {
    const actor = levelActorOf(ACME);
    assert.equal(actor.facts.armedSinceMs, CREATED_MS);
    tick(actor, 100, 9_000);
    assert.equal(actor.facts.armedSinceMs, 9_000);
    tick(actor, 101, 8_000);
    assert.equal(actor.facts.armedSinceMs, 9_000);
  });

  test("symbols of one bot are apart, each in its own block of watch numbers", () => {
    const actor = levelActorOf(ACME, { symbol: "OTHER", buyGap: 5 });
    tick(actor, 100);
    tick(actor, 50, 2_000, "OTHER");
    assert.deepEqual(levels(actor), ["0 above 10001", "1 below 9900", "128 above 5001", "129 below 4500"]);
    assert.deepEqual(tick(actor, 45, 2_000, "OTHER"), ["buy p3000001b 1 OTHER"]);
    assert.deepEqual(levels(actor), ["0 above 10001", "1 below 9900", "129 below 4000"]);
  });
});
