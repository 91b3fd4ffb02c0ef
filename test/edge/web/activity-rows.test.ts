/** The list of events: runs of a bot's trades in one row, and what sales brought. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { daysOf, firstRows } from "../../../edge/web/dashboard/page/activity-rows.ts";
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
