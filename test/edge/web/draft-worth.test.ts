/** The gain and loss at the levels of a new group. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { draftSums, draftWorthText } from "../../../edge/web/dashboard/group/draft-worth.ts";
import { type Draft, emptyDraft } from "../../../edge/web/dashboard/group/levels.ts";

const DRAFT: Draft = {
  ...emptyDraft,
  stopLossPrice: "95",
  stopLossQuantity: "10",
  takeProfits: [
    { key: 1, price: "110", quantity: "4" },
    { key: 2, price: "120", quantity: "6" },
  ],
};

for (const [name, changes, last, expected] of [
  [
    "each level states its distance and its amount",
    {},
    100,
    "Last 100.00 · stop -5.00% = -50.00 · target +10.00% = +40.00 · target +20.00% = +120.00",
  ],
  [
    "a level without lots states its distance",
    { stopLossQuantity: "", takeProfits: [{ key: 1, price: "110", quantity: "" }] },
    100,
    "Last 100.00 · stop -5.00% · target +10.00%",
  ],
  ["a level that cannot be read is left out", { stopLossPrice: "x", takeProfits: [] }, 100, "Last 100.00"],
  ["nothing is stated while the symbol has no price", {}, undefined, undefined],
] as const) {
  test(name, () => assert.equal(draftWorthText({ ...DRAFT, ...changes }, last), expected));
}

test("the sums are of all lots at the stop-loss and at all targets, with the currency of the exchange", () => {
  assert.deepEqual(draftSums(DRAFT, 100, "BIST"), { stop: "-50.00 TRY", targets: "+160.00 TRY" });
  assert.equal(draftSums(DRAFT, 100, "CENT")?.stop, "-50.00 USD");
});

for (const [name, changes, last] of [
  ["the price", {}, undefined],
  ["the lots", { stopLossQuantity: "" }, 100],
  ["a level", { takeProfits: [{ key: 1, price: "", quantity: "4" }] }, 100],
  ["the lots of a target", { takeProfits: [{ key: 1, price: "110", quantity: "0" }] }, 100],
] as const) {
  test(`no sum is stated without ${name}`, () =>
    assert.equal(draftSums({ ...DRAFT, ...changes }, last, "BIST"), undefined));
}
