/** The trigger of a stop entry: what is valid, and that it is reached once (behaviour 24.11). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isRegistered, type PendingSetup } from "../../src/domain/setup.ts";
import { endWaiting, enter, planEntry } from "../../src/domain/setup-entry.ts";
import { planTrigger, reachTrigger, waitingTrigger } from "../../src/domain/setup-trigger.ts";

const NOW_MS = 1_000_000;

function waiting(): PendingSetup {
  const request = {
    symbol: "THYAO",
    entry: { orderType: 3, triggerPrice: 104, quantity: 10 },
    protectPartial: true,
    stopLossPercent: 3,
    takeProfitItems: [{ percent: 5, quantity: 10 }],
  };
  const plan = planEntry(request, { nowMs: NOW_MS, table: "BIST", zone: "UTC" });
  assert.ok(plan.ok, plan.ok ? "" : plan.message);
  const owner = { setupId: 1, userId: 7, brokerageCode: "PAPER", accountNumber: "A" };
  return enter(plan.value, owner, { clientOrderId: "x-e1" }, NOW_MS);
}

describe("a trigger", () => {
  const refusals: readonly (readonly [Parameters<typeof planTrigger>[0], RegExp])[] = [
    [{ orderType: 3 }, /^entry\.triggerPrice is required/],
    [{ orderType: 3, triggerPrice: 104.03 }, /^entry\.triggerPrice 104\.03/],
    [{ orderType: 3, triggerPrice: 104, price: 100 }, /^entry\.price 100 of a stop entry must be 0/],
    [{ orderType: 2, triggerPrice: 104, price: 100 }, /^entry\.triggerPrice is only for a stop entry/],
  ];
  for (const [request, message] of refusals) {
    test(`is refused: ${JSON.stringify(request)}`, () => {
      const planned = planTrigger(request, "BIST");
      assert.match(planned.ok ? "" : planned.message, message);
    });
  }

  test("is reached once: the price is kept, and the buy is asked for in that step alone", () => {
    const reached = reachTrigger(waiting(), 104.5);
    assert.deepEqual([reached?.isBuying, reached?.setup.entry?.trigger?.reachedPrice], [true, 104.5]);
    assert.ok(reached !== undefined && isRegistered(reached.setup));
    assert.equal(waitingTrigger(reached.setup), undefined);
    assert.equal(reachTrigger(reached.setup, 105), undefined);
    assert.equal(endWaiting(reached.setup, true, NOW_MS), undefined);
  });

  test("is not reached any more once its entry is over", () => {
    const over = endWaiting(waiting(), true, NOW_MS + 1)?.setup;
    assert.deepEqual(over?.outcome, { type: "removed", isPartFilled: false, isByOwner: true, timeMs: NOW_MS + 1 });
    assert.ok(over !== undefined);
    assert.equal(reachTrigger(over, 105), undefined);
  });
});
