import assert from "node:assert/strict";
import { test } from "node:test";
import { type ActionRequest, type CorporateAction, planAction } from "../../../src/domain/market/corporate-action.ts";
import { BUY, SELL } from "../../../src/domain/order/order.ts";
import {
  afterFill,
  afterReading,
  isSameBase,
  SAME_BASE,
  type ShareBase,
  UNKNOWN_POSITION,
} from "../../../src/domain/order/position-fall.ts";

/** A reading as a number, an own fill as its side and lots, or another base from then on. */
type Step = number | { readonly side: typeof BUY | typeof SELL; readonly lots: number } | Partial<ShareBase>;
const sold = (lots: number): Step => ({ side: SELL, lots });
const bought = (lots: number): Step => ({ side: BUY, lots });

/** The falls that are believed, one for each reading. */
function fallsOf(steps: readonly Step[]): number[] {
  let position = UNKNOWN_POSITION;
  let base = SAME_BASE;
  const falls: number[] = [];
  for (const step of steps) {
    if (typeof step === "number") {
      const read = afterReading(position, step, base);
      position = read.position;
      falls.push(read.fell);
    } else if ("side" in step) position = afterFill(position, step.side, step.lots);
    else base = { ...base, ...step };
  }
  return falls;
}

test("a fall is believed at the second equal reading, unless own orders explain it (behaviour 26.4)", () => {
  const rows: [string, readonly Step[], readonly number[]][] = [
    ["nothing changes", [100, 100, 100], [0, 0, 0]],
    ["a fall, read twice", [100, 100, 70, 70, 70], [0, 0, 0, 30, 0]],
    ["a fall, read once", [100, 100, 70, 100, 70], [0, 0, 0, 0, 0]],
    ["two different readings", [100, 100, 70, 60, 60], [0, 0, 0, 0, 40]],
    ["two falls", [100, 100, 70, 70, 0, 0], [0, 0, 0, 30, 0, 70]],
    ["a rise counts from then on", [100, 100, 150, 150, 120, 120], [0, 0, 0, 0, 0, 30]],
    ["the first readings are no fall", [100, 60, 60], [0, 0, 0]],
    ["an own sell", [100, 100, sold(40), 60, 60], [0, 0, 0, 0]],
    ["an own sell that is read before it is reported", [100, 100, 60, sold(40), 60, 60], [0, 0, 0, 0, 0]],
    ["an own sell that positions show late", [100, 100, sold(40), 100, 60, 60], [0, 0, 0, 0, 0]],
    ["an own sell and a fall", [100, 100, sold(40), 50, 50], [0, 0, 0, 10]],
    [
      "an own buy: the next readings are the first ones",
      [100, 100, bought(50), 150, 150, 120, 120],
      [0, 0, 0, 0, 0, 30],
    ],
    ["an own sell before anything is known", [100, sold(40), 60, 60], [0, 0, 0]],
  ];
  for (const [name, steps, falls] of rows) assert.deepEqual(fallsOf(steps), falls, name);
});

const EX = { symbol: "ACME", exDate: "2026-03-03" } as const;
const actionOf = (request: Omit<ActionRequest, keyof typeof EX> & Partial<ActionRequest>): CorporateAction => {
  const action = planAction({ ...EX, ...request }, Date.parse("2026-03-02T09:00:00Z"), "UTC");
  assert.ok(action.ok, JSON.stringify(action));
  return action.value;
};
const tenToOne = actionOf({ type: "split", sharesBefore: 10, sharesAfter: 1 });
const bonus = actionOf({ type: "bonus", ratio: 1 });
const near: ShareBase = { isChanging: false, actionId: null, near: [tenToOne] };
const changing: Partial<ShareBase> = { isChanging: true };
const applied: Partial<ShareBase> = { isChanging: false, actionId: tenToOne.actionId };

test("a reverse split is no fall, whenever the brokerage shows it (behaviour 28.9)", () => {
  const rows: [string, readonly Step[], readonly number[]][] = [
    ["days before", [near, 100, 100, 10, 10, changing, 10, applied, 10, 10], [0, 0, 0, 0, 0, 0, 0]],
    ["while it is applied", [near, 100, 100, changing, 10, 10, applied, 10, 10], [0, 0, 0, 0, 0, 0]],
    ["days after", [near, 100, 100, changing, 100, applied, 100, 100, 10, 10], [0, 0, 0, 0, 0, 0, 0]],
    ["with no lot in between", [near, 100, 100, changing, 0, 0, applied, 10, 10], [0, 0, 0, 0, 0, 0]],
    ["rounded down", [near, 109, 109, 10, 10], [0, 0, 0, 0]],
    ["rounded up", [near, 109, 109, 11, 11], [0, 0, 0, 0]],
    ["with a bonus issue of that day", [{ near: [bonus, tenToOne] }, 100, 100, 20, 20], [0, 0, 0, 0]],
    ["after a bonus issue that was shown before", [{ near: [bonus, tenToOne] }, 200, 200, 20, 20], [0, 0, 0, 0]],
  ];
  for (const [name, steps, falls] of rows) assert.deepEqual(fallsOf(steps), falls, name);
});

test("a sell elsewhere around a reverse split is a fall (behaviour 28.9)", () => {
  const rows: [string, readonly Step[], readonly number[]][] = [
    ["before it", [near, 100, 100, 70, 70], [0, 0, 0, 30]],
    ["on the new base", [near, 100, 100, changing, applied, 10, 10, 7, 7], [0, 0, 0, 0, 0, 3]],
    ["by its ratio once more", [near, 100, 100, 10, 10, 1, 1], [0, 0, 0, 0, 0, 9]],
    ["by its ratio once more, after it", [near, 100, 100, 10, 10, applied, 10, 10, 1, 1], [0, 0, 0, 0, 0, 0, 0, 9]],
    ["another number of lots", [near, 100, 100, 12, 12], [0, 0, 0, 88]],
    ["weeks later", [near, 100, 100, { near: [] }, 10, 10], [0, 0, 0, 90]],
  ];
  for (const [name, steps, falls] of rows) assert.deepEqual(fallsOf(steps), falls, name);
});

test("readings of two bases, or of a base that changes, are not compared", () => {
  assert.equal(isSameBase(SAME_BASE, near), true);
  assert.equal(isSameBase(SAME_BASE, { ...near, actionId: "other" }), false);
  assert.equal(isSameBase(SAME_BASE, { ...near, isChanging: true }), false);
  assert.equal(isSameBase({ ...near, isChanging: true }, SAME_BASE), false);
});
