import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OrderFacts } from "../../../engine/partition/order-facts.ts";
import type { Fact } from "../../../src/domain/order/evidence.ts";
import { apply, beginExecution, type Execution } from "../../../src/domain/order/execution.ts";
import type { Wish } from "../../../src/domain/order/order-number.ts";

const wish: Wish = {
  clientOrderId: "life-r1",
  symbol: "THYAO",
  buySell: 2,
  quantity: 100,
  limitPrice: null,
  needsPrice: false,
  createdDate: null,
};
const record = { orderNo: "N1", clientOrderId: "life-r1", symbol: "THYAO", buySell: 2, quantity: 100 } as const;
const profile = { userId: 7, brokerageCode: "PAPER", accountNumber: "1" };

/**
 * Facts of orders, with everything that was logged and emitted. `followers`: kinds of live actors by id, all of user 7.
 */
function heardFacts(followers: Readonly<Record<number, string>> = {}) {
  const logged: Record<string, unknown>[] = [];
  const emitted: string[] = [];
  const events: Record<string, unknown>[] = [];
  const level = (fields: object) => void logged.push({ ...fields });
  const facts = new OrderFacts({
    journal: { afterDurable: () => {} },
    events: {
      emit: (_user: number, type: string, data: Record<string, unknown>) => {
        emitted.push(type);
        events.push({ type, ...data });
      },
    } as never,
    watchbook: { followersOf: () => Object.keys(followers).map(Number) },
    actors: {
      find: (kind, id) =>
        followers[id] === kind ? ({ context: { userId: id === 66 ? 8 : 7 }, isEnded: false } as never) : undefined,
    },
    receipts: { note: () => {} },
    log: { debug: level, info: level, warn: level, error: level } as never,
    findGroup: () => undefined,
    askNow: () => {},
    counters: [],
  });
  return { facts, logged, emitted, events };
}

for (const { code, changed } of [
  { code: "completedWithoutQuantity", changed: { orderStatus: 2, filledQuantity: 0, averagePrice: 0 } },
  { code: "completedInPart", changed: { orderStatus: 2, filledQuantity: 40, averagePrice: 90 } },
  { code: "otherOrder", changed: { orderStatus: 2, filledQuantity: 100, averagePrice: 90, symbol: "GARAN" } },
]) {
  test(`a report that does not count is logged with its code and counted: ${code} (behaviour 13.1, 13.2)`, () => {
    const { facts, logged, emitted } = heardFacts();
    const { execution } = beginExecution(wish, "N1", 1, 1_000);
    const step = apply(execution, { type: "reported", record: { ...record, ...changed }, timeMs: 2_000 });
    facts.ofActor(7, "group", profile as never, step);
    assert.deepEqual([...facts.counts], [[code, 1]]);
    const [line] = logged;
    assert.deepEqual([line?.event, line?.code, line?.orderNo], ["order.reportRefused", code, "N1"]);
    assert.deepEqual(emitted, [], "its owner is not troubled with it");
  });
}

test("the log line of an order in doubt has the code of its reason (behaviour 13.6)", () => {
  const { facts, logged, emitted } = heardFacts();
  const { execution } = beginExecution(wish, "N1", 1, 1_000);
  facts.ofActor(7, "group", profile as never, apply(execution, { type: "unknown", timeMs: 2_000 }));
  assert.deepEqual(emitted, ["order.inDoubt"]);
  assert.deepEqual([logged[0]?.event, logged[0]?.code], ["order.inDoubt", "unknown"]);
});

describe("an order that two actors of one user follow (behaviour 13.10)", () => {
  const { execution } = beginExecution(wish, "N1", 1, 1_000);
  const late = (quantity: number, price: number | null): Fact => ({ type: "filledAfterEnd", quantity, price });
  const filled = (quantity: number): Execution => ({
    ...execution,
    orders: execution.orders.map((order) => ({ ...order, filledQuantity: quantity })),
  });

  test("each fact is one event, which names both; a price that only one of them knows makes no other fact", () => {
    const { facts, events } = heardFacts({ 12: "setup", 40: "clientOrder" });
    const step = { execution: filled(10), facts: [late(10, null)] };
    facts.ofActor(40, "clientOrder", profile as never, step);
    facts.ofActor(12, "setup", profile as never, { ...step, facts: [late(10, 90)] });
    assert.deepEqual(
      events.map(({ type, setupId, orderId, price }) => [type, setupId, orderId, price]),
      [["alarm.filledAfterEnd", 12, 40, null]],
    );
    facts.ofActor(12, "setup", profile as never, { execution: filled(15), facts: [late(5, 90)] });
    facts.ofActor(40, "clientOrder", profile as never, { execution: filled(15), facts: [late(5, 90)] });
    assert.equal(events.length, 2, "the next lots are another fact, whichever learns it first");
  });

  test("what one of them learns twice is told twice, and what one alone learns is told", () => {
    const { facts, emitted } = heardFacts({ 12: "setup", 40: "clientOrder" });
    const found = { execution, facts: [{ type: "found" as const }] };
    facts.ofActor(40, "clientOrder", profile as never, found);
    facts.ofActor(12, "setup", profile as never, found);
    facts.ofActor(12, "setup", profile as never, found);
    facts.ofActor(12, "setup", profile as never, found);
    assert.deepEqual(emitted, ["order.found", "order.found", "order.found"]);
    facts.ofActor(40, "clientOrder", profile as never, { execution, facts: [{ type: "overfilled", quantity: 3 }] });
    assert.equal(emitted.at(-1), "order.overfilled");
  });

  test("another user's actor is neither named nor keeps an event back", () => {
    const { facts, events } = heardFacts({ 66: "setup", 40: "clientOrder" });
    const step = { execution: filled(10), facts: [late(10, 90)] };
    facts.ofActor(66, "setup", { ...profile, userId: 8 } as never, step);
    facts.ofActor(40, "clientOrder", profile as never, step);
    assert.deepEqual(
      events.map(({ setupId, orderId }) => [setupId, orderId]),
      [
        [66, undefined],
        [undefined, 40],
      ],
    );
  });

  test("facts of an order without a name are told by each: its number may be another order's by now", () => {
    const { facts, emitted } = heardFacts();
    const step = { execution: { ...filled(10), clientOrderId: null }, facts: [late(10, 90)] };
    facts.ofActor(12, "setup", profile as never, step);
    facts.ofActor(40, "clientOrder", profile as never, step);
    assert.equal(emitted.length, 2);
  });
});
