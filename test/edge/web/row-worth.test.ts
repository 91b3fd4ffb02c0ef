/** What rows of a group brought: by their fills if these are known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  areSalesOver,
  fillsOf,
  groupOutcome,
  protectedLots,
  type RowOrder,
  rewardOf,
  rowWorth,
  soldWorth,
} from "../../../edge/web/dashboard/group/row-worth.ts";

const orderOf = (rowId: number, filledQuantity: number | null, averagePrice: number | null): RowOrder => ({
  ...{ rowId, refusal: null, filledDate: "2026-01-05T09:00:00.000Z", filledQuantity, averagePrice },
});

test("the fills of a row are its lots at their price on average", () => {
  const fills = fillsOf([orderOf(1, 60, 90), orderOf(1, 40, 85), orderOf(2, 10, 120), orderOf(3, 0, null)]);
  assert.deepEqual(
    [...fills],
    [
      [1, { lots: 100, price: 88 }],
      [2, { lots: 10, price: 120 }],
    ],
  );
});

test("a row with a fill of unknown price has no fill", () => {
  assert.equal(fillsOf([orderOf(1, 60, 90), orderOf(1, 40, null)]).size, 0);
});

const ROW = { status: 2, price: 90, triggeredPrice: 89, quantity: 100 } as const;

test("a fired row counts at its fill, and at the price that fired it while no fill is known", () => {
  const { profitShare, ...worth } = rowWorth(ROW, { lots: 60, price: 88 }, 100) ?? assert.fail();
  assert.deepEqual(worth, { at: "fill", value: 5_280, profit: -720 });
  assert.ok(Math.abs((profitShare ?? 0) + 0.12) < 1e-9);
  const fired = rowWorth(ROW, undefined, 100);
  assert.deepEqual([fired?.at, fired?.value, fired?.profit], ["firedPrice", 8_900, -1_100]);
});

test("a failed row counts what it sold, and without a fill nothing", () => {
  assert.equal(rowWorth({ ...ROW, status: 3 }, { lots: 10, price: 88 }, 100)?.profit, -120);
  assert.equal(rowWorth({ ...ROW, status: 3 }, undefined, 100), undefined);
});

test("a row under watch counts at its level, and its profit needs an average price", () => {
  const row = { ...ROW, status: 1, triggeredPrice: null } as const;
  assert.deepEqual([rowWorth(row, undefined, 100)?.at, rowWorth(row, undefined, 100)?.profit], ["level", -1_000]);
  assert.equal(rowWorth(row, undefined, undefined)?.profit, undefined);
});

test("what a group sold counts its fired rows and what a failed row sold, and is of fills once each is known", () => {
  const rows = [
    { ...ROW, id: 1, status: 3 },
    { ...ROW, id: 2 },
    { ...ROW, id: 3, status: 4 },
  ] as const;
  const byRow = new Map([
    [1, { lots: 10, price: 88 }],
    [2, { lots: 100, price: 120 }],
  ]);
  const fills = { byRow, isOver: true };
  const none = { byRow: new Map(), isOver: true };
  assert.deepEqual(soldWorth(rows, fills, 100), {
    lots: 110,
    profit: 1_880,
    profitShare: 0.1709090909090909,
    isOfFills: true,
  });
  assert.deepEqual(soldWorth(rows, none, 100), { lots: 100, profit: -1_100, profitShare: -0.11, isOfFills: false });
  assert.equal(soldWorth(rows, fills, undefined).profit, undefined);
  assert.deepEqual(soldWorth([rows[2]], none, undefined), {
    lots: 0,
    profit: 0,
    profitShare: undefined,
    isOfFills: true,
  });
  const unsold = { lots: 0, profit: undefined, profitShare: undefined, isOfFills: true };
  assert.deepEqual(soldWorth(rows, { ...none, isOver: false }, 100), unsold, "nothing is known as filled yet");
  assert.equal(soldWorth(rows, { byRow, isOver: false }, 100).profit, undefined, "sales continue");
});

test("the reward of a take-profit is its gain for each unit of loss at the stop-loss, from the average price", () => {
  const stop = { orderType: 2, status: 1, price: 90 } as const;
  const target = { orderType: 1, status: 1, price: 125 } as const;
  const rows = [stop, target];
  assert.equal(rewardOf(target, rows, 100), 2.5);
  assert.equal(rewardOf(stop, rows, 100), undefined, "a stop-loss");
  assert.equal(rewardOf(target, rows, 90), undefined, "nothing is lost at the stop-loss");
  assert.equal(rewardOf(target, rows, 130), undefined, "nothing is gained at the take-profit");
  assert.equal(rewardOf({ ...target, status: 2 }, rows, 100), undefined, "it has fired");
  assert.equal(rewardOf(target, [{ ...stop, status: 3 }, target], 100), undefined, "no stop-loss is under watch");
});

test("sales are over once each order has its end and the exit sends no other", () => {
  const plan = { orders: [orderOf(1, 60, 90)], exit: { state: "sold" } };
  assert.ok(areSalesOver(plan, [1]));
  assert.ok(!areSalesOver({ ...plan, exit: { state: "waiting" } }, [1]));
  assert.ok(!areSalesOver(plan, [1, 2]));
});

test("a stop-loss protects its lots without those that take-profits sold", () => {
  const stop = { orderType: 2, status: 1, quantity: 100 } as const;
  const takeProfits = [
    { orderType: 1, status: 2, quantity: 40 },
    { orderType: 1, status: 1, quantity: 60 },
  ] as const;
  assert.equal(protectedLots([stop, ...takeProfits]), 60);
  assert.equal(protectedLots([{ ...stop, status: 2 }, ...takeProfits]), 0, "it has fired");
  assert.equal(protectedLots([{ ...stop, quantity: 30 }, ...takeProfits]), 0);
});

const STOP = { id: 1, orderType: 2, status: 1, price: 90, triggeredPrice: null, quantity: 100 } as const;
const FIRST = { ...STOP, id: 2, orderType: 1, price: 110, quantity: 40 } as const;
const SECOND = { ...FIRST, id: 3, price: 120, quantity: 50 } as const;

test("a group as a whole loses all at its stop-loss, or gains what its take-profits sell", () => {
  const outcome = { stop: -1_000, targets: 1_400, sold: undefined, cost: 10_000, restLots: 10 };
  assert.deepEqual(groupOutcome([STOP, FIRST, SECOND], new Map(), 100), outcome);
});

test("what a take-profit has sold counts in both outcomes, at its fill, and the stop-loss sells the lots that are left", () => {
  const rows = [STOP, { ...FIRST, status: 2, triggeredPrice: 111 }, SECOND] as const;
  const fills = new Map([[2, { lots: 40, price: 112 }]]);
  const outcome = { stop: 480 - 600, targets: 480 + 1_000, sold: 480, cost: 10_000, restLots: 10 };
  assert.deepEqual(groupOutcome(rows, fills, 100), outcome);
  assert.equal(groupOutcome(rows, new Map(), 100)?.sold, 440, "at the price that fired it while no fill is known");
});

test("a group has no outcome without a stop-loss under watch, or if a profit is not known", () => {
  assert.equal(groupOutcome([{ ...STOP, status: 2, triggeredPrice: 89 }, FIRST], new Map(), 100), undefined);
  const fired = { ...FIRST, status: 2, triggeredPrice: null } as const;
  assert.equal(groupOutcome([STOP, fired, SECOND], new Map(), 100), undefined);
});
