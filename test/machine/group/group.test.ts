import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ACTIVE, CANCELLED, TRIGGER_FAILED, TRIGGERED } from "../../../src/domain/oco/group.ts";
import { type GroupEvent, groupClaim } from "../../../src/machine/group.ts";
import { CREATED_MS, DUE_MS } from "./group-samples.ts";
import { events, given, placed, reach, refused, sells, statuses, told, watched } from "./group-steps.ts";

const STOP_LOSS = 0;

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
    assert.deepEqual(watched(actor), [STOP_LOSS], "the stop-loss stays armed (behaviour 4.3)");
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
    assert.deepEqual(watched(actor), [], "take-profits are out of the watch in the same instant (behaviour 4.4)");
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
    placed(actor, "r10", 6);
    told(actor, "r10", { orderStatus: 2, filledQuantity: 6 });
    const effects = refused(actor, "r10-11");
    assert.deepEqual(events(effects), ["oco.triggerFailed 0"]);
    assert.equal(actor.context.rows[0]?.status, TRIGGERED);
    assert.equal(actor.state, "closed");
  });

  test("a refused extra sell where nothing of the stop-loss was sold: its take-profits are watched again", () => {
    for (const mayReclaim of [true, false]) {
      const actor = given({ hasOversellGuard: true, exitPolicy: "once" });
      reach(actor, 110);
      reach(actor, 90);
      refused(actor, "r11");
      placed(actor, "r10", 6);
      told(actor, "r10", { orderStatus: 3, filledQuantity: 0 });
      const effects = refused(actor, "r10-11", mayReclaim);
      assert.deepEqual(events(effects), ["oco.triggerFailed 0", ...(mayReclaim ? ["oco.rearmed 2"] : [])]);
      assert.deepEqual(statuses(actor), [TRIGGER_FAILED, TRIGGER_FAILED, mayReclaim ? ACTIVE : CANCELLED]);
    }
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
