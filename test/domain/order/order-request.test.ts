import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkOrder, type OrderRequest } from "../../../src/domain/order/order-request.ts";

const isKnown = (symbol: string): boolean => symbol === "THYAO";
const market: OrderRequest = { symbol: "THYAO", quantity: 10, buySell: 1, orderType: 1, price: 0 };
const limit: OrderRequest = { ...market, orderType: 2, price: 20.02 };

describe("order request", () => {
  test("a market order has price 0 or none, a limit order one on the tick table", () => {
    for (const request of [market, { ...market, price: undefined }]) {
      assert.deepEqual(checkOrder(request, isKnown), { ok: true, value: { ...market, price: 0 } });
    }
    for (const price of [0.01, 20.02, 9_999_997.5]) {
      assert.deepEqual(checkOrder({ ...limit, price }, isKnown), { ok: true, value: { ...limit, price } });
    }
  });

  test("both sides and both kinds are orders, and nothing else is", () => {
    for (const buySell of [1, 2]) assert.ok(checkOrder({ ...market, buySell }, isKnown).ok);
    for (const code of [0, 3, -1, 1.5, Number.NaN]) {
      assert.ok(!checkOrder({ ...market, buySell: code }, isKnown).ok);
      assert.ok(!checkOrder({ ...limit, orderType: code }, isKnown).ok);
    }
  });

  test("prices that are none are refused, -0 included", () => {
    for (const price of [-0, 0.01, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.ok(!checkOrder({ ...market, price }, isKnown).ok, String(price));
    }
    for (const price of [undefined, 0, -0, 20.01, 0.1 + 0.2, 1e7, Number.POSITIVE_INFINITY]) {
      assert.ok(!checkOrder({ ...limit, price }, isKnown).ok, String(price));
    }
  });

  test("the refusal names the field", () => {
    const refusals = [
      [{ ...market, symbol: "NOPE" }, /^symbol /],
      [{ ...market, quantity: 0.5 }, /^quantity /],
      [{ ...market, quantity: 1_000_000_001 }, /^quantity /],
      [{ ...market, buySell: 9 }, /^buySell /],
      [{ ...market, orderType: 9 }, /^orderType /],
      [{ ...market, price: 1 }, /^price /],
      [{ ...limit, price: undefined }, /^price /],
    ] as const;
    for (const [request, message] of refusals) {
      const checked = checkOrder(request, isKnown);
      assert.ok(!checked.ok && checked.code === "INVALID");
      assert.match(checked.message, message);
    }
  });
});
