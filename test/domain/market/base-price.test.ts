import assert from "node:assert/strict";
import { test } from "node:test";
import { guardPercentOf, isOnAnotherBase } from "../../../src/domain/market/base-price.ts";
import { type LivePrice, livePrice } from "../../../src/domain/price/price.ts";

function price(value: number): LivePrice {
  return livePrice(value) ?? assert.fail(`${value} is a price`);
}

test("the guard is 25 % at Borsa Istanbul, off elsewhere, and as the operator says where he says it (behaviour 16.2)", () => {
  for (const [table, setting, expected] of [
    ["BIST", undefined, 25],
    ["CENT", undefined, undefined],
    ["BIST", 0, undefined],
    ["CENT", 30, 30],
    ["BIST", 12.5, 12.5],
  ] as const) {
    assert.equal(guardPercentOf(table, setting), expected, `${table} ${setting}`);
  }
});

test("a price is on another base beyond the percent, on either side, and not at it", () => {
  for (const [close, first, expected] of [
    [100, 50, true],
    [100, 75, false],
    [100, 74.99, true],
    [100, 125, false],
    [100, 125.01, true],
    [100, 100, false],
    [0.04, 0.03, false],
  ] as const) {
    assert.equal(isOnAnotherBase(price(close), price(first), 25), expected, `${close} to ${first}`);
  }
});
