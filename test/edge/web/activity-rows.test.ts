/** The list of events: runs of a bot's trades in one row, and what sales brought. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { daysOf, firstRows, toneOf } from "../../../edge/web/dashboard/page/activity-rows.ts";
import { fillOf, namedOrderOf } from "../../../edge/web/dashboard/page/fills.ts";
import { firedRowOf, saleProfitOf, salesOf } from "../../../edge/web/dashboard/page/sales.ts";
import type { ToldEvent } from "../../../src/event/describe-event.ts";

/** Events of one day at noon, so that no zone moves them to another. */
const eventOf = (id: number, type: string, more: object = {}, day = "2026-03-02"): ToldEvent => ({
  ...{ id, type, time: `${day}T12:00:00.000Z`, systemId: 4 },
  ...more,
});

const idsOf = (events: readonly ToldEvent[], isFolded: boolean, count = 200): unknown =>
  firstRows(daysOf(events, isFolded), count).map(({ rows }) => rows.map((row) => row.map(({ id }) => id)));

test("three trades of a bot in sequence are a row; other events, other bots and other days end it", () => {
  const events = [
    eventOf(9, "pair.sold"),
    eventOf(8, "pair.bought"),
    eventOf(7, "pair.bought"),
    eventOf(6, "oco.created"),
    eventOf(5, "pair.sold"),
    eventOf(4, "pair.bought"),
    eventOf(3, "pair.bought", { systemId: 5 }),
    eventOf(2, "pair.buyFailed"),
    eventOf(1, "pair.bought", {}, "2026-02-28"),
  ];
  assert.deepEqual(idsOf(events, true), [[[9, 8, 7], [6], [5], [4], [3], [2]], [[1]]]);
  assert.deepEqual(idsOf(events, false), [[[9], [8], [7], [6], [5], [4], [3], [2]], [[1]]]);
  assert.deepEqual(idsOf(events, true, 2), [[[9, 8, 7], [6]]], "a day without a row is left out");
});

test("sales of known prices are counted and added up in each currency", () => {
  const sold = (symbol: string, buyPrice: number | null, sellPrice: number): ToldEvent =>
    eventOf(1, "pair.sold", { symbol, row: { buyPrice, sellPrice, buyQuantity: 5 } });
  const events = [sold("GARAN", 100, 100.1), sold("GARAN", 100, 99), sold("SISE", null, 30), sold("AAPL", 200, 201)];
  assert.deepEqual(events.map(saleProfitOf), [0.5, -5, undefined, 5]);
  assert.equal(
    saleProfitOf(eventOf(1, "pair.bought", { row: { buyPrice: 1, sellPrice: 2, buyQuantity: 3 } })),
    undefined,
  );
  const { count, sums } = salesOf(events, (symbol) => (symbol === "AAPL" ? "USD" : "TRY"));
  assert.equal(count, 3);
  assert.deepEqual(
    [...sums],
    [
      ["TRY", -4.5],
      ["USD", 5],
    ],
  );
});

test("sales of groups are added up once they have filled, and those of unknown cost are counted apart", () => {
  const fired = (id: number): ToldEvent => eventOf(id, "oco.triggered", { row: { id, groupId: 7, symbol: "GARAN" } });
  const sold = eventOf(1, "pair.sold", { symbol: "GARAN", row: { buyPrice: 100, sellPrice: 101, buyQuantity: 5 } });
  const events = [fired(1), fired(2), fired(3), sold, eventOf(4, "oco.cancelled", { row: { id: 1, groupId: 7 } })];
  const saleOf = (rowId: number) =>
    rowId === 1
      ? { lots: 10, price: 99, profit: -20 }
      : rowId === 2
        ? { lots: 1, price: 9, profit: undefined }
        : undefined;
  const { count, unknownCount, sums } = salesOf(events, () => "TRY", saleOf);
  assert.deepEqual([count, unknownCount, [...sums]], [2, 1, [["TRY", -15]]]);
  assert.deepEqual(firedRowOf(fired(3)), { id: 3, groupId: 7 });
  assert.equal(firedRowOf(eventOf(4, "oco.cancelled", { row: { id: 1, groupId: 7 } })), undefined);
  assert.equal(firedRowOf(eventOf(4, "oco.triggered")), undefined, "a row that is not stated");
});

