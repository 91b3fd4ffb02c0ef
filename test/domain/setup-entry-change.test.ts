/** What changes the expiry and the trigger of an entry (behaviour 24.13). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Entry, PendingSetup } from "../../src/domain/setup.ts";
import { changeSetup, leavesSetup, planSetupChange, type SetupChangeRequest } from "../../src/domain/setup-change.ts";
import { endEntry, enter, planEntry } from "../../src/domain/setup-entry.ts";
import { reachTrigger } from "../../src/domain/setup-trigger.ts";
import { setupFacts } from "../../src/machine/setup.ts";

const NOW_MS = Date.parse("2026-01-01T00:00:00Z");
const LATER_MS = NOW_MS + 60_000;
const EXPIRES_MS = NOW_MS + 3_600_000;
const time = (ms: number): string => new Date(ms).toISOString();

/** An entry that expires: a stop entry at 104, or a limit entry at 100. */
function given(orderType: 2 | 3, more: Partial<Entry> = {}): PendingSetup {
  const buy = orderType === 3 ? { triggerPrice: 104 } : { price: 100 };
  const request = {
    symbol: "THYAO",
    entry: { orderType, ...buy, quantity: 10, expiresAt: time(EXPIRES_MS) },
    protectPartial: true,
    stopLossPrice: 90,
    takeProfitItems: [{ price: 120, quantity: 10 }],
  };
  const plan = planEntry(request, { nowMs: NOW_MS, table: "BIST", zone: "UTC" });
  assert.ok(plan.ok, plan.ok ? "" : plan.message);
  const owner = { setupId: 1, userId: 7, brokerageCode: "PAPER", accountNumber: "A" };
  const setup = enter(plan.value, owner, { clientOrderId: "x-e1" }, NOW_MS);
  assert.ok(setup.entry !== undefined);
  return { ...setup, entry: { ...setup.entry, ...more } };
}

const planOf = (setup: PendingSetup, request: SetupChangeRequest, nowMs = LATER_MS) =>
  planSetupChange(setup, request, { nowMs, table: "BIST", zone: "UTC", calendar: undefined });

function changed(setup: PendingSetup, request: SetupChangeRequest): PendingSetup {
  const plan = planOf(setup, request);
  assert.ok(plan.ok, plan.ok ? "" : plan.message);
  assert.ok(!leavesSetup(setup, plan.value), "the plan is another one");
  const after = changeSetup(setup, plan.value);
  assert.ok(after !== undefined);
  return after;
}

const reached = (): PendingSetup => {
  const setup = reachTrigger(given(3), 104)?.setup;
  assert.ok(setup !== undefined);
  return setup;
};
const ending = (): PendingSetup => {
  const setup = endEntry(given(2), "owner", NOW_MS);
  assert.ok(setup !== undefined);
  return setup;
};
const registered = (): PendingSetup => {
  const { entry: _, ...setup } = given(2);
  return setup;
};
const withGroup = { protection: { groupId: 9, bought: 4, price: 100, isBuying: true } } as const;

describe("a change of an entry", () => {
  test("moves the trigger, which is newly armed, and keeps its lots and its expiry", () => {
    const before = given(3);
    const after = changed(before, { triggerPrice: 106 });
    assert.deepEqual(after, {
      ...before,
      entry: { ...before.entry, trigger: { level: 10_600, armedAtMs: LATER_MS } },
      changes: 1,
    });
    assert.equal(setupFacts(before).armedSinceMs, NOW_MS);
    const { watches, armedSinceMs } = setupFacts(after);
    assert.deepEqual([watches.map(({ level }) => level), armedSinceMs], [[10_600], LATER_MS]);
    // A price that reached the trigger of before, and is handled after the change.
    assert.equal(reachTrigger(after, 104), undefined);
    assert.equal(reachTrigger(after, 106)?.isBuying, true);
  });

  test("moves the expiry, or takes it away, and leaves the trigger armed as it was", () => {
    const before = given(3);
    const later = changed(before, { expiresAt: time(EXPIRES_MS + 1) });
    assert.deepEqual([later.entry?.expiresAtMs, later.entry?.trigger], [EXPIRES_MS + 1, before.entry?.trigger]);
    assert.equal(setupFacts(later).deadlineMs, EXPIRES_MS + 1);
    const never = changed(later, { expiresAt: null });
    assert.ok(never.entry !== undefined && !("expiresAtMs" in never.entry));
    assert.equal(setupFacts(never).deadlineMs, null);
    assert.equal(changed(never, { expiresAt: time(EXPIRES_MS) }).entry?.expiresAtMs, EXPIRES_MS);
  });

  test("of nothing leaves it as it is, also if it names what is there", () => {
    for (const request of [{ triggerPrice: 104 }, { expiresAt: time(EXPIRES_MS) }, {}]) {
      const plan = planOf(given(3), request);
      assert.ok(plan.ok && leavesSetup(given(3), plan.value), JSON.stringify(request));
    }
  });

  test("of the expiry alone is taken while a part has its group", () => {
    const setup = given(2, withGroup);
    assert.equal(changed(setup, { expiresAt: null }).entry?.expiresAtMs, undefined);
  });

  const refusals: readonly (readonly [string, () => PendingSetup, SetupChangeRequest, RegExp])[] = [
    ["a trigger that was reached", reached, { triggerPrice: 110 }, /^CONFLICT the trigger was reached already/],
    ["a trigger of a limit entry", () => given(2), { triggerPrice: 110 }, /^INVALID triggerPrice is only for a stop/],
    ["a trigger without an entry", registered, { triggerPrice: 110 }, /^INVALID triggerPrice is only for a stop/],
    ["a trigger off its tick", () => given(3), { triggerPrice: 104.03 }, /^INVALID triggerPrice 104\.03/],
    [
      "a trigger under the stop-loss",
      () => given(3),
      { triggerPrice: 89 },
      /^INVALID stopLossPrice must be lower than entry\.triggerPrice \(89\)/,
    ],
    ["a trigger at a take-profit", () => given(3), { triggerPrice: 120 }, /^INVALID takeProfitItems\[0\]\.price must/],
    ["an expiry without an entry", registered, { expiresAt: null }, /^INVALID expiresAt is only for an entry/],
    ["an expiry that is over", () => given(3), { expiresAt: time(NOW_MS) }, /^INVALID expiresAt must be in the future/],
    ["an expiry that is no time", () => given(3), { expiresAt: "soon" }, /^INVALID expiresAt is not an ISO 8601 time/],
    [
      "the expiry of an entry that is cancelled",
      ending,
      { expiresAt: null },
      /^CONFLICT the buy .* is being cancelled/,
    ],
    [
      "an expiry that has passed, and is not handled yet",
      () => given(3, { expiresAtMs: LATER_MS }),
      { expiresAt: null },
      /^CONFLICT the buy .* is being cancelled/,
    ],
    [
      "more than the expiry while a part has its group",
      () => given(2, withGroup),
      { expiresAt: null, notes: "x" },
      /^CONFLICT a part is filled and has its group 9/,
    ],
  ];
  for (const [name, setup, request, message] of refusals) {
    test(`is refused: ${name}`, () => {
      const plan = planOf(setup(), request);
      assert.match(plan.ok ? "" : `${plan.code} ${plan.message}`, message);
    });
  }
});
