/** The effect of a corporate action on a pending OCO (behaviour 28.5). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type ActionRequest,
  type Adjustment,
  type BaseMove,
  planAction,
} from "../../src/domain/market/corporate-action.ts";
import {
  type PendingSetup,
  planConversion,
  planSetup,
  registerSetup,
  type SetupRequest,
} from "../../src/domain/setup.ts";
import { adjustSetup } from "../../src/domain/setup-adjust.ts";
import { enter, planEntry } from "../../src/domain/setup-entry.ts";

const NOW_MS = Date.parse("2026-03-02T09:00:00Z");
const EX_MS = Date.parse("2026-03-03T00:00:00Z");
const EX = { symbol: "ACME", exDate: "2026-03-03" } as const;
const BONUS = { ...EX, type: "bonus", ratio: 1 } as const;
const MOVE: BaseMove = { from: 100, to: 50 };
const OWNER = {
  setupId: 5,
  userId: 7,
  brokerageCode: "PAPER",
  accountNumber: "A1",
  brokerOrderNo: "B-1",
  symbol: "ACME",
};
const ORDER = { clientOrderId: null, quantity: 100, orderType: 2, price: 100, createdDate: "2026-03-02T09:00:00Z" };

function setupOf(request: Partial<SetupRequest> = {}): PendingSetup {
  const plan = planSetup(
    {
      ...{ stopLossQuantity: 100, stopLossPrice: 90 },
      takeProfitItems: [
        { quantity: 40, price: 110 },
        { quantity: 60, percent: 10 },
      ],
      ...request,
    },
    NOW_MS,
  );
  assert.ok(plan.ok, JSON.stringify(plan));
  return registerSetup(plan.value, OWNER, ORDER, NOW_MS);
}

function adjustmentOf(request: ActionRequest, more: Partial<Adjustment> = {}): Adjustment {
  const action = planAction(request, NOW_MS, "UTC");
  assert.ok(action.ok, JSON.stringify(action));
  return { action: action.value, tickTable: "BIST", sinceMs: null, move: MOVE, ...more };
}

function after(setup: PendingSetup, adjustment = adjustmentOf(BONUS)): PendingSetup {
  const adjusted = adjustSetup(setup, adjustment, EX_MS);
  assert.ok(adjusted !== undefined);
  return adjusted;
}

function groupAt(setup: PendingSetup, fillPrice: number) {
  const plan = planConversion(setup, fillPrice, EX_MS + 1);
  assert.ok(plan.ok, JSON.stringify(plan));
  return plan.value;
}

describe("a pending OCO", () => {
  test("has its fixed levels on the new base, once; percents and lots do not change", () => {
    const adjusted = after(setupOf());
    assert.deepEqual(adjusted.stopLoss, { quantity: 100, price: 4_500 });
    assert.deepEqual(adjusted.takeProfits, [
      { quantity: 40, price: 5_500 },
      { quantity: 60, percent: 10 },
    ]);
    assert.equal(adjustSetup(adjusted, adjustmentOf(BONUS), EX_MS), undefined);
  });

  test("passes the counted action to its group, whose levels fire", () => {
    const { stopLoss, takeProfits, corporate } = groupAt(after(setupOf()), 50);
    assert.deepEqual([stopLoss.price, ...takeProfits.map(({ price }) => price)], [4_500, 5_500, 5_500]);
    assert.deepEqual(corporate, { counted: ["ACME-bonus-2026-03-03"] });
  });

  test("makes a held group of a fill whose price is nearer to the base before", () => {
    const percents: Partial<SetupRequest> = { stopLossPrice: null, stopLossPercent: 10 };
    const setup = after(setupOf({ ...percents, takeProfitItems: [{ quantity: 100, percent: 10 }] }));
    const held = groupAt(setup, 99).corporate;
    assert.equal(held?.isHeld, true);
    assert.match(held?.note ?? "", /fill at 99 seems to be from before/);
    assert.equal(groupAt(setup, 51).corporate?.isHeld, undefined);
  });

  test("does not tell two bases apart that are close, or whose price is not known", () => {
    const near = after(setupOf(), adjustmentOf({ ...BONUS, ratio: 0.1 }, { move: { from: 100, to: 90.9 } }));
    assert.equal(groupAt(near, 100).corporate?.isHeld, undefined);
    const unknown = after(setupOf(), adjustmentOf(BONUS, { move: null }));
    assert.equal(groupAt(unknown, 50).corporate?.isHeld, undefined);
  });

  test("is left alone if it was registered on the day of an action that came late", () => {
    const late = adjustmentOf(BONUS, { sinceMs: NOW_MS });
    assert.deepEqual(after(setupOf(), late).stopLoss, { quantity: 100, price: 9_000 });
    const earlier = { ...setupOf(), createdAtMs: NOW_MS - 1 };
    assert.deepEqual(after(earlier, late).stopLoss, { quantity: 100, price: 4_500 });
  });

  test("with the policy hold makes a held group with its levels as they are", () => {
    const { stopLoss, corporate } = groupAt(after(setupOf({ corporateActions: "hold" })), 100);
    assert.deepEqual([stopLoss.price, corporate?.isHeld, corporate?.policy], [9_000, true, "hold"]);
  });

  test("that waits for a trigger has it on the new base, newly armed", () => {
    const request = {
      symbol: "ACME",
      entry: { orderType: 3, triggerPrice: 104.1, quantity: 10 },
      protectPartial: true,
      stopLossPercent: 3,
      takeProfitItems: [{ percent: 5, quantity: 10 }],
    };
    const plan = planEntry(request, { nowMs: NOW_MS, table: "BIST", zone: "UTC" });
    assert.ok(plan.ok, JSON.stringify(plan));
    const { setupId, userId, brokerageCode, accountNumber } = OWNER;
    const setup = enter(
      plan.value,
      { setupId, userId, brokerageCode, accountNumber },
      { clientOrderId: "x-e1" },
      NOW_MS,
    );
    assert.deepEqual(after(setup).entry?.trigger, { level: 5_205, armedAtMs: EX_MS });
  });
});
