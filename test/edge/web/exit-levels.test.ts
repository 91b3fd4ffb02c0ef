/** The exits of an order ticket as prices, and their change by a line that is dragged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_SETUP, type SetupDraft, withSetupLots } from "../../../edge/web/dashboard/setup/setup-draft.ts";
import type { Setup } from "../../../edge/web/dashboard/state/model.ts";
import { exitLevels, exitWorth, setupLines, withExitAt } from "../../../edge/web/dashboard/trade/exit-levels.ts";

const DRAFT = withSetupLots(EMPTY_SETUP, "40");
const FIXED: SetupDraft = { ...DRAFT, stopLoss: { unit: "price", text: "290" } };

const pricesOf = (draft: SetupDraft, fillPrice: number | undefined) =>
  exitLevels(draft, fillPrice, "BIST").map(({ key, kind, price, lots }) => [key, kind, price, lots]);

test("levels in percent are prices of the tick table from the expected price, with their lots", () => {
  assert.deepEqual(pricesOf(DRAFT, 310.5), [
    ["stopLoss", "stopLoss", 301.25, "40"],
    ["1", "takeProfit", 326, "40"],
  ]);
});

for (const [name, draft, fillPrice, keys] of [
  ["a level in percent is left out while the expected price is not known", FIXED, undefined, ["stopLoss"]],
  ["a text that is not a number is left out", { ...FIXED, stopLoss: { unit: "price", text: "x" } }, 300, ["1"]],
  ["a percent out of range is left out", { ...FIXED, stopLoss: { unit: "percent", text: "100" } }, 300, ["1"]],
  ["an empty text is left out", { ...FIXED, stopLoss: { unit: "percent", text: "" } }, 300, ["1"]],
] as const) {
  test(name, () => {
    const found = exitLevels(draft, fillPrice, "BIST").map(({ key }) => key);
    assert.deepEqual(found, keys);
  });
}

test("a level in percent states its price and amount for its lots, and one at a price its distance and amount", () => {
  const { notes, loss, profit } = exitWorth(withSetupLots(EMPTY_SETUP, "50"), 310.25, "BIST", "TRY");
  assert.equal(notes.get("stopLoss"), "about 301.00, -462.50 TRY");
  assert.equal(notes.get("1"), "about 325.75, +775.00 TRY");
  assert.deepEqual([loss, profit], [-462.5, 775]);
  assert.equal(exitWorth(FIXED, 300, "BIST", "TRY").notes.get("stopLoss"), "-3.33%, -400.00 TRY");
});

test("a level without lots states no amount, and a sum of which a part is not known is not stated", () => {
  const worth = exitWorth(EMPTY_SETUP, 310.25, "BIST", "TRY");
  assert.equal(worth.notes.get("stopLoss"), "about 301.00");
  assert.deepEqual([worth.loss, worth.profit], [undefined, undefined]);
  const more: SetupDraft = {
    ...DRAFT,
    takeProfits: [...DRAFT.takeProfits, { key: 2, quantity: "", unit: "percent", text: "9" }],
  };
  assert.equal(exitWorth(more, 310.25, "BIST").profit, undefined);
  const unknown = exitWorth(DRAFT, undefined, "BIST", "TRY");
  assert.deepEqual([unknown.notes.size, unknown.loss, unknown.profit], [0, undefined, undefined]);
});

test("a pending OCO has a line for its buy and each exit; without an entry, for the levels that are prices", () => {
  const setup: Setup = {
    ...{ setupId: 7, symbol: "SISE", brokerOrderNo: "12", createdDate: "2026-11-21T10:00:00.000Z" },
    ...{ stopLossQuantity: 400, stopLossPercent: 3, stopLossPrice: null },
    takeProfitItems: [{ quantity: 400, percent: null, price: 33 }],
    ...{ dueDate: null, notes: null, exit: null, stopLossTrailing: null, orderMessage: null },
    entry: { orderType: 2, price: 30, quantity: 400, filledQuantity: 0, isEnding: false },
  };
  const linesOf = (one: Setup) =>
    setupLines(one, "BIST", "Europe/Istanbul").map(({ key, kind, price, title }) => [key, kind, price, title]);
  const takeProfit = ["1", "takeProfit", 33, "TP 400"];
  assert.deepEqual(linesOf(setup), [["buy", "limit", 30, "Buy"], ["stopLoss", "stopLoss", 29.1, "SL 400"], takeProfit]);
  assert.deepEqual(linesOf({ ...setup, entry: null }), [takeProfit]);
});

test("a dragged line makes its level a price, and leaves the others", () => {
  assert.deepEqual(withExitAt(DRAFT, "stopLoss", "290"), FIXED);
  assert.deepEqual(withExitAt(DRAFT, "1", "330")?.takeProfits, [
    { key: 1, quantity: "40", unit: "price", text: "330" },
  ]);
  assert.equal(withExitAt(DRAFT, "limit", "330"), undefined);
});
