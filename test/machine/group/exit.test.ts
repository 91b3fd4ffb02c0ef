/** How a fired stop-loss is sold until its last lot is sold (behaviour 14). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { packGroup, parseGroup } from "../../../src/contract/stored/snapshot.ts";
import { ACTIVE, CANCELLED, TRIGGER_FAILED, TRIGGERED } from "../../../src/domain/oco/group.ts";
import type { Effect } from "../../../src/machine/effect.ts";
import {
  type Actor,
  ended,
  events,
  given,
  lookOf,
  passHour,
  placed,
  reach,
  sells,
  statuses,
  stopped,
  told,
} from "./group-steps.ts";

const DAY_MS = 86_400_000;

/** With the oversell guard, a take-profit of four lots and then the stop-loss with the other six have open orders. */
function bothSelling(): Actor {
  const actor = given({ hasOversellGuard: true });
  reach(actor, 110);
  reach(actor, 90);
  placed(actor, "r10", 6);
  placed(actor, "r11", 4);
  return actor;
}

function messageOf({ context }: Actor): string | null | undefined {
  return context.rows[0]?.triggerErrorMessage;
}

/** The moment that the exit waits for comes. Orders that ended are asked for at moments of their own. */
function passPause(actor: Actor): readonly Effect[] {
  const nextAtMs = actor.context.exit?.pursuit?.nextAtMs;
  assert.ok(typeof nextAtMs === "number");
  return actor.send({ type: "deadline", timeMs: nextAtMs });
}

function cancels(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => {
    if (effect.type === "cancelOrder") return [`cancel ${effect.orderNo}`];
    return effect.type === "withdraw" ? [`withdraw ${effect.name}`] : [];
  });
}

