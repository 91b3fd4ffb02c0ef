/** Kind and limit of an order that waits (behaviour 23.7). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Markets } from "../../../engine/partition/markets.ts";
import type { OutboxOrder } from "../../../engine/ports/order.ts";
import type { Effects } from "../../../src/domain/market/measure.ts";

const order: OutboxOrder = {
  ...{ userId: 1, brokerageCode: "PAPER", accountNumber: "A", clientOrderId: "s1-2", symbol: "THYAO", quantity: 100 },
  ...{ urgency: "stopLoss", buySell: 2, orderType: 2, price: 81 },
  origin: { kind: "actor", actorId: 1, name: "s1-2" },
};

test("an order keeps its limit while a measure holds it, and takes the floor of the moment in which it leaves", () => {
  let effects: Effects = { halted: true };
  let floorPrice: number | undefined;
  const { termsOf } = new Markets({
    clock: { nowMs: () => 0 },
    symbols: { zoneOf: () => "UTC", calendarOf: () => undefined, presentName: (symbol) => symbol },
    bands: {
      learn: () => {},
      find: () =>
        floorPrice === undefined
          ? undefined
          : { floorPrice, symbol: "THYAO", ceilingPrice: 120, basePrice: null, bandDate: "", source: "operator" },
    },
    measures: { effectsOf: () => effects },
    prices: { last: () => undefined },
    events: { emit: () => {} },
    findGroup: () => undefined,
  }).ofOutbox;
  const waiting = termsOf(order);
  assert.deepEqual([waiting.orderType, waiting.price], [2, 81]);
  effects = {};
  assert.deepEqual(termsOf(order), { symbol: "THYAO", orderType: 1, price: 0 });
  floorPrice = 73;
  assert.deepEqual(termsOf({ ...order, ...waiting }), { symbol: "THYAO", orderType: 2, price: 73 });
});
