import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { packGroup, parseGroup } from "../../../src/contract/stored/snapshot.ts";
import { type ChangeRequest, planChange } from "../../../src/domain/oco/change.ts";
import { versionOf } from "../../../src/domain/oco/group.ts";
import type { Effect } from "../../../src/machine/effect.ts";
import { type Actor, given, placed, reach, refused, sells } from "./group-steps.ts";

const TERMS = { nowMs: 1_000, table: "BIST", zone: "UTC" } as const;

/** Rows: 10 stop-loss 90.00 x 10, 11 take-profit 110.00 x 4, 12 take-profit 120.00 x 6. */
function change(actor: Actor, request: ChangeRequest, timeMs = 5_000): readonly Effect[] {
  const plan = planChange(actor.context, request, TERMS);
  assert.ok(plan.ok);
  const ids = plan.value.added.map((_, index) => 100 + index);
  return actor.send({ type: "change", change: plan.value, ids, timeMs });
}

describe("a change of a running group", () => {
  it("watches the new level from there on, and the old one no more", () => {
    const actor = given();
    const effects = change(actor, { stopLossPrice: 95 });
    assert.deepEqual(effects, [{ type: "emit", event: "oco.changed", data: { row: 0 } }]);
    assert.deepEqual(actor.reachedBy("ACME", 94.9), [0]);
    assert.deepEqual(sells(reach(actor, 94.9)), ["r10 10 stopLoss"]);
  });

  it("a price that reached the old level before the change fires nothing after it", () => {
    const actor = given();
    const watches = actor.reachedBy("ACME", 89.9);
    change(actor, { stopLossPrice: 85 });
    assert.deepEqual(actor.send({ type: "priceReached", watches, price: 89.9, timeMs: 6_000 }), []);
    assert.deepEqual(sells(reach(actor, 84.9)), ["r10 10 stopLoss"]);
  });

  it("says of changed and added levels when they were armed, and of no other", () => {
    const actor = given();
    change(actor, {
      takeProfitItems: [
        { id: 12, price: 121, quantity: 6 },
        { price: 115, quantity: 4 },
      ],
    });
    assert.equal(actor.facts.armedSinceMs, 1_000);
    assert.deepEqual(
      actor.facts.watches.map(({ watch, level, armedSinceMs }) => [watch, level, armedSinceMs]),
      [
        [0, 9_000, undefined],
        [2, 12_100, 5_000],
        [3, 11_500, 5_000],
      ],
    );
  });

  it("take-profits that come back under watch are armed from then on, those that were changed before too", () => {
    const actor = given();
    change(
      actor,
      {
        takeProfitItems: [
          { id: 11, price: 111, quantity: 4 },
          { id: 12, price: 120, quantity: 6 },
        ],
      },
      2_500,
    );
    reach(actor, 89.9);
    refused(actor, "r10");
    assert.equal(actor.facts.armedSinceMs, 3_000);
    assert.deepEqual(
      actor.facts.watches.map(({ watch, armedSinceMs }) => [watch, armedSinceMs]),
      [
        [1, undefined],
        [2, undefined],
      ],
    );
  });

  it("does not fit a row that is in flight or a stop-loss that has fired", () => {
    for (const price of [110, 89.9]) {
      const actor = given();
      const plan = planChange(actor.context, { takeProfitItems: [{ id: 12, price: 120, quantity: 6 }] }, TERMS);
      assert.ok(plan.ok);
      reach(actor, price);
      const before = actor.context;
      assert.deepEqual(actor.send({ type: "change", change: plan.value, ids: [], timeMs: 5_000 }), []);
      assert.equal(actor.context, before);
    }
  });

  it("an added take-profit sells under its own name, and the group goes on", () => {
    const actor = given();
    change(actor, { takeProfitItems: [{ price: 105, quantity: 10 }] });
    assert.deepEqual(sells(reach(actor, 105)), ["r100 10 triggered"]);
    placed(actor, "r100");
    assert.deepEqual(
      actor.context.rows.map(({ status }) => status),
      [1, 4, 4, 2],
    );
  });

  it("the version rises with a change, with a trigger and with its answer", () => {
    const actor = given();
    const versions = [versionOf(actor.context)];
    change(actor, { notes: null });
    versions.push(versionOf(actor.context));
    reach(actor, 110);
    versions.push(versionOf(actor.context));
    placed(actor, "r11");
    versions.push(versionOf(actor.context));
    assert.deepEqual(versions, [1, 2, 3, 4]);
  });

  it("is stored and read again as it was", () => {
    const actor = given();
    change(actor, { stopLossPrice: 95 });
    assert.deepEqual(parseGroup(JSON.parse(JSON.stringify(packGroup(actor.context)))), actor.context);
  });
});
