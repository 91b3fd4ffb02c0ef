import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ACTIVE, CANCELLED, type OcoGroup, TRIGGER_FAILED, TRIGGERED } from "../../src/domain/oco.ts";
import type { Effect } from "../../src/machine/effect.ts";
import { type GroupEvent, groupClaim } from "../../src/machine/group.ts";
import type { TestActor } from "./actor.ts";
import { CREATED_MS, DUE_MS, groupActor, sampleGroup } from "./group-samples.ts";

type Actor = TestActor<OcoGroup, GroupEvent>;

const STOP_LOSS = 0;

function given(options: Parameters<typeof sampleGroup>[0] = {}): Actor {
  return groupActor(sampleGroup(options));
}

function reach(actor: Actor, price: number, timeMs = 2_000): readonly Effect[] {
  return actor.send({ type: "priceReached", watches: actor.reachedBy("ACME", price), price, timeMs });
}

/** The brokerage took it; it has completed, but where `quantity` tells how many lots it is still to sell. */
function placed(actor: Actor, name: string, quantity?: number): readonly Effect[] {
  const orderStatus = quantity === undefined ? 2 : 1;
  const order = { orderNo: `B-${name}`, orderStatus, quantity: quantity ?? 0 };
  return actor.send({ type: "orderPlaced", name, ...order, timeMs: 3_000 });
}

interface End {
  readonly orderStatus: number;
  readonly filledQuantity: number;
  readonly message?: string;
  readonly symbol?: string;
  readonly mayReclaim?: boolean;
  readonly timeMs?: number;
}

/** The brokerage tells how an order ended, or goes on. */
function told(actor: Actor, name: string, { mayReclaim = true, timeMs = 4_000, ...end }: End): readonly Effect[] {
  const record = { orderNo: `B-${name}`, symbol: "ACME", buySell: 2 as const, averagePrice: 90, ...end };
  return actor.send({ type: "orderUpdated", record, timeMs, mayReclaim });
}

function refused(actor: Actor, name: string): readonly Effect[] {
  return actor.send({ type: "orderRefused", name, message: "no such position", timeMs: 3_000 });
}

/** The sells among effects, as `name quantity urgency`. */
function sells(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => {
    if (effect.type !== "submit") return [];
    assert.equal(effect.symbol, "ACME");
    assert.equal(effect.buySell, 2);
    return [`${effect.name} ${effect.quantity} ${effect.urgency}`];
  });
}

/** The events among effects, as `type row`. */
function events(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.type === "emit" ? [`${effect.event} ${effect.data.row}`] : []));
}

function statuses(actor: Actor): number[] {
  return actor.context.rows.map((row) => row.status);
}

function watched(actor: Actor): number[] {
  return actor.facts.watches.map(({ watch }) => watch);
}

describe("take-profits", () => {
  test("tiers fire one by one, each for its own quantity, and the others stay under watch", () => {
    const actor = given();
    assert.deepEqual(actor.facts.watches, [
      { watch: 0, symbol: "ACME", side: "below", level: 9_000 },
      { watch: 1, symbol: "ACME", side: "above", level: 11_000 },
      { watch: 2, symbol: "ACME", side: "above", level: 12_000 },
    ]);
    assert.deepEqual(sells(reach(actor, 110.5)), ["r11 4 triggered"]);
    assert.deepEqual(statuses(actor), [ACTIVE, ACTIVE, ACTIVE], "a row in flight shows Active");
    assert.deepEqual(watched(actor), [0, 2]);
    assert.deepEqual(events(placed(actor, "r11")), ["oco.triggered 1"]);
    assert.deepEqual(statuses(actor), [ACTIVE, TRIGGERED, ACTIVE]);
    assert.deepEqual(sells(reach(actor, 120)), ["r12 6 triggered"]);
    placed(actor, "r12");
    assert.deepEqual(statuses(actor), [ACTIVE, TRIGGERED, TRIGGERED]);
    assert.deepEqual(watched(actor), [STOP_LOSS], "the stop-loss stays armed (decisions 4.3)");
    assert.equal(actor.state, "watching");
  });

  test("a price over several tiers fires all of them, lowest price first", () => {
    const actor = given();
    assert.deepEqual(sells(reach(actor, 125)), ["r11 4 triggered", "r12 6 triggered"]);
    assert.deepEqual(watched(actor), [STOP_LOSS]);
  });

  test("what fired a row is the live price and the moment, not the level", () => {
    const actor = given();
    reach(actor, 110.37, 2_345);
    const row = actor.context.rows[1];
    assert.deepEqual([row?.triggeredPrice, row?.triggeredAtMs, row?.updatedAtMs], [110.37, 2_345, null]);
    placed(actor, "r11");
    assert.equal(actor.context.rows[1]?.updatedAtMs, 3_000);
  });

  test("a refused take-profit alone becomes TriggerFailed and never fires again", () => {
    const actor = given();
    reach(actor, 110);
    assert.deepEqual(events(refused(actor, "r11")), ["oco.triggerFailed 1"]);
    assert.deepEqual(statuses(actor), [ACTIVE, TRIGGER_FAILED, ACTIVE]);
    assert.equal(actor.context.rows[1]?.triggerErrorMessage, "no such position");
    assert.deepEqual(watched(actor), [0, 2]);
    const stale: GroupEvent = { type: "priceReached", watches: [1], price: 115, timeMs: 4_000 };
    assert.deepEqual(actor.send(stale), []);
  });

  test("a row that is reached twice, or by a queued price, sells once", () => {
    const actor = given();
    reach(actor, 110);
    const again: GroupEvent = { type: "priceReached", watches: [1], price: 111, timeMs: 2_001 };
    assert.deepEqual(actor.send(again), []);
    placed(actor, "r11");
    assert.deepEqual(actor.send(again), []);
    assert.equal(actor.context.rows[1]?.triggeredPrice, 110);
  });
});

