import assert from "node:assert/strict";
import { test } from "node:test";
import {
  amountOfMoney,
  averagePriceOf,
  moneyOfAmount,
  moneyOfLimit,
  moneyOfPrice,
  moneyText,
} from "../../../../../engine/connector/paper/account/money.ts";
import { priceOf } from "../harness.ts";

test("prices of up to eight decimals are exact, longer ones are rounded against the trader", () => {
  assert.equal(moneyOfPrice(priceOf(20.02), "buy"), 2_002_000_000n);
  assert.equal(moneyOfPrice(priceOf(20.12345678), "buy"), 2_012_345_678n);
  assert.equal(moneyOfPrice(priceOf(20.12345678), "sell"), 2_012_345_678n);
  assert.equal(moneyOfPrice(priceOf(20.123456781), "buy"), 2_012_345_679n);
  assert.equal(moneyOfPrice(priceOf(20.123456781), "sell"), 2_012_345_678n);
  assert.equal(moneyOfPrice(priceOf(1e-9), "sell"), 1n);
  assert.equal(moneyOfPrice(priceOf(12_345_678), "buy"), 1_234_567_800_000_000n, "over the highest level");
});

test("rounding never takes a fill past a limit", () => {
  assert.ok(moneyOfPrice(priceOf(19.999999999), "buy") <= moneyOfLimit(2_000));
  assert.ok(moneyOfPrice(priceOf(20.0000000001), "sell") >= moneyOfLimit(2_000));
});

test("an average price has at most eight decimals and none that a double invented", () => {
  assert.equal(averagePriceOf(moneyOfAmount(0.1) * 3n, 3), 0.1);
  assert.equal(averagePriceOf(moneyOfAmount(10) + moneyOfAmount(10) + moneyOfAmount(10.01), 3), 10.00333333);
  assert.equal(averagePriceOf(0n, 0), 0);
});

test("amounts are rounded to the decimals asked for, ties away from zero, and texts are cut off", () => {
  assert.equal(amountOfMoney(moneyOfAmount(1.005), 2), 1.01);
  assert.equal(amountOfMoney(-moneyOfAmount(1.005), 2), -1.01);
  assert.equal(moneyText(moneyOfAmount(1_234.569)), "1234.56");
});
