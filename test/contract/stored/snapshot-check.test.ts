/** The plain check of stored groups never accepts a group that the schema refuses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { groupSnapshot, packGroup, parseGroup } from "../../../src/contract/stored/snapshot.ts";
import { isStoredGroup } from "../../../src/contract/stored/snapshot-check.ts";
import type { OcoGroup, OcoRow } from "../../../src/domain/oco/group.ts";
import { newNumber } from "../../../src/domain/order/order-number.ts";
import { sampleGroup } from "../../machine/group/group-samples.ts";
import fc from "../../support/property.ts";

const group = sampleGroup({});

/** Values that a field may hold by accident. */
const anyValue = fc.oneof(
  fc.constantFrom(null, 0, -1, 0.5, 1, 2, 5, 1e9, 1e9 + 1, 999_999_900, 999_999_901, 2 ** 53, "", "x", true, [], {}),
  fc.jsonValue(),
);
/** A group whose stop-loss was just answered as completed, as every trigger leaves it. */
const fired: OcoGroup = {
  ...group,
  rows: group.rows.map((row, index) => ({ ...row, status: index === 0 ? 2 : 4, updatedAtMs: 7 })),
  cancelledByStopLoss: [1, 2],
  followed: [
    {
      row: 0,
      execution: {
        ...{ clientOrderId: "x-r10", symbol: "ACME", buySell: 2, quantity: 10, limitPrice: null, needsPrice: false },
        ...{ createdDate: null, phase: "unclear", sinceMs: 5, askCount: 0, lookCount: 1, askAtMs: 6, end: null },
        missingSinceMs: null,
        orders: [newNumber("B10", null)],
      },
    },
  ],
  changes: 2,
};

type Path = readonly (string | number)[];

/** The paths of all fields and entries of a value, and of one more in each object. */
function pathsOf(value: unknown): Path[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Object.entries(value).flatMap(([key, inner]): Path[] => {
    const place = Array.isArray(value) ? Number(key) : key;
    return [[place], ...pathsOf(inner).map((path) => [place, ...path])];
  });
  return Array.isArray(value) ? own : [...own, ["other"]];
}

const change = fc.record({
  path: fc.constantFrom(...pathsOf(fired)),
  isGone: fc.boolean(),
  value: anyValue,
});

function changedAt(target: unknown, [place = "", ...rest]: Path, isGone: boolean, value: unknown): unknown {
  const inner = (target as Record<string, unknown>)[place];
  const next = rest.length === 0 ? value : changedAt(inner, rest, isGone, value);
  if (rest.length > 0 || !isGone) {
    return Array.isArray(target) ? target.with(Number(place), next) : { ...(target as object), [place]: next };
  }
  if (Array.isArray(target)) return target.toSpliced(Number(place), 1);
  const { [place]: _, ...others } = target as Record<string, unknown>;
  return others;
}

test("a group as it is stored is told to be one, also while a sell is followed", () => {
  for (const each of [group, fired]) {
    const { changes: _, ...usual } = each;
    assert.ok(isStoredGroup(JSON.parse(JSON.stringify(usual))));
    assert.deepEqual(parseGroup(JSON.parse(JSON.stringify(each))), each);
    assert.deepEqual(parseGroup(JSON.parse(JSON.stringify(packGroup(each)))), each);
  }
});

test("what passes the plain check passes the schema unchanged, and what the schema refuses is refused", () => {
  fc.assert(
    fc.property(change, ({ path, isGone, value }) => {
      const stored: unknown = JSON.parse(JSON.stringify(changedAt(fired, path, isGone, value)));
      const judged = groupSnapshot.safeParse(stored);
      if (isStoredGroup(stored)) assert.deepEqual(judged.data, stored);
      if (judged.success) assert.deepEqual(parseGroup(stored), stored);
      else assert.throws(() => parseGroup(stored));
    }),
    { numRuns: 5_000 },
  );
});

test("fields that few groups have are judged in a packed group, too", () => {
  const packed = packGroup(group);
  const valid = [{ changes: 2 }, { changes: 2, armings: [[0, 5]] }, { followsPosition: true }];
  for (const seldom of valid) assert.deepEqual(parseGroup([...packed, seldom]), { ...group, ...seldom });
  const invalid = [{}, { changes: 0 }, { changes: "1" }, { armings: [] }, { changes: 1, stranger: 1 }, null, 7];
  for (const seldom of invalid) assert.throws(() => parseGroup([...packed, seldom]), JSON.stringify(seldom));
});

