/** What changes the plan of a registered setup (behaviour 5.9). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type PendingSetup,
  planConversion,
  planSetup,
  registerSetup,
  type SetupRequest,
} from "../../src/domain/setup.ts";
import { changeSetup, leavesSetup, planSetupChange, type SetupChangeRequest } from "../../src/domain/setup-change.ts";

const NOW_MS = Date.parse("2026-01-01T00:00:00Z");
const TERMS = { nowMs: NOW_MS, table: "BIST", zone: "UTC", calendar: undefined } as const;

const request: SetupRequest = {
  stopLossQuantity: 10,
  stopLossPercent: 3,
  takeProfitItems: [
    { quantity: 4, percent: 5 },
    { quantity: 6, price: 130 },
  ],
  dueDate: "2026-02-01T00:00:00Z",
  notes: "note",
  exit: { stopLoss: "once" },
  stopLossTrailing: { distance: 2 },
  stopLossLadder: [{ afterTakeProfits: 2, to: "entry", offset: 1 }],
};

function given(change: Partial<SetupRequest> = {}): PendingSetup {
  const plan = planSetup({ ...request, ...change }, NOW_MS);
  assert.ok(plan.ok, plan.ok ? "" : plan.message);
  const owner = { setupId: 5, userId: 7, brokerageCode: "PAPER", accountNumber: "A1", brokerOrderNo: "B-1" };
  const order = { clientOrderId: null, quantity: 10, orderType: 2, price: 100, createdDate: "2026-01-01T00:00:00Z" };
  return registerSetup(plan.value, { ...owner, symbol: "ACME" }, order, NOW_MS);
}

function changed(setup: PendingSetup, change: SetupChangeRequest): PendingSetup {
  const plan = planSetupChange(setup, change, TERMS);
  assert.ok(plan.ok, plan.ok ? "" : plan.message);
  assert.ok(!leavesSetup(setup, plan.value), "the plan is another one");
  const after = changeSetup(setup, plan.value);
  assert.ok(after !== undefined);
  return after;
}

function refusal(change: SetupChangeRequest, setup = given()): string {
  const plan = planSetupChange(setup, change, TERMS);
  assert.ok(!plan.ok, "the change is refused");
  return `${plan.code} ${plan.message}`;
}

describe("a change of a registered setup", () => {
  test("changes only what it names, and raises the version by one", () => {
    const before = given();
    assert.deepEqual(changed(before, { notes: "other" }), { ...before, notes: "other", changes: 1 });
    const twice = changed(changed(before, { notes: "other" }), { stopLossQuantity: 11 });
    assert.deepEqual(twice.stopLoss, { quantity: 11, percent: 3 });
    assert.equal(twice.changes, 2);
  });

  test("replaces a percent by a price and a price by a percent", () => {
    const fixed = changed(given(), { stopLossPrice: 90 });
    assert.deepEqual(fixed.stopLoss, { quantity: 10, price: 9_000 });
    assert.deepEqual(changed(fixed, { stopLossPercent: 4 }).stopLoss, { quantity: 10, percent: 4 });
    const items = [{ quantity: 10, price: 120 }];
    assert.deepEqual(changed(given({ stopLossLadder: null }), { takeProfitItems: items }).takeProfits, [
      { quantity: 10, price: 12_000 },
    ]);
  });

  test("takes away what null is given for, and leaves what is absent", () => {
    const bare = changed(given(), { dueDate: null, notes: null, stopLossTrailing: null, stopLossLadder: null });
    assert.deepEqual([bare.dueAtMs, bare.notes], [null, null]);
    assert.deepEqual([bare.trailing, bare.ladder, bare.exitPolicy], [undefined, undefined, "once"]);
    assert.ok(!("trailing" in bare) && !("ladder" in bare));
    const moved = changed(given(), { stopLossTrailing: { distancePercent: 2 }, exit: { stopLoss: "untilSold" } });
    assert.deepEqual([moved.trailing?.distanceBasisPoints, moved.trailing?.distance], [200, null]);
    assert.equal(moved.exitPolicy, "untilSold");
  });

  test("lets the group to be follow its position, or no longer", () => {
    const follows = changed(given(), { followPosition: true });
    assert.equal(follows.followsPosition, true);
    assert.equal(changed(follows, { notes: "other" }).followsPosition, true);
    const same = planSetupChange(follows, { followPosition: true }, TERMS);
    assert.ok(same.ok && leavesSetup(follows, same.value));
    assert.ok(!("followsPosition" in changed(follows, { followPosition: false })));
  });

  test("of nothing leaves the plan as it is, also where it names what is there", () => {
    const setup = given();
    const same: SetupChangeRequest = {
      ...{ stopLossQuantity: 10, stopLossPercent: 3, takeProfitItems: request.takeProfitItems },
      ...{ dueDate: "2026-02-01T00:00:00Z", notes: "note", exit: { stopLoss: "once" } },
      ...{ stopLossTrailing: { distance: 2, confirmTicks: 2 }, stopLossLadder: request.stopLossLadder },
    };
    for (const change of [{}, same]) {
      const plan = planSetupChange(setup, change, { ...TERMS, table: "BIST" });
      assert.ok(plan.ok && leavesSetup(setup, plan.value), JSON.stringify(change));
    }
    // Stored, its fields may come back in another order.
    const stored = Object.fromEntries(Object.entries(setup).reverse()) as unknown as PendingSetup;
    const plan = planSetupChange(stored, same, TERMS);
    assert.ok(plan.ok && leavesSetup(stored, plan.value));
  });

  test("holds the result to the rules of a registration", () => {
    const both = "INVALID exactly one of stopLossPercent and stopLossPrice must be given";
    assert.equal(refusal({ stopLossPercent: 3, stopLossPrice: 90 }), both);
    assert.equal(refusal({ takeProfitItems: [] }), "INVALID takeProfitItems must have at least 1 element");
    assert.match(
      refusal({ stopLossQuantity: 9 }),
      /quantities together \(10\) must not be above stopLossQuantity \(9\)/,
    );
    assert.match(refusal({ stopLossPrice: 131 }), /takeProfitItems\[1\]\.price must be higher than stopLossPrice/);
    assert.match(refusal({ stopLossPrice: 90.01 }), /stopLossPrice 90.01 is not a multiple of 0.05/);
    assert.match(refusal({ dueDate: "2025-12-31T00:00:00Z" }), /dueDate must be in the future/);
    assert.match(refusal({ stopLossTrailing: {} }), /either distance or distancePercent/);
    const one = [{ quantity: 10, percent: 5 }];
    assert.match(refusal({ takeProfitItems: one }), /stopLossLadder\[0\]\.afterTakeProfits must be at most 1/);
  });

  test("is a conflict once the order was completed or the setup is over", () => {
    const converting = { ...given(), fillPrice: 100 };
    const over = { ...given(), outcome: { type: "converted", groupId: 9, timeMs: NOW_MS } } as const;
    for (const setup of [converting, over]) {
      assert.match(refusal({ notes: "x" }, setup), /^CONFLICT /);
      const plan = planSetupChange(given(), { notes: "x" }, TERMS);
      assert.ok(plan.ok);
      assert.equal(changeSetup(setup, plan.value), undefined);
    }
  });

  test("is what the group is made of", () => {
    const setup = changed(given(), {
      stopLossPrice: 90,
      takeProfitItems: [{ quantity: 5, percent: 10 }],
      stopLossLadder: null,
    });
    const plan = planConversion(setup, 100, NOW_MS);
    assert.ok(plan.ok);
    assert.deepEqual(plan.value.stopLoss, { quantity: 10, price: 9_000 });
    assert.deepEqual(plan.value.takeProfits, [{ quantity: 5, price: 11_000 }]);
  });

  test("changes when the stop-loss sells by the clock, and null takes a time away (behaviour 21.4)", () => {
    const at = "2026-01-05T15:00:00Z";
    const timed = changed(given(), { exit: { at } });
    assert.deepEqual(timed.exitTimes, { atMs: Date.parse(at), beforeCloseMinutes: null });
    assert.equal(timed.exitPolicy, "once", "a field that is absent stays");
    const same = planSetupChange(timed, { exit: { at } }, TERMS);
    assert.ok(same.ok && leavesSetup(timed, same.value));
    assert.equal(changed(timed, { exit: { at: null } }).exitTimes, undefined);
    assert.equal(refusal({ exit: { at: "2025-12-31T00:00:00Z" } }), "INVALID exit.at must be in the future");
    assert.match(
      refusal({ exit: { beforeCloseMinutes: 5 } }),
      /^INVALID exit\.beforeCloseMinutes needs a trading calendar/,
    );
  });

  test("keeps a price that the setup has, though its symbol has another tick table now", () => {
    const setup = given({ stopLossPercent: null, stopLossPrice: 90.05, stopLossTrailing: null, stopLossLadder: null });
    const plan = planSetupChange(setup, { stopLossPrice: 90.05, stopLossQuantity: 12 }, { ...TERMS, table: "CENT" });
    assert.ok(plan.ok);
    assert.deepEqual(plan.value.stopLoss, { quantity: 12, price: 9_005 });
    assert.equal(plan.value.tickTable, "CENT");
    const noted = planSetupChange(setup, { notes: "x" }, { ...TERMS, table: "CENT" });
    assert.ok(noted.ok && noted.value.tickTable === "BIST");
  });
});