describe("the stop-loss", () => {
  test("on a gap far under the level it sells its own quantity, then cancels the take-profits", () => {
    const actor = given();
    assert.deepEqual(sells(reach(actor, 42)), ["r10 10 stopLoss"]);
    assert.equal(actor.state, "stopping");
    assert.deepEqual(watched(actor), [], "take-profits are out of the watch in the same instant (decisions 4.4)");
    assert.deepEqual(statuses(actor), [ACTIVE, ACTIVE, ACTIVE]);
    assert.deepEqual(events(placed(actor, "r10")), ["oco.triggered 0", "oco.cancelled 1", "oco.cancelled 2"]);
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
    assert.equal(actor.context.rows[0]?.triggeredPrice, 42);
    assert.equal(actor.state, "closed");
    assert.ok(actor.isDone);
    assert.deepEqual(actor.facts.claims, []);
  });

  test("sells the whole stop-loss quantity whatever take-profits have sold, without the guard", () => {
    const actor = given();
    reach(actor, 110);
    placed(actor, "r11");
    assert.deepEqual(sells(reach(actor, 89)), ["r10 10 stopLoss"]);
  });

  test("refused, it becomes TriggerFailed and the take-profits go back under watch", () => {
    const actor = given();
    reach(actor, 90);
    assert.deepEqual(events(refused(actor, "r10")), ["oco.triggerFailed 0"]);
    assert.deepEqual(statuses(actor), [TRIGGER_FAILED, ACTIVE, ACTIVE]);
    assert.equal(actor.state, "watching");
    assert.deepEqual(watched(actor), [1, 2]);
    assert.deepEqual(sells(reach(actor, 110)), ["r11 4 triggered"]);
  });

  test("while it is on its way no take-profit fires", () => {
    const actor = given();
    reach(actor, 90);
    const queued: GroupEvent = { type: "priceReached", watches: [1, 2], price: 130, timeMs: 2_001 };
    assert.deepEqual(actor.send(queued), []);
    assert.deepEqual(statuses(actor), [ACTIVE, ACTIVE, ACTIVE]);
  });

  test("reached together with a take-profit, only the stop-loss fires", () => {
    const actor = given();
    const both: GroupEvent = { type: "priceReached", watches: [1, 0], price: 90, timeMs: 2_000 };
    assert.deepEqual(sells(actor.send(both)), ["r10 10 stopLoss"]);
  });

  test("a take-profit on its way when it fires is settled by its own answer", () => {
    const actor = given();
    reach(actor, 110);
    reach(actor, 90);
    placed(actor, "r10");
    assert.deepEqual(statuses(actor), [TRIGGERED, ACTIVE, CANCELLED]);
    assert.ok(!actor.isDone);
    placed(actor, "r11");
    assert.deepEqual(statuses(actor), [TRIGGERED, TRIGGERED, CANCELLED]);
    assert.equal(actor.state, "closed");
  });

  test("a second answer to the same sell changes nothing", () => {
    const actor = given();
    reach(actor, 90);
    refused(actor, "r10");
    const settled = JSON.stringify(actor.context);
    assert.deepEqual([...placed(actor, "r10"), ...refused(actor, "r10"), ...placed(actor, "r99")], []);
    assert.equal(JSON.stringify(actor.context), settled);
  });
});

