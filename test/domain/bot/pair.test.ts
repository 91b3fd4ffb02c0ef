import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerPair,
  buyOrder,
  canSell,
  hoursHeld,
  isNamedAfter,
  legStatus,
  openLatePair,
  openPair,
  type PairOrder,
  pairProfit,
  sellOrder,
  startSell,
  stepPair,
} from "../../../src/domain/bot/pair.ts";
import { apply } from "../../../src/domain/order/execution.ts";
import type { OrderNotice } from "../../../src/domain/order/order.ts";

const BOUGHT: OrderNotice = {
  orderNo: "7",
  symbol: "ACME",
  buySell: 1,
  orderStatus: 2,
  filledQuantity: 5,
  averagePrice: 99.5,
};

function placed(pair: PairOrder, name: string, orderNo: string, quantity = 5): PairOrder {
  const order = { name, clientOrderId: `i-${name}`, orderNo, orderStatus: 1, quantity };
  const step = answerPair(pair, "ACME", { type: "orderPlaced", ...order, timeMs: 2_000 });
  assert.equal(step?.outcome, "changed");
  return step.pair;
}

/** Steps the pair with a record that answers a look-up, so that an end counts immediately. */
function updated(pair: PairOrder, change: Partial<OrderNotice>, timeMs = 3_000) {
  const record = { ...BOUGHT, ...change };
  const execution = pair.executions.find(({ buySell }) => buySell === record.buySell) ?? pair.executions[0];
  assert.ok(execution !== undefined);
  const reported = apply(execution, { type: "reported", record, timeMs });
  const look = reported.facts.find((fact) => fact.type === "lookUp")?.look;
  if (look === undefined) return stepPair(pair, execution, reported, timeMs);
  const begun = stepPair(pair, execution, reported, timeMs);
  assert.equal(begun?.outcome, "changed", "an end with a rest counts once it is confirmed (behaviour 13.5)");
  const ended = apply(reported.execution, { type: "lookedUp", record, look, timeMs });
  return stepPair(begun.pair, reported.execution, ended, timeMs);
}

function bought(quantity = 5): PairOrder {
  const step = updated(placed(openPair(31, quantity, 1_000), "p31b", "7", quantity), { filledQuantity: quantity });
  assert.equal(step?.outcome, "bought");
  return step.pair;
}

test("a pair's statuses go from none yet over sent to completed (behaviour 6.3)", () => {
  const asked = openPair(31, 5, 1_000);
  assert.deepEqual(buyOrder(asked, "ACME"), { name: "p31b", symbol: "ACME", buySell: 1, quantity: 5 });
  assert.deepEqual([legStatus(asked.buy), legStatus(asked.sell), canSell(asked)], [0, 0, false]);
  const sent = placed(asked, "p31b", "7");
  assert.deepEqual([legStatus(sent.buy), sent.executions.length, canSell(sent)], [1, 1, false]);
  const held = bought();
  assert.deepEqual([legStatus(held.buy), held.executions, canSell(held)], [2, [], true]);
  const selling = startSell(held, 4_000);
  assert.deepEqual([legStatus(selling.sell), canSell(selling)], [0, false]);
  assert.deepEqual(sellOrder(selling, "ACME"), { name: "p31s1", symbol: "ACME", buySell: 2, quantity: 5 });
  assert.throws(() => startSell(selling, 5_000), /pair 31 sells once/);
});

test("an answer to another order, or one that was answered, changes nothing", () => {
  const asked = openPair(31, 5, 1_000);
  const answer = (pair: PairOrder, name: string) =>
    answerPair(pair, "ACME", { type: "orderRefused", name, message: "no", timeMs: 2_000 });
  for (const name of ["p31s0", "p31s1", "p3b", "p310b", "r31", ""]) assert.equal(answer(asked, name), undefined);
  assert.equal(answer(placed(asked, "p31b", "7"), "p31b"), undefined);
  assert.equal(answer(bought(), "p31s0"), undefined, "no sell was asked for");
});

test("an update about another order, symbol, side or name, and one before the end, ends nothing", () => {
  const sent = placed(openPair(31, 5, 1_000), "p31b", "7");
  const others = [
    { orderNo: "8" },
    { symbol: "OTHER" },
    { buySell: 2 as const },
    { clientOrderId: "somebody-elses" },
    { clientOrderId: "i-p310b" },
    { orderStatus: 1, filledQuantity: 4 },
  ];
  for (const other of others) {
    const step = updated(sent, other);
    assert.equal(step?.outcome, "changed");
    assert.equal(step.pair.buy.completedAtMs, null);
  }
  assert.equal(updated(sent, { clientOrderId: "i-p31b" })?.outcome, "bought");
});

