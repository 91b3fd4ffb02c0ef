import assert from "node:assert/strict";
import { test } from "node:test";
import { changeGroup } from "../../../src/domain/oco/change.ts";
import { followFall } from "../../../src/domain/oco/follow-position.ts";
import { CANCELLED, changeRows, type OcoGroup, STOP_LOSS, TRIGGERED } from "../../../src/domain/oco/group.ts";
import { sampleGroup } from "../../machine/group/group-samples.ts";

/** A stop-loss of ten lots, and take-profits of four lots at 110 and six at 120. */
const group = sampleGroup({});
const sold = changeRows(group, [1], (row) => ({ ...row, status: TRIGGERED }));

/** The quantities of the rows after a fall, 0 for a Cancelled row; "same" if nothing changes. */
function after(before: OcoGroup, fell: number, held: number): readonly number[] | string {
  const change = followFall(before, { fell, held });
  if (change === undefined || change === "cancel") return change ?? "same";
  const decision = changeGroup(before, { change, ids: [], timeMs: 5_000 });
  assert.ok(decision !== undefined);
  return decision.group.rows.map(({ status, quantity }) => (status === CANCELLED ? 0 : quantity));
}

test("a group shrinks by the lots that it can no longer sell, the highest take-profit first (behaviour 26.5)", () => {
  const inFlight = changeRows(group, [2], (row) => ({ ...row, isInFlight: true }));
  const stopping = changeRows(group, [STOP_LOSS], (row) => ({ ...row, isInFlight: true }));
  const few = sampleGroup({ takeProfits: [{ price: 11_000, quantity: 4 }] });
  const rows: [string, OcoGroup, number, number, readonly number[] | string][] = [
    ["enough is held", group, 90, 10, "same"],
    ["a part of the highest", group, 2, 8, [8, 4, 4]],
    ["all of the highest", group, 6, 4, [4, 4, 0]],
    ["the lower one, too", group, 7, 3, [3, 3, 0]],
    ["by no more than it covers", group, 50, 8, [8, 4, 4]],
    ["by no more than was sold elsewhere", group, 2, 3, [8, 4, 4]],
    ["nothing is left", group, 10, 0, "cancel"],
    ["after a take-profit was sold", sold, 2, 4, [8, 4, 4]],
    ["what a take-profit sold is no fall", sold, 2, 6, "same"],
    ["take-profits that leave room stay", few, 2, 8, [8, 4]],
    ["a take-profit is being sold", inFlight, 2, 8, "same"],
    ["the stop-loss is being sold", stopping, 2, 8, "same"],
  ];
  for (const [name, before, fell, held, expected] of rows) assert.deepEqual(after(before, fell, held), expected, name);
});
