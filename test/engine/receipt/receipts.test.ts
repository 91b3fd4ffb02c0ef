/** The content of a sell's receipt, for any order of the brokerage's reports. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutboxOrder } from "../../../engine/ports/order.ts";
import { Receipts } from "../../../engine/receipt/receipts.ts";
import { receiptKey } from "../../../engine/table/keys.ts";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import type { StoredReceipt } from "../../../src/contract/trading/receipt.ts";
import { apply, beginExecution, type ExecutionStep } from "../../../src/domain/order/execution.ts";
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
  const told: string[] = [];
  const onTold = (rowId: number, _code: string, { facts }: ExecutionStep): void => {
    for (const { type } of facts) told.push(`${rowId} ${type}`);
  };
  const receipts = new Receipts({ journal, clock: time, steadyClock: time, log, onTold });
  const read = () => JSON.parse(Buffer.from(journal.read(receiptKey(7, NAME)) ?? []).toString()) as StoredReceipt;
  receipts.decided(order);
  const hear = (record: OrderRecord, look?: number): void => {
    const news = { type: "orderUpdated", record, timeMs: time.nowMs() } as const;
    receipts.hear("PAPER", record, look === undefined ? news : { ...news, look });
  };
  return { receipts, lines, told, hear, read };
}

test("an end that is reported before the brokerage answers is given back with the outcome", () => {
  const { receipts, read, hear } = world();
  hear(filled);
  assert.equal(receipts.settled(order, placed), filled);
  assert.equal(read().filledQuantity, null, "the answer says no quantity");
});

test("a fill that is reported after the answer is in the receipt, and logged once however often it is reported", () => {
  const { receipts, lines, read, hear } = world();
  receipts.settled(order, placed);
  hear(filled);
  hear(filled);
  const { averagePrice, filledQuantity, orderStatus } = read();
  assert.deepEqual([averagePrice, filledQuantity, orderStatus], [110.5, 40, 2]);
  assert.deepEqual(lines, [`sold 40 THYAO at 110.5, order ${NAME}`]);
});

test("what a group learnt of its sell is in the receipt", () => {
  const { receipts, read } = world();
  receipts.settled(order, placed);
  const wish = { ...order, buySell: 2, limitPrice: null, needsPrice: false, createdDate: null } as const;
  const { execution } = beginExecution(wish, "B-1", 1, 0);
  receipts.note(apply(execution, { type: "reported", record: filled, timeMs: 0 }).execution);
  assert.equal(read().averagePrice, 110.5);
});

test("a fill after the end is in the receipt and reported once, more than was ordered as it is", () => {
  const { receipts, told, read, hear } = world();
  receipts.settled(order, { type: "refused", code: "REJECTED", message: "no order exists" });
  hear(filled);
  hear(filled);
  assert.deepEqual(told, ["7 filledAfterEnd"]);
  hear({ ...filled, filledQuantity: 50 });
  assert.deepEqual(told.slice(1), ["7 filledAfterEnd", "7 overfilled"]);
  assert.equal(read().filledQuantity, 50);
});

test("fills that the brokerage takes back are verified by a look-up, and change nothing (behaviour 13.2)", () => {
  const { receipts, told, read, hear } = world();
  receipts.settled(order, placed);
  hear(filled);
  told.length = 0;
  hear({ ...filled, filledQuantity: 30 });
  assert.deepEqual(told, ["7 lookUp"]);
  hear({ ...filled, filledQuantity: 30 }, 1);
  assert.deepEqual(told, ["7 lookUp", "7 corrected"]);
  assert.equal(read().filledQuantity, 40);
});

test("a record of another symbol or side is not taken for this sell's", () => {
  const { receipts, read, hear } = world();
  receipts.settled(order, placed);
  hear({ ...filled, buySell: 1 });
  assert.equal(read().averagePrice, null);
});
