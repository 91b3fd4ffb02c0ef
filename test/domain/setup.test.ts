import assert from "node:assert/strict";
import { test } from "node:test";
import { excessText, planConversion, planSetup, registerSetup, type SetupRequest } from "../../src/domain/setup.ts";

const NOW_MS = Date.parse("2026-01-01T00:00:00Z");

const valid: SetupRequest = {
  stopLossQuantity: 10,
  stopLossPercent: 3,
  takeProfitItems: [{ quantity: 4, percent: 5 }],
};

const owner = {
  setupId: 5,
  userId: 7,
  brokerageCode: "PAPER",
  accountNumber: "A1",
  brokerOrderNo: "B-1",
  symbol: "ACME",
};

const order = { clientOrderId: null, quantity: 10, orderType: 2, price: 100, createdDate: "2026-01-01T00:00:00Z" };

function messageOf(change: Partial<SetupRequest>): string {
  const plan = planSetup({ ...valid, ...change }, NOW_MS);
  assert.ok(!plan.ok);
  assert.equal(plan.code, "INVALID");
  return plan.message;
}

function convert(change: Partial<SetupRequest>, averagePrice: number, nowMs = NOW_MS) {
  const plan = planSetup({ ...valid, ...change }, NOW_MS);
  assert.ok(plan.ok, plan.ok ? "" : plan.message);
  return planConversion(registerSetup(plan.value, owner, order, NOW_MS), averagePrice, nowMs);
}

test("percents and fixed prices may be mixed", () => {
  const items = [
    { quantity: 4, percent: 5, price: null },
    { quantity: 6, price: 130.5 },
  ];
  const plan = planSetup({ ...valid, takeProfitItems: items, dueDate: "2026-02-01T00:00:00Z", notes: "n" }, NOW_MS);
  assert.deepEqual(plan, {
    ok: true,
    value: {
      stopLoss: { quantity: 10, percent: 3 },
      takeProfits: [
        { quantity: 4, percent: 5 },
        { quantity: 6, price: 13_050 },
      ],
      dueAtMs: Date.parse("2026-02-01T00:00:00Z"),
      notes: "n",
      tickTable: "BIST",
    },
  });
});

test("exactly one of percent and price, for the stop-loss and each take-profit (rules 1 and 2)", () => {
  const both = "exactly one of stopLossPercent and stopLossPrice must be given";
  assert.equal(messageOf({ stopLossPrice: 90 }), both);
  assert.equal(messageOf({ stopLossPercent: undefined }), both);
  assert.equal(messageOf({ stopLossPercent: null, stopLossPrice: null }), both);
  const item = "exactly one of takeProfitItems[1].percent and takeProfitItems[1].price must be given";
  const first = { quantity: 1, percent: 5 };
  assert.equal(messageOf({ takeProfitItems: [first, { quantity: 1 }] }), item);
  assert.equal(messageOf({ takeProfitItems: [first, { quantity: 1, percent: 5, price: 120 }] }), item);
});

test("fixed prices are on the tick table (rule 3), percents in range", () => {
  const refused = messageOf({ stopLossPercent: null, stopLossPrice: 20.01 });
  assert.equal(refused, "stopLossPrice 20.01 is not a multiple of 0.02");
  assert.match(
    messageOf({ takeProfitItems: [{ quantity: 1, price: 100.05 }] }),
    /^takeProfitItems\[0\]\.price 100\.05/,
  );
  assert.match(messageOf({ stopLossPercent: 100 }), /^stopLossPercent 100/);
  assert.match(messageOf({ stopLossPercent: 0 }), /^stopLossPercent 0/);
  assert.match(messageOf({ takeProfitItems: [{ quantity: 1, percent: -2 }] }), /^takeProfitItems\[0\]\.percent -2/);
});

test("fixed levels that are out of order are refused at registration (behaviour 5.1)", () => {
  const takeProfitItems = [
    { quantity: 1, percent: 5 },
    { quantity: 1, price: 90 },
  ];
  const refused = messageOf({ stopLossPercent: null, stopLossPrice: 90, takeProfitItems });
  assert.equal(refused, "takeProfitItems[1].price must be higher than stopLossPrice");
});

test("quantities follow the rule of groups, and so do dueDate and notes", () => {
  assert.match(messageOf({ stopLossQuantity: 3 }), /together \(4\) must not be above stopLossQuantity \(3\)/);
  assert.match(messageOf({ takeProfitItems: [] }), /at least 1 element/);
  assert.match(messageOf({ takeProfitItems: [{ quantity: 0, percent: 5 }] }), /takeProfitItems\[0\]\.quantity 0/);
  assert.match(messageOf({ dueDate: "2025-12-31" }), /dueDate must be in the future/);
  assert.match(messageOf({ notes: "x".repeat(501) }), /500/);
});

test("percent levels come from the fill price, rounded to the tick table (behaviour 4.10)", () => {
  const plan = convert({ stopLossPercent: 1 }, 20);
  assert.ok(plan.ok);
  assert.deepEqual(plan.value.stopLoss, { price: 1_980, quantity: 10 });
  assert.deepEqual(plan.value.takeProfits, [{ price: 2_100, quantity: 4 }]);
});

test("take-profits of the group are by price", () => {
  const items = [
    { quantity: 1, percent: 10 },
    { quantity: 2, price: 101 },
  ];
  const plan = convert({ takeProfitItems: items }, 100);
  assert.ok(plan.ok);
  assert.deepEqual(plan.value.takeProfits, [
    { price: 10_100, quantity: 2 },
    { price: 11_000, quantity: 1 },
  ]);
});

test("levels out of order, a level that is no price and a due date gone by give no group", () => {
  const reasonOf = (result: ReturnType<typeof convert>): string => (result.ok ? "converted" : result.message);
  const fixed = { stopLossPercent: null, stopLossPrice: 200 };
  assert.equal(reasonOf(convert(fixed, 100)), "takeProfitItems[0].price must be higher than stopLossPrice");
  assert.match(reasonOf(convert({}, 0.01)), /gives no price/);
  const due = { dueDate: "2026-01-01T00:00:10Z" };
  assert.equal(reasonOf(convert(due, 100, NOW_MS + 9_999)), "converted");
  assert.equal(reasonOf(convert(due, 100, NOW_MS + 10_000)), "dueDate has passed");
});

test("a stop-loss that sells more than the order buys is named, once the quantity is known (behaviour 5.3a)", () => {
  const excessOf = (stopLossQuantity: number, quantity: number): string | null => {
    const plan = planSetup({ ...valid, stopLossQuantity }, NOW_MS);
    assert.ok(plan.ok);
    return excessText(registerSetup(plan.value, owner, { ...order, quantity }, NOW_MS));
  };
  assert.equal(excessOf(100, 40), "the stop-loss sells 100 lots, and the order buys 40");
  assert.deepEqual([excessOf(40, 40), excessOf(100, 0)], [null, null]);
});
