/** Stored rows of groups are the JSON of their views. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isOcoShownAlike, ocoEvent, ocoEventJson, ocoRowView, ocoViews } from "../../../engine/projection/oco.ts";
import type { OcoGroup, OcoRow } from "../../../src/domain/oco/group.ts";
import fc from "../../support/property.ts";

const natural = fc.integer({ min: 1, max: 1_000_000_000 });
const moment = fc.integer({ min: 0, max: 253_402_300_799_999 });
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const row: fc.Arbitrary<OcoRow> = fc.record({
  id: natural,
  quantity: natural,
  price: fc.integer({ min: 1, max: 999_999_900 }),
  status: fc.constantFrom(1, 2, 3, 4),
  isInFlight: fc.boolean(),
  triggeredPrice: orNull(fc.double({ min: 0.000001, max: 9_999_999, noNaN: true })),
  triggeredAtMs: orNull(moment),
  triggerErrorMessage: orNull(fc.string({ unit: "binary" })),
  updatedAtMs: orNull(moment),
  unsoldQuantity: fc.nat(9),
});

const group: fc.Arbitrary<OcoGroup> = fc.record({
  version: fc.constant(1),
  groupId: natural,
  userId: natural,
  brokerageCode: fc.constantFrom("PAPER", "X_1"),
  accountNumber: fc.string({ unit: "binary", minLength: 1 }),
  symbol: fc.constantFrom("ACME", "A_1"),
  createdAtMs: moment,
  dueAtMs: orNull(moment),
  notes: orNull(fc.string({ unit: "binary" })),
  hasOversellGuard: fc.boolean(),
  rows: fc.array(row, { minLength: 2, maxLength: 5 }),
  stopLossOrdersOpen: fc.nat(3),
  stopLossSoldQuantity: fc.nat(9),
  cancelledByStopLoss: fc.array(fc.nat(4)),
  followed: fc.constant([]),
});

test("the stored entry of a group is the JSON of its rows' views, the stop-loss first and take-profits by price", () => {
  fc.assert(
    fc.property(group, (given) => {
      const [stopLoss, ...takeProfits] = given.rows.map((each, index) => ocoRowView(given, each, index));
      takeProfits.sort((left, right) => left.price - right.price);
      const expected = [stopLoss, ...takeProfits].map((view) => JSON.stringify(view)).join(",");
      assert.deepEqual(
        ocoViews(given).map(({ json }) => json),
        [expected],
      );
    }),
  );
});

test("the JSON of a group's event is that of its payload, whatever group was rendered before", () => {
  const event = fc.constantFrom(
    "oco.created",
    "oco.changed",
    "oco.triggered",
    "oco.triggerFailed",
    "oco.cancelled",
    "oco.sellIncomplete",
  );
  const data = fc.record(
    { row: fc.nat(1), message: fc.string({ unit: "binary" }), reason: fc.string() },
    { requiredKeys: [] },
  );
  const orderName = (groupId: number, name: string): string => `"${groupId}"-${name}`;
  fc.assert(
    fc.property(group, group, event, data, (first, second, type, about) => {
      for (const given of [first, second, { ...second, rows: first.rows }]) {
        const payload = ocoEvent(given, type, about, orderName);
        assert.equal(ocoEventJson(given, type, about, orderName), JSON.stringify(payload));
      }
    }),
  );
});

test("two states of a group that are told to be shown alike are, and two that differ are not told so", () => {
  fc.assert(
    fc.property(group, fc.array(row, { minLength: 5, maxLength: 5 }), fc.nat(127), (before, others, changed) => {
      // What can change of a row, and what cannot.
      const rows = before.rows.map((each, index) => {
        const other = others[index];
        if (other === undefined || (changed & (1 << index)) === 0) return each;
        return { ...other, id: each.id };
      });
      const added = others.slice(0, changed & 64 ? 1 : 0);
      const notes = changed & 32 ? "another note" : before.notes;
      const after = { ...before, notes, rows: [...rows, ...added] };
      assert.equal(isOcoShownAlike(before, after), ocoViews(before)[0]?.json === ocoViews(after)[0]?.json);
    }),
  );
});
