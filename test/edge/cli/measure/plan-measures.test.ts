/** What an import of read measures does: each is added once, ended once it is over, and replaced by a later one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { planMeasures } from "../../../../edge/cli/measure/plan-measures.ts";
import type { Measure } from "../../../../edge/cli/measure/read-measures.ts";

const NOW_MS = Date.parse("2026-03-10T12:00:00+03:00");
const measure = (from: string, until: string | undefined, change: Partial<Measure> = {}): Measure => ({
  ...{ symbol: "THYAO", restrictionType: 3, from, until },
  ...change,
});
const known = (validFrom: string, validTo: string | null, sourceRef: string, restrictionType = 3) => ({
  ...{ id: 7, code: "THYAO", restrictionType, validFrom, validTo, sourceRef },
});

function actionsOf(measures: readonly Measure[], history: ReturnType<typeof known>[] | null = []) {
  return planMeasures(measures, new Map([["THYAO", history]]), NOW_MS).map(({ actions }) => actions);
}

const RUNNING = measure("2026-03-05", "2026-03-20");
const RECORD = {
  ...{ code: "THYAO", restrictionType: 3, validFrom: "2026-03-05T00:00:00+03:00" },
  sourceRef: "KAP 2026-03-05 to 2026-03-20",
};
const START = "2026-03-04T21:00:00.000Z";

test("a running measure is added without an end, because only such a restriction is active", () => {
  assert.deepEqual(actionsOf([RUNNING]), [[{ kind: "add", record: RECORD }]]);
  const open = measure("2026-03-05", undefined);
  const sourceRef = "KAP 2026-03-05, until further notice";
  assert.deepEqual(actionsOf([open]), [[{ kind: "add", record: { ...RECORD, sourceRef } }]]);
});

test("a measure that is over is added with its end, the midnight after its last day in Istanbul", () => {
  const [[action] = []] = actionsOf([measure("2026-02-05", "2026-03-09")]);
  assert(action?.kind === "add");
  assert.equal(action.record.validTo, "2026-03-10T00:00:00+03:00");
});

test("a known measure is not added again, and is ended once it is over", () => {
  assert.deepEqual(actionsOf([RUNNING], [known(START, null, RECORD.sourceRef)]), [[{ kind: "known", id: 7 }]]);
  const over = measure("2026-03-05", "2026-03-09");
  const name = "KAP 2026-03-05 to 2026-03-09";
  assert.deepEqual(actionsOf([over], [known(START, null, name)]), [
    [{ kind: "end", id: 7, validTo: "2026-03-10T00:00:00+03:00" }],
  ]);
  assert.deepEqual(actionsOf([over], [known(START, "2026-03-08T00:00:00Z", name)]), [[{ kind: "known", id: 7 }]]);
  assert.deepEqual(actionsOf([RUNNING, RUNNING])[1], [], "it is in the file twice");
});

test("a later measure ends the earlier one of an announcement, also one of the same file", () => {
  const later = measure("2026-03-09", "2026-03-30");
  const validTo = "2026-03-09T00:00:00+03:00";
  const [actions = []] = actionsOf([later], [known(START, null, RECORD.sourceRef)]);
  assert.deepEqual([actions[0], actions[1]?.kind], [{ kind: "end", id: 7, validTo }, "add"]);
  const [first, second] = actionsOf([later, RUNNING]);
  assert.deepEqual(first, [{ kind: "add", record: { ...RECORD, validTo } }]);
  assert.equal(second?.[0]?.kind, "add");
});

test("an active restriction that a person made, or of a later announcement, is left to a person", () => {
  for (const other of [known(START, null, "desk"), known("2026-03-08T00:00:00Z", null, "KAP 2026-03-08 to 2026-04-01")])
    assert.deepEqual(actionsOf([RUNNING], [other]), [
      [{ kind: "person", why: "restriction 7 of this type is active already" }],
    ]);
  assert.equal(actionsOf([RUNNING], [known(START, null, "desk", 1)])[0]?.[0]?.kind, "add", "of another type");
});

test("a symbol that is not known is left to a person", () => {
  assert.deepEqual(actionsOf([RUNNING], null), [[{ kind: "person", why: "symbol THYAO is not known" }]]);
});
