import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AMOUNT_TEXT,
  amountOf,
  isAtLeast,
  largerOf,
  minus,
  NO_AMOUNT,
  plus,
} from "../../../src/domain/price/amount.ts";
import fc from "../../support/property.ts";

/** Millionths as the number with that decimal text. */
function ofMillionths(millionths: number): number {
  return Number(`${Math.trunc(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, "0")}`);
}

const price = fc.integer({ min: 1, max: 1_000_000_000 });
const quantity = fc.integer({ min: 1, max: 1_000_000_000 });

test("a price times a quantity is exact, whatever a double would say", () => {
  assert.equal(amountOf(0.1, 3), "0.3");
  assert.equal(amountOf(99.005, 5), "495.025");
  assert.equal(amountOf(9_999_999, 1_000_000_000), "9999999000000000");
  assert.equal(amountOf(1e-7, 3), "0.0000003");
  assert.equal(amountOf(20, 0), NO_AMOUNT);
  fc.assert(
    fc.property(price, quantity, (millionths, lots) => {
      const exact = BigInt(millionths) * BigInt(lots);
      const whole = exact / 1_000_000n;
      const rest = String(exact % 1_000_000n).padStart(6, "0");
      assert.equal(amountOf(ofMillionths(millionths), lots), `${whole}.${rest}`.replace(/\.?0+$/, ""));
    }),
  );
});

test("sums and differences agree with whole numbers", () => {
  fc.assert(
    fc.property(price, price, quantity, (left, right, lots) => {
      const a = amountOf(ofMillionths(left), lots);
      const b = amountOf(ofMillionths(right), 1);
      assert.match(minus(b, a), AMOUNT_TEXT);
      assert.equal(plus(minus(b, a), a), b);
      assert.equal(minus(plus(a, b), b), a);
      assert.equal(minus(a, a), NO_AMOUNT);
      const difference = minus(a, b);
      const isNegative = BigInt(left) * BigInt(lots) < BigInt(right);
      assert.deepEqual([largerOf(a, b), largerOf(b, a)], isNegative ? [b, b] : [a, a]);
      assert.equal(difference.startsWith("-"), isNegative);
    }),
  );
});

test("an amount has reached a number at that number, not a hair before", () => {
  assert.ok(isAtLeast("0.3", 0.3));
  assert.ok(!isAtLeast("0.29999999999999999", 0.3));
  assert.ok(isAtLeast("-1", -1) && !isAtLeast("-1.1", -1));
  assert.ok(isAtLeast("10", 9.99) && !isAtLeast("9.99", 10));
});

test("an amount's text has one form only", () => {
  for (const text of ["0", "12", "-3", "0.5", "-0.05", "100.25"]) assert.match(text, AMOUNT_TEXT);
  for (const text of ["-0", "01", "1.50", "1.", ".5", "1e3", "", "+1"]) assert.doesNotMatch(text, AMOUNT_TEXT);
  assert.throws(() => plus("1.50", "1"), /an amount is decimal text/);
});
