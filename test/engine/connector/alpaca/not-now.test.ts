/** Which refusals of Alpaca concern the moment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isNotNow } from "../../../../engine/connector/alpaca/not-now.ts";

test("only the published answer about market hours concerns the moment: any other refusal is final", () => {
  const closed = { status: 422, code: 42_210_000, text: "Market orders are only allowed during market hours" };
  assert.equal(isNotNow(closed), true);
  for (const other of [
    { text: "potential wash trade detected. use complex orders" },
    { text: "market order" },
    { status: 403 },
    { code: 40_010_001 },
    { status: 403, code: 40_310_000, text: "insufficient qty available for order" },
    { code: 40_010_001, text: 'only type="limit" is allowed for extended hours orders' },
  ]) {
    assert.equal(isNotNow({ ...closed, ...other }), false, JSON.stringify(other));
  }
});
