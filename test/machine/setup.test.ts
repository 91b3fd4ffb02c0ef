import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setupSnapshot } from "../../src/contract/stored/setup-snapshot.ts";
import type { OrderNotice } from "../../src/domain/order/order.ts";
import type { PendingSetup } from "../../src/domain/setup.ts";
import { type SetupEvent, setupClaim, setupFacts, setupMachine } from "../../src/machine/setup.ts";
import { TestActor } from "./actor.ts";
import { CREATED_MS, sampleSetup } from "./setup-samples.ts";

type Actor = TestActor<PendingSetup, SetupEvent>;

function given(change: Parameters<typeof sampleSetup>[0] = {}): Actor {
  return new TestActor<PendingSetup, SetupEvent>(setupMachine, "registered", sampleSetup(change), setupFacts);
}

function update(actor: Actor, record: Partial<OrderNotice>) {
  const effects = actor.send({
    type: "orderUpdated",
    record: {
      orderNo: "B-1",
      symbol: "ACME",
      buySell: 1,
      orderStatus: 2,
      filledQuantity: 10,
      averagePrice: 100,
      ...record,
    },
    timeMs: 2_000,
  });
  setupSnapshot.parse(actor.context);
  return effects;
}

describe("a registered setup", () => {
  test("follows its order, holds its claim and watches no price", () => {
    const actor = given();
    const order = { userId: 7, brokerageCode: "PAPER", accountNumber: "A1", orderNo: "B-1" };
    assert.deepEqual(actor.facts, {
      watches: [],
      armedSinceMs: CREATED_MS,
      deadlineMs: null,
      claims: ["setup/7/PAPER/B-1"],
      follows: [order],
    });
    assert.equal(setupClaim(actor.context), "setup/7/PAPER/B-1");
    assert.deepEqual(setupSnapshot.parse(JSON.parse(JSON.stringify(actor.context))), actor.context);
  });

  test("is not changed by an open or part-filled order, nor by another order", () => {
    const actor = given();
    const before = actor.context;
    assert.deepEqual(update(actor, { orderStatus: 0, filledQuantity: 0 }), []);
    assert.deepEqual(update(actor, { orderStatus: 1, filledQuantity: 4 }), []);
    assert.deepEqual(update(actor, { orderNo: "B-2" }), []);
    assert.deepEqual(update(actor, { averagePrice: 0 }), [], "completed, and no price told");
    assert.equal(actor.state, "registered");
    assert.deepEqual(actor.context, before);
  });

  test("asks for the group once its order is completed, and is converted once the group is there", () => {
    const actor = given();
    assert.deepEqual(update(actor, { averagePrice: 100 }), [
      {
        type: "openGroup",
        symbol: "ACME",
        plan: {
          stopLoss: { price: 9_700, quantity: 10 },
          takeProfits: [{ price: 10_500, quantity: 4 }],
          dueAtMs: null,
          notes: "note",
        },
      },
    ]);
    assert.equal(actor.state, "converting");
    assert.deepEqual(update(actor, {}), [], "a second notice asks for nothing");
    assert.equal(actor.facts.claims.length, 1);
    assert.deepEqual(actor.send({ type: "groupOpened", groupId: 40, timeMs: 2_001 }), [
      { type: "emit", event: "setup.converted", data: { groupId: 40, timeMs: 2_001 } },
    ]);
    assert.equal(actor.state, "converted");
    assert.ok(actor.isDone);
    assert.deepEqual([actor.facts.claims, actor.facts.follows], [[], []]);
    assert.deepEqual(actor.context.outcome, { type: "converted", groupId: 40, timeMs: 2_001 });
    setupSnapshot.parse(actor.context);
  });

  test("is removed by its owner, once, and never while it converts", () => {
    const actor = given();
    const data = { isPartFilled: false, isByOwner: true, timeMs: 3_000 };
    assert.deepEqual(actor.send({ type: "remove", timeMs: 3_000 }), [{ type: "emit", event: "setup.removed", data }]);
    assert.ok(actor.isDone);
    assert.deepEqual([actor.facts.claims, actor.facts.follows], [[], []]);
    setupSnapshot.parse(actor.context);
    const converting = given();
    update(converting, {});
    assert.deepEqual(converting.send({ type: "remove", timeMs: 3_000 }), []);
    assert.equal(converting.state, "converting");
  });

  test("a group that cannot be opened ends it as conversionFailed, with the reason", () => {
    const actor = given();
    update(actor, {});
    assert.deepEqual(actor.send({ type: "groupRefused", message: "an active group exists", timeMs: 2_001 }), [
      {
        type: "emit",
        event: "setup.conversionFailed",
        data: { reason: "an active group exists", timeMs: 2_001 },
      },
    ]);
    assert.equal(actor.state, "conversionFailed");
    assert.ok(actor.isDone);
    setupSnapshot.parse(actor.context);
  });

  test("the end of another order under the same number changes nothing", () => {
    for (const other of [{ symbol: "OTHER" }, { buySell: 2 }] as const) {
      const actor = given();
      assert.deepEqual(update(actor, { orderStatus: 3, filledQuantity: 0, ...other }), []);
      assert.ok(!actor.isDone);
    }
  });

  const failures: readonly [string, Partial<OrderNotice>, RegExp][] = [
    ["another symbol", { symbol: "OTHER" }, /symbol OTHER, not ACME/],
    ["a sell", { buySell: 2 }, /not a buy order/],
    ["levels that are no prices", { averagePrice: 0.01 }, /gives no price/],
  ];
  for (const [name, record, reason] of failures) {
    test(`an order completed with ${name} ends it as conversionFailed`, () => {
      const actor = given();
      const [effect, ...others] = update(actor, record);
      assert.deepEqual(others, []);
      assert.ok(effect?.type === "emit" && effect.event === "setup.conversionFailed");
      assert.match(String(effect.data.reason), reason);
      assert.equal(actor.state, "conversionFailed");
    });
  }

  test("a due date that has passed ends it as conversionFailed: its group would end as it starts", () => {
    const actor = given({ dueAtMs: 2_000 });
    update(actor, {});
    const { outcome } = actor.context;
    assert.deepEqual(outcome, { type: "conversionFailed", reason: "dueDate has passed", timeMs: 2_000 });
  });

  test("a due date that passes before the fill ends it and frees its order (behaviour 5.4)", () => {
    const actor = given({ dueAtMs: 2_000 });
    assert.equal(actor.facts.deadlineMs, 2_000);
    assert.deepEqual(actor.send({ type: "deadline", timeMs: 1_999 }), [], "it lies ahead");
    assert.deepEqual(actor.send({ type: "deadline", timeMs: 2_000 }), [
      { type: "emit", event: "setup.conversionFailed", data: { reason: "dueDate has passed", timeMs: 2_000 } },
    ]);
    assert.equal(actor.state, "conversionFailed");
    assert.ok(actor.isDone);
    const { claims, follows, deadlineMs } = actor.facts;
    assert.deepEqual([claims, follows, deadlineMs], [[], [], null]);
    setupSnapshot.parse(actor.context);
  });

  test("a deadline ends none that has no due date, and none that converts", () => {
    const endless = given();
    assert.deepEqual(endless.send({ type: "deadline", timeMs: 9_000 }), []);
    assert.equal(endless.state, "registered");
    const converting = given({ dueAtMs: 2_500 });
    update(converting, {});
    assert.deepEqual(converting.send({ type: "deadline", timeMs: 2_500 }), []);
    assert.equal(converting.state, "converting");
  });

  for (const [orderStatus, word] of [
    [3, "cancelled"],
    [4, "rejected"],
  ] as const) {
    test(`is removed when its order is ${word}, and says whether a part was filled`, () => {
      for (const filledQuantity of [0, 3]) {
        const actor = given();
        assert.deepEqual(update(actor, { orderStatus, filledQuantity }), [
          {
            type: "emit",
            event: "setup.removed",
            data: { isPartFilled: filledQuantity > 0, isByOwner: false, timeMs: 2_000 },
          },
        ]);
        assert.equal(actor.state, "removed");
        assert.ok(actor.isDone);
        assert.deepEqual(actor.facts.claims, []);
      }
    });
  }

  test("answers about a group that was not asked for change nothing", () => {
    const actor = given();
    assert.deepEqual(actor.send({ type: "groupOpened", groupId: 1, timeMs: 1 }), []);
    assert.deepEqual(actor.send({ type: "groupRefused", message: "no", timeMs: 1 }), []);
    assert.equal(actor.state, "registered");
  });
});
