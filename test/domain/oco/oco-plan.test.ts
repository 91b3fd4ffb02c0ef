import assert from "node:assert/strict";
import { test } from "node:test";
import { type GroupRequest, NOTES_LENGTH_MAX, planGroup, TAKE_PROFITS_MAX } from "../../../src/domain/oco/oco-plan.ts";

const NOW_MS = Date.parse("2026-01-01T00:00:00Z");

const valid: GroupRequest = {
  stopLossPrice: 90,
  stopLossQuantity: 10,
  takeProfitItems: [
    { price: 120, quantity: 6 },
    { price: 110, quantity: 4 },
  ],
};

function messageOf(change: Partial<GroupRequest>): string {
  const plan = planGroup({ ...valid, ...change }, NOW_MS);
  assert.ok(!plan.ok);
  assert.equal(plan.code, "INVALID");
  return plan.message;
}

test("a valid request gives hundredths, with the take-profits by price", () => {
  assert.deepEqual(planGroup({ ...valid, dueDate: "2026-01-02", notes: "x" }, NOW_MS), {
    ok: true,
    value: {
      stopLoss: { price: 9_000, quantity: 10 },
      takeProfits: [
        { price: 11_000, quantity: 4 },
        { price: 12_000, quantity: 6 },
      ],
      dueAtMs: Date.parse("2026-01-02T23:59:59.999Z"),
      notes: "x",
    },
  });
});

test("prices off the tick table are refused with the field and the rule", () => {
  assert.equal(messageOf({ stopLossPrice: 20.01 }), "stopLossPrice 20.01 is not a multiple of 0.02");
  const items = [{ price: 110.05, quantity: 1 }];
  assert.equal(messageOf({ takeProfitItems: items }), "takeProfitItems[0].price 110.05 is not a multiple of 0.1");
  assert.match(
    messageOf({ stopLossPrice: 0.1 + 0.2 }),
    /^stopLossPrice 0.30000000000000004 has more than two decimals$/,
  );
});

test("quantities are integers from 1 to 1,000,000,000", () => {
  assert.match(messageOf({ stopLossQuantity: 0 }), /^stopLossQuantity 0 /);
  assert.match(
    messageOf({ takeProfitItems: [{ price: 110, quantity: 1.5 }] }),
    /^takeProfitItems\[0\]\.quantity 1\.5 /,
  );
  assert.match(messageOf({ takeProfitItems: [{ price: 110, quantity: -1 }] }), /^takeProfitItems\[0\]\.quantity -1 /);
});

test("take-profits together sell at most the stop-loss quantity (behaviour 4.2)", () => {
  assert.match(messageOf({ stopLossQuantity: 9 }), /together \(10\) must not be above stopLossQuantity \(9\)/);
  assert.ok(planGroup({ ...valid, stopLossQuantity: 11 }, NOW_MS).ok);
});

test("a take-profit must be higher than the stop-loss; two may be equal", () => {
  assert.equal(
    messageOf({ takeProfitItems: [{ price: 90, quantity: 1 }] }),
    "takeProfitItems[0].price must be higher than stopLossPrice",
  );
  const twins = [
    { price: 110, quantity: 5 },
    { price: 110, quantity: 5 },
  ];
  assert.ok(planGroup({ ...valid, takeProfitItems: twins }, NOW_MS).ok);
});

test("1 to 50 take-profits", () => {
  assert.match(messageOf({ takeProfitItems: [] }), /at least 1 element/);
  const items = Array.from({ length: TAKE_PROFITS_MAX + 1 }, () => ({ price: 110, quantity: 1 }));
  assert.match(messageOf({ stopLossQuantity: 100, takeProfitItems: items }), /at most 50 elements/);
  assert.ok(planGroup({ ...valid, stopLossQuantity: 100, takeProfitItems: items.slice(1) }, NOW_MS).ok);
});

test("dueDate must be in the future", () => {
  assert.match(messageOf({ dueDate: "2026-01-01T00:00:00Z" }), /dueDate must be in the future/);
  assert.match(messageOf({ dueDate: "tomorrow" }), /dueDate/);
  assert.ok(planGroup({ ...valid, dueDate: "2026-01-01T00:00:00.001Z" }, NOW_MS).ok);
  assert.ok(planGroup({ ...valid, dueDate: null }, NOW_MS).ok);
});

test("notes have at most 500 characters, counted as code points", () => {
  assert.ok(planGroup({ ...valid, notes: "😀".repeat(NOTES_LENGTH_MAX) }, NOW_MS).ok);
  assert.match(messageOf({ notes: "x".repeat(NOTES_LENGTH_MAX + 1) }), /at most 500 characters/);
});
