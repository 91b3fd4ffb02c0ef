import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setupSnapshot } from "../../src/contract/stored/setup-snapshot.ts";
import type { Market } from "../../src/domain/market/calendar.ts";
import type { OrderNotice } from "../../src/domain/order/order.ts";
import type { PendingSetup } from "../../src/domain/setup.ts";
import type { Effect } from "../../src/machine/effect.ts";
import { type SetupEvent, setupClaim, setupFacts, setupMachine } from "../../src/machine/setup.ts";
import { TestActor } from "./actor.ts";
import { CREATED_MS, sampleSetup } from "./setup-samples.ts";

type Actor = TestActor<PendingSetup, SetupEvent>;

function given(change: Parameters<typeof sampleSetup>[0] = {}): Actor {
  return new TestActor<PendingSetup, SetupEvent>(setupMachine, "registered", sampleSetup(change), setupFacts);
}

interface Hearing {
  readonly timeMs?: number;
  /** True: the record answers the newest look-up; false: it comes from a polling round. */
  readonly isLookedUp?: boolean;
  readonly mayReclaim?: boolean;
  readonly market?: Market;
}

/** Gives a record to the actor; returns the effects, without reports about its order. */
function update(actor: Actor, record: Partial<OrderNotice>, hearing: Hearing = {}): readonly Effect[] {
  return told(actor, record, hearing).filter(({ type }) => type !== "tell");
}

/** The order ended, and the look-up that follows confirms it. */
function end(actor: Actor, record: Partial<OrderNotice>): readonly Effect[] {
  assert.deepEqual(update(actor, record), [], "an end is confirmed first (behaviour 5.2)");
  return update(actor, record, { isLookedUp: true });
}

function told(actor: Actor, record: Partial<OrderNotice>, hearing: Hearing): readonly Effect[] {
  const { timeMs = 2_000, isLookedUp, mayReclaim = true, market } = hearing;
  const effects = actor.send({
    type: "orderUpdated",
    ...(isLookedUp === undefined ? {} : { look: isLookedUp ? actor.context.buy.lookCount : null }),
    mayReclaim,
    ...(market === undefined ? {} : { market }),
    record: {
      orderNo: "B-1",
      symbol: "ACME",
      buySell: 1,
      orderStatus: 2,
      filledQuantity: 10,
      averagePrice: 100,
      ...record,
    },
    timeMs,
  });
  setupSnapshot.parse(actor.context);
  return effects;
}

