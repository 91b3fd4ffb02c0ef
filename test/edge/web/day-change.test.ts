/** What a day did to an account, and what is not known of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { basePriceOf, changeOfHeld, changeOfSold } from "../../../edge/web/dashboard/part/day-change.ts";
import type { Order, Position } from "../../../edge/web/dashboard/state/model.ts";

const BASES = new Map([
  ["THYAO", 100],
  ["GARAN", 50],
]);
const baseOf = (symbol: string): number | undefined => BASES.get(symbol);

function position(symbol: string, quantity: number, lastPrice: number | null): Position {
  return { symbol, quantity, availableQuantity: quantity, averagePrice: 1, lastPrice, profit: null };
}

function order(fields: Partial<Order>): Order {
  return {
    ...{ orderNo: "N1", symbol: "THYAO", quantity: 10, filledQuantity: 10, buySell: 2, orderType: 1, orderStatus: 2 },
    ...{ price: 0, averagePrice: 103, createdDate: "2026-03-02T08:00:00Z", ...fields },
  };
}

test("what is held changes from the base price to the last price, and its share is of the value at the base prices", () => {
  const positions = [position("THYAO", 10, 110), position("GARAN", 20, 45)];
  assert.deepEqual(changeOfHeld(positions, baseOf), { amount: 0, share: 0, missing: [] });
  assert.deepEqual(changeOfHeld(positions.slice(0, 1), baseOf), { amount: 100, share: 0.1, missing: [] });
});

test("a symbol without a base price or a last price is named and not counted, and nothing counted has no share", () => {
  const positions = [position("THYAO", 10, 110), position("SISE", 5, 40), position("GARAN", 1, null)];
  assert.deepEqual(changeOfHeld(positions, baseOf), { amount: 100, share: 0.1, missing: ["GARAN", "SISE"] });
  assert.deepEqual(changeOfHeld(positions.slice(1), baseOf), {
    ...{ amount: 0, share: undefined, missing: ["GARAN", "SISE"] },
  });
  assert.deepEqual(changeOfHeld([position("SISE", 0, null)], baseOf).missing, [], "none is held");
});

test("what was sold counts its fills at their average price; buys, and what did not fill, do not", () => {
  const orders = [order({}), order({ filledQuantity: 4, averagePrice: 98 }), order({ buySell: 1 })];
  const all = [...orders, order({ filledQuantity: 0, averagePrice: null })];
  assert.deepEqual(
    changeOfSold(all, baseOf, () => true),
    { amount: 10 * 3 - 4 * 2, share: 22 / 1_400, missing: [] },
  );
});

test("a fill of unknown price or of another day leaves all sells of its symbol out, and no other's", () => {
  const garan = order({ symbol: "GARAN", averagePrice: 51 });
  for (const unknown of [order({ averagePrice: null }), order({ averagePrice: 0 }), order({ createdDate: "old" })]) {
    const change = changeOfSold([order({}), unknown, garan], baseOf, ({ createdDate }) => createdDate !== "old");
    assert.deepEqual(change, { amount: 10, share: 10 / 500, missing: ["THYAO"] });
  }
});

test("a base price counts on its own day alone, where the exchange is", () => {
  const base = { basePrice: 100, bandDate: "2026-03-03" };
  const late = Date.parse("2026-03-02T22:00:00Z");
  assert.equal(basePriceOf(base, "Europe/Istanbul", late), 100);
  assert.equal(basePriceOf(base, "UTC", late), undefined);
  assert.equal(basePriceOf({ ...base, basePrice: null }, "Europe/Istanbul", late), undefined);
  for (const none of [null, undefined]) assert.equal(basePriceOf(none, "UTC", late), undefined);
});
