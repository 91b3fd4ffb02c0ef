/** The chart of a price alert (behaviour 29.1). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { priceAlertSnapshot } from "../../src/contract/stored/price-alert-snapshot.ts";
import type { PriceAlert } from "../../src/domain/price-alert.ts";
import {
  alertClaim,
  PRICE_REACHED,
  type PriceAlertEvent,
  priceAlertFacts,
  priceAlertMachine,
} from "../../src/machine/price-alert.ts";
import { TestActor } from "./actor.ts";

const alert: PriceAlert = {
  ...{ version: 1, alertId: 7, userId: 3, symbol: "THYAO", side: "above", price: 32_000, note: "up", slot: 4 },
  ...{ createdAtMs: 1_000, armedSinceMs: 1_000, isOver: false, countedActions: [] },
};
const given = () => new TestActor<PriceAlert, PriceAlertEvent>(priceAlertMachine, "watching", alert, priceAlertFacts);

test("it watches its level and holds its place, and neither once it is over", () => {
  const { watches, claims, follows, deadlineMs } = priceAlertFacts(alert);
  assert.deepEqual(watches, [{ watch: 0, symbol: "THYAO", side: "above", level: 32_000 }]);
  assert.deepEqual([claims, follows, deadlineMs], [[alertClaim(alert)], [], null]);
  const over = priceAlertFacts({ ...alert, isOver: true });
  assert.deepEqual([over.watches, over.claims], [[], []]);
});

test("the first price that reaches it is the last event, and a removal is none", () => {
  const reached = given();
  const effects = reached.send({ type: "priceReached", watches: [0], price: 320.5, timeMs: 2_000 });
  assert.deepEqual(effects, [{ type: "emit", event: PRICE_REACHED, data: { reachedPrice: 320.5 } }]);
  assert.deepEqual([reached.state, reached.context.isOver], ["over", true]);
  const removed = given();
  assert.deepEqual(removed.send({ type: "remove" }), []);
  assert.equal(removed.state, "over");
});

test("its stored form is read as strictly as it was written", () => {
  assert.deepEqual(priceAlertSnapshot.parse(JSON.parse(JSON.stringify(alert))), alert);
  for (const wrong of [{ side: "beside" }, { price: 1.5 }, { other: 1 }, { slot: -1 }])
    assert.throws(() => priceAlertSnapshot.parse({ ...alert, ...wrong }), JSON.stringify(wrong));
});

test("it follows a new name of its symbol, once (behaviour 30.2)", () => {
  const renamed = given();
  const renaming = { from: "THYAO", to: "TURKH" };
  assert.deepEqual(renamed.send({ type: "symbolRenamed", renaming, timeMs: 5_000 }), []);
  const { watches, armedSinceMs } = renamed.facts;
  assert.deepEqual(watches, [{ watch: 0, symbol: "TURKH", side: "above", level: 32_000 }]);
  assert.equal(armedSinceMs, 5_000);
  renamed.send({ type: "symbolRenamed", renaming, timeMs: 9_000 });
  assert.deepEqual([renamed.context.armedSinceMs, renamed.context.price], [5_000, 32_000]);
});
