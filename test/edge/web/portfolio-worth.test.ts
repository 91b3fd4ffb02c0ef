/** Positions at newer prices, and when the equity of a brokerage is cash and positions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { atPrice, equityBeyond, isCashAndPositions } from "../../../edge/web/dashboard/part/portfolio-worth.ts";

const position = {
  symbol: "THYAO",
  quantity: 10,
  availableQuantity: 10,
  averagePrice: 100,
  lastPrice: 110,
  profit: 98,
};
const balance = { cash: 500, buyingPower: 500, equity: 1_600, currency: "TRY" };
const noPrices = (): readonly number[] => [];

test("a newer price moves the value and the profit that the brokerage stated by the same amount", () => {
  assert.deepEqual(atPrice(position, 112), { ...position, lastPrice: 112, profit: 118 });
  for (const price of [undefined, 110]) assert.equal(atPrice(position, price), position);
});

test("a position whose price the brokerage does not state has a profit against its average price, if that is known", () => {
  const unpriced = { ...position, lastPrice: null, profit: null };
  assert.equal(atPrice(unpriced, 112).profit, 120);
  assert.equal(atPrice({ ...unpriced, averagePrice: 0 }, 112).profit, null);
  assert.equal(atPrice(unpriced, undefined), unpriced);
});

test("the equity is cash and positions at the stated prices, or at prices of the time between both answers", () => {
  assert.equal(isCashAndPositions(balance, [position], noPrices), true);
  const later = { ...balance, equity: 1_612 };
  assert.equal(isCashAndPositions(later, [position], noPrices), false);
  assert.equal(
    isCashAndPositions(later, [position], () => [111, 111.5]),
    true,
  );
  assert.equal(
    isCashAndPositions({ ...balance, equity: 1_650 }, [position], () => [111, 111.5]),
    false,
    "money that is not settled",
  );
  assert.equal(isCashAndPositions({ ...balance, equity: 1_600.01 }, [position], noPrices), true, "rounded");
  assert.equal(isCashAndPositions({ ...balance, equity: 1_600.02 }, [position], noPrices), false);
});

test("the equity is not called cash and positions if a position has no price, and lots of zero need none", () => {
  const unpriced = { ...position, symbol: "SISE", lastPrice: null, profit: null };
  assert.equal(isCashAndPositions(balance, [position, unpriced], noPrices), false);
  assert.equal(isCashAndPositions(balance, [position, { ...unpriced, quantity: 0 }], noPrices), true);
});

test("the equity beyond cash and positions is of the prices of one moment, and not known if a position has no price", () => {
  assert.equal(equityBeyond(balance, [position]), 0);
  assert.equal(equityBeyond({ ...balance, equity: 1_650 }, [position]), 50);
  assert.equal(equityBeyond(balance, [atPrice(position, 112)]), -20);
  assert.equal(equityBeyond(balance, [position, { ...position, lastPrice: null }]), undefined);
  assert.equal(equityBeyond(balance, [position, { ...position, quantity: 0, lastPrice: null }]), 0);
});
