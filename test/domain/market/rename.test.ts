/** Former and present names of symbols (behaviour 30). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { presentName, type Renaming, underPresentName, withRenaming } from "../../../src/domain/market/rename.ts";
import type { OrderUpdated } from "../../../src/domain/order/order-news.ts";

const A_TO_B = { from: "A", to: "B" };

describe("the present name of a symbol", () => {
  const cases: readonly (readonly [string, readonly Renaming[], Readonly<Record<string, string>>])[] = [
    ["is its own without a rename", [], { A: "A" }],
    ["is the new one after a rename", [A_TO_B], { A: "B", B: "B", C: "C" }],
    ["is the last of several", [A_TO_B, { from: "B", to: "C" }], { A: "C", B: "C", C: "C" }],
    ["is the former one again after a rename back", [A_TO_B, { from: "B", to: "A" }], { A: "A", B: "A" }],
    ["is of each symbol apart", [A_TO_B, { from: "X", to: "Y" }], { A: "B", X: "Y" }],
  ];
  for (const [rule, renames, expected] of cases) {
    test(rule, () => {
      const renamed = renames.reduce<readonly Renaming[]>((before, one) => withRenaming(before, one), []);
      for (const [symbol, name] of Object.entries(expected)) assert.equal(presentName(renamed, symbol), name);
    });
  }
});

test("news of an order under a former name is as under the present one", () => {
  const fill = { orderStatus: 2, filledQuantity: 10, averagePrice: 9 };
  const record = { orderNo: "B-1", symbol: "A", buySell: 2 as const, ...fill };
  const news: OrderUpdated = { type: "orderUpdated", record, timeMs: 1 };
  assert.equal(underPresentName(news, { renamed: [A_TO_B] }).record.symbol, "B");
  assert.equal(underPresentName(news, {}), news);
  assert.equal(underPresentName(news, { renamed: [{ from: "X", to: "Y" }] }), news);
});