/** The place of the rows in a packed group. */
const ROWS_AT = 11;

test("a row is packed as three numbers while nothing has happened to it, and with all of its fields from then on", () => {
  const happened: readonly Partial<OcoRow>[] = [
    ...([{ status: 2 }, { status: 3 }, { status: 4 }, { isInFlight: true }, { triggeredPrice: 1.5 }] as const),
    ...[{ triggeredAtMs: 0 }, { triggerErrorMessage: "" }, { updatedAtMs: 0 }, { unsoldQuantity: 1 }],
  ];
  const [first, ...others] = group.rows;
  assert(first !== undefined);
  assert.equal(happened.length, Object.keys(first).length - 3 + 2);
  const rowsOf = (packed: readonly unknown[]) => packed[ROWS_AT] as readonly (readonly unknown[])[];
  assert.deepEqual(rowsOf(packGroup(group))[0], [first.id, first.quantity, first.price]);
  for (const fields of happened) {
    const touched: OcoGroup = { ...group, rows: [{ ...first, ...fields }, ...others] };
    assert.equal(rowsOf(packGroup(touched))[0]?.length, Object.keys(first).length);
    assert.deepEqual(parseGroup(JSON.parse(JSON.stringify(packGroup(touched)))), touched);
  }
});

test("rows are read that were packed with all of their fields although nothing had happened to them", () => {
  const rows = group.rows.map(({ id, quantity, price }) => [id, quantity, price, 1, false, null, null, null, null, 0]);
  assert.deepEqual(parseGroup(packGroup(group).with(ROWS_AT, rows)), group);
});

const WAITING: NonNullable<NonNullable<OcoGroup["corporate"]>["waiting"]>[number] = {
  action: { actionId: "ACME-bonus-2026-03-03", symbol: "ACME", exDate: "2026-03-03", exMs: 0, type: "bonus", ratio: 1 },
  tickTable: "BIST",
  sinceMs: null,
  move: { from: 100, to: 50 },
};

test("what few groups have stands behind the fields of every group, and only for those groups", () => {
  const few: readonly Pick<OcoGroup, "exit" | "changes" | "followsPosition" | "corporate">[] = [
    { exit: { stopLoss: "once" } },
    { changes: 1 },
    { exit: { stopLoss: "untilSold" }, changes: 7 },
    { followsPosition: true },
    { corporate: { policy: "hold" } },
    { corporate: { counted: ["ACME-bonus-2026-03-03"], note: "bonus", isHeld: true, waiting: [WAITING] } },
  ];
  const usual = packGroup(group);
  for (const fields of few) {
    const packed = packGroup({ ...group, ...fields });
    assert.deepEqual(packed, [...usual, fields]);
    assert.deepEqual(parseGroup(JSON.parse(JSON.stringify(packed))), { ...group, ...fields });
  }
  for (const wrong of [{}, null, 1, [], { changes: 0 }, { exit: {} }, { groupId: 5 }, { changes: 1, other: 1 }]) {
    assert.throws(() => parseGroup([...usual, wrong]), JSON.stringify(wrong));
  }
  assert.throws(() => parseGroup([...usual, { changes: 1 }, { changes: 1 }]));
});

test("a packed group is read as it was, and one with any place changed, gone or added as the schema judges its fields", () => {
  const packed = packGroup(group);
  const packedRows = packed[ROWS_AT] as readonly (readonly unknown[])[];
  assert.equal(packedRows.length, group.rows.length);
  assert.deepEqual(parseGroup(JSON.parse(JSON.stringify(packed))), group);
  const place = fc.record({ at: fc.nat(12), row: fc.nat(packedRows.length), isGone: fc.boolean(), value: anyValue });
  fc.assert(
    fc.property(place, ({ at, row, isGone, value }) => {
      const changedRows = packedRows.map((each, index) => (index === row ? each.toSpliced(at, 1, value) : each));
      const whole = packed.with(ROWS_AT, changedRows);
      const isInRow = row < packedRows.length;
      const stored: unknown = JSON.parse(
        JSON.stringify(isInRow ? whole : packed.toSpliced(at, 1, ...(isGone ? [] : [value]))),
      );
      let read: unknown;
      try {
        read = parseGroup(stored);
      } catch {
        return;
      }
      assert.deepEqual(groupSnapshot.parse(read), read);
      assert.deepEqual(JSON.parse(JSON.stringify(packGroup(read as typeof group))), stored);
    }),
    { numRuns: 2_000 },
  );
});
