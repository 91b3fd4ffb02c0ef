/** What an account loses if all its stop-losses fire. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { riskOf } from "../../../edge/web/dashboard/part/portfolio-risk.ts";
import { groupRows, type OcoRow, type Position } from "../../../edge/web/dashboard/state/model.ts";

const THYAO: Position = {
  symbol: "THYAO",
  quantity: 100,
  availableQuantity: 100,
  averagePrice: 290,
  lastPrice: 300,
  profit: 1_000,
};
const GARAN: Position = { ...THYAO, symbol: "GARAN", quantity: 1_000, lastPrice: 90 };
const STOP = { orderType: 2, status: 1, quantity: 40, symbol: "THYAO", price: 285 } as const;

function groupsOf(...rows: readonly Partial<OcoRow>[]) {
  return groupRows(rows.map((row, index) => ({ id: index, groupId: 1, ...row }) as OcoRow));
}

test("protected lots fall from the last price to their stop-loss, and the share is of the value of all positions", () => {
  assert.deepEqual(riskOf([THYAO, GARAN], groupsOf(STOP)), { change: -600, share: 0.1, missing: [] });
});

test("a stop-loss protects no more lots than are held, and none that its take-profits have sold", () => {
  assert.equal(riskOf([{ ...THYAO, quantity: 10 }], groupsOf(STOP)).change, -150);
  const fired = { ...STOP, orderType: 1, status: 2, quantity: 30, price: 310 } as const;
  assert.equal(riskOf([THYAO], groupsOf(STOP, fired)).change, -150);
});

for (const [name, row] of [
  ["a stop-loss that fired", { ...STOP, status: 2 }],
  ["a take-profit", { ...STOP, orderType: 1 }],
  ["a stop-loss of another symbol", { ...STOP, symbol: "SISE" }],
] as const) {
  test(`${name} protects nothing`, () =>
    assert.deepEqual(riskOf([THYAO], groupsOf(row)), { change: undefined, share: 0, missing: [] }));
}

test("a protected position without a price is named, and an account without positions has no share", () => {
  const unpriced = { ...THYAO, lastPrice: null, profit: null };
  assert.deepEqual(riskOf([unpriced, GARAN], groupsOf(STOP)).missing, [unpriced]);
  assert.deepEqual(riskOf([], groupsOf(STOP)), { change: undefined, share: undefined, missing: [] });
});
