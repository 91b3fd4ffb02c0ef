/** What an import of read measures does: each is added once, ended once it is over, and replaced by a later one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { planMeasures } from "../../../../edge/cli/measure/plan-measures.ts";
import { type Measure, readMeasures, type Statement } from "../../../../edge/cli/measure/read-measures.ts";

const NOW_MS = Date.parse("2026-03-10T12:00:00+03:00");
const measure = (from: string, until: string | undefined, change: Partial<Measure> = {}): Measure => ({
  ...{ kind: "applies", symbol: "THYAO", restrictionType: 3, from, until },
  ...change,
});
const known = (validFrom: string, validTo: string | null, sourceRef: string, restrictionType = 3) => ({
  ...{ id: 7, code: "THYAO", restrictionType, validFrom, validTo, sourceRef },
});

function actionsOf(measures: readonly Statement[], history: ReturnType<typeof known>[] | null = []) {
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

const THYAO = { symbol: "THYAO", restrictionType: 3 } as const;
const ends = (freeFrom: string): Statement => ({ ...THYAO, kind: "ends", freeFrom });
const prolongs = (until: string): Statement => ({ ...THYAO, kind: "extends", until });
const END = "2026-03-10T00:00:00+03:00";

test("an announced end ends the announced restriction on its day, once, and not before", () => {
  const active = known(START, null, RECORD.sourceRef);
  assert.deepEqual(actionsOf([ends("2026-03-10")], [active]), [[{ kind: "end", id: 7, validTo: END }]]);
  assert.deepEqual(actionsOf([ends("2026-03-10")], [known(START, "2026-03-09T21:00:00.000Z", RECORD.sourceRef)]), [
    [{ kind: "known", id: 7 }],
  ]);
  const validTo = "2026-03-11T00:00:00+03:00";
  assert.deepEqual(actionsOf([ends("2026-03-11")], [active]), [[{ kind: "later", id: 7, validTo }]]);
});

test("an end in the same file as its measure gives the measure that end, however late the file is read", () => {
  const over = measure("2026-02-01", "2026-03-01");
  const early = ends("2026-02-10");
  const validTo = "2026-02-10T00:00:00+03:00";
  const [added, ended] = actionsOf([over, early]);
  assert(added?.[0]?.kind === "add");
  assert.equal(added[0].record.validTo, validTo);
  assert.equal(added[0].record.sourceRef, "KAP 2026-02-01 to 2026-03-01");
  assert.deepEqual(ended, [{ kind: "known", id: undefined }]);
  const name = "KAP 2026-02-01 to 2026-03-01";
  assert.deepEqual(actionsOf([over, early], [known("2026-01-31T21:00:00.000Z", null, name)]), [
    [{ kind: "end", id: 7, validTo }],
    [{ kind: "known", id: 7 }],
  ]);
});

test("an end belongs to the last measure before it, and a measure from its day on stays", () => {
  const first = measure("2026-02-01", undefined);
  const second = measure("2026-02-10", undefined);
  const [one, two] = actionsOf([first, second, ends("2026-02-20")]);
  assert(one?.[0]?.kind === "add" && two?.[0]?.kind === "add");
  assert.equal(two[0].record.validTo, "2026-02-20T00:00:00+03:00");
  const [end, add] = actionsOf(
    [measure("2026-03-10", "2026-03-30"), ends("2026-03-10")],
    [known(START, null, RECORD.sourceRef)],
  );
  assert.deepEqual([end?.[0]?.kind, add?.map(({ kind }) => kind)], ["end", ["add"]]);
});

test("an end of nothing, of a person's restriction or of a later one is left to a person", () => {
  const why = "it ends a measure, and no restriction of this type is active";
  assert.deepEqual(actionsOf([ends("2026-03-10")]), [[{ kind: "person", why }]]);
  for (const other of [known(START, null, "desk"), known("2026-03-10T00:00:00Z", null, "KAP 2026-03-10 to 2026-04-01")])
    assert.equal(actionsOf([ends("2026-03-10")], [other])[0]?.[0]?.kind, "person");
});

test("a prolongation continues the announced measure in force, is known afterwards, and ends once over", () => {
  const active = known(START, null, RECORD.sourceRef);
  const sourceRef = "KAP 2026-03-21 to 2026-04-03";
  const validFrom = "2026-03-21T00:00:00+03:00";
  assert.deepEqual(actionsOf([prolongs("2026-04-03")], [active]), [
    [
      { kind: "end", id: 7, validTo: validFrom },
      { kind: "add", record: { ...RECORD, validFrom, sourceRef } },
    ],
  ]);
  const prolonged = [known(START, validFrom, RECORD.sourceRef), { ...known(validFrom, null, sourceRef), id: 8 }];
  assert.deepEqual(actionsOf([RUNNING, prolongs("2026-04-03")], prolonged), [
    [{ kind: "known", id: 7 }],
    [{ kind: "known", id: 8 }],
  ]);
  const [base, more] = actionsOf([RUNNING, prolongs("2026-04-03")]);
  assert.deepEqual([base?.[0]?.kind, more?.[0]?.kind], ["add", "add"], "in one file");
});

test("a prolongation without an announced measure in force, or of a longer one, is left to a person", () => {
  const none = "it prolongs a measure, and no announced one of this type is in force";
  const over = known(START, null, "KAP 2026-02-01 to 2026-02-20");
  const byHand = known(START, null, "desk");
  for (const history of [[], [over], [byHand], [known(START, null, RECORD.sourceRef, 1)]])
    assert.deepEqual(actionsOf([prolongs("2026-04-03")], history), [[{ kind: "person", why: none }]]);
  const longer = "it prolongs a measure, and the announced one lasts longer already";
  assert.deepEqual(actionsOf([prolongs("2026-03-15")], [known(START, null, RECORD.sourceRef)]), [
    [{ kind: "person", why: longer }],
  ]);
});

test("an order package refuses market orders: its restriction says so, also once it is prolonged", () => {
  const orderPackage =
    "THYAO.E payları 05/03/2026 tarihinden 20/03/2026 tarihine kadar emir paketi tedbiri ile işlem görecektir.";
  const [read] = readMeasures(orderPackage);
  assert(read?.kind === "certain");
  const effects = { noMarket: true, noCancel: true, noReduce: true } as const;
  const [[action] = []] = actionsOf(read.statements);
  assert(action?.kind === "add");
  assert.deepEqual([action.record.restrictionType, action.record.effects], [5, effects]);
  const extension = { kind: "extends", symbol: "THYAO", restrictionType: 5, until: "2026-04-20", effects } as const;
  const added = actionsOf([...read.statements, extension])
    .flat()
    .filter((one) => one.kind === "add");
  assert.deepEqual(
    added.map(({ record }) => record.effects),
    [effects, effects],
  );
});
