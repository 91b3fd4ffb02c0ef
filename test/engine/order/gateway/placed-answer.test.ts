/** The answers that are read by hand are exactly the answers that the contract's schema takes unchanged. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isPlacedAnswer } from "../../../../engine/order/gateway/placed-answer.ts";
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
  anything,
);
const answer = fc.oneof(
  fc.record({ ok: fc.constant(true), data }, { noNullPrototype: true }),
  fc.record({ ok: anything, data, more: anything }, { requiredKeys: [], noNullPrototype: true }),
  anything,
);

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
    }
  });
});
