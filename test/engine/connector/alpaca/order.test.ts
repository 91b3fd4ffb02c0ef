/** What Alpaca's orders come to, and what is kept of words that come late or twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AlpacaOrder, readOrder, readOrders } from "../../../../engine/connector/alpaca/order.ts";
import {
  ALPACA_ORDERS,
  applyWord,
  type KnownOrder,
  leavingOrder,
  recordOf,
} from "../../../../engine/connector/alpaca/sent-orders.ts";

const at = new Date("2026-11-20T15:00:00.000Z");
const raw = (change: object = {}) => ({
  ...{ id: "n1", clientOrderId: "o1", symbol: "AAPL", side: "sell", type: "limit", qty: "10", filledQty: "0" },
  ...{ limitPrice: "227.31", status: "new", createdAt: at, updatedAt: at, ...change },
});

test("every status of Alpaca's is one of ours, and a new one has not ended", () => {
  const told = {
    ...{ pending_new: 0, accepted: 0, accepted_for_bidding: 0, held: 0, new: 1, pending_cancel: 1, pending_replace: 1 },
    ...{ stopped: 1, suspended: 1, calculated: 1, canceled: 3, expired: 3, done_for_day: 3, replaced: 1, rejected: 4 },
    ...{ something_new: 1 },
  };
  for (const [status, orderStatus] of Object.entries(told)) {
    assert.equal(readOrder(raw({ status })).orderStatus, orderStatus, status);
  }
});

test("filled in part it is open, filled whole it is completed, and a refusal after a fill is an end", () => {
  assert.equal(readOrder(raw({ status: "partially_filled", filledQty: "3", filledAvgPrice: "228" })).orderStatus, 1);
  assert.equal(readOrder(raw({ status: "filled", filledQty: "10", filledAvgPrice: "228" })).orderStatus, 2);
  assert.equal(readOrder(raw({ status: "calculated", filledQty: "10", filledAvgPrice: "228" })).orderStatus, 2);
  assert.equal(readOrder(raw({ status: "rejected", filledQty: "3", filledAvgPrice: "228" })).orderStatus, 3);
});

test("a fraction of a share, and an amount of money, is no order of ours", () => {
  for (const change of [{ qty: "1.5" }, { filledQty: "0.1" }, { qty: null }, { qty: "ten" }]) {
    assert.throws(() => readOrder(raw(change)));
  }
  assert.deepEqual(
    readOrders([raw({ qty: "1.5" }), raw({ id: "n2" })]).map(({ orderNo }) => orderNo),
    ["n2"],
  );
});

const request = {
  ...{ clientOrderId: "o1", accountNumber: "PAPER1", symbol: "AAPL", quantity: 10, price: 0 },
  ...{ buySell: 2 as const, orderType: 1 as const },
};
const known = (change: Partial<KnownOrder> = {}): KnownOrder => ({ ...leavingOrder(request, 1_000), ...change });
const word = (change: Partial<AlpacaOrder>): AlpacaOrder => ({
  ...readOrder(raw({ type: "market" })),
  updatedMs: 5_000,
  ...change,
});

test("a word from before the last one changes nothing: the filled quantity never falls", () => {
  const half = applyWord(known(), word({ filledQuantity: 5, averagePrice: 10, orderStatus: 1 }));
  assert.equal(half.filledQuantity, 5);
  assert.equal(applyWord(half, word({ filledQuantity: 0, updatedMs: 4_000 })), half);
  assert.equal(applyWord(half, word({ filledQuantity: 3, updatedMs: 6_000 })), half);
  assert.equal(applyWord(half, word({ filledQuantity: 5, averagePrice: 10, orderStatus: 1 })), half);
});

test("what is over stays over, though a word from before it carries the same time", () => {
  const over = applyWord(known(), word({ filledQuantity: 5, averagePrice: 10, orderStatus: 3 }));
  assert.equal(applyWord(over, word({ filledQuantity: 5, averagePrice: 10, orderStatus: 1 })), over);
});

test("a refusal that Alpaca itself contradicts was none", () => {
  const refused = known({ standing: "refused", text: "no" });
  assert.equal(recordOf(refused).orderStatus, 4);
  const told = applyWord(refused, word({ orderStatus: 1 }));
  assert.deepEqual([told.standing, recordOf(told).orderStatus, recordOf(told).orderNo], ["accepted", 1, "n1"]);
});

test("who ended an order is told of each end that states it, and of no order that goes on or was filled", () => {
  const told = {
    ...{ expired: "exchange", done_for_day: "exchange", rejected: "brokerage", canceled: undefined },
    ...{ suspended: undefined, stopped: undefined, replaced: undefined, pending_cancel: undefined, filled: undefined },
    something_new: undefined,
  };
  for (const [status, endedBy] of Object.entries(told)) {
    assert.equal(recordOf(applyWord(known(), readOrder(raw({ status })))).endedBy, endedBy, status);
  }
  const whole = readOrder(raw({ status: "expired", filledQty: "10", filledAvgPrice: "228" }));
  assert.equal(recordOf(applyWord(known(), whole)).endedBy, undefined);
  const part = readOrder(raw({ status: "rejected", filledQty: "3", filledAvgPrice: "228" }));
  assert.deepEqual([part.orderStatus, recordOf(applyWord(known(), part)).endedBy], [3, "brokerage"]);
});

test("a cancelled order is its owner's end only where Alpaca took a cancel request; another end stays another's", () => {
  const asked = known({ isCancelTaken: true });
  const ended = (order: KnownOrder, status: string) => recordOf(applyWord(order, readOrder(raw({ status })))).endedBy;
  assert.deepEqual(
    [ended(asked, "canceled"), ended(known(), "canceled"), ended(asked, "expired"), ended(asked, "new")],
    ["owner", undefined, "exchange", undefined],
  );
});

test("a journal of before, without who ended an order, is read", () => {
  const { isCancelTaken, endedBy, ...before } = known({ standing: "accepted", orderNo: "n1", orderStatus: 3 });
  const read = ALPACA_ORDERS.orderSchema.parse(before);
  assert.deepEqual(read, { ...before, isCancelTaken, endedBy });
  assert.ok(!("endedBy" in recordOf(read)));
});
