/** The lots of a symbol that stop-losses under watch protect. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { protectionOf } from "../../../edge/web/dashboard/group/row-worth.ts";
import { groupRows, type OcoRow } from "../../../edge/web/dashboard/state/model.ts";

const STOP = { orderType: 2, status: 1, quantity: 300, symbol: "THYAO" } as const;

function groupsOf(...rows: readonly Partial<OcoRow>[]) {
  return groupRows(rows.map((row, index) => ({ id: index, groupId: index, price: 300, ...row }) as OcoRow));
}

for (const [name, rows, expected] of [
  ["a stop-loss under watch protects its lots", [STOP], { lots: 300, groupId: 0 }],
  ["take-profits protect nothing", [{ ...STOP, orderType: 1 }], undefined],
  [
    "lots that a take-profit sold are no longer protected",
    [
      { ...STOP, groupId: 9 },
      { ...STOP, groupId: 9, orderType: 1, status: 2, quantity: 120 },
    ],
    { lots: 180, groupId: 9 },
  ],
  ["a stop-loss that fired protects nothing", [{ ...STOP, status: 2 }], undefined],
  ["a group of another symbol protects nothing", [{ ...STOP, symbol: "GARAN" }], undefined],
  ["several groups add up, and the newest is named", [STOP, STOP], { lots: 600, groupId: 1 }],
] as const) {
  test(name, () => assert.deepEqual(protectionOf(groupsOf(...rows), "THYAO"), expected));
}
