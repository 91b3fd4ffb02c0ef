/** What positions and levels are worth, and what is not known of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { marketValueOf, profitShareOf, sumOf, worthOfRow } from "../../../edge/web/dashboard/part/worth.ts";

const position = {
  symbol: "THYAO",
  quantity: 10,
  availableQuantity: 10,
  averagePrice: 100,
  lastPrice: 110,
  profit: 100,
};
const unpriced = { ...position, averagePrice: 0, lastPrice: null, profit: null };

test("a position has its value at the last price, and its profit as a share of what was paid", () => {
  assert.equal(marketValueOf(position), 1_100);
  assert.equal(profitShareOf(position), 0.1);
});

test("what is not known is undefined and never zero, and sums count what they leave out", () => {
  assert.equal(marketValueOf(unpriced), undefined);
  assert.equal(profitShareOf(unpriced), undefined);
  assert.equal(profitShareOf({ ...position, averagePrice: 0 }), undefined);
  assert.deepEqual(sumOf([position, unpriced], marketValueOf), { sum: 1_100, missing: 1 });
});

test("a row under watch has the value of its lots, and a profit only if the average price is known", () => {
  const row = { status: 1, price: 90, triggeredPrice: null, quantity: 5 } as const;
  assert.deepEqual(worthOfRow(row, 100), { value: 450, profit: -50, profitShare: 0.9 - 1 });
  for (const averagePrice of [undefined, 0]) {
    assert.deepEqual(worthOfRow(row, averagePrice), { value: 450, profit: undefined, profitShare: undefined });
  }
});

test("a row that fired counts at the price that fired it, and a row that sold nothing has no worth", () => {
  const fired = { status: 2, price: 90, triggeredPrice: 88, quantity: 5 } as const;
  assert.deepEqual(worthOfRow(fired, 100), { value: 440, profit: -60, profitShare: 0.88 - 1 });
  for (const status of [3, 4] as const) assert.equal(worthOfRow({ ...fired, status }, 100), undefined);
});
