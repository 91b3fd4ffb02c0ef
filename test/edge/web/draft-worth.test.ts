/** The results of sales at the levels of a new group. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { draftResults } from "../../../edge/web/dashboard/group/draft-worth.ts";
import { type Draft, emptyDraft } from "../../../edge/web/dashboard/group/levels.ts";
import { rowWorth } from "../../../edge/web/dashboard/group/row-worth.ts";
import { currencyOf } from "../../../edge/web/dashboard/part/currency.ts";

const DRAFT: Draft = {
  ...emptyDraft,
  stopLossPrice: "95",
  stopLossQuantity: "10",
  takeProfits: [
    { key: 1, price: "110", quantity: "4" },
    { key: 2, price: "120", quantity: "6" },
  ],
};

test("results are of all lots at the stop-loss and at all targets, from the cost", () => {
  assert.deepEqual(draftResults(DRAFT, 100, 98), { basis: 98, isFromCost: true, stop: -30, targets: 180, ratio: 6 });
});

test("a stop-loss loses against the cost what the row of the running group states", () => {
  const row = { status: 1, price: 95, triggeredPrice: null, quantity: 10 } as const;
  assert.equal(draftResults(DRAFT, 100, 98)?.stop, rowWorth(row, undefined, 98)?.profit);
});

for (const averagePrice of [undefined, 0]) {
  test(`without a cost (${averagePrice}) results are from the last price`, () => {
    const results = { basis: 100, isFromCost: false, stop: -50, targets: 160, ratio: 3.2 };
    assert.deepEqual(draftResults(DRAFT, 100, averagePrice), results);
  });
}

test("without a loss or without a gain there is no ratio, and without a take-profit no result of targets", () => {
  assert.equal(draftResults({ ...DRAFT, stopLossPrice: "101" }, 100, 98)?.ratio, undefined);
  const results = draftResults({ ...DRAFT, takeProfits: [] }, 100, 98);
  assert.deepEqual([results?.targets, results?.ratio], [undefined, undefined]);
});

test("the currency is that of the exchange", () => {
  assert.deepEqual([currencyOf("BIST"), currencyOf("CENT")], ["TRY", "USD"]);
});

for (const [name, changes, last] of [
  ["the price", {}, undefined],
  ["the lots", { stopLossQuantity: "" }, 100],
  ["a level", { takeProfits: [{ key: 1, price: "", quantity: "4" }] }, 100],
  ["a level that can be read", { stopLossPrice: "x" }, 100],
  ["the lots of a target", { takeProfits: [{ key: 1, price: "110", quantity: "0" }] }, 100],
] as const) {
  test(`no result is stated without ${name}`, () =>
    assert.equal(draftResults({ ...DRAFT, ...changes }, last, 98), undefined));
}
