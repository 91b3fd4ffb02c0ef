import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buyOrder,
  canSell,
  followedOrderNos,
  hoursHeld,
  legStatus,
  openPair,
  type PairOrder,
  pairOfEvent,
  pairProfit,
  sellOrder,
  startSell,
  stepPair,
} from "../../../src/domain/bot/pair.ts";
import type { OrderNotice } from "../../../src/domain/order/order.ts";

const BOUGHT: OrderNotice = {
  orderNo: "7",
  symbol: "ACME",
  buySell: 1,
  orderStatus: 2,
  filledQuantity: 5,
  averagePrice: 99.5,
};

function placed(pair: PairOrder, name: string, orderNo: string): PairOrder {
  const step = stepPair(pair, "ACME", { type: "orderPlaced", name, orderNo, timeMs: 2_000 });
  assert.equal(step?.outcome, "changed");
  return step.pair;
}

function updated(pair: PairOrder, change: Partial<OrderNotice>, timeMs = 3_000) {
  return stepPair(pair, "ACME", { type: "orderUpdated", record: { ...BOUGHT, ...change }, timeMs });
}

function bought(): PairOrder {
  const step = updated(placed(openPair(31, 5, 1_000), "p31b", "7"), {});
  assert.equal(step?.outcome, "bought");
  return step.pair;
}

test("a pair's statuses go from none yet over sent to completed (behaviour 6.3)", () => {
  const asked = openPair(31, 5, 1_000);
  assert.deepEqual(buyOrder(asked, "ACME"), { name: "p31b", symbol: "ACME", buySell: 1, quantity: 5 });
  assert.deepEqual([legStatus(asked.buy), legStatus(asked.sell), canSell(asked)], [0, 0, false]);
  const sent = placed(asked, "p31b", "7");
  assert.deepEqual([legStatus(sent.buy), followedOrderNos(sent), canSell(sent)], [1, ["7"], false]);
  const held = bought();
  assert.deepEqual([legStatus(held.buy), followedOrderNos(held), canSell(held)], [2, [], true]);
  const selling = startSell(held, 4_000);
  assert.deepEqual([legStatus(selling.sell), canSell(selling)], [0, false]);
  assert.deepEqual(sellOrder(selling, "ACME"), { name: "p31s1", symbol: "ACME", buySell: 2, quantity: 5 });
  assert.throws(() => startSell(selling, 5_000), /pair 31 sells once/);
});

test("an answer to another order, or one that was answered, changes nothing", () => {
  const asked = openPair(31, 5, 1_000);
  const answer = (pair: PairOrder, name: string) =>
    stepPair(pair, "ACME", { type: "orderRefused", name, message: "no", timeMs: 2_000 });
  for (const name of ["p31s0", "p31s1", "p3b", "p310b", "r31", ""]) assert.equal(answer(asked, name), undefined);
  assert.equal(answer(placed(asked, "p31b", "7"), "p31b"), undefined);
  assert.equal(answer(bought(), "p31s0"), undefined, "no sell was asked for");
});

test("an update about another order, symbol, side or name, and one before the end, changes nothing", () => {
  const sent = placed(openPair(31, 5, 1_000), "p31b", "7");
  const others = [
    { orderNo: "8" },
    { symbol: "OTHER" },
    { buySell: 2 as const },
    { clientOrderId: "somebody-elses" },
    { clientOrderId: "4k2j9x1abc-p310b-mk0xmti0" },
    { clientOrderId: "4k2j9x1abc-p31s1-mk0xmti0" },
    { orderStatus: 1, filledQuantity: 4 },
  ];
  for (const other of others) assert.equal(updated(sent, other), undefined);
  assert.equal(updated(sent, { clientOrderId: "4k2j9x1abc-p31b-mk0xmti0" })?.outcome, "bought");
  assert.equal(updated(bought(), {}), undefined, "said twice");
});

test("a pair is found by its id and by the numbers of the orders it waits for", () => {
  const pairs = [openPair(3, 1, 0), placed(openPair(31, 5, 1_000), "p31b", "7")];
  const refusal = { type: "orderRefused", message: "no", timeMs: 1 } as const;
  assert.equal(pairOfEvent(pairs, { ...refusal, name: "p31s4" })?.pairId, 31);
  assert.equal(pairOfEvent(pairs, { ...refusal, name: "x" }), undefined);
  assert.equal(pairOfEvent(pairs, { type: "orderUpdated", record: BOUGHT, timeMs: 1 })?.pairId, 31);
});

test("a pair whose order ends unfilled says why in the brokerage's words, where it has any (behaviour 8.3)", () => {
  const asked = placed(openPair(31, 5, 1_000), "p31b", "7");
  const unfilled = { orderStatus: 4, filledQuantity: 0, averagePrice: 0 };
  const described = (message?: string): string | null | undefined =>
    updated(asked, { ...unfilled, message })?.pair.description;
  assert.equal(described(), "buy failed: the brokerage rejected the order");
  assert.equal(described("no cash"), "buy failed: the brokerage rejected the order: no cash");
});

test("more filled than ordered counts as what was ordered", () => {
  const step = updated(placed(openPair(31, 5, 1_000), "p31b", "7"), { filledQuantity: 9 });
  assert.equal(step?.pair.buy.quantity, 5);
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

test("a sell that ended in part keeps what it sold and asks for the rest only", () => {
  const selling = placed(startSell(bought(), 4_000), "p31s1", "8");
  const sale = { orderNo: "8", buySell: 2 as const, orderStatus: 3, filledQuantity: 2, averagePrice: 101 };
  const part = updated(selling, sale);
  assert.equal(part?.outcome, "sellFailed");
  assert.equal(part.pair.description, "sell failed: the order was cancelled with 3 of 5 unsold");
  const again = startSell(part.pair, 9_000);
  assert.deepEqual(sellOrder(again, "ACME"), { name: "p31s2", symbol: "ACME", buySell: 2, quantity: 3 });
  const rest = updated(placed(again, "p31s2", "9"), { ...sale, orderNo: "9", orderStatus: 2, filledQuantity: 3 });
  assert.equal(rest?.outcome, "sold");
  assert.deepEqual([rest.pair.soldQuantity, rest.pair.sell.quantity, pairProfit(rest.pair)], [5, 5, "7.5"]);
});
