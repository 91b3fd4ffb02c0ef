import assert from "node:assert/strict";
import { test } from "node:test";
import { parseQuantity, prorate } from "../../../src/domain/price/quantity.ts";

test("integers from 1 to 1,000,000,000 are quantities", () => {
  for (const value of [1, 2, 5.0, 999_999_999, 1_000_000_000]) {
    assert.deepEqual(parseQuantity(value, "quantity"), { ok: true, value });
  }
});

test("zero, negatives, fractions, non-finite and too high numbers are refused", () => {
  const values = [0, -0, -1, 0.5, 1.0000001, 1_000_000_001, 2 ** 31, 2 ** 53, Infinity, Number.NaN, -Infinity];
  for (const value of values) {
    const result = parseQuantity(value, "quantity");
    assert.ok(!result.ok, `${value}`);
    assert.equal(result.code, "INVALID");
  }
});

test("a refusal names the field, the value and the rule", () => {
  assert.deepEqual(parseQuantity(-0, "takeProfitItems[1].quantity"), {
    ok: false,
    code: "INVALID",
    message: "takeProfitItems[1].quantity -0 is not an integer from 1 to 1000000000",
  });
});

test("shares of a part fill are rounded down, the last one has the rest, and all of them are at least one lot", () => {
  assert.deepEqual(prorate([50, 50], 40, 100), [20, 20]);
  assert.deepEqual(prorate([33, 33], 41, 100), [13, 14]);
  assert.deepEqual(prorate([50, 50], 1, 100), [0, 1]);
  assert.deepEqual(prorate([1], 1, 100), [1]);
  assert.deepEqual(prorate([400_000_000, 600_000_000], 999_999_999, 1_000_000_000), [399_999_999, 600_000_000]);
});
