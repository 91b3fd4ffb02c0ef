/** The levels of a group in the list, and when one of them is near. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { entryLevels } from "../../../edge/web/dashboard/group/entry-levels.ts";

const STOP = { id: 1, orderType: 2, status: 1, price: 90 } as const;
const FIRST = { id: 2, orderType: 1, status: 1, price: 110 } as const;
const SECOND = { id: 3, orderType: 1, status: 1, price: 120 } as const;

const namesOf = (rows: Parameters<typeof entryLevels>[0]) => entryLevels(rows, 100).map(({ id, name }) => [id, name]);

test("an entry shows the stop-loss and the next take-profit", () => {
  assert.deepEqual(namesOf([STOP, FIRST]), [
    [1, "SL"],
    [2, "TP"],
  ]);
});

test("the next take-profit is counted among all of the group, also after one has fired", () => {
  assert.deepEqual(namesOf([STOP, SECOND, FIRST]).at(-1), [2, "Next TP (1 of 2)"]);
  assert.deepEqual(namesOf([STOP, { ...FIRST, status: 2 }, SECOND]).at(-1), [3, "Next TP (2 of 2)"]);
});

test("a level that is over is not shown", () => {
  assert.deepEqual(namesOf([{ ...STOP, status: 3 }, { ...FIRST, status: 2 }, SECOND]), [[3, "Next TP (2 of 2)"]]);
  assert.deepEqual(namesOf([{ ...STOP, status: 4 }]), []);
});

for (const [price, last, isNear] of [
  [99, 100, true],
  [101, 100, true],
  [98.99, 100, false],
  [101.01, 100, false],
  [98.996, 100, true],
  [99, undefined, false],
  [99, 0, false],
] as const) {
  test(`a level at ${price} is ${isNear ? "" : "not "}near a price of ${last}`, () => {
    assert.equal(entryLevels([{ ...STOP, price }], last)[0]?.isNear, isNear);
  });
}