describe("a stop-loss whose order ended with a rest", () => {
  test("goes on with what is left under a name of its own, and its take-profits stay cancelled", () => {
    const actor = stopped();
    const effects = ended(actor, "r10", 3);
    assert.deepEqual(sells(effects), ["r10-n2 7 stopLoss"]);
    assert.deepEqual(events(effects), ["oco.exitContinues 0"]);
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
    assert.equal(messageOf(actor), "3 of 10 sold, selling the rest");
    placed(actor, "r10-n2", 7);
    const last = told(actor, "r10-n2", { orderStatus: 2, filledQuantity: 7 });
    assert.deepEqual(events(last), ["oco.exitCompleted 0"]);
    assert.equal(messageOf(actor), null);
    assert.equal(actor.context.stopLossSoldQuantity, 10);
    passHour(actor);
    assert.equal(actor.state, "closed");
  });

  test("goes on where nothing was sold at all", () => {
    const actor = stopped();
    assert.deepEqual(sells(ended(actor, "r10", 0)), ["r10-n2 10 stopLoss"]);
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
    assert.equal(messageOf(actor), "0 of 10 sold, selling the rest");
  });

  test("waits 0, 1, 5 and 30 s and then a minute before the next order", () => {
    const actor = stopped();
    let timeMs = 4_000;
    const pauses: number[] = [];
    for (let number = 1; number <= 7; number += 1) {
      const name = number === 1 ? "r10" : `r10-n${number}`;
      if (number > 1) placed(actor, name, 10);
      ended(actor, name, 0, { timeMs });
      const nextAtMs = actor.context.exit?.pursuit?.nextAtMs ?? timeMs;
      pauses.push(nextAtMs - timeMs);
      if (nextAtMs > timeMs) {
        assert.deepEqual(sells(actor.send({ type: "deadline", timeMs: nextAtMs - 1 })), []);
        assert.deepEqual(sells(passPause(actor)), [`r10-n${number + 1} 10 stopLoss`]);
      }
      timeMs = nextAtMs;
    }
    assert.deepEqual(pauses, [0, 1_000, 5_000, 30_000, 60_000, 60_000, 60_000]);
  });

  test("sends no second order before a look-up confirms the end, and none while the order is in doubt", () => {
    const actor = stopped();
    const record = { orderNo: "B-r10", symbol: "ACME", buySell: 2, orderStatus: 3, filledQuantity: 3 } as const;
    const reported = actor.send({ type: "orderUpdated", record: { ...record, averagePrice: 90 }, timeMs: 4_000 });
    assert.deepEqual(sells(reported), []);
    assert.notEqual(lookOf(reported), undefined);
    actor.send({ type: "orderMissing", orderNo: "B-r10", answer: "unknown", timeMs: 5_000 });
    assert.match(messageOf(actor) ?? "", /in doubt/);
    for (const timeMs of [6_000, 60_000, DAY_MS]) assert.deepEqual(sells(actor.send({ type: "deadline", timeMs })), []);
    const fill = { quantity: 3, price: 90 };
    const settled = actor.send({ type: "orderDecided", orderNo: "B-r10", fill, timeMs: DAY_MS });
    assert.deepEqual(sells(settled), ["r10-n2 7 stopLoss"]);
  });

  test("is not pursued where its owner ended the order, or the brokerage rejected it", () => {
    for (const end of [{ endedBy: "owner" as const }, { orderStatus: 4 }]) {
      const actor = stopped();
      assert.deepEqual(sells(ended(actor, "r10", 3, end)), []);
      assert.match(messageOf(actor) ?? "", /^3 of 10 sold: /);
      const unsold = stopped();
      assert.deepEqual(sells(ended(unsold, "r10", 0, end)), []);
      assert.deepEqual(statuses(unsold), [TRIGGER_FAILED, ACTIVE, ACTIVE]);
    }
  });

  test("goes on where the exchange ended it with the status of a rejected order", () => {
    assert.deepEqual(sells(ended(stopped(), "r10", 3, { orderStatus: 4, endedBy: "exchange" })), ["r10-n2 7 stopLoss"]);
  });

  test("hears of each order by its name, though the brokerage used the number of the first one again", () => {
    const actor = stopped();
    ended(actor, "r10", 3);
    const again = { orderNo: "B-r10", clientOrderId: "4k2j9x1abc-r10-n2", orderStatus: 1, quantity: 7 };
    actor.send({ type: "orderPlaced", name: "r10-n2", ...again, timeMs: 5_000 });
    told(actor, "r10", { clientOrderId: "4k2j9x1abc-r10-n2", orderStatus: 1, filledQuantity: 2 });
    told(actor, "r10", { clientOrderId: "4k2j9x1abc-r10", orderStatus: 3, filledQuantity: 4 });
    assert.equal(actor.context.stopLossSoldQuantity, 4, "the late lot is the first order's");
    const effects = told(actor, "r10", { orderStatus: 2, filledQuantity: 6 });
    assert.equal(events(effects).at(-1), "oco.exitCompleted 0", "a record without a name is about the open order");
    assert.equal(actor.context.stopLossSoldQuantity, 10);
  });

  test("ends where a later order is refused or rejected, and keeps what was sold", () => {
    for (const isRefused of [true, false]) {
      const actor = stopped();
      ended(actor, "r10", 3);
      const message = "no such position";
      if (!isRefused) placed(actor, "r10-n2", 7);
      const effects = isRefused
        ? actor.send({ type: "orderRefused", name: "r10-n2", message, timeMs: 5_000, mayReclaim: true })
        : ended(actor, "r10-n2", 0, { orderStatus: 4, message });
      assert.deepEqual(events(effects), ["alarm.exitStopped 0"]);
      assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
      assert.equal(messageOf(actor), "3 of 10 sold: no such position");
      assert.equal(actor.context.exit?.pursuit, undefined);
    }
  });

  test("tries again where the brokerage was not reached for a later order", () => {
    const actor = stopped();
    ended(actor, "r10", 3);
    const refusal = { type: "orderRefused", name: "r10-n2", message: "brokerage unreachable" } as const;
    actor.send({ ...refusal, timeMs: 40_000, mayReclaim: true, isUnreached: true });
    assert.equal(actor.context.exit?.pursuit?.nextAtMs, 41_000);
    assert.deepEqual(sells(passPause(actor)), ["r10-n3 7 stopLoss"]);
  });

  test("sends at most 100 orders on a day; then it ends with an alarm", () => {
    const actor = stopped();
    let timeMs = 4_000;
    let effects = ended(actor, "r10", 0, { timeMs });
    let count = 1;
    for (; sells(effects).length > 0; count += 1) {
      const name = `r10-n${count + 1}`;
      placed(actor, name, 10);
      ended(actor, name, 0, { timeMs });
      const nextAtMs = actor.context.exit?.pursuit?.nextAtMs;
      if (typeof nextAtMs !== "number") break;
      timeMs = nextAtMs;
      effects = passPause(actor);
    }
    assert.equal(count, 100);
    assert.deepEqual(events(effects), ["alarm.exitStopped 0", "oco.triggerFailed 0"]);
    assert.deepEqual(statuses(actor), [TRIGGER_FAILED, CANCELLED, CANCELLED]);
  });

  test("counts no order that did not reach the brokerage", () => {
    const actor = stopped();
    ended(actor, "r10", 0);
    for (let number = 2; number <= 150; number += 1) {
      const refusal = { type: "orderRefused", name: `r10-n${number}`, message: "brokerage unreachable" } as const;
      actor.send({ ...refusal, timeMs: 5_000 + number * 60_000, mayReclaim: true, isUnreached: true });
      assert.deepEqual(sells(passPause(actor)), [`r10-n${number + 1} 10 stopLoss`]);
    }
    assert.equal(actor.context.exit?.pursuit?.ordersToday, 2);
  });

  test("begins to count anew on the next day", () => {
    const actor = stopped();
    ended(actor, "r10", 0);
    placed(actor, "r10-n2", 10);
    ended(actor, "r10-n2", 0, { timeMs: DAY_MS + 1 });
    assert.equal(actor.context.exit?.pursuit?.ordersToday, 2);
    passPause(actor);
    assert.equal(actor.context.exit?.pursuit?.ordersToday, 1);
  });
});