test("a name of an order belongs to the pair whose id stands in it", () => {
  const pair = openPair(31, 5, 1_000);
  assert.deepEqual(
    ["p31b", "p31s4", "p3b", "p310b", "x"].map((name) => isNamedAfter(pair, name)),
    [true, true, false, false, false],
  );
});

test("a pair whose order ends unfilled says why in the brokerage's words, where it has any (behaviour 8.3)", () => {
  const asked = placed(openPair(31, 5, 1_000), "p31b", "7");
  const unfilled = { orderStatus: 4, filledQuantity: 0, averagePrice: 0 };
  const described = (message?: string): string | undefined =>
    updated(asked, { ...unfilled, message })?.pair.description;
  assert.equal(described(), "buy failed: the brokerage rejected the order");
  assert.equal(described("no cash"), "buy failed: the brokerage rejected the order: no cash");
});

test("more filled than ordered counts as it is, and all of it is sold (behaviour 13.3)", () => {
  const step = updated(placed(openPair(31, 5, 1_000), "p31b", "7"), { filledQuantity: 9 });
  assert.equal(step?.outcome, "bought");
  assert.ok(step.told?.facts.some((fact) => fact.type === "overfilled" && fact.quantity === 4));
  assert.equal(sellOrder(startSell(step.pair, 4_000), "ACME").quantity, 9);
});

test("profit is exact, and hours are whole ones between the two completions", () => {
  const selling = placed(startSell(bought(), 4_000), "p31s1", "8");
  const sale = { orderNo: "8", buySell: 2 as const, averagePrice: 100.333 };
  const step = updated(selling, sale, 3_000 + 2 * 3_600_000 - 1);
  assert.equal(step?.outcome, "sold");
  assert.deepEqual([pairProfit(step.pair), hoursHeld(step.pair)], ["4.165", 1]);
  assert.equal(step.pair.sell.quantity, 5);
  assert.deepEqual([pairProfit(openPair(1, 1, 0)), hoursHeld(openPair(1, 1, 0))], ["0", 0]);
});

const PART = { orderNo: "8", buySell: 2 as const, orderStatus: 3, filledQuantity: 2, averagePrice: 101 };

test("a sell that ended in part keeps what it sold and asks for the rest only", () => {
  const part = updated(placed(startSell(bought(), 4_000), "p31s1", "8"), PART);
  assert.equal(part?.outcome, "sellFailed");
  assert.equal(part.pair.description, "sell failed: the order was cancelled with 3 of 5 unsold");
  const again = startSell(part.pair, 9_000);
  assert.deepEqual(sellOrder(again, "ACME"), { name: "p31s2", symbol: "ACME", buySell: 2, quantity: 3 });
  const second = placed(again, "p31s2", "9", 3);
  const rest = step(second, 1, { ...PART, orderNo: "9", orderStatus: 2, filledQuantity: 3 });
  assert.equal(rest?.outcome, "sold");
  assert.deepEqual([rest.pair.soldQuantity, rest.pair.sell.quantity, pairProfit(rest.pair)], [5, 5, "7.5"]);
});

/** Steps the pair with a record about the order at `index` of the pair's orders. */
function step(pair: PairOrder, index: number, record: OrderNotice | Partial<OrderNotice>, timeMs = 5_000) {
  const execution = pair.executions[index];
  assert.ok(execution !== undefined);
  return stepPair(
    pair,
    execution,
    apply(execution, { type: "reported", record: { ...BOUGHT, ...record }, timeMs }),
    timeMs,
  );
}

test("a sell that ended in part without a price sells the rest all the same (behaviour 13.2)", () => {
  const part = updated(placed(startSell(bought(), 4_000), "p31s1", "8"), { ...PART, averagePrice: 0 });
  assert.equal(part?.outcome, "sellFailed");
  const again = placed(startSell(part.pair, 9_000), "p31s2", "9", 3);
  assert.equal(again.sell.quantity, 3);
  const sold = step(again, 1, { ...PART, orderNo: "9", orderStatus: 2, filledQuantity: 3 });
  assert.equal(sold?.outcome, "sold");
  assert.equal(sold.pair.description, "the brokerage reported no price for 2 lots: the profit leaves them out");
  assert.equal(pairProfit(sold.pair), "4.5", "of three lots alone");
});

test("a price that comes later counts while the pair is open", () => {
  const part = updated(placed(startSell(bought(), 4_000), "p31s1", "8"), { ...PART, averagePrice: 0 });
  const priced = part && step(part.pair, 0, PART);
  assert.deepEqual([priced?.pair.unpricedQuantity, priced?.pair.soldAmount], [0, "202"]);
});

