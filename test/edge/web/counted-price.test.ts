/** The price with which a buy is held to the buying power: never less than it can cost, as far as that is known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { countedPrice } from "../../../edge/web/dashboard/trade/counted-price.ts";
import { LIMIT, MARKET } from "../../../src/domain/order/order.ts";
import { STOP_ENTRY } from "../../../src/domain/setup.ts";

for (const [name, kind, expected, ceilingPrice, counted] of [
  ["a limit buy counts its limit", LIMIT, 190, 209, { price: 190, source: "limit" }],
  ["a market buy counts the ceiling of the day", MARKET, 190, 209, { price: 209, source: "ceiling" }],
  ["a stop entry counts the ceiling of the day", STOP_ENTRY, 195, 209, { price: 209, source: "ceiling" }],
  ["a market buy without a ceiling counts 1% more", MARKET, 200, undefined, { price: 202, source: "cushion" }],
  ["a trigger above the ceiling counts 1% more", STOP_ENTRY, 300, 209, { price: 303, source: "cushion" }],
  ["a buy without an expected price counts nothing", MARKET, undefined, 209, undefined],
  ["a limit that is not above zero counts nothing", LIMIT, 0, 209, undefined],
] as const) {
  test(name, () => assert.deepEqual(countedPrice(kind, expected, ceilingPrice), counted));
}
