/** The form of a price alert (behaviour 29). */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  alertBody,
  alertChange,
  alertFaults,
  alertPriceOf,
  draftOfAlert,
  EMPTY_ALERT,
  type PriceAlert,
} from "../../../edge/web/dashboard/page/price-alert-draft.ts";

const alert: PriceAlert = {
  ...{ id: 7, symbol: "THYAO", direction: "atOrBelow", price: 320.5, note: "buy", createdDate: "2026-01-05T09:00:00Z" },
  ...{ status: "watching", repeat: true, until: "2026-03-02T20:59:59.999Z", armed: true, reachedCount: 0 },
  ...{ reachedDate: null, reachedPrice: null, endedDate: null },
};

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

test("a new alert sends what was filled in", () => {
  const draft = { ...EMPTY_ALERT, symbol: "THYAO", price: "320" };
  assert.deepEqual(alertBody(draft), { symbol: "THYAO", direction: "atOrAbove", price: 320 });
  const until = "2026-03-02T17:50";
  assert.deepEqual(alertBody({ ...draft, direction: "atOrBelow", note: " n ", repeat: true, until }), {
    ...{ symbol: "THYAO", direction: "atOrBelow", price: 320, note: "n", repeat: true },
    until: new Date(until).toISOString(),
  });
});

test("a change sends what differs, and null for a field that was emptied", () => {
  const before = draftOfAlert(alert);
  assert.deepEqual(alertChange(before, before), {}, "the seconds of its end are not lost");
  assert.deepEqual(alertChange({ ...before, price: "320.50", note: "", repeat: false, until: "" }, before), {
    ...{ note: null, repeat: false, until: null },
  });
  assert.deepEqual(alertChange({ ...before, direction: "atOrAbove", price: "330" }, before), {
    ...{ direction: "atOrAbove", price: 330 },
  });
});
