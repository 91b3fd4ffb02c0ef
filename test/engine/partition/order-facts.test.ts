import assert from "node:assert/strict";
import { test } from "node:test";
import { OrderFacts } from "../../../engine/partition/order-facts.ts";
import { apply, beginExecution } from "../../../src/domain/order/execution.ts";
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

/** Facts of orders, with everything that was logged and emitted. */
function heardFacts() {
  const logged: Record<string, unknown>[] = [];
  const emitted: string[] = [];
  const level = (fields: object) => void logged.push({ ...fields });
  const facts = new OrderFacts({
    journal: { afterDurable: () => {} },
    events: { emit: (_user: number, type: string) => void emitted.push(type) } as never,
    receipts: { note: () => {} },
    log: { debug: level, info: level, warn: level, error: level } as never,
    findGroup: () => undefined,
    askNow: () => {},
  });
  return { facts, logged, emitted };
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