describe("cancelling", () => {
  test("an idle group is cancelled whole and closes", () => {
    const actor = given();
    const effects = actor.send({ type: "cancel", timeMs: 2_500 });
    assert.deepEqual(events(effects), ["oco.cancelled 0", "oco.cancelled 1", "oco.cancelled 2"]);
    assert.deepEqual(statuses(actor), [CANCELLED, CANCELLED, CANCELLED]);
    assert.deepEqual(
      actor.context.rows.map((row) => row.updatedAtMs),
      [2_500, 2_500, 2_500],
    );
    assert.equal(actor.state, "closed");
  });

  test("a row in flight is not cancelled: its answer still counts", () => {
    const actor = given();
    reach(actor, 110);
    actor.send({ type: "cancel", timeMs: 2_500 });
    assert.deepEqual(statuses(actor), [CANCELLED, ACTIVE, CANCELLED]);
    assert.ok(!actor.isDone);
    assert.deepEqual(watched(actor), []);
    placed(actor, "r11");
    assert.deepEqual(statuses(actor), [CANCELLED, TRIGGERED, CANCELLED]);
    assert.equal(actor.state, "closed");
  });

  test("while the stop-loss is on its way take-profits are cancelled and stay so when it is refused", () => {
    const actor = given();
    reach(actor, 90);
    actor.send({ type: "cancel", timeMs: 2_500 });
    assert.deepEqual(statuses(actor), [ACTIVE, CANCELLED, CANCELLED]);
    assert.equal(actor.state, "stopping");
    refused(actor, "r10");
    assert.deepEqual(statuses(actor), [TRIGGER_FAILED, CANCELLED, CANCELLED]);
    assert.equal(actor.state, "closed");
  });

  test("a closed group hears nothing", () => {
    const actor = given();
    actor.send({ type: "cancel", timeMs: 2_500 });
    assert.deepEqual(actor.send({ type: "cancel", timeMs: 2_600 }), []);
    assert.deepEqual(reach(actor, 90), []);
  });
});

describe("the due date", () => {
  test("cancels Active rows at its moment", () => {
    const actor = given({ dueAtMs: DUE_MS });
    assert.equal(actor.facts.deadlineMs, DUE_MS);
    assert.deepEqual(actor.send({ type: "deadline", timeMs: DUE_MS - 1 }), []);
    assert.equal(actor.send({ type: "deadline", timeMs: DUE_MS }).length, 3);
    assert.deepEqual(statuses(actor), [CANCELLED, CANCELLED, CANCELLED]);
    assert.equal(actor.context.rows[0]?.updatedAtMs, DUE_MS);
    assert.equal(actor.state, "closed");
  });

  test("a price at or after it fires nothing, one before it does", () => {
    const late = given({ dueAtMs: DUE_MS });
    assert.deepEqual(reach(late, 90, DUE_MS), []);
    assert.deepEqual(reach(late, 110, DUE_MS + 1), []);
    assert.deepEqual(sells(reach(given({ dueAtMs: DUE_MS }), 90, DUE_MS - 1)), ["r10 10 stopLoss"]);
  });

  test("passes while the stop-loss is on its way: its answer still counts", () => {
    const actor = given({ dueAtMs: DUE_MS });
    reach(actor, 90);
    actor.send({ type: "deadline", timeMs: DUE_MS });
    assert.deepEqual(statuses(actor), [ACTIVE, CANCELLED, CANCELLED]);
    assert.equal(actor.facts.deadlineMs, null);
    placed(actor, "r10");
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
  });
});