describe("a late fill of an earlier order of an exit", () => {
  const late = { orderStatus: 3, timeMs: 4_500 } as const;

  test("makes the next order smaller", () => {
    const actor = stopped();
    ended(actor, "r10", 3);
    placed(actor, "r10-n2", 7);
    ended(actor, "r10-n2", 0);
    told(actor, "r10", { ...late, filledQuantity: 5 });
    assert.deepEqual(sells(passPause(actor)), ["r10-n3 5 stopLoss"]);
    assert.equal(messageOf(actor), "5 of 10 sold, selling the rest");
  });

  test("ends the exit where nothing is left", () => {
    const actor = stopped();
    ended(actor, "r10", 3);
    placed(actor, "r10-n2", 7);
    ended(actor, "r10-n2", 0);
    assert.deepEqual(events(told(actor, "r10", { ...late, filledQuantity: 10 })), ["oco.exitCompleted 0"]);
    assert.equal(actor.context.exit?.pursuit, undefined);
  });

  test("cancels the order under way, and the exit goes on with what is left", () => {
    const actor = stopped();
    ended(actor, "r10", 3);
    placed(actor, "r10-n2", 7);
    const effects = told(actor, "r10", { ...late, filledQuantity: 5 });
    assert.deepEqual(cancels(effects), ["cancel B-r10-n2"]);
    const next = ended(actor, "r10-n2", 1, { endedBy: "owner", timeMs: 6_000 });
    assert.deepEqual(sells(next), ["r10-n3 4 stopLoss"]);
  });

  test("of a take-profit leaves the order under way alone, as the stop-loss sells its own quantity (behaviour 4.3)", () => {
    const actor = given();
    reach(actor, 110);
    placed(actor, "r11", 4);
    told(actor, "r11", { orderStatus: 3, filledQuantity: 0 });
    reach(actor, 90);
    placed(actor, "r10", 10);
    ended(actor, "r10", 3);
    placed(actor, "r10-n2", 7);
    const late = told(actor, "r11", { orderStatus: 2, filledQuantity: 4 });
    assert.ok(!late.some(({ type }) => type === "cancelOrder"));
    assert.equal(actor.context.exit?.pursuit?.isRecalled, false);
  });

  test("of an exit that has sold all of it is told as too much", () => {
    const actor = stopped();
    ended(actor, "r10", 3);
    placed(actor, "r10-n2", 7);
    told(actor, "r10-n2", { orderStatus: 2, filledQuantity: 7 });
    told(actor, "r10", { ...late, filledQuantity: 5 });
    assert.equal(actor.context.stopLossSoldQuantity, 12);
    assert.match(messageOf(actor) ?? "", /^12 of 12 sold/);
  });
});

