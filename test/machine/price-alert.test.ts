/** The chart of a price alert (behaviour 29). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { priceAlertSnapshot } from "../../src/contract/stored/price-alert-snapshot.ts";
import { type LiveTick, livePrice } from "../../src/domain/price/price.ts";
import type { PriceAlert } from "../../src/domain/price-alert.ts";
import {
  alertClaim,
  endedAlertClaim,
  PRICE_EXPIRED,
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
const DAY_MS = 24 * 60 * 60 * 1000;
const given = (changes: Partial<PriceAlert> = {}) =>
  new TestActor<PriceAlert, PriceAlertEvent>(priceAlertMachine, "watching", { ...alert, ...changes }, priceAlertFacts);

function tickOf(value: number, timeMs: number, stored?: LiveTick["stored"]): LiveTick {
  const price = livePrice(value);
  assert.ok(price !== undefined);
  return { symbol: "THYAO", price, timeMs, isCaughtUp: stored !== undefined, stored };
}

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
  assert.deepEqual([reached.state, reached.facts.watches], ["ended", []]);
  assert.deepEqual(reached.facts.claims, [endedAlertClaim(alert)]);
  assert.deepEqual(reached.send({ type: "priceReached", watches: [0], price: 321, timeMs: 2_001 }), []);
  const removed = given();
  assert.deepEqual(removed.send({ type: "remove" }), []);
  assert.equal(removed.state, "over");
});

test("a price that reached the level of before a change does not reach the new one (behaviour 29.4)", () => {
  const changed = given();
  changed.send({ type: "changeTerms", change: { price: 34_000 }, timeMs: 2_000 });
  assert.deepEqual(changed.send({ type: "priceReached", watches: [0], price: 320.05, timeMs: 1_999 }), []);
  assert.deepEqual([changed.state, changed.facts.watches[0]?.level], ["watching", 34_000]);
  const turned = given({ repeats: true, isAway: true });
  assert.deepEqual(turned.send({ type: "priceReached", watches: [1], price: 320, timeMs: 2_000 }), []);
  assert.equal(turned.context.isAway, true, "320.00 is not on the other side");
});

test("an alert that has ended is kept for seven days", () => {
  const reached = given();
  reached.send({ type: "priceReached", watches: [0], price: 320.5, timeMs: 2_000 });
  const untilMs = 2_000 + 7 * DAY_MS;
  assert.equal(reached.facts.deadlineMs, untilMs);
  assert.deepEqual(reached.send({ type: "deadline", timeMs: untilMs - 1 }), []);
  assert.equal(reached.state, "ended");
  assert.deepEqual(reached.send({ type: "deadline", timeMs: untilMs }), []);
  assert.deepEqual([reached.state, reached.facts.deadlineMs], ["over", null]);
});

test("its time ends it with an event, and a change can move that time", () => {
  const timed = given({ untilMs: 5_000 });
  timed.send({ type: "changeTerms", change: { untilMs: 6_000 }, timeMs: 2_000 });
  assert.equal(timed.facts.deadlineMs, 6_000);
  assert.deepEqual(timed.send({ type: "deadline", timeMs: 5_000 }), [], "it is not due any more");
  const effects = timed.send({ type: "deadline", timeMs: 6_000 });
  assert.deepEqual(effects, [{ type: "emit", event: PRICE_EXPIRED, data: {} }]);
  assert.deepEqual([timed.state, timed.context.ended], ["ended", { type: "expired", timeMs: 6_000 }]);
});

test("a repeating alert is reached again once a price was on the other side", () => {
  const repeating = given({ repeats: true });
  const reached = (price: number) => ({ type: "emit", event: PRICE_REACHED, data: { reachedPrice: price } });
  const [watch] = repeating.facts.watches;
  assert.deepEqual(watch, { ...{ watch: 0, symbol: "THYAO", side: "above", level: 32_000 }, countsEveryTick: true });
  const ticks = [319, 320, 321, 320, 319.99, 320.5].map((price, index) => tickOf(price, 2_000 + index));
  const effects = repeating.send({ type: "ticksPassed", ticks });
  assert.deepEqual(effects, [reached(320), reached(320.5)]);
  const [away] = repeating.facts.watches;
  assert.deepEqual(away, { ...{ watch: 1, symbol: "THYAO", side: "below", level: 31_999 }, countsEveryTick: true });
  assert.deepEqual(repeating.context.reached, { count: 2, price: 320.5, timeMs: 2_005 });
  const again = ticks.map((tick) => ({ ...tick, isCaughtUp: true }));
  assert.deepEqual(repeating.send({ type: "ticksPassed", ticks: again }), [], "ticks that come a second time");
  assert.deepEqual(repeating.send({ type: "priceReached", watches: [0], price: 330, timeMs: 2_006 }), []);
  assert.deepEqual(repeating.send({ type: "priceReached", watches: [1], price: 319, timeMs: 2_006 }), []);
  assert.deepEqual(repeating.send({ type: "priceReached", watches: [0], price: 330, timeMs: 2_007 }), [reached(330)]);
});

test("its stored form is read as strictly as it was written", () => {
  assert.deepEqual(priceAlertSnapshot.parse(JSON.parse(JSON.stringify(alert))), alert);
  const repeating = { ...alert, repeats: true, isAway: true, untilMs: 9_000 } as const;
  const reached = { count: 2, price: 320.5, timeMs: 2_000 };
  const whole = { ...repeating, reached, turnedBy: { stream: "a", sequence: 3 } };
  const ended = { ...whole, ended: { type: "expired", timeMs: 9_000 } };
  for (const stored of [whole, ended])
    assert.deepEqual(priceAlertSnapshot.parse(JSON.parse(JSON.stringify(stored))), stored);
  for (const wrong of [{ side: "beside" }, { price: 1.5 }, { other: 1 }, { slot: -1 }, { repeats: false }])
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