test("a sale has the colour of its result, and a step of a plan is fainter than a fill", () => {
  const stopLoss = { row: { groupId: 7, orderType: 2 } };
  const [takeProfit, unknown] = [{ row: { groupId: 7, orderType: 1 } }, { profit: undefined, hasFill: false }];
  for (const [type, more, known, tone] of [
    ["oco.triggered", takeProfit, { profit: -4, hasFill: true }, "bad"],
    ["oco.triggered", stopLoss, { profit: 4, hasFill: true }, "good"],
    ["oco.triggered", stopLoss, { profit: 0, hasFill: true }, "plain"],
    ["oco.triggered", takeProfit, unknown, "good"],
    ["oco.triggered", stopLoss, unknown, "bad"],
    ["oco.created", {}, unknown, "faint"],
    ["setup.registered", {}, { profit: undefined, hasFill: true }, "plain"],
    ["setup.removed", { isPartFilled: true }, unknown, "plain"],
    ["price.reached", {}, unknown, "plain"],
  ] as const)
    assert.equal(toneOf(eventOf(1, type, more), known), tone, `${type} ${JSON.stringify(more)}`);
});

describe("the fill of an event", () => {
  const account = { brokerageCode: "PAPER", accountNumber: "A1" };
  const order = {
    ...({
      orderNo: "N1",
      clientOrderId: null,
      symbol: "TUPRS",
      quantity: 300,
      filledQuantity: 120,
      buySell: 1,
      orderType: 1,
    } as const),
    ...{ orderStatus: 1, price: 0, averagePrice: 191.9, createdDate: "2026-03-02T12:00:00.000Z" },
  };
  const lookups = {
    saleOf: (rowId: number) => (rowId === 5 ? { lots: 20, price: 186, profit: -4 } : undefined),
    orderOf: ({ orderNo }: { readonly orderNo: string }) => (orderNo === order.orderNo ? order : undefined),
  };
  const fill = (type: string, more: object) => fillOf(eventOf(1, type, more), lookups);
  const row = { id: 5, groupId: 7, symbol: "ASELS", quantity: 50 };

  test("is of a group's row, once its order has sold", () => {
    assert.deepEqual(fill("oco.triggered", { row }), { lots: 20, ofLots: 50, price: 186 });
    assert.deepEqual(fill("oco.exitCompleted", { row }), { lots: 20, ofLots: undefined, price: 186 });
    assert.equal(fill("oco.triggered", { row: { ...row, id: 6 } }), undefined);
    assert.equal(fill("oco.created", { rows: [row] }), undefined, "no order");
    assert.deepEqual(fill("oco.sellIncomplete", { row, filledQuantity: 30 }), {
      ...{ lots: 30, ofLots: 50, price: undefined },
    });
  });

  test("is of a bot's order, without a price that the brokerage did not give", () => {
    const pair = { buyQuantity: 5, buyPrice: 92.55, sellQuantity: 4, sellPrice: null };
    assert.deepEqual(fill("pair.bought", { row: pair }), { lots: 5, ofLots: undefined, price: 92.55 });
    assert.deepEqual(fill("pair.sold", { row: pair }), { lots: 4, ofLots: undefined, price: undefined });
    assert.equal(fill("pair.buyFailed", { row: pair }), undefined);
  });

  test("is of a client's order and of a pending OCO's buy, from the event or the day's orders", () => {
    const found = { lots: 120, ofLots: 300, price: 191.9 };
    const placed = { order: { ...account, orderNo: "N1" } };
    assert.deepEqual(fill("order.placed", placed), found);
    assert.equal(fill("order.refused", placed), undefined);
    assert.deepEqual(namedOrderOf(eventOf(1, "order.placed", placed)), placed.order);
    const setup = { ...account, brokerOrderNo: "N1", entry: null };
    assert.deepEqual(fill("setup.converted", { row: setup }), found);
    assert.equal(fill("setup.registered", { row: { ...setup, brokerOrderNo: null } }), undefined);
    assert.equal(fill("setup.registered", { row: { ...setup, brokerOrderNo: "N2" } }), undefined, "of another day");
    const entry = { quantity: 400, filledQuantity: 400, averagePrice: 38.48 };
    assert.deepEqual(fill("setup.converted", { row: { ...setup, entry } }), { lots: 400, ofLots: 400, price: 38.48 });
  });
});
