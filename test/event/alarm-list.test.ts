/** Alarms stay until they are put away or released, and each subject has one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hearAlarm } from "../../src/event/alarm-list.ts";
import type { ToldEvent } from "../../src/event/describe-event.ts";

const stopped: ToldEvent = { id: "1", type: "alarm.quarantined", groupId: 7 };
const lost: ToldEvent = { id: "2", type: "alarm.ticksLost", reason: "missing" };
const order: ToldEvent = {
  id: "3",
  type: "order.quarantined",
  order: { clientOrderId: "abc-r7" },
  reason: "no answer",
};

const idsAfter = (...events: readonly ToldEvent[]): unknown[] =>
  events.reduce(hearAlarm, [] as readonly ToldEvent[]).map(({ id }) => id);

test("what is told again stands once, the newest first, and what is no alarm not at all", () => {
  const placed = { id: "4", type: "oco.triggered", groupId: 7 };
  assert.deepEqual(idsAfter(stopped, lost, order, placed, { ...stopped, id: "5" }), ["5", "3", "2"]);
});

test("a release takes its own alarm away and no other", () => {
  const released = { id: "7", type: "alarm.released", groupId: 7 };
  assert.deepEqual(idsAfter(stopped, lost, { ...stopped, id: "6", groupId: 8 }, released), ["6", "2"]);
});

test("a row that was reached and not sold is an alarm of its own, and no release of its group takes it away", () => {
  const row = (id: number) => ({ id: `r${id}`, type: "oco.triggerFailed", groupId: 7, row: { id } });
  const released = { id: "9", type: "alarm.released", groupId: 7 };
  assert.deepEqual(idsAfter(row(7), row(8), { ...row(8), id: "again" }, stopped, released), ["again", "r7"]);
});

test("an order that is known again, or was settled, is no alarm any more, and no other one's is", () => {
  const doubt = (id: string, orderNo: string) => ({ id, type: "order.inDoubt", groupId: 7, order: { orderNo } });
  const settled = { id: "9", type: "order.settled", groupId: 7, order: { orderNo: "R-1", filledQuantity: 4 } };
  assert.deepEqual(idsAfter(doubt("1", "R-1"), doubt("2", "R-2"), settled), ["2"]);
  assert.deepEqual(idsAfter(doubt("1", "R-1"), { ...settled, type: "order.found" }), []);
});

test("an order in doubt is one alarm, whatever more of it is known, and orders of two brokerages are two", () => {
  const doubt = (id: string, brokerageCode: string, filledQuantity: number) => ({
    ...{ id, type: "order.inDoubt" },
    order: { orderNo: "R-1", brokerageCode, filledQuantity },
  });
  assert.deepEqual(idsAfter(doubt("1", "ACME", 0), doubt("2", "ACME", 4), doubt("3", "PAPER", 0)), ["3", "2"]);
  const found = { id: "4", type: "order.found", order: { orderNo: "R-1", brokerageCode: "ACME" } };
  assert.deepEqual(idsAfter(doubt("1", "ACME", 0), doubt("3", "PAPER", 0), found), ["3"]);
});

test("what flatten left of an account is an alarm until a later one leaves nothing", () => {
  const of = (id: string, accountNumber: string, left: readonly object[]) => {
    return { id, type: "account.flattened", brokerageCode: "PAPER", accountNumber, left };
  };
  const some = [{ symbol: "GARAN", quantity: 5, reason: "it is being sold already" }];
  assert.deepEqual(idsAfter(of("1", "A", []), of("2", "A", some), of("3", "B", some), stopped), ["1", "3", "2"]);
  assert.deepEqual(idsAfter(of("2", "A", some), of("3", "B", some), of("4", "A", [])), ["3"]);
  const unknown = {
    ...of("5", "A", []),
    message: "the brokerage does not currently return the holdings of the account",
  };
  assert.deepEqual(idsAfter(unknown), ["5"]);
});

test("a pending OCO's lost order is an alarm until it is found, or the pending OCO is over", () => {
  const of = (id: string, type: string, setupId: number) => ({ id, type, row: { setupId } });
  const lostOrders = [of("1", "setup.orderLost", 5), of("2", "setup.orderLost", 6)];
  for (const type of ["setup.orderFound", "setup.converted", "setup.removed"]) {
    assert.deepEqual(idsAfter(...lostOrders, of("3", type, 5)), ["2"]);
  }
});