test("a sell that is whole waits for its price", () => {
  const selling = placed(startSell(bought(), 4_000), "p31s1", "8");
  const waiting = step(selling, 0, { ...PART, orderStatus: 2, filledQuantity: 5, averagePrice: 0 });
  assert.equal(waiting?.outcome, "changed");
  assert.match(waiting.pair.description, /without what was filled or its price/);
  const sold = step(waiting.pair, 0, { ...PART, orderStatus: 2, filledQuantity: 5 });
  assert.equal(sold?.outcome, "sold");
});

test("lots that a sell sold after its end are not sold again (behaviour 13.7)", () => {
  const failed = updated(placed(startSell(bought(), 4_000), "p31s1", "8"), { ...PART, filledQuantity: 0 });
  assert.equal(failed?.outcome, "sellFailed");
  const late = step(failed.pair, 0, { ...PART, filledQuantity: 2 });
  assert.equal(late?.outcome, "changed");
  assert.equal(sellOrder(startSell(late.pair, 9_000), "ACME").quantity, 3);
  const whole = step(late.pair, 0, { ...PART, filledQuantity: 5 });
  assert.equal(whole?.outcome, "sold", "nothing is left");
  assert.deepEqual([whole.pair.sell.orderNo, pairProfit(whole.pair)], ["8", "7.5"]);
});

test("lots that a buy bought after its end are sold with the others (behaviour 13.7)", () => {
  const cut = { orderStatus: 3, filledQuantity: 2 };
  const part = updated(placed(openPair(31, 5, 1_000), "p31b", "7"), cut);
  assert.equal(part?.outcome, "bought");
  assert.equal(sellOrder(startSell(part.pair, 4_000), "ACME").quantity, 2);
  const more = step(part.pair, 0, { filledQuantity: 4 });
  assert.equal(more?.outcome, "bought");
  assert.equal(sellOrder(startSell(more.pair, 4_000), "ACME").quantity, 4);
});

test("lots that are bought late while the pair is sold are left to be sold", () => {
  const part = updated(placed(openPair(31, 5, 1_000), "p31b", "7"), { orderStatus: 3, filledQuantity: 2 });
  assert.ok(part !== undefined);
  const selling = placed(startSell(part.pair, 4_000), "p31s1", "8", 2);
  const more = step(selling, 0, { filledQuantity: 5 });
  assert.equal(more?.outcome, "bought");
  const sale = more.pair.executions.findIndex(({ buySell }) => buySell === 2);
  const sold = step(more.pair, sale, { ...PART, orderStatus: 2 });
  assert.equal(sold?.outcome, "bought");
  assert.equal(sold.pair.description, "3 lots that were bought late are to be sold");
  assert.equal(sellOrder(startSell(sold.pair, 9_000), "ACME").quantity, 3);
});

test("a replaced order is shown under its new number, and both count (behaviour 13.1)", () => {
  const selling = placed(startSell(bought(), 4_000), "p31s1", "8");
  const named = { ...PART, clientOrderId: "i-p31s1" };
  const replaced = step(selling, 0, { ...named, orderNo: "9", orderStatus: 1, filledQuantity: 0 });
  assert.equal(replaced?.pair.sell.orderNo, "9");
  const cut = step(replaced.pair, 0, named);
  assert.equal(cut?.outcome, "changed", "the old number ended, the new one works");
  const sold = step(cut.pair, 0, { ...named, orderNo: "9", orderStatus: 2, filledQuantity: 3 });
  assert.equal(sold?.outcome, "sold");
  assert.equal(sold.pair.soldQuantity, 5);
});

test("an order in doubt says so, and a person's decision goes on with it (behaviour 13.6)", () => {
  const selling = placed(startSell(bought(), 4_000), "p31s1", "8");
  const [execution] = selling.executions;
  assert.ok(execution !== undefined);
  const lost = apply(execution, { type: "unknown", timeMs: 5_000 });
  const doubtful = stepPair(selling, execution, lost, 5_000);
  assert.match(doubtful?.pair.description ?? "", /order 8 is in doubt, 0 of 5 known as filled/);
  assert.ok(doubtful !== undefined && !canSell(doubtful.pair), "nothing is sold again");
  const decided = apply(lost.execution, { type: "decided", fill: { quantity: 5, price: 101 }, timeMs: 9_000 });
  assert.equal(stepPair(doubtful.pair, lost.execution, decided, 9_000)?.outcome, "sold");
});

test("what an order of an earlier pair bought late is a pair that can be sold", () => {
  const late = openLatePair(32, { quantity: 4, price: 99.5, orderNo: "7" }, 8_000);
  assert.deepEqual([legStatus(late.buy), late.buy.orderNo, canSell(late)], [2, "7", true]);
  assert.deepEqual(sellOrder(startSell(late, 9_000), "ACME"), {
    name: "p32s1",
    symbol: "ACME",
    buySell: 2,
    quantity: 4,
  });
});