describe("a registered setup", () => {
  test("follows its order, holds its claim and watches no price", () => {
    const actor = given();
    const order = { userId: 7, brokerageCode: "PAPER", accountNumber: "A1", orderNo: "B-1", clientOrderId: null };
    assert.deepEqual(actor.facts, {
      watches: [],
      armedSinceMs: CREATED_MS,
      deadlineMs: null,
      claims: ["setup/7/PAPER/B-1"],
      follows: [{ ...order, createdDate: "2026-01-01T00:00:00Z", isQuiet: false }],
    });
    assert.equal(setupClaim(actor.context), "setup/7/PAPER/B-1");
    assert.deepEqual(setupSnapshot.parse(JSON.parse(JSON.stringify(actor.context))), actor.context);
  });

  test("waits on while its order is open or filled in part, and hears of no other order", () => {
    const actor = given();
    assert.deepEqual(update(actor, { orderStatus: 0, filledQuantity: 0 }), []);
    assert.deepEqual(update(actor, { orderStatus: 1, filledQuantity: 4 }), []);
    assert.deepEqual(update(actor, { orderNo: "B-2" }), []);
    assert.deepEqual(update(actor, { averagePrice: 0 }), [], "completed, and no price told");
    assert.equal(actor.state, "registered");
    assert.deepEqual([actor.facts.claims.length, actor.context.outcome], [1, null]);
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

  test("takes another plan while it waits for its order, and never while it converts or once it is over", () => {
    const plan = { stopLoss: { quantity: 8, price: 9_000 }, takeProfits: [{ quantity: 8, percent: 4 }] };
    const terms = { ...plan, dueAtMs: 9_000, notes: null, tickTable: "BIST" } as const;
    const change = { type: "changePlan", plan: terms, timeMs: 2_000 } as const;
    const actor = given();
    const { buy } = actor.context;
    assert.deepEqual(actor.send(change), [{ type: "emit", event: "setup.changed", data: {} }]);
    assert.equal(actor.state, "registered");
    assert.deepEqual([actor.context.stopLoss, actor.context.notes], [plan.stopLoss, null]);
    assert.deepEqual([actor.context.changes, actor.context.buy], [1, buy]);
    assert.equal(actor.facts.deadlineMs, 9_000);
    setupSnapshot.parse(actor.context);
    update(actor, { orderStatus: 2, averagePrice: 100, filledQuantity: 10 });
    assert.equal(actor.state, "converting");
    assert.deepEqual(actor.send(change), []);
    actor.send({ type: "groupOpened", groupId: 40, timeMs: 2_001 });
    assert.deepEqual(actor.send(change), []);
    assert.equal(actor.context.changes, 1);
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

  const strangers: readonly (readonly [string, Partial<OrderNotice>])[] = [
    ["of another symbol", { symbol: "OTHER" }],
    ["to sell", { buySell: 2 }],
    ["of another day", { createdDate: "2025-12-30T00:00:00Z", filledQuantity: 7, quantity: 7 }],
  ];
  for (const [what, record] of strangers) {
    test(`an order ${what} under the same number is another order, whatever its status (behaviour 13.1)`, () => {
      for (const orderStatus of [1, 2, 3, 4]) {
        const actor = given();
        const [effect, ...others] = told(actor, { orderStatus, ...record }, {});
        assert.deepEqual(others, []);
        assert.deepEqual(effect?.type === "tell" && effect.facts, [{ type: "ignored", orderNo: "B-1" }]);
        assert.deepEqual([actor.state, actor.context.outcome], ["registered", null]);
      }
    });
  }

  test("a look-up that finds another order found nothing: twice, 30 s apart, and its owner is told (behaviour 5.8)", () => {
    const actor = given();
    const other = { symbol: "OTHER" };
    assert.deepEqual(update(actor, other, { isLookedUp: false, timeMs: 2_000 }), []);
    assert.deepEqual(update(actor, other, { isLookedUp: false, timeMs: 31_999 }), []);
    const [lost] = update(actor, other, { isLookedUp: false, timeMs: 32_000 });
    assert.ok(lost?.type === "emit" && lost.event === "setup.orderLost");
    assert.match(String(lost.data.message), /does not know order B-1 any more/);
    assert.deepEqual([actor.state, actor.facts.follows[0]?.isInDoubt], ["registered", undefined]);
    const effects = update(actor, {}, { timeMs: 40_000 });
    assert.deepEqual(
      effects.map((effect) => (effect.type === "emit" ? effect.event : effect.type)),
      ["setup.orderFound", "openGroup"],
    );
  });

  test("levels that are no prices end it as conversionFailed", () => {
    const actor = given();
    const [effect, ...others] = update(actor, { averagePrice: 0.01 });
    assert.deepEqual(others, []);
    assert.ok(effect?.type === "emit" && effect.event === "setup.conversionFailed");
    assert.match(String(effect.data.reason), /gives no price/);
    assert.equal(actor.state, "conversionFailed");
  });

  test("a limit buy filled above its limit has no price yet (behaviour 13.4)", () => {
    const actor = given();
    assert.deepEqual(update(actor, { averagePrice: 10_000 }), []);
    assert.equal(actor.state, "registered");
    assert.equal(actor.facts.deadlineMs, 3_000, "it is asked for again");
    assert.deepEqual(
      actor.send({ type: "deadline", timeMs: 3_000 }).map(({ type }) => type),
      ["tell"],
    );
    const [effect] = update(actor, { averagePrice: 99 }, { isLookedUp: true });
    assert.equal(effect?.type, "openGroup");
  });

  test("completed with a part of what was ordered makes a group of it, once that is confirmed (behaviour 5.2)", () => {
    const [effect] = end(given(), { orderStatus: 2, filledQuantity: 4, quantity: 10 });
    assert.equal(effect?.type, "openGroup");
  });

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
        assert.deepEqual(end(actor, { orderStatus, filledQuantity }), [
          {
            type: "emit",
            event: "setup.removed",
            data: { isPartFilled: filledQuantity > 0, isByOwner: false, timeMs: 2_000 },
          },
        ]);
        assert.equal(actor.state, "orderEnded", "a late fill would count");
        assert.deepEqual(actor.facts.claims, []);
        let askedMs = 0;
        for (let asks = 0; !actor.isDone && asks < 100; asks += 1) {
          askedMs = actor.facts.deadlineMs ?? assert.fail("it is asked again");
          actor.send({ type: "deadline", timeMs: askedMs });
        }
        assert.equal(actor.state, "removed");
        assert.ok(askedMs >= 24 * 3_600_000, "for a day without an answer");
        assert.deepEqual([actor.facts.follows, actor.facts.deadlineMs], [[], null]);
      }
    });
  }

  test("an order that is filled after its end makes its group after all (behaviour 5.7)", () => {
    const actor = given();
    end(actor, { orderStatus: 3, filledQuantity: 0 });
    actor.reload();
    const effects = told(actor, { orderStatus: 3, filledQuantity: 10, averagePrice: 100 }, { timeMs: 600_000 });
    const facts = effects.flatMap((effect) => (effect.type === "tell" ? effect.facts.map(({ type }) => type) : []));
    assert.deepEqual(facts, ["filledAfterEnd"]);
    assert.equal(effects.at(-1)?.type, "openGroup");
    assert.deepEqual([actor.state, actor.facts.claims.length], ["converting", 1]);
    actor.send({ type: "groupOpened", groupId: 40, timeMs: 600_000 });
    assert.deepEqual(actor.context.outcome, { type: "converted", groupId: 40, timeMs: 600_000 });
  });

  test("filled after its end without a price, it is asked for ten minutes at most, then no group is made (13.7)", () => {
    const actor = given();
    end(actor, { orderStatus: 3, filledQuantity: 0 });
    const unpriced = { orderStatus: 2, averagePrice: 0 };
    const first = told(actor, unpriced, { timeMs: 600_000 });
    assert.deepEqual(
      first.flatMap((effect) => (effect.type === "tell" ? effect.facts.map(({ type }) => type) : [])),
      ["contradicted"],
    );
    actor.reload();
    let effects: readonly Effect[] = [];
    let askCount = 0;
    while (!actor.isDone && askCount < 30) {
      const timeMs = actor.facts.deadlineMs ?? assert.fail("it is asked again");
      effects = actor.send({ type: "deadline", timeMs });
      if (!actor.isDone) update(actor, unpriced, { timeMs });
      askCount += 1;
    }
    assert.ok(askCount < 20, String(askCount));
    const failed = effects.find(({ type }) => type === "emit");
    assert.ok(failed?.type === "emit" && failed.event === "setup.conversionFailed");
    assert.equal(failed.data.reason, "the brokerage reported no price of the fill");
    const facts = effects.flatMap((effect) => (effect.type === "tell" ? effect.facts : []));
    assert.deepEqual(
      facts.map(({ type }) => type),
      ["filledAfterEnd"],
    );
  });

  test("a part that is filled after the end is reported and makes no group", () => {
    const actor = given();
    end(actor, { orderStatus: 3, filledQuantity: 0 });
    const [effect, ...others] = told(actor, { orderStatus: 3, filledQuantity: 4 }, { timeMs: 600_000 });
    assert.ok(effect?.type === "tell" && effect.facts[0]?.type === "filledAfterEnd");
    assert.deepEqual([others, actor.state], [[], "orderEnded"]);
  });

  for (const [what, hearing, reason] of [
    ["on a later day", { timeMs: 86_400_001 }, /a later day/],
    ["once its number is registered again", { timeMs: 600_000, mayReclaim: false }, /registered again/],
  ] as const) {
    test(`filled after its end ${what}, it says that no group was made`, () => {
      const actor = given();
      end(actor, { orderStatus: 4, filledQuantity: 0 });
      const [effect] = update(actor, { orderStatus: 2 }, hearing);
      assert.ok(effect?.type === "emit" && effect.event === "setup.conversionFailed");
      assert.match(String(effect.data.reason), reason);
      assert.ok(actor.isDone);
    });
  }

  test("the day of a late fill is that of the exchange (behaviour 21.2)", () => {
    const filled = (zone: string) => {
      const actor = given();
      end(actor, { orderStatus: 4, filledQuantity: 0 });
      const market = { zone, calendar: undefined, order: "market" } as const;
      return update(actor, { orderStatus: 2 }, { timeMs: 22 * 3_600_000, market }).map(({ type }) => type);
    };
    // Midnight in Istanbul was 22:00 UTC.
    assert.ok(!filled("Europe/Istanbul").includes("openGroup"));
    assert.ok(filled("UTC").includes("openGroup"));
  });

  test("its owner can give up the late fills of an order that ended", () => {
    const actor = given();
    end(actor, { orderStatus: 3, filledQuantity: 0 });
    const [effect] = actor.send({ type: "remove", timeMs: 3_000 });
    assert.deepEqual(effect?.type === "emit" && effect.data, { isPartFilled: false, isByOwner: true, timeMs: 3_000 });
    assert.ok(actor.isDone);
  });

  test("answers about a group that was not asked for change nothing", () => {
    const actor = given();
    assert.deepEqual(actor.send({ type: "groupOpened", groupId: 1, timeMs: 1 }), []);
    assert.deepEqual(actor.send({ type: "groupRefused", message: "no", timeMs: 1 }), []);
    assert.equal(actor.state, "registered");
  });
});