describe("the oversell guard", () => {
  test("the stop-loss sells only what take-profits have not sold", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 110);
    placed(actor, "r11");
    assert.deepEqual(sells(reach(actor, 90)), ["r10 6 stopLoss"]);
  });

  test("the stop-loss is cancelled when take-profits have sold everything", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 125);
    placed(actor, "r11");
    assert.deepEqual(events(placed(actor, "r12")), ["oco.triggered 2", "oco.cancelled 0"]);
    assert.deepEqual(statuses(actor), [CANCELLED, TRIGGERED, TRIGGERED]);
    assert.equal(actor.state, "closed");
  });

  test("a take-profit on its way counts as sold; refused, the stop-loss sells its quantity too", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 110);
    assert.deepEqual(sells(reach(actor, 90)), ["r10 6 stopLoss"]);
    const effects = refused(actor, "r11");
    assert.deepEqual(sells(effects), ["r10-11 4 stopLoss"]);
    assert.deepEqual(events(effects), ["oco.triggerFailed 1"]);
    placed(actor, "r10");
    assert.deepEqual(statuses(actor), [TRIGGERED, TRIGGER_FAILED, CANCELLED]);
    assert.ok(!actor.isDone, "the extra sell is not answered");
    placed(actor, "r10-11");
    assert.equal(actor.state, "closed");
  });

  test("a refused extra sell is told when the stop-loss was sold before", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 110);
    reach(actor, 90);
    refused(actor, "r11");
    placed(actor, "r10");
    const effects = refused(actor, "r10-11");
    assert.deepEqual(events(effects), ["oco.triggerFailed 0"]);
    assert.equal(actor.context.rows[0]?.status, TRIGGERED);
    assert.equal(actor.state, "closed");
  });

  test("a refused part is told also when another part of the stop-loss still waits, and is sold", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 110);
    reach(actor, 90);
    refused(actor, "r11");
    assert.deepEqual(events(refused(actor, "r10")), ["oco.triggerFailed 0"]);
    assert.deepEqual(events(placed(actor, "r10-11")).slice(0, 1), ["oco.triggered 0"]);
    assert.equal(actor.context.rows[0]?.status, TRIGGERED);
  });

  test("everything on its way through take-profits: the stop-loss waits, and is cancelled when all are sold", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 125);
    assert.deepEqual(sells(reach(actor, 90)), []);
    assert.equal(actor.state, "stopping");
    placed(actor, "r11");
    placed(actor, "r12");
    assert.deepEqual(statuses(actor), [CANCELLED, TRIGGERED, TRIGGERED]);
    assert.equal(actor.context.rows[0]?.triggeredPrice, null);
    assert.equal(actor.state, "closed");
  });

  test("everything on its way through take-profits: one refused is sold by the stop-loss", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 125);
    reach(actor, 90);
    assert.deepEqual(sells(refused(actor, "r11")), ["r10-11 4 stopLoss"]);
    placed(actor, "r12");
    placed(actor, "r10-11");
    assert.deepEqual(statuses(actor), [TRIGGERED, TRIGGER_FAILED, TRIGGERED]);
    assert.equal(actor.state, "closed");
  });
});

