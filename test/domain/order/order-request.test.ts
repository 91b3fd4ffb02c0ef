import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkOrder, type OrderRequest } from "../../../src/domain/order/order-request.ts";
import type { TickTable } from "../../../src/domain/price/tick-table.ts";

const tableOf = (symbol: string): TickTable | undefined => (({ THYAO: "BIST", AAPL: "CENT" }) as const)[symbol];
const market: OrderRequest = { symbol: "THYAO", quantity: 10, buySell: 1, orderType: 1, price: 0 };
const limit: OrderRequest = { ...market, orderType: 2, price: 20.02 };

describe("order request", () => {
  test("a market order has price 0 or none, a limit order one on the tick table", () => {
    for (const request of [market, { ...market, price: undefined }]) {
      assert.deepEqual(checkOrder(request, tableOf), { ok: true, value: { ...market, price: 0 } });
    }
    for (const price of [0.01, 20.02, 9_999_997.5]) {
      assert.deepEqual(checkOrder({ ...limit, price }, tableOf), { ok: true, value: { ...limit, price } });
    }
  });

  test("a limit is on the tick table of its symbol's exchange", () => {
    const cent = { ...limit, symbol: "AAPL", price: 227.31 };
    assert.deepEqual(checkOrder(cent, tableOf), { ok: true, value: cent });
    const refused = checkOrder({ ...cent, symbol: "THYAO" }, tableOf);
    assert.ok(!refused.ok && /^price 227.31 is not a multiple of 0.1$/.test(refused.message));
  });

  test("both sides and both kinds are orders, and nothing else is", () => {
    for (const buySell of [1, 2]) assert.ok(checkOrder({ ...market, buySell }, tableOf).ok);
    for (const code of [0, 3, -1, 1.5, Number.NaN]) {
      assert.ok(!checkOrder({ ...market, buySell: code }, tableOf).ok);
      assert.ok(!checkOrder({ ...limit, orderType: code }, tableOf).ok);
    }
  });

  test("prices that are none are refused, -0 included", () => {
    for (const price of [-0, 0.01, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.ok(!checkOrder({ ...market, price }, tableOf).ok, String(price));
    }
    for (const price of [undefined, 0, -0, 20.01, 0.1 + 0.2, 1e7, Number.POSITIVE_INFINITY]) {
      assert.ok(!checkOrder({ ...limit, price }, tableOf).ok, String(price));
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
      const checked = checkOrder(request, tableOf);
      assert.ok(!checked.ok && checked.code === "INVALID");
      assert.match(checked.message, message);
    }
  });
});
