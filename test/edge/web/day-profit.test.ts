/** The profit of a day, and what is not known of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { basePriceOf, profitOfDay } from "../../../edge/web/dashboard/part/day-profit.ts";
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
    ...{ price: 0, averagePrice: 103, clientOrderId: null, createdDate: "2026-03-02T08:00:00Z", ...fields },
  };
}

const always = (): boolean => true;

test("lots of this morning gain from the base price, and the share is of their worth in the morning", () => {
  const positions = [position("THYAO", 10, 110), position("GARAN", 20, 45)];
  const known = { symbolCount: 2, missing: [] };
  assert.deepEqual(profitOfDay(positions, [], baseOf, always), { amount: 0, share: 0, ...known });
  assert.deepEqual(profitOfDay(positions.slice(0, 1), [], baseOf, always), {
    ...{ amount: 100, share: 0.1, symbolCount: 1, missing: [] },
  });
});

test("lots that were bought today gain from their price, need no base price, and the share is of their cost", () => {
  const bought = order({ buySell: 1, averagePrice: 104 });
  assert.deepEqual(profitOfDay([position("THYAO", 10, 110)], [bought], baseOf, always), {
    ...{ amount: 60, share: 60 / 1_040, symbolCount: 1, missing: [] },
  });
  const strange = { ...bought, symbol: "SISE" };
  assert.equal(profitOfDay([position("SISE", 10, 110)], [strange], baseOf, always).amount, 60);
});

test("lots that were sold today count up to the price of the sell, also if none is held any more", () => {
  assert.deepEqual(profitOfDay([], [order({ averagePrice: 97 })], baseOf, always), {
    ...{ amount: -30, share: -0.03, symbolCount: 1, missing: [] },
  });
  const day = [
    order({ filledQuantity: 4, averagePrice: 103 }),
    order({ buySell: 1, filledQuantity: 2, averagePrice: 90 }),
  ];
  // Of 12 lots in the morning 4 were sold at 103, and 2 were bought at 90: the 10 of now are worth 105 each.
  assert.equal(profitOfDay([position("THYAO", 10, 105)], day, baseOf, always).amount, 1_050 + 412 - 180 - 1_200);
});

test("what did not fill changes nothing", () => {
  const orders = [order({ filledQuantity: 0, averagePrice: null }), order({ symbol: "SISE", filledQuantity: 0 })];
  assert.deepEqual(profitOfDay([position("THYAO", 10, 110)], orders, baseOf, always), {
    ...{ amount: 100, share: 0.1, symbolCount: 1, missing: [] },
  });
});

test("a symbol is named with the reason and not counted if its profit is not known", () => {
  const thyao = position("THYAO", 10, 110);
  const of = (positions: readonly Position[], orders: readonly Order[] = []): unknown =>
    profitOfDay([thyao, ...positions], orders, baseOf, ({ createdDate }) => createdDate !== "old");
  const rest = { amount: 100, share: 0.1 };
  assert.deepEqual(of([position("SISE", 5, 40), position("GARAN", 1, null)]), {
    ...{ ...rest, symbolCount: 3 },
    missing: [
      { symbol: "GARAN", reason: "price" },
      { symbol: "SISE", reason: "base" },
    ],
  });
  assert.deepEqual(of([position("SISE", 0, null)]), { ...rest, symbolCount: 1, missing: [] }, "none is held");
  const garan = { symbol: "GARAN", averagePrice: 51 };
  for (const [unknown, reason] of [
    [{ averagePrice: null }, "fill"],
    [{ averagePrice: 0 }, "fill"],
    [{ createdDate: "old" }, "fill"],
    [{ buySell: 1 }, "lots"],
  ] as const) {
    const missing = [{ symbol: "GARAN", reason }];
    assert.deepEqual(of([], [order({ ...garan, ...unknown })]), { ...rest, symbolCount: 2, missing });
  }
});

test("the amount is not known if every symbol that has lots or fills is left out, and zero without such a symbol", () => {
  const orders = [order({ symbol: "SISE", filledQuantity: 0 })];
  const of = (positions: readonly Position[]) => profitOfDay(positions, orders, baseOf, always).amount;
  assert.equal(of([position("EREGL", 10, 110), position("TCELL", 0, 80)]), undefined);
  assert.equal(of([position("TCELL", 0, 80)]), 0);
});

test("a base price counts on its own day alone, where the exchange is", () => {
  const base = { basePrice: 100, bandDate: "2026-03-03" };
  const late = Date.parse("2026-03-02T22:00:00Z");
  assert.equal(basePriceOf(base, "Europe/Istanbul", late), 100);
  assert.equal(basePriceOf(base, "UTC", late), undefined);
  assert.equal(basePriceOf({ ...base, basePrice: null }, "Europe/Istanbul", late), undefined);
  for (const none of [null, undefined]) assert.equal(basePriceOf(none, "UTC", late), undefined);
});
