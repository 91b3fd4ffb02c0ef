/** The form of a price alert (behaviour 29.1). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { alertFaults, alertPriceOf, EMPTY_ALERT } from "../../../edge/web/dashboard/page/price-alert-draft.ts";

test("a price alert needs a symbol and a price above zero with at most two decimals", () => {
  for (const [symbol, price, wrong] of [
    ["", "", ["symbol", "price"]],
    ["THYAO", "320.5", []],
    ["THYAO", "320.505", ["price"]],
    ["THYAO", "0", ["price"]],
    ["THYAO", "-3", ["price"]],
    ["", "320", ["symbol"]],
  ] as const)
    assert.deepEqual(Object.keys(alertFaults({ ...EMPTY_ALERT, symbol, price })), wrong, `${symbol} ${price}`);
  assert.equal(alertPriceOf({ ...EMPTY_ALERT, price: "320.5" }), 320.5);
});
