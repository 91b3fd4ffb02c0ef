/** Events as sentences, for the dashboard and for a terminal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_TYPES, STREAM_EVENTS } from "../../src/contract/event/event.ts";
import { eventSentence, weightOf } from "../../src/event/sentence.ts";

const row = {
  ...{ id: 12, groupId: 11, accountNumber: "A1", symbol: "THYAO", orderType: 1, quantity: 4_000, price: 110 },
  ...{ triggeredPrice: 111.5, triggerErrorMessage: null },
};

test("a trigger is told with its level, its price and its lots", () => {
  const sentence = eventSentence({ type: "oco.triggered", row });
  assert.equal(sentence, "THYAO take-profit at 110.00 fired at 111.50: market order to sell 4,000 placed");
  const failed = { ...row, orderType: 2, triggerErrorMessage: "no position" };
  assert.equal(
    eventSentence({ type: "oco.triggerFailed", row: failed }),
    "THYAO stop-loss at 110.00 was reached and could not be sold: no position",
  );
});

test("every type has a sentence, whatever the event lacks", () => {
  for (const type of [...EVENT_TYPES, ...Object.keys(STREAM_EVENTS)]) {
    assert.match(eventSentence({ type }), /^[^\n]{3,}$/, type);
  }
  assert.equal(eventSentence({ type: "price", symbol: "THYAO", price: 300.25 }), "THYAO 300.25");
  assert.equal(
    eventSentence({ type: "pair.buyFailed", symbol: "GARAN", message: "no cash" }),
    "Pair buy failed · GARAN · no cash",
  );
});

test("what failed weighs as bad, what was done as good", () => {
  assert.deepEqual(
    ["oco.triggerFailed", "order.quarantined", "oco.triggered", "pair.sold", "bot.updated"].map(weightOf),
    ["bad", "bad", "good", "good", "plain"],
  );
});
