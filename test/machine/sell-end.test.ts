/** Sells that the brokerage took are followed to their end (behaviour 4.5a), with `EXIT_POLICY=once`. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ACTIVE, CANCELLED, TRIGGER_FAILED, TRIGGERED } from "../../src/domain/oco/group.ts";
import { DUE_MS, type sampleGroup } from "./group/group-samples.ts";
import {
  type Actor,
  events,
  given as givenGroup,
  lookOf,
  passHour,
  placed,
  reach,
  sells,
  statuses,
  told,
  watched,
} from "./group/group-steps.ts";

function given(options: Parameters<typeof sampleGroup>[0] = {}): Actor {
  return givenGroup({ exitPolicy: "once", ...options });
}

describe("sells that the brokerage took", () => {
  /** The stop-loss was taken with ten lots to sell, and both take-profits are cancelled. */
  function stopped(options: Parameters<typeof sampleGroup>[0] = {}): Actor {
    const actor = given(options);
    reach(actor, 90);
    placed(actor, "r10", 10);
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
    assert.equal(actor.state, "watching");
    assert.deepEqual(actor.facts.follows, [
      {
        ...{ userId: 7, brokerageCode: "PAPER", accountNumber: "A1", orderNo: "B-r10" },
        ...{ clientOrderId: "4k2j9x1abc-r10", isQuiet: false },
      },
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
      passHour(actor);
      assert.equal(actor.state, "closed");
    }
  });

  test("one that is rejected after a take-profit sold is sent once more with what that one left (behaviour 4.5b)", () => {
    const actor = given({});
    reach(actor, 110);
    placed(actor, "r11", 4);
    told(actor, "r11", { orderStatus: 2, filledQuantity: 4 });
    reach(actor, 90);
    placed(actor, "r10", 10);
    const effects = told(actor, "r10", { orderStatus: 4, filledQuantity: 0, message: "not enough lots" });
    assert.deepEqual(sells(effects), ["r10-10 6 stopLoss"]);
    assert.deepEqual(events(effects), ["oco.sentReduced 0"]);
    placed(actor, "r10-10", 6);
    told(actor, "r10-10", { orderStatus: 2, filledQuantity: 6 });
    assert.deepEqual(statuses(actor), [TRIGGERED, TRIGGERED, CANCELLED]);
    assert.equal(actor.context.stopLossSoldQuantity, 6);
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
    assert.equal(actor.state, "watching", "the brokerage is asked again for an hour");
    passHour(actor);
    assert.equal(actor.state, "closed");
  });

  test("a take-profit that sells more than was ordered, part by part, leaves the guarded stop-loss less", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 110);
    placed(actor, "r11", 4);
    told(actor, "r11", { orderStatus: 1, filledQuantity: 4 });
    told(actor, "r11", { orderStatus: 2, filledQuantity: 6 });
    assert.deepEqual(sells(reach(actor, 90)), ["r10 4 stopLoss"]);
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

  test("an end is told once, and one of another symbol, side or name is none", () => {
    const actor = stopped();
    for (const other of [
      { symbol: "OTHER" },
      { buySell: 1 as const },
      { clientOrderId: "somebody-elses" },
      { clientOrderId: "4k2j9x1abc-r11" },
    ]) {
      assert.deepEqual(told(actor, "r10", { orderStatus: 3, filledQuantity: 0, ...other }), []);
    }
    assert.equal(actor.facts.follows.length, 1);
    told(actor, "r10", { orderStatus: 2, filledQuantity: 10, clientOrderId: "4k2j9x1abc-r10" });
    assert.equal(actor.facts.follows.length, 0);
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
    passHour(after);
    assert.equal(after.state, "closed");
  });

  test("guarded: a stop-loss with several sells says how much of all of them was sold", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 110);
    placed(actor, "r11", 4);
    reach(actor, 90);
    told(actor, "r11", { orderStatus: 3, filledQuantity: 0 });
    placed(actor, "r10", 6);
    placed(actor, "r10-11", 4);
    told(actor, "r10", { orderStatus: 3, filledQuantity: 2, message: "halted" });
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, "2 of 6 sold: halted");
    told(actor, "r10-11", { orderStatus: 3, filledQuantity: 0, message: "halted" });
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, "2 of 10 sold: halted");

    const other = given({ hasOversellGuard: true });
    reach(other, 110);
    placed(other, "r11", 4);
    reach(other, 90);
    told(other, "r11", { orderStatus: 3, filledQuantity: 0 });
    placed(other, "r10", 6);
    placed(other, "r10-11", 4);
    told(other, "r10", { orderStatus: 3, filledQuantity: 2, message: "halted" });
    told(other, "r10-11", { orderStatus: 2, filledQuantity: 4 });
    assert.equal(other.context.rows[0]?.triggerErrorMessage, "6 of 10 sold: halted");

    const atOnce = given({ hasOversellGuard: true });
    reach(atOnce, 110);
    placed(atOnce, "r11", 4);
    reach(atOnce, 90);
    told(atOnce, "r11", { orderStatus: 3, filledQuantity: 0 });
    placed(atOnce, "r10", 6);
    told(atOnce, "r10", { orderStatus: 3, filledQuantity: 2, message: "halted" });
    const completed = { name: "r10-11", orderNo: "B-r10-11", orderStatus: 2, quantity: 4 };
    atOnce.send({ type: "orderPlaced", ...completed, timeMs: 5_000 });
    told(atOnce, "r10-11", { orderStatus: 2, filledQuantity: 4 });
    assert.equal(atOnce.context.rows[0]?.triggerErrorMessage, "6 of 10 sold: halted");
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

  test("completed with a part is an end with a rest: nothing follows before a look-up confirms it (behaviour 13.5)", () => {
    const actor = stopped();
    const record = { orderNo: "B-r10", symbol: "ACME", buySell: 2, orderStatus: 2 } as const;
    const cut = { ...record, filledQuantity: 4, averagePrice: 90 } as const;
    const look = lookOf(actor.send({ type: "orderUpdated", record: cut, timeMs: 4_000 }));
    assert.equal(look, 1);
    actor.send({ type: "orderUpdated", record: cut, look: null, timeMs: 4_100, mayReclaim: true });
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, null, "a round of asking confirms nothing");
    const confirmed = actor.send({ type: "orderUpdated", record: cut, look: 1, timeMs: 4_200, mayReclaim: true });
    assert.deepEqual(events(confirmed), ["oco.sellIncomplete 0"]);
    assert.equal(actor.context.rows[0]?.unsoldQuantity, 6);
  });

  test("what the stop-loss sells after its end is taken from the take-profits, the highest first (behaviour 13.7)", () => {
    const actor = stopped();
    told(actor, "r10", { orderStatus: 3, filledQuantity: 0 });
    assert.deepEqual(statuses(actor), [TRIGGER_FAILED, ACTIVE, ACTIVE]);
    assert.deepEqual(events(told(actor, "r10", { orderStatus: 3, filledQuantity: 5 })), ["oco.reduced 2"]);
    assert.equal(actor.context.rows[2]?.quantity, 1);
    assert.deepEqual(statuses(actor), [TRIGGERED, ACTIVE, ACTIVE]);
    const whole = told(actor, "r10", { orderStatus: 2, filledQuantity: 10 });
    assert.deepEqual(events(whole), ["oco.cancelled 2", "oco.cancelled 1"]);
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
    assert.equal(actor.state, "closed");
    assert.equal(actor.context.stopLossSoldQuantity, 10);
  });

  test("a take-profit that fills after its end counts in what is left", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 110);
    placed(actor, "r11", 4);
    told(actor, "r11", { orderStatus: 3, filledQuantity: 0 });
    assert.equal(actor.context.rows[1]?.status, TRIGGER_FAILED);
    told(actor, "r11", { orderStatus: 2, filledQuantity: 4 });
    assert.equal(actor.context.rows[1]?.status, TRIGGERED);
    assert.deepEqual(sells(reach(actor, 90)), ["r10 6 stopLoss"]);
  });

  test("a replaced sell is followed, and its old number's end brings no take-profit back (behaviour 13.1)", () => {
    const actor = stopped();
    const named = { symbol: "ACME", buySell: 2, clientOrderId: "4k2j9x1abc-r10", averagePrice: 90 } as const;
    const ended = { ...named, orderNo: "B-r10", orderStatus: 3, filledQuantity: 0 };
    const look = lookOf(actor.send({ type: "orderUpdated", record: ended, timeMs: 4_000 })) ?? 0;
    const newOne = { ...named, orderNo: "R-2", orderStatus: 1, filledQuantity: 0 };
    actor.send({ type: "orderUpdated", record: newOne, look, timeMs: 4_100, mayReclaim: true });
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
    assert.deepEqual(
      actor.facts.follows.map(({ orderNo, clientOrderId, isQuiet }) => [orderNo, clientOrderId, isQuiet]),
      [
        ["B-r10", null, true],
        ["R-2", "4k2j9x1abc-r10", false],
      ],
    );
    actor.send({ type: "orderUpdated", record: { ...newOne, orderStatus: 2, filledQuantity: 10 }, timeMs: 4_200 });
    assert.equal(actor.state, "closed");
  });

  test("an order that the brokerage forgot is in doubt, and its row says so (behaviour 13.6)", () => {
    const actor = stopped();
    const missing = { type: "orderMissing", orderNo: "B-r10", answer: "notFound" } as const;
    actor.send({ ...missing, timeMs: 10_000 });
    actor.send({ ...missing, timeMs: 40_000 });
    assert.match(actor.context.rows[0]?.triggerErrorMessage ?? "", /^order B-r10 is in doubt, 0 of 10 known as filled/);
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
    const fill = { quantity: 4, price: 90 };
    actor.send({ type: "orderDecided", orderNo: "B-r10", fill, timeMs: 50_000, mayReclaim: true });
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, "4 of 10 sold: settled by an operator");
  });

  test("guarded: a row with an order in doubt says so, though a part is refused or filled late (behaviour 13.6)", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 110);
    placed(actor, "r11", 4);
    reach(actor, 90);
    told(actor, "r11", { orderStatus: 3, filledQuantity: 0 });
    placed(actor, "r10", 6);
    for (const timeMs of [10_000, 40_000]) {
      actor.send({ type: "orderMissing", orderNo: "B-r10", answer: "notFound", timeMs });
    }
    const doubt = actor.context.rows[0]?.triggerErrorMessage ?? "";
    assert.match(doubt, /^order B-r10 is in doubt/);
    placed(actor, "r10-11", 4);
    told(actor, "r10-11", { orderStatus: 3, filledQuantity: 0, timeMs: 50_000 });
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, doubt);
    told(actor, "r10-11", { orderStatus: 3, filledQuantity: 1, timeMs: 51_000 });
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, doubt);
    const changes = actor.context.changes;
    actor.send({ type: "orderMissing", orderNo: "B-r10", answer: "notFound", timeMs: 90_000 });
    assert.equal(actor.context.changes, changes, "the version stays");
    told(actor, "r10", { orderStatus: 2, filledQuantity: 6, timeMs: 95_000 });
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, "7 of 10 sold");
  });

  test("guarded: a late fill of one of two failed orders leaves the lots of the other to be told (behaviour 13.7)", () => {
    const actor = given({ hasOversellGuard: true, exitPolicy: "untilSold" });
    reach(actor, 110);
    placed(actor, "r11", 4);
    reach(actor, 90);
    told(actor, "r11", { orderStatus: 3, filledQuantity: 0 });
    placed(actor, "r10", 6);
    actor.send({ type: "orderRefused", name: "r10-11", message: "no", quantity: 4, timeMs: 5_000, mayReclaim: true });
    told(actor, "r10", { orderStatus: 4, filledQuantity: 0, timeMs: 6_000 });
    assert.equal(statuses(actor)[0], TRIGGER_FAILED);
    told(actor, "r10", { orderStatus: 2, filledQuantity: 6, timeMs: 7_000 });
    assert.equal(actor.context.rows[0]?.unsoldQuantity, 4);
    assert.match(actor.context.rows[0]?.triggerErrorMessage ?? "", /^6 of 10 sold/);
  });

  test("guarded: a row whose order is found again still says that a part was refused (behaviour 4.5a)", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 110);
    placed(actor, "r11", 4);
    reach(actor, 90);
    told(actor, "r11", { orderStatus: 3, filledQuantity: 0 });
    placed(actor, "r10", 6);
    actor.send({ type: "orderRefused", name: "r10-11", message: "no", quantity: 4, timeMs: 5_000, mayReclaim: true });
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, "0 of 4 sold: no");
    const missing = { type: "orderMissing", orderNo: "B-r10", answer: "notFound" } as const;
    actor.send({ ...missing, timeMs: 10_000 });
    actor.send({ ...missing, timeMs: 40_000 });
    assert.match(actor.context.rows[0]?.triggerErrorMessage ?? "", /is in doubt/);
    told(actor, "r10", { orderStatus: 1, filledQuantity: 0, timeMs: 50_000 });
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, "0 of 4 sold");
    told(actor, "r10", { orderStatus: 2, filledQuantity: 6, timeMs: 60_000 });
    assert.equal(actor.context.rows[0]?.triggerErrorMessage, "6 of 10 sold");
  });
});
