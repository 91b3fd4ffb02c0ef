/** What a receipt keeps of a sell, in whatever order the brokerage tells it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutboxOrder } from "../../../engine/ports/order.ts";
import { Receipts } from "../../../engine/receipt/receipts.ts";
import { receiptKey } from "../../../engine/table/keys.ts";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import { ORDER_COMPLETED } from "../../../src/domain/order/order.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { FakeDisk, FakeJournal } from "../../support/store/fake-journal.ts";

const NAME = "life-r7";
const order: OutboxOrder = {
  userId: 1,
  brokerageCode: "PAPER",
  accountNumber: "A-1",
  clientOrderId: NAME,
  urgency: "triggered",
  symbol: "THYAO",
  quantity: 40,
  buySell: 2,
  orderType: 1,
  price: 0,
  origin: { kind: "actor", actorId: 1, name: "r7" },
};
const filled: OrderRecord = {
  orderNo: "B-1",
  clientOrderId: NAME,
  accountNumber: "A-1",
  symbol: "THYAO",
  buySell: 2,
  orderType: 1,
  quantity: 40,
  price: 0,
  orderStatus: ORDER_COMPLETED,
  filledQuantity: 40,
  averagePrice: 110.5,
  createdDate: "2026-01-05T09:00:00.000Z",
  updatedDate: null,
};
const placed = { type: "placed", orderNo: "B-1", orderStatus: ORDER_COMPLETED } as const;

function world() {
  const time = new FakeTime();
  const journal = new FakeJournal(new FakeDisk(), time);
  const lines: string[] = [];
  const log = {
    info: (_fields: object, line: string) => lines.push(line),
    debug: () => 0,
    warn: () => 0,
    error: () => 0,
  };
  const soldAfterEnd: number[] = [];
  const onSoldAfterEnd = (rowId: number): void => void soldAfterEnd.push(rowId);
  const receipts = new Receipts({ journal, clock: time, steadyClock: time, log, onSoldAfterEnd });
  const read = (): unknown => JSON.parse(Buffer.from(journal.read(receiptKey(7, NAME)) ?? []).toString());
  receipts.decided(order);
  return {
    receipts,
    lines,
    soldAfterEnd,
    averagePrice: () => (read() as { averagePrice: number | null }).averagePrice,
  };
}

test("a fill that is told before the brokerage answers is in the receipt, and logged once", () => {
  const { receipts, lines, averagePrice } = world();
  receipts.ended(filled);
  receipts.settled(order, placed);
  assert.equal(averagePrice(), 110.5);
  assert.deepEqual(lines, [`sold 40 THYAO at 110.5, order ${NAME}`]);
});

test("a fill that is told after the answer is in the receipt, and logged once however often it is told", () => {
  const { receipts, lines, averagePrice } = world();
  receipts.settled(order, placed);
  receipts.ended(filled);
  receipts.ended(filled);
  assert.equal(averagePrice(), 110.5);
  assert.equal(lines.length, 1);
});

test("a fill that is told after the order was said to have ended without it is in the receipt, and told once", () => {
  const { receipts, lines, soldAfterEnd, averagePrice } = world();
  receipts.settled(order, { ...placed, orderStatus: 1 });
  const cancelled: OrderRecord = { ...filled, orderStatus: 3, filledQuantity: 0, averagePrice: 0 };
  receipts.ended(cancelled);
  receipts.ended({ ...filled, orderNo: "B-2" });
  assert.deepEqual(soldAfterEnd, []);
  receipts.ended(filled);
  receipts.ended(filled);
  receipts.ended({ ...filled, filledQuantity: 999 });
  receipts.ended(cancelled);
  assert.equal(averagePrice(), 110.5);
  assert.deepEqual(soldAfterEnd, [7]);
  assert.equal(lines.length, 2);
});

test("a fill of another order than the one that was placed is not taken for this sell's", () => {
  const { receipts, averagePrice } = world();
  receipts.ended({ ...filled, orderNo: "B-2" });
  receipts.settled(order, placed);
  assert.equal(averagePrice(), null);
});

test("a completed order without a price is not the end: a better record must come", () => {
  const { receipts } = world();
  assert.equal(receipts.isEnd(filled), true);
  assert.equal(receipts.isEnd({ ...filled, averagePrice: 0 }), false);
});
