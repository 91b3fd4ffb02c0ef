/** The answers that are read by hand are exactly the answers that the contract's schema takes unchanged. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isPlacedAnswer, isRecordAnswer } from "../../../../engine/order/gateway/plain-answer.ts";
import { gatewayAnswers } from "../../../../src/contract/gateway/gateway.ts";
import fc from "../../../support/property.ts";

const anything = fc.oneof(
  fc.integer({ min: -2, max: 6 }),
  fc.constantFrom(null, true, false, "", "2", 1.5, -0, Number.NaN),
  fc.array(fc.integer(), { maxLength: 2 }),
);
const orderNo = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom("x".repeat(100), "x".repeat(101)), anything);
const data = fc.oneof(
  fc.record({ orderNo: fc.string(), orderStatus: fc.integer({ min: -2, max: 6 }) }, { noNullPrototype: true }),
  fc.record({ orderNo, orderStatus: anything }, { requiredKeys: [], noNullPrototype: true }),
  fc.record({ orderNo, orderStatus: anything, more: anything }, { requiredKeys: [], noNullPrototype: true }),
  fc.record(
    {
      ...{ orderNo: fc.string(), orderStatus: fc.integer({ min: -2, max: 6 }) },
      ...{ filledQuantity: fc.oneof(fc.nat(), anything), averagePrice: fc.oneof(fc.nat(), anything) },
    },
    { requiredKeys: ["orderNo", "orderStatus", "averagePrice"], noNullPrototype: true },
  ),
  anything,
);
const answer = fc.oneof(
  fc.record({ ok: fc.constant(true), data }, { noNullPrototype: true }),
  fc.record({ ok: anything, data, more: anything }, { requiredKeys: [], noNullPrototype: true }),
  anything,
);

const record = {
  orderNo: "B-1",
  clientOrderId: "g1",
  accountNumber: "A",
  symbol: "THYAO",
  buySell: 2,
  orderType: 1,
  quantity: 100,
  price: 0,
  orderStatus: 2,
  filledQuantity: 100,
  averagePrice: 90.5,
  createdDate: "2026-01-05T10:00:00Z",
  updatedDate: null,
};
/** A record with one field that is something else, is missing, or is more. */
const brokenRecord = fc
  .tuple(
    fc.constantFrom(...Object.keys(record), "message", "replaces", "endedBy"),
    fc.oneof(anything, fc.string(), fc.constantFrom(undefined, "x".repeat(101), -1, 1e300, Number.POSITIVE_INFINITY)),
  )
  .map(([field, value]) => {
    const { [field as "orderNo"]: _, ...others } = record;
    return value === undefined ? others : { ...others, [field]: value };
  });

describe("a record that is read by hand", () => {
  test("is one that the schema takes unchanged", () => {
    let taken = 0;
    fc.assert(
      fc.property(brokenRecord, (data: unknown) => {
        if (!isRecordAnswer({ ok: true, data })) return;
        taken += 1;
        assert.deepEqual(gatewayAnswers.findOrder.parse(data), data);
      }),
      { numRuns: 5_000 },
    );
    assert.ok(taken > 50, "the records were no empty ones");
  });

  test("is every plain one, of whatever status", () => {
    for (const orderStatus of [0, 1, 2, 3, 4])
      assert.ok(isRecordAnswer({ ok: true, data: { ...record, orderStatus } }));
    assert.ok(isRecordAnswer({ ok: true, data: { ...record, clientOrderId: null, updatedDate: "2026-01-05" } }));
  });
});

describe("an answer that is read by hand", () => {
  test("is one that the schema takes unchanged", () => {
    let taken = 0;
    fc.assert(
      fc.property(answer, (given: unknown) => {
        if (!isPlacedAnswer(given)) return;
        taken += 1;
        assert.deepEqual(gatewayAnswers.place.parse(given.data), given.data);
        assert.deepEqual(Object.keys(given).sort(), ["data", "ok"]);
      }),
      { numRuns: 5_000 },
    );
    assert.ok(taken > 50, "the answers were no empty ones");
  });

  test("is every plain one, of whatever status", () => {
    for (const orderStatus of [0, 1, 2, 3, 4]) {
      assert.ok(isPlacedAnswer({ ok: true, data: { orderNo: "B-1", orderStatus } }), String(orderStatus));
      assert.ok(isPlacedAnswer({ data: { orderStatus, orderNo: "B-1" }, ok: true }), String(orderStatus));
      const filled = { orderNo: "B-1", orderStatus, filledQuantity: 10, averagePrice: 90.5 };
      assert.ok(isPlacedAnswer({ ok: true, data: filled }), String(orderStatus));
    }
  });

  test("keeps its number when the fill that it names cannot be read", () => {
    for (const wrong of [-1, 1.5, "10", null, {}]) {
      const data = { orderNo: "B-1", orderStatus: 2, filledQuantity: wrong, averagePrice: 90 };
      assert.ok(!isPlacedAnswer({ ok: true, data }), JSON.stringify(wrong));
      const read = gatewayAnswers.place.parse(data);
      assert.deepEqual([read.orderNo, read.orderStatus, read.filledQuantity ?? null], ["B-1", 2, null]);
    }
  });
});
