/** Events as sentences, for the dashboard and for a terminal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_TYPES, STREAM_EVENTS } from "../../src/contract/event/event.ts";
import { eventSentence, type ToldEvent, weightOf } from "../../src/event/describe-event.ts";

const row = {
  ...{ id: 12, groupId: 11, accountNumber: "A1", symbol: "THYAO", orderType: 1, quantity: 4_000, price: 110 },
  ...{ triggeredPrice: 111.5, triggerErrorMessage: null },
};

test("a trigger is told with its level, its price and its lots", () => {
  const sentence = eventSentence({ type: "oco.triggered", row });
  assert.equal(sentence, "THYAO take-profit at 110.00 fired at 111.50: market order to sell 4,000 lots placed");
  const named = eventSentence({ type: "oco.triggered", row, clientOrderId: "abcdefghij-r12" });
  assert.match(named, /: market order abcdefghij-r12 to sell 4,000 lots placed$/);
  const failed = { ...row, orderType: 2, triggerErrorMessage: "no position" };
  assert.equal(
    eventSentence({ type: "oco.triggerFailed", row: failed }),
    "THYAO stop-loss at 110.00 was reached and could not be sold: no position",
  );
});

test("an order that the brokerage ended at once is not told as placed", () => {
  const order = { orderNo: "N1", symbol: "GARAN", quantity: 3, buySell: 1 };
  for (const [orderStatus, became] of [
    [1, "placed"],
    [3, "cancelled by the brokerage"],
    [4, "rejected by the brokerage"],
  ] as const) {
    const sentence = eventSentence({ type: "order.placed", order: { ...order, orderStatus } });
    assert.match(sentence, new RegExp(`order N1 ${became}: `));
  }
});

test("every type has a sentence of its own, whatever the event lacks", () => {
  const sentences = new Map<string, string>();
  for (const type of [...EVENT_TYPES, ...Object.keys(STREAM_EVENTS)]) {
    const sentence = eventSentence({ type });
    assert.match(sentence, /^[^\n]{3,}$/, type);
    const ownName = type.replaceAll(/[^a-z]/gi, "").toLowerCase();
    assert.notEqual(sentence.replaceAll(/[^a-z]/gi, "").toLowerCase(), ownName, `${type} has more than its name`);
    assert.equal(sentences.get(sentence), undefined, `${type} is told like ${sentences.get(sentence)}`);
    sentences.set(sentence, type);
  }
  assert.equal(eventSentence({ type: "moon.hasRisen" }), "Moon has risen");
  assert.equal(eventSentence({ type: "price", symbol: "THYAO", price: 300.25 }), "THYAO 300.25");
  assert.equal(
    eventSentence({ type: "pair.buyFailed", systemId: 4, symbol: "GARAN", message: "no cash" }),
    "Bot 4 could not buy GARAN: no cash",
  );
});

test("bots, pairs, signals and alarms are told by what they are about", () => {
  const pair = { buyQuantity: 10, buyPrice: 101.5, sellQuantity: 10 };
  const of = { systemId: 4, symbol: "GARAN" };
  const told: readonly (readonly [ToldEvent, string])[] = [
    [{ type: "bot.created", systemId: 4, row: { name: "Dips" } }, "Bot “Dips” was created"],
    [
      { type: "bot.updated", systemId: 4, row: { name: "Dips", isActive: false } },
      "Bot “Dips” was changed and is switched off",
    ],
    [
      { type: "setup.registered", row: { symbol: "SISE", brokerOrderNo: null } },
      "A pending OCO waits for the buy of SISE",
    ],
    [
      { type: "setup.registered", row: { symbol: "SISE", brokerOrderNo: "B-7" } },
      "A pending OCO waits for order B-7 (SISE)",
    ],
    [{ type: "pair.bought", ...of, row: pair }, "Bot 4 bought 10 GARAN at 101.50"],
    [{ type: "pair.sold", ...of, row: pair }, "Bot 4 sold 10 GARAN, bought at 101.50"],
    [{ type: "pair.sold", ...of, row: { ...pair, buyPrice: null, sellPrice: 102 } }, "Bot 4 sold 10 GARAN"],
    [
      { type: "pair.sold", ...of, row: { ...pair, sellPrice: 102 } },
      "Bot 4 sold 10 GARAN at 102.00, bought at 101.50: profit 5.00",
    ],
    [
      { type: "pair.sold", ...of, row: { ...pair, sellPrice: 101.25 } },
      "Bot 4 sold 10 GARAN at 101.25, bought at 101.50: loss 2.50",
    ],
    [
      { type: "signal.unmatched", ...of, message: "the period differs" },
      "A signal for GARAN matches no detail of Bot 4: the period differs",
    ],
    [{ type: "alarm.quarantined", groupId: 11, message: "a fault" }, "ALARM: OCO group 11 is stopped: a fault"],
    [{ type: "alarm.released", setupId: 5 }, "Pending OCO 5 continues"],
  ];
  for (const [event, sentence] of told) assert.equal(eventSentence(event), sentence);
});

test("a bot is told by its name where that is known", () => {
  const names = new Map([[4, "Dips"]]);
  const of = { systemId: 4, symbol: "GARAN" };
  const told: readonly (readonly [ToldEvent, string])[] = [
    [{ type: "pair.bought", ...of, row: { buyQuantity: 10, buyPrice: 101.5 } }, "Bot “Dips” bought 10 GARAN at 101.50"],
    [{ type: "signal.unmatched", ...of }, "A signal for GARAN matches no detail of Bot “Dips”"],
    [{ type: "alarm.quarantined", systemId: 4 }, "ALARM: Bot “Dips” is stopped"],
    [{ type: "bot.updated", systemId: 4, row: { name: "Deep dips" } }, "Bot “Deep dips” was changed"],
    [{ type: "pair.bought", systemId: 5, symbol: "GARAN" }, "Bot 5 bought GARAN"],
  ];
  for (const [event, sentence] of told) assert.equal(eventSentence(event, names), sentence);
});

test("what failed weighs as bad, what fired as good, and a sold pair as its gain", () => {
  const pair = { buyQuantity: 10, buyPrice: 101.5 };
  assert.deepEqual(
    [102, 101, 101.5, null].map((sellPrice) => weightOf({ type: "pair.sold", row: { ...pair, sellPrice } })),
    ["good", "bad", "plain", "plain"],
  );
  assert.deepEqual(
    ["oco.triggerFailed", "order.quarantined", "oco.triggered", "pair.bought", "order.placed"].map((type) =>
      weightOf({ type }),
    ),
    ["bad", "bad", "good", "plain", "plain"],
  );
});
