/** The effect of a rename of its symbol on a pending OCO (behaviour 30.2). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseSetup } from "../../src/contract/stored/setup-snapshot.ts";
import { versionOf } from "../../src/domain/oco/group.ts";
import { type PendingSetup, planSetup, registerSetup } from "../../src/domain/setup.ts";
import { followRename } from "../../src/domain/setup-end.ts";
import { enter, planEntry } from "../../src/domain/setup-entry.ts";
import { renameSetup } from "../../src/domain/setup-rename.ts";
import { claimOf, setupFacts } from "../../src/machine/setup.ts";

const NOW_MS = Date.parse("2026-03-02T09:00:00Z");
const RENAMING = { from: "ACME", to: "APEX" };
const OWNER = { setupId: 5, userId: 7, brokerageCode: "PAPER", accountNumber: "A1" };
const EXITS = { stopLossPrice: 90, takeProfitItems: [{ quantity: 100, price: 130 }] };

function registered(): PendingSetup {
  const plan = planSetup({ ...EXITS, stopLossQuantity: 100 }, NOW_MS);
  assert.ok(plan.ok, JSON.stringify(plan));
  const order = { clientOrderId: null, quantity: 100, orderType: 2, price: 100, createdDate: "2026-03-02T09:00:00Z" };
  return registerSetup(plan.value, { ...OWNER, brokerOrderNo: "B-1", symbol: "ACME" }, order, NOW_MS);
}

function stopEntry(): PendingSetup {
  const entry = { quantity: 100, orderType: 3, triggerPrice: 105 };
  const terms = { nowMs: NOW_MS, lastPrice: 100, table: "BIST", zone: "UTC", calendar: undefined } as const;
  const plan = planEntry({ ...EXITS, symbol: "ACME", entry, protectPartial: false }, terms);
  assert.ok(plan.ok, JSON.stringify(plan));
  return enter(plan.value, OWNER, { clientOrderId: "e5" }, NOW_MS);
}

function after(setup: PendingSetup): PendingSetup {
  const renamed = renameSetup(setup, RENAMING, NOW_MS + 5);
  assert.ok(renamed !== undefined);
  return renamed;
}

describe("a pending OCO whose symbol is renamed", () => {
  test("keeps its plan and its order under the new name, once, and tells its owner", () => {
    const renamed = after(registered());
    const { symbol, buy, stopLoss, takeProfits } = renamed;
    assert.deepEqual([symbol, buy.symbol], ["APEX", "APEX"]);
    assert.deepEqual(
      { stopLoss, takeProfits },
      { stopLoss: registered().stopLoss, takeProfits: registered().takeProfits },
    );
    assert.equal(versionOf(renamed), versionOf(registered()) + 1);
    assert.equal(renameSetup(renamed, RENAMING, NOW_MS + 9), undefined);
    const notices = followRename(registered(), RENAMING, NOW_MS)?.notices;
    assert.deepEqual(
      notices?.map(({ type, message }) => [type, message]),
      [["setup.changed", "ACME was renamed to APEX: its levels are watched under the new name"]],
    );
  });

  test("has the place of its entry, and its trigger, under the new name", () => {
    const renamed = after(stopEntry());
    const { watches, claims, armedSinceMs } = setupFacts(renamed);
    assert.deepEqual(
      watches.map(({ symbol, level }) => [symbol, level]),
      [["APEX", 10_500]],
    );
    assert.deepEqual(claims, [claimOf({ ...stopEntry(), symbol: "APEX" })]);
    assert.equal(armedSinceMs, NOW_MS + 5, "no price from before reaches it");
  });

  test("is read back from the store as it was written", () => {
    for (const setup of [registered(), stopEntry()]) {
      const renamed = after(setup);
      assert.deepEqual(parseSetup(JSON.parse(JSON.stringify(renamed))), renamed);
    }
  });
});
