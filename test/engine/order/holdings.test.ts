/** The last known positions of accounts, and what own orders have done since. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LastHoldings } from "../../../engine/order/holdings.ts";
import type { OutboxOrder } from "../../../engine/ports/order.ts";

const PLACE = { userId: 7, brokerageCode: "PAPER", accountNumber: "A1" };
const ORDER: OutboxOrder = {
  ...{ ...PLACE, clientOrderId: "s1", urgency: "stopLoss", symbol: "THYAO", quantity: 40 },
  ...{ buySell: 2, orderType: 1, price: 0, origin: { kind: "command", commandId: "c1" } },
};

/** Holdings of 100 THYAO, read at second 1,000; `atMs` is what the clock shows afterwards. */
function read(atMs = 1_000_000) {
  let nowMs = 1_000_000;
  const holdings = new LastHoldings({ nowMs: () => nowMs }, (symbol) => symbol);
  const learn = (quantity: number) => {
    holdings.learn(PLACE, [{ symbol: "THYAO", quantity }]);
    nowMs = atMs;
  };
  learn(100);
  const fill = (clientOrderId: string | null, buySell: 1 | 2 = 2) =>
    holdings.noteFill(PLACE, { symbol: "THYAO", buySell, clientOrderId }, 40);
  const found = () => {
    const { quantity, soldSince, hasBoughtSince } = holdings.find(PLACE, "THYAO") ?? {};
    return [quantity, soldSince, hasBoughtSince];
  };
  return { holdings, learn, fill, found };
}

test("a sell of an order that came after the reading is deducted", () => {
  const { holdings, fill, found } = read();
  holdings.noteOrder(ORDER);
  fill("s1");
  assert.deepEqual(found(), [100, 40, false]);
});

test("a sell of an order from before the reading is not deducted, as the reading may contain it", () => {
  const { holdings, learn, fill, found } = read();
  holdings.noteOrder(ORDER);
  learn(60);
  fill("s1");
  assert.deepEqual(found(), [60, 0, false]);
});

test("fills of orders that came after the reading are deducted, of earlier ones not", () => {
  const { holdings, learn } = read();
  holdings.noteOrder(ORDER);
  assert.equal(holdings.find(PLACE, "THYAO")?.ordersSince.has("s1"), true);
  learn(60);
  assert.equal(holdings.find(PLACE, "THYAO")?.ordersSince.has("s1"), false);
});

test("a sell without a name is not deducted, and a buy makes the holding unknown whenever it was sent", () => {
  const { fill, found } = read();
  fill(null);
  assert.deepEqual(found(), [100, 0, false]);
  fill("b1", 1);
  assert.deepEqual(found(), [100, 0, true]);
});

test("orders are noted only while the reading is young, so that their names do not add up", () => {
  for (const [atMs, sold] of [
    [1_059_999, 40],
    [1_060_000, 0],
    [999_999, 0],
  ] as const) {
    const { holdings, fill, found } = read(atMs);
    holdings.noteOrder(ORDER);
    fill("s1");
    assert.deepEqual(found(), [100, sold, false], String(atMs));
  }
});

test("another account and another symbol are not known", () => {
  const { holdings } = read();
  assert.equal(holdings.find({ ...PLACE, accountNumber: "A2" }, "THYAO"), undefined);
  assert.equal(holdings.find(PLACE, "GARAN")?.quantity, 0);
  holdings.noteFill({ ...PLACE, userId: 8 }, { symbol: "THYAO", buySell: 2, clientOrderId: "s1" }, 1);
});

test("lots that were read under one name of a renamed symbol are held under the other", () => {
  const renamed: string[] = [];
  const presentName = (symbol: string): string => (renamed.includes(symbol) ? "TURK" : symbol);
  const holdings = new LastHoldings({ nowMs: () => 1_000_000 }, presentName);
  holdings.learn(PLACE, [{ symbol: "THYAO", quantity: 100 }]);
  assert.equal(holdings.find(PLACE, "TURK")?.quantity, 0);
  // The rename is known here, and the group does not have the new name yet.
  renamed.push("THYAO");
  for (const name of ["THYAO", "TURK"]) assert.equal(holdings.find(PLACE, name)?.quantity, 100, name);
  holdings.noteOrder(ORDER);
  holdings.noteFill(PLACE, { symbol: "THYAO", buySell: 2, clientOrderId: "s1" }, 40);
  for (const name of ["THYAO", "TURK"]) assert.equal(holdings.find(PLACE, name)?.soldSince, 40, name);
  // The brokerage has the new name now.
  holdings.learn(PLACE, [{ symbol: "TURK", quantity: 60 }]);
  for (const name of ["THYAO", "TURK"]) assert.equal(holdings.find(PLACE, name)?.quantity, 60, name);
});