describe("sells that the brokerage took", () => {
  /** The stop-loss was taken with ten lots to sell, and both take-profits are cancelled. */
  function stopped(options: Parameters<typeof sampleGroup>[0] = {}): Actor {
    const actor = given(options);
    reach(actor, 90);
    placed(actor, "r10", 10);
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
    assert.equal(actor.state, "watching");
    assert.deepEqual(actor.facts.follows, [
      { userId: 7, brokerageCode: "PAPER", accountNumber: "A1", orderNo: "B-r10" },
    ]);
    return actor;
  }

  test("one that completes, however late, ends the following and the group", () => {
    const actor = stopped();
    told(actor, "r10", { orderStatus: 1, filledQuantity: 4 });
    assert.equal(actor.facts.follows.length, 1);
    assert.deepEqual(told(actor, "r10", { orderStatus: 2, filledQuantity: 10 }), []);
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
    assert.equal(actor.state, "closed");
  });

  test("a stop-loss of which nothing is sold failed, and its take-profits are back under watch", () => {
    const actor = stopped();
    const effects = told(actor, "r10", { orderStatus: 4, filledQuantity: 0, message: "no such position" });
    assert.deepEqual(statuses(actor), [TRIGGER_FAILED, ACTIVE, ACTIVE]);
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, "no such position");
    assert.deepEqual(events(effects), ["oco.triggerFailed 0", "oco.rearmed 1", "oco.rearmed 2"]);
    assert.deepEqual(watched(actor), [1, 2]);
    assert.equal(actor.facts.armedSinceMs, 4_000);
    assert.equal(actor.facts.claims.length, 1);
    assert.deepEqual(sells(reach(actor, 110, 5_000)), ["r11 4 triggered"]);
  });

  test("take-profits stay cancelled where another group took the place, or the due date has passed", () => {
    for (const end of [{ mayReclaim: false }, { timeMs: DUE_MS }]) {
      const actor = stopped({ dueAtMs: DUE_MS });
      told(actor, "r10", { orderStatus: 3, filledQuantity: 0, ...end });
      assert.deepEqual(statuses(actor), [TRIGGER_FAILED, CANCELLED, CANCELLED]);
      assert.equal(actor.context.rows[0]?.triggerErrorMessage, "cancelled by the brokerage");
      assert.equal(actor.state, "closed");
    }
  });

  test("a take-profit that its owner cancelled does not come back", () => {
    const actor = given();
    reach(actor, 90);
    actor.send({ type: "cancel", timeMs: 2_500 });
    placed(actor, "r10", 10);
    told(actor, "r10", { orderStatus: 3, filledQuantity: 0 });
    assert.deepEqual(statuses(actor), [TRIGGER_FAILED, CANCELLED, CANCELLED]);
  });

  test("a part: the row stays Triggered and says how much was sold and why no more", () => {
    const actor = stopped();
    const effects = told(actor, "r10", { orderStatus: 3, filledQuantity: 4, message: "halted" });
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, "4 of 10 sold: halted");
    assert.deepEqual(events(effects), ["oco.sellIncomplete 0"]);
    assert.equal(actor.state, "closed");
  });

  test("a take-profit alone fails, or says what it sold; the others stay under watch", () => {
    const actor = given();
    reach(actor, 125);
    placed(actor, "r11", 4);
    placed(actor, "r12", 6);
    assert.deepEqual(events(told(actor, "r11", { orderStatus: 3, filledQuantity: 0 })), ["oco.triggerFailed 1"]);
    assert.deepEqual(events(told(actor, "r12", { orderStatus: 4, filledQuantity: 5 })), ["oco.sellIncomplete 2"]);
    assert.deepEqual(statuses(actor), [ACTIVE, TRIGGER_FAILED, TRIGGERED]);
    assert.equal(actor.context.rows[2]?.triggerErrorMessage, "5 of 6 sold: rejected by the brokerage");
    assert.deepEqual(watched(actor), [0]);
  });

  test("an end is told once, and one of another symbol or side is none", () => {
    const actor = stopped();
    told(actor, "r10", { orderStatus: 3, filledQuantity: 0, symbol: "OTHER" });
    assert.equal(actor.facts.follows.length, 1);
    told(actor, "r10", { orderStatus: 2, filledQuantity: 10 });
    assert.deepEqual(told(actor, "r10", { orderStatus: 3, filledQuantity: 0 }), []);
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
  });

  test("guarded: the stop-loss sells what a take-profit took and did not sell, before it fires and after", () => {
    const before = given({ hasOversellGuard: true });
    reach(before, 110);
    placed(before, "r11", 4);
    told(before, "r11", { orderStatus: 3, filledQuantity: 1 });
    assert.deepEqual(sells(reach(before, 90)), ["r10 9 stopLoss"]);

    const after = given({ hasOversellGuard: true });
    reach(after, 110);
    placed(after, "r11", 4);
    assert.deepEqual(sells(reach(after, 90)), ["r10 6 stopLoss"]);
    assert.deepEqual(sells(told(after, "r11", { orderStatus: 3, filledQuantity: 1 })), ["r10-11 3 stopLoss"]);
    placed(after, "r10");
    placed(after, "r10-11");
    assert.deepEqual(statuses(after), [TRIGGERED, TRIGGERED, CANCELLED]);
    assert.equal(after.state, "closed");
  });

  test("guarded: the stop-loss is not over while what took-profit is still to be sold", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 125);
    placed(actor, "r11");
    placed(actor, "r12", 6);
    assert.deepEqual(watched(actor), [0]);
    told(actor, "r12", { orderStatus: 2, filledQuantity: 6 });
    assert.deepEqual(statuses(actor), [CANCELLED, TRIGGERED, TRIGGERED]);
    assert.equal(actor.state, "closed");
  });
});

describe("facts", () => {
  test("a group holds its claim while a row is Active, and counts ticks from its creation", () => {
    const actor = given({ dueAtMs: DUE_MS });
    assert.deepEqual(actor.facts.claims, ["group/7/PAPER/A1/ACME"]);
    assert.equal(groupClaim(actor.context), "group/7/PAPER/A1/ACME");
    assert.equal(actor.facts.armedSinceMs, CREATED_MS);
    assert.deepEqual(actor.facts.follows, []);
    reach(actor, 110);
    actor.send({ type: "cancel", timeMs: 2_500 });
    assert.equal(actor.facts.claims.length, 1, "a row in flight is Active");
    placed(actor, "r11");
    assert.deepEqual(actor.facts.claims, []);
  });
});
