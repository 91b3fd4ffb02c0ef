/** Every event has one line of words. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EVENT_TYPES } from "../../../src/contract/event/event.ts";
import { describeEvent } from "../../../src/contract/event/event-words.ts";

const row = {
  ...{ id: 12, groupId: 11, userId: 7, accountNumber: "A1", symbol: "THYAO", orderType: 1, quantity: 4, price: 110 },
  ...{ status: 2, triggeredPrice: 111, triggeredDate: "x", dueDate: null, notes: "mine", triggerErrorMessage: null },
};

describe("an event in words", () => {
  test("tells of a trigger symbol, level, price, quantity and order name", () => {
    const words = describeEvent({ type: "oco.triggered", row, clientOrderId: "abcdefghij-r12" });
    assert.equal(
      words,
      "triggered, sell order placed: take-profit 12 of THYAO (4 at 110) by the price 111, order abcdefghij-r12",
    );
  });

  test("tells why something failed", () => {
    const failed = { ...row, orderType: 2, triggerErrorMessage: "no position" };
    const words = describeEvent({ type: "oco.triggerFailed", row: failed });
    assert.equal(words, "reached and not sold: stop-loss 12 of THYAO (4 at 110) by the price 111: no position");
    const order = { clientOrderId: "abc-1", symbol: "GARAN", quantity: 3, buySell: 1 };
    assert.equal(
      describeEvent({ type: "order.refused", order, message: "no cash" }),
      "order refused: buy 3 GARAN, abc-1: no cash",
    );
    for (const [orderStatus, became] of [
      [1, "placed"],
      [3, "cancelled by the brokerage"],
      [4, "rejected by the brokerage"],
    ] as const) {
      const words = describeEvent({ type: "order.placed", order: { ...order, orderNo: "N1", orderStatus } });
      assert.equal(words, `order ${became}: buy 3 GARAN, abc-1 as N1`);
    }
  });

  test("tells of a group that was made and of a setup that was converted", () => {
    const stopLoss = { ...row, id: 11, orderType: 2, price: 90, triggeredPrice: null };
    assert.equal(
      describeEvent({ type: "oco.created", groupId: 11, rows: [stopLoss, row] }),
      "group made: 11 of THYAO, stop-loss 90, take-profits 110",
    );
    const setup = { setupId: 5, symbol: "THYAO", brokerOrderNo: "17" };
    assert.equal(
      describeEvent({ type: "setup.converted", row: setup, groupId: 11 }),
      "converted: pending OCO 5 of THYAO, order 17 became group 11",
    );
  });

  test("tells of an alarm what it is about", () => {
    assert.equal(
      describeEvent({ type: "alarm.quarantined", setupId: 5, message: "a fault" }),
      "ALARM, STOPPED: pending OCO 5: a fault",
    );
  });

  test("is one line for every type, whatever it carries", () => {
    for (const type of EVENT_TYPES) assert.match(describeEvent({ type }), /^[^\n]{5,}$/, type);
    assert.equal(describeEvent({ kind: "unknown" }), "an event");
  });
});
