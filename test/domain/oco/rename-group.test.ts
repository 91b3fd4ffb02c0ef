/** The effect of a rename of its symbol on a group (behaviour 30.2, 30.4). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { packGroup, parseGroup } from "../../../src/contract/stored/snapshot.ts";
import { ACTIVE, CANCELLED, type OcoGroup, versionOf } from "../../../src/domain/oco/group.ts";
import { planGroup } from "../../../src/domain/oco/oco-plan.ts";
import { openGroup } from "../../../src/domain/oco/open-group.ts";
import { renameGroup } from "../../../src/domain/oco/rename-group.ts";
import { beginExecution } from "../../../src/domain/order/execution.ts";
import { type GroupEvent, groupClaim, groupFacts, groupMachine, positionClaim } from "../../../src/machine/group.ts";
import { TestActor } from "../../machine/actor.ts";

const NOW_MS = Date.parse("2026-03-02T09:00:00Z");
const RENAMING = { from: "ACME", to: "APEX" };
const OWNER = { userId: 1, brokerageCode: "PAPER", accountNumber: "A1", symbol: "ACME", hasOversellGuard: false };

function groupOf(request: object = {}): OcoGroup {
  const terms = { stopLossPrice: 90, stopLossQuantity: 100, takeProfitItems: [{ price: 110, quantity: 100 }] };
  const plan = planGroup({ ...terms, ...request }, NOW_MS);
  assert.ok(plan.ok, JSON.stringify(plan));
  return openGroup(plan.value, OWNER, [1, 2], NOW_MS);
}

function after(group: OcoGroup, timeMs = NOW_MS + 5): OcoGroup {
  const decision = renameGroup(group, RENAMING, timeMs);
  assert.ok(decision !== undefined);
  assert.deepEqual(decision.sells, []);
  return decision.group;
}

describe("a group whose symbol is renamed", () => {
  test("has the same levels and quantities, watched and claimed under the new name", () => {
    const [before, renamed] = [groupOf(), after(groupOf())];
    assert.deepEqual(renamed.rows, before.rows);
    const { watches, claims } = groupFacts(renamed);
    assert.deepEqual(
      watches.map(({ symbol, level, side }) => [symbol, level, side]),
      groupFacts(before).watches.map(({ level, side }) => ["APEX", level, side]),
    );
    assert.deepEqual(claims, [groupClaim({ ...OWNER, symbol: "APEX" })]);
    assert.equal(versionOf(renamed), versionOf(before) + 1);
  });

  test("has no level that a price from before the rename reaches", () => {
    const sinceMs = groupFacts(after(groupOf(), NOW_MS + 5)).watches.map(({ armedSinceMs }) => armedSinceMs);
    assert.deepEqual(sinceMs, [NOW_MS + 5, NOW_MS + 5]);
  });

  test("follows once", () => {
    assert.equal(renameGroup(after(groupOf()), RENAMING, NOW_MS + 9), undefined);
    assert.equal(renameGroup(groupOf(), { from: "OTHER", to: "APEX" }, NOW_MS), undefined);
  });

  test("keeps the high and the terms of a stop-loss that trails", () => {
    const before = groupOf({ stopLossTrailing: { distance: 5, confirmTicks: 1 } });
    assert.ok(before.trailing !== undefined);
    const trailing = { ...before.trailing, high: 10_400 };
    assert.deepEqual(after({ ...before, trailing }).trailing, trailing);
  });

  test("keeps both of its places", () => {
    const renamed = after({ ...groupOf(), followsPosition: true });
    const owner = { ...OWNER, symbol: "APEX" };
    assert.deepEqual(groupFacts(renamed).claims, [groupClaim(owner), positionClaim(owner)]);
  });

  test("tells its owner, unless all of it is over", () => {
    assert.deepEqual(
      renameGroup(groupOf(), RENAMING, NOW_MS)?.notices.map(({ type }) => type),
      ["oco.adjusted"],
    );
    const over = { ...groupOf(), rows: groupOf().rows.map((row) => ({ ...row, status: CANCELLED }) as const) };
    assert.deepEqual(renameGroup(over, RENAMING, NOW_MS)?.notices, []);
  });

  for (const [name, filled] of [
    ["ACME", 40],
    ["APEX", 40],
    ["OTHER", 0],
  ] as const) {
    test(`counts ${filled} lots of its order that is reported under ${name}`, () => {
      const terms = { limitPrice: null, needsPrice: false, createdDate: null };
      const wish = { clientOrderId: "r1", symbol: "ACME", buySell: 2 as const, quantity: 100, ...terms };
      const { execution } = beginExecution(wish, "S-1", 1, NOW_MS);
      const renamed = after({ ...groupOf(), followed: [{ row: 1, execution }] });
      assert.equal(renamed.followed[0]?.execution.symbol, "APEX");
      const fill = { orderStatus: 1, filledQuantity: 40, averagePrice: 110 };
      const record = { orderNo: "S-1", clientOrderId: "r1", symbol: name, buySell: 2 as const, quantity: 100, ...fill };
      const actor = new TestActor<OcoGroup, GroupEvent>(groupMachine, "watching", renamed, groupFacts);
      actor.send({ type: "orderUpdated", record, timeMs: NOW_MS + 9 });
      assert.equal(actor.context.followed[0]?.execution.orders[0]?.filledQuantity, filled);
    });
  }

  test("is read back from the store as it was written", () => {
    const renamed = after(groupOf());
    assert.deepEqual(parseGroup(JSON.parse(JSON.stringify(packGroup(renamed)))), renamed);
    assert.equal(renamed.rows[0]?.status, ACTIVE);
  });
});
