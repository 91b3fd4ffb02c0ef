/** A change of levels and lots of a running group: its difference, the request, and a group that changes while it is typed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changeBody,
  findChangeFaults,
  findReachedChanges,
  levelChanges,
  levelDraftOf,
  placeChangeRefusal,
  rebase,
  withNewKey,
} from "../../../edge/web/dashboard/group/level-change.ts";
import type { OcoRow } from "../../../edge/web/dashboard/state/model.ts";

function rowOf(id: number, price: number, quantity: number, status: OcoRow["status"] = 1): OcoRow {
  return {
    ...{ id, groupId: 1, accountNumber: "PAPER-1", symbol: "THYAO", orderType: id === 1 ? 2 : 1 },
    ...{ quantity, price, status, triggeredPrice: null, triggeredDate: null, dueDate: null, notes: null },
    ...{ triggerErrorMessage: null, createdDate: "2026-03-02T10:00:00Z", updatedDate: null },
  };
}

const ROWS = [rowOf(1, 120, 10), rowOf(2, 140, 4), rowOf(3, 150, 6)];
const BEFORE = levelDraftOf(ROWS);
const NEW = { key: -1, price: "160", quantity: "2" };

test("a draft that is not changed has nothing to send, however its numbers are written", () => {
  assert.deepEqual(changeBody(BEFORE, BEFORE), {});
  const [first, second] = BEFORE.takeProfits;
  assert.ok(first !== undefined && second !== undefined);
  const written = { ...BEFORE, stopLossPrice: "120", takeProfits: [{ ...first, price: "140" }, second] };
  assert.deepEqual(changeBody(written, BEFORE), {});
  assert.deepEqual(Object.keys(findChangeFaults(written, BEFORE, "BIST")), [""]);
});

test("a request names what differs, and all open take-profits together", () => {
  assert.deepEqual(changeBody({ ...BEFORE, stopLossQuantity: "12" }, BEFORE), { stopLossQuantity: 12 });
  const draft = { ...BEFORE, takeProfits: [...BEFORE.takeProfits.slice(1), NEW] };
  assert.deepEqual(findChangeFaults(draft, BEFORE, "BIST"), {});
  assert.deepEqual(changeBody(draft, BEFORE), {
    takeProfitItems: [
      { id: 3, price: 150, quantity: 6 },
      { price: 160, quantity: 2 },
    ],
  });
  assert.deepEqual(
    levelChanges(BEFORE, draft, "gone").map(({ before, after }) => [before, after]),
    [
      ["4 at 140.00", "gone"],
      ["", "2 at 160.00"],
    ],
  );
});

test("new take-profits have keys of their own", () => {
  const first = withNewKey({ ...NEW, key: 9 }, BEFORE.takeProfits);
  const second = withNewKey({ ...NEW, key: 9 }, [...BEFORE.takeProfits, first]);
  assert.deepEqual([first.key, second.key], [-1, -2]);
});

test("faults are at their fields; a price that is kept is valid on any tick table", () => {
  const [first, second] = BEFORE.takeProfits;
  assert.ok(first !== undefined && second !== undefined);
  const faultsOf = (takeProfits: typeof BEFORE.takeProfits) =>
    Object.keys(findChangeFaults({ ...BEFORE, takeProfits }, BEFORE, "BIST"));
  assert.deepEqual(faultsOf([{ ...first, price: "119" }, second]), ["price2"]);
  assert.deepEqual(faultsOf([{ ...first, quantity: "0" }, second]), ["quantity2"]);
  assert.deepEqual(faultsOf([{ ...first, quantity: "5" }, second]), ["stopLossQuantity"]);
  assert.deepEqual(faultsOf([]), [""]);
  const offGrid = levelDraftOf([rowOf(1, 120.01, 10), rowOf(2, 140, 4)]);
  assert.deepEqual(findChangeFaults({ ...offGrid, stopLossQuantity: "9" }, offGrid, "BIST"), {});
  assert.deepEqual(Object.keys(findChangeFaults({ ...offGrid, stopLossPrice: "120.03" }, offGrid, "BIST")), [
    "stopLossPrice",
  ]);
});

test("what was typed remains on a group that changed, and all else follows the group", () => {
  const [first, second] = BEFORE.takeProfits;
  assert.ok(first !== undefined && second !== undefined);
  const draft = { ...BEFORE, stopLossQuantity: "14", takeProfits: [first, { ...second, quantity: "5" }, NEW] };
  const now = levelDraftOf([rowOf(1, 125, 11), rowOf(2, 140, 4, 2), rowOf(3, 155, 6), rowOf(7, 170, 1)]);
  assert.deepEqual(rebase(draft, BEFORE, now), {
    ...{ hasStopLoss: true, stopLossPrice: "125.00", stopLossQuantity: "14" },
    takeProfits: [{ key: 3, price: "155.00", quantity: "5" }, { key: 7, price: "170.00", quantity: "1" }, NEW],
  });
});

test("a removed take-profit stays removed, and a new one that the group has already is not added twice", () => {
  const draft = { ...BEFORE, takeProfits: [...BEFORE.takeProfits.slice(1), NEW, { ...NEW, key: -2 }] };
  const now = levelDraftOf([...ROWS, rowOf(8, 160, 2)]);
  assert.deepEqual(
    rebase(draft, BEFORE, now).takeProfits.map(({ key }) => key),
    [3, 8, -2],
  );
});

test("a stop-loss that is no longer under watch is not named, though its price was typed", () => {
  const now = levelDraftOf([rowOf(1, 120, 10, 3), ...ROWS.slice(1)]);
  const next = rebase({ ...BEFORE, stopLossPrice: "110", stopLossQuantity: "20" }, BEFORE, now);
  assert.deepEqual(changeBody(next, now), {});
});

test("only levels that moved are called reached: a level whose lots changed keeps its watch", () => {
  const draft = { ...BEFORE, stopLossQuantity: "12", takeProfits: [...BEFORE.takeProfits, NEW] };
  assert.deepEqual(findReachedChanges(draft, BEFORE, 165), [{ kind: "takeProfit", price: 160, quantity: 2 }]);
  assert.deepEqual(findReachedChanges({ ...draft, stopLossPrice: "130" }, BEFORE, 128), [
    { kind: "stopLoss", price: 130, quantity: 12 },
  ]);
});

for (const [message, field] of [
  ["takeProfitItems[2].price must be a multiple of 0.1", "price-1"],
  ["takeProfitItems[0].quantity must be an integer", "quantity2"],
  ["takeProfitItems[1].id 3 is not Active any more", "price3"],
  ["take-profit 3 is being sold and cannot be changed", "price3"],
  ["takeProfitItems price 160.00 must be higher than stopLossPrice 170.00", "price-1"],
  ["takeProfitItems quantities together (12) must not be above stopLossQuantity (10)", "stopLossQuantity"],
  ["stopLossQuantity must be above what the take-profits have sold (4)", "stopLossQuantity"],
  ["stopLossPrice must be a multiple of 0.1", "stopLossPrice"],
  ["the stop-loss is being sold, so the group cannot be changed now", ""],
] as const) {
  test(`“${message}” is at ${field === "" ? "no field" : field}`, () => {
    const draft = { ...BEFORE, takeProfits: [...BEFORE.takeProfits, NEW] };
    assert.deepEqual(placeChangeRefusal(draft, message), { [field]: message });
  });
}