describe("an exit that its owner stops", () => {
  const stop = { type: "stopExit", timeMs: 5_000, mayReclaim: true } as const;

  test("cancels the open order, and ends with what was filled once its end is confirmed", () => {
    const actor = stopped();
    ended(actor, "r10", 3);
    placed(actor, "r10-n2", 7);
    assert.deepEqual(cancels(actor.send(stop)), ["cancel B-r10-n2"]);
    assert.deepEqual(actor.send({ ...stop, timeMs: 5_100 }), [], "once is enough");
    assert.deepEqual(cancels(passPause(actor)), ["cancel B-r10-n2"], "asked again while it is open");
    const effects = ended(actor, "r10-n2", 2, { endedBy: "owner", timeMs: 20_000 });
    assert.deepEqual([sells(effects), events(effects)], [[], ["oco.exitStopped 0"]]);
    assert.equal(messageOf(actor), "5 of 10 sold: stopped by its owner");
    assert.deepEqual(statuses(actor), [TRIGGERED, CANCELLED, CANCELLED]);
    passHour(actor);
    assert.equal(actor.state, "closed");
  });

  test("ends immediately while it waits for its next order", () => {
    const actor = stopped();
    ended(actor, "r10", 3);
    placed(actor, "r10-n2", 7);
    ended(actor, "r10-n2", 0);
    assert.deepEqual(events(actor.send(stop)), ["oco.exitStopped 0"]);
    assert.equal(messageOf(actor), "3 of 10 sold: stopped by its owner");
  });

  test("of which nothing was sold has failed, and its take-profits are watched again", () => {
    const actor = stopped();
    actor.send(stop);
    const effects = ended(actor, "r10", 0, { endedBy: "owner" });
    assert.deepEqual(events(effects), ["oco.exitStopped 0", "oco.triggerFailed 0", "oco.rearmed 1", "oco.rearmed 2"]);
    assert.deepEqual(statuses(actor), [TRIGGER_FAILED, ACTIVE, ACTIVE]);
  });

  test("takes an order back that has no number yet, and cancels it once it has one", () => {
    const actor = given();
    reach(actor, 90);
    const effects = actor.send(stop);
    assert.deepEqual(cancels(effects), ["withdraw r10", "withdraw r10-10", "withdraw r10-11", "withdraw r10-12"]);
    assert.deepEqual(cancels(placed(actor, "r10", 10)), ["cancel B-r10"]);
    const other = given();
    reach(other, 90);
    other.send(stop);
    other.send({
      type: "orderRefused",
      name: "r10",
      message: "stopped by its owner",
      timeMs: 5_000,
      isUnreached: true,
    });
    assert.deepEqual(statuses(other), [TRIGGER_FAILED, ACTIVE, ACTIVE]);
    assert.equal(messageOf(other), "stopped by its owner");
  });

  test("waits for a person where its order is in doubt, and then ends", () => {
    const actor = stopped();
    actor.send({ type: "orderMissing", orderNo: "B-r10", answer: "unknown", timeMs: 4_500 });
    assert.deepEqual(cancels(actor.send(stop)), []);
    assert.deepEqual(events(passPause(actor)), []);
    const fill = { quantity: 3, price: 90 };
    const settled = actor.send({ type: "orderDecided", orderNo: "B-r10", fill, timeMs: 60_000 });
    assert.deepEqual([sells(settled), events(settled)], [[], ["oco.exitStopped 0"]]);
    assert.equal(messageOf(actor), "3 of 10 sold: stopped by its owner");
  });

  test("that is filled before the cancel has sold all", () => {
    const actor = stopped();
    actor.send(stop);
    assert.deepEqual(events(told(actor, "r10", { orderStatus: 2, filledQuantity: 10 })), ["oco.exitCompleted 0"]);
    assert.equal(messageOf(actor), null);
  });

  test("is none before the stop-loss fired, and none after all is sold", () => {
    const actor = given();
    assert.deepEqual(actor.send(stop), []);
    assert.deepEqual(statuses(actor), [ACTIVE, ACTIVE, ACTIVE]);
    reach(actor, 90);
    placed(actor, "r10", 10);
    told(actor, "r10", { orderStatus: 2, filledQuantity: 10 });
    assert.equal(actor.state, "closed");
  });
});

