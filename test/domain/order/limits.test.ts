import assert from "node:assert/strict";
import { test } from "node:test";
import { type ActionRequest, planAction } from "../../../src/domain/market/corporate-action.ts";
import {
  type CountedFill,
  costsAfter,
  countFill,
  type DayResult,
  isLossReached,
  NO_LIMITS,
  onDay,
  refuseByLimits,
} from "../../../src/domain/order/limits.ts";
import { BUY, SELL } from "../../../src/domain/order/order.ts";

const NOTHING: DayResult = { day: 0, realised: 0, positions: [] };
const bought = (quantity: number, price: number, symbol = "THYAO"): CountedFill => ({
  ...{ symbol, buySell: BUY, quantity, amount: quantity * price },
});
const sold = (quantity: number, price: number, symbol = "THYAO"): CountedFill => ({
  ...{ symbol, buySell: SELL, quantity, amount: quantity * price },
});
const after = (fills: readonly CountedFill[], day = 5): DayResult =>
  fills.reduce((result, fill) => countFill(result, fill, day), NOTHING);

test("a sell realises what it brought, less the average cost of its lots", () => {
  const rows: [string, readonly CountedFill[], number][] = [
    ["nothing is sold", [bought(10, 100)], 0],
    ["at a loss", [bought(10, 100), sold(4, 90)], -40],
    ["at a profit", [bought(10, 100), sold(10, 101.5)], 15],
    ["of two buys", [bought(10, 100), bought(30, 80), sold(20, 80)], -100],
    ["in two parts", [bought(10, 100), sold(5, 90), sold(5, 110)], 0],
    ["of another symbol", [bought(10, 100), sold(10, 1, "GARAN")], 0],
    ["lots that no own order bought", [sold(10, 1)], 0],
    ["more lots than own orders bought", [bought(10, 100), sold(40, 90)], -100],
    ["without a price", [bought(10, 100), { ...sold(10, 0), amount: null }], 0],
    ["after a buy without a price", [{ ...bought(10, 0), amount: null }, sold(10, 1)], 0],
    ["prices with many digits", [bought(3, 0.1), sold(1, 0.2), sold(2, 0.2)], 0.3],
  ];
  for (const [name, fills, realised] of rows) assert.equal(after(fills).realised, realised, name);
});

test("a new day begins with nothing realised and the same lots; no day comes back", () => {
  const first = after([bought(10, 100), sold(4, 90)]);
  assert.deepEqual(onDay(first, 5), first);
  assert.deepEqual(onDay(first, 4), first);
  const next = countFill(first, sold(1, 99), 6);
  assert.deepEqual(next, { day: 6, realised: -1, positions: [{ symbol: "THYAO", lots: 5, cost: 500 }] });
});

test("the cost of lots follows a corporate action, and is not known after a late one (behaviour 28.9)", () => {
  const other = { symbol: "GARAN", lots: 3, cost: 90 };
  const costOf = (request: Omit<ActionRequest, "symbol" | "exDate">, isLate = false, lots = 10) => {
    const action = planAction({ symbol: "THYAO", exDate: "2026-03-03", ...request }, Date.parse("2026-03-02"), "UTC");
    assert.ok(action.ok, JSON.stringify(action));
    const [first, ...more] = costsAfter([other, { symbol: "THYAO", lots, cost: 1_000 }], action.value, isLate);
    assert.deepEqual(first, other);
    return more.map((position) => [position.lots, position.cost]);
  };
  const split = { type: "split", sharesBefore: 1, sharesAfter: 10 } as const;
  const reverse = { type: "split", sharesBefore: 4, sharesAfter: 1 } as const;
  const rights = { type: "rights", ratio: 1, subscriptionPrice: 50 } as const;
  assert.deepEqual(costOf(split), [[100, 1_000]]);
  assert.deepEqual(costOf({ type: "bonus", ratio: 0.5 }), [[15, 1_000]]);
  assert.deepEqual(costOf(reverse), [[2, 1_000]]);
  assert.deepEqual(costOf(reverse, false, 3), []);
  assert.deepEqual(costOf({ ...rights, closePrice: 100 }), [[10, 750]]);
  assert.deepEqual(costOf(rights), []);
  assert.deepEqual(costOf({ type: "dividend", cash: 5 }, true), [[10, 1_000]]);
  assert.deepEqual(costOf(split, true), []);
});

test("a loss is reached when it is as large as the limit", () => {
  const reached = (maxDailyLoss: number | null, realised: number) =>
    isLossReached({ ...NO_LIMITS, maxDailyLoss }, { ...NOTHING, realised });
  const rows = [reached(40, -39.99), reached(40, -40), reached(40, 40), reached(null, -1_000)];
  assert.deepEqual(rows, [false, true, false, false]);
});

test("orders above a limit are refused, by name; a value that is not known is not judged", () => {
  const limits = { ...NO_LIMITS, maxOrdersPerMinute: 2, maxOrderValue: 1_000 };
  const rows: [object, number, number | undefined, number, string | undefined][] = [
    [{}, 10, 100, 0, undefined],
    [{}, 10, 100.01, 0, "maxOrderValue"],
    [{}, 1_000_000, undefined, 0, undefined],
    [{}, 1, 1, 1, undefined],
    [{}, 1, 1, 2, "maxOrdersPerMinute"],
    [NO_LIMITS, 1_000_000, 1_000, 1_000, undefined],
  ];
  for (const [change, quantity, price, count, name] of rows) {
    const refusal = refuseByLimits({ ...limits, ...change }, { quantity, price }, count);
    assert.equal(refusal?.code, name === undefined ? undefined : "ACCOUNT_LIMIT");
    assert.ok(name === undefined || refusal?.message.includes(`${name} `));
  }
});