describe("the oversell guard and an exit", () => {
  test("sells what the take-profits left, and a take-profit that fails meanwhile counts once", () => {
    const actor = given({ hasOversellGuard: true });
    reach(actor, 110);
    reach(actor, 90);
    placed(actor, "r10", 6);
    assert.deepEqual(sells(ended(actor, "r10", 2)), ["r10-n2 4 stopLoss"]);
    placed(actor, "r10-n2", 4);
    ended(actor, "r10-n2", 0);
    const refusal = { type: "orderRefused", name: "r11", message: "no", timeMs: 4_500, mayReclaim: true } as const;
    assert.deepEqual(sells(actor.send(refusal)), ["r10-11 4 stopLoss"]);
    assert.deepEqual(sells(actor.send({ type: "deadline", timeMs: 5_000 })), [], "one order at a time");
    placed(actor, "r10-11", 4);
    told(actor, "r10-11", { orderStatus: 2, filledQuantity: 4, timeMs: 6_000 });
    assert.deepEqual(sells(passPause(actor)), ["r10-n3 4 stopLoss"]);
  });

  test("what the owner ended by hand is not sold again for a take-profit's rest", () => {
    const actor = bothSelling();
    assert.deepEqual(events(ended(actor, "r10", 2, { endedBy: "owner" })), ["oco.sellIncomplete 0"]);
    const effects = ended(actor, "r11", 1);
    assert.deepEqual(sells(effects), []);
    assert.deepEqual(events(effects), ["oco.sellIncomplete 1"]);
  });

  test("an order for a take-profit's rest that is under way then is told of, and is the last", () => {
    const actor = bothSelling();
    assert.deepEqual(sells(ended(actor, "r11", 1)), ["r10-11 3 stopLoss"]);
    placed(actor, "r10-11", 3);
    ended(actor, "r10", 2, { endedBy: "owner" });
    const effects = ended(actor, "r10-11", 1);
    assert.deepEqual([sells(effects), events(effects)], [[], ["oco.sellIncomplete 0"]]);
    assert.equal(messageOf(actor), "3 of 9 sold: cancelled by the brokerage");
  });

  test("a rejected order of an exit is sent once more with what take-profits and earlier orders left (behaviour 4.5b)", () => {
    const actor = given({});
    reach(actor, 110);
    placed(actor, "r11", 4);
    told(actor, "r11", { orderStatus: 2, filledQuantity: 4 });
    reach(actor, 90);
    placed(actor, "r10", 10);
    assert.deepEqual(sells(ended(actor, "r10", 1)), ["r10-n2 9 stopLoss"]);
    placed(actor, "r10-n2", 9);
    const effects = ended(actor, "r10-n2", 0, { orderStatus: 4, message: "not enough lots" });
    assert.deepEqual(sells(effects), ["r10-10 5 stopLoss"]);
    placed(actor, "r10-10", 5);
    assert.deepEqual(events(told(actor, "r10-10", { orderStatus: 2, filledQuantity: 5 })), ["oco.exitCompleted 0"]);
    assert.equal(actor.context.stopLossSoldQuantity, 6);
  });
});

test("an exit is stored and read back as it is", () => {
  const actor = stopped();
  ended(actor, "r10", 3);
  placed(actor, "r10-n2", 7);
  const whole = () => assert.deepEqual(parseGroup(JSON.parse(JSON.stringify(packGroup(actor.context)))), actor.context);
  whole();
  actor.send({ type: "stopExit", timeMs: 5_000, mayReclaim: true });
  whole();
  ended(actor, "r10-n2", 2, { endedBy: "owner" });
  whole();
});
