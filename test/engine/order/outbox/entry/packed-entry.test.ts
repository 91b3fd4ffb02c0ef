/** An entry is stored as its fields in a fixed order, and read from there or from the form with names before it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  attemptedEntry,
  decodeRow,
  encodeEntry,
  firstEntry,
  NewerRowError,
  type OutboxEntry,
  outboxKey,
} from "../../../../../engine/order/outbox/entry/entry.ts";
import { isUsualEntry } from "../../../../../engine/order/outbox/entry/entry-check.ts";
import fc from "../../../../support/property.ts";
import { order } from "../harness.ts";

const NOW_MS = 1_700_000_000_000;
const RUNS = { numRuns: 1_000 };
const SHAPE = { noNullPrototype: true } as const;

const name = fc.oneof(fc.string({ minLength: 1, maxLength: 100 }), fc.constantFrom('ş"', "null", "\ud800", "[1]"));
const natural = fc.maxSafeNat();

const deal = fc.oneof(
  fc.constant({ orderType: 1, price: 0 } as const),
  fc.record({ orderType: fc.constant(2), price: fc.double({ min: 0.01, max: 9_999_999, noNaN: true }) }, SHAPE),
);
const origin = fc.oneof(
  fc.record({ kind: fc.constant("actor"), actorId: natural, name }, SHAPE),
  fc.record({ kind: fc.constant("command"), commandId: name }, SHAPE),
);
const anyOrder = fc
  .record(
    {
      userId: fc.integer({ min: 1 }),
      brokerageCode: fc.stringMatching(/^[A-Za-z0-9_]{1,32}$/),
      accountNumber: name,
      clientOrderId: name,
      urgency: fc.constantFrom("stopLoss", "triggered", "client"),
      symbol: fc.stringMatching(/^[A-Z0-9_]{1,16}$/),
      quantity: fc.integer({ min: 1, max: 1_000_000_000 }),
      buySell: fc.constantFrom(1, 2),
      deal,
      reference: fc.option(name),
      origin,
    },
    SHAPE,
  )
  .map(({ deal, reference, ...rest }) => ({
    ...rest,
    ...deal,
    ...(reference === null ? {} : { referenceOrderNo: reference }),
  }));
const anyEntry = fc
  .record({
    sequence: natural,
    order: anyOrder,
    createdMs: natural,
    promise: fc.constantFrom("idempotent", "expiry", "query", "none"),
    attempt: fc.nat(3),
    attemptRecordedMs: fc.option(natural),
    expiresAtMs: natural,
    quarantine: fc.option(fc.record({ sinceMs: natural, reason: fc.string() }, SHAPE)),
  })
  .map((fields): OutboxEntry => {
    const attemptRecordedMs = fields.attempt === 0 ? null : fields.attemptRecordedMs;
    const expiresAtMs = attemptRecordedMs !== null && fields.promise === "expiry" ? fields.expiresAtMs : null;
    return { version: 1, ...fields, attemptRecordedMs, expiresAtMs };
  });

const typical = attemptedEntry(
  firstEntry(
    1_234_567,
    order("k3v9q0zt2x-r1204001", {
      userId: 1204,
      brokerageCode: "PAPER",
      accountNumber: "1000123456",
      urgency: "stopLoss",
      origin: { kind: "actor", actorId: 1_204_000, name: "r1204001" },
    }),
    "query",
    NOW_MS,
  ),
  1,
  { promise: "query", expiryMs: 10_000 },
  NOW_MS,
);

function read(stored: unknown, sequence: number) {
  return decodeRow(outboxKey(sequence), Buffer.from(JSON.stringify(stored)));
}

function packed(entry: OutboxEntry): readonly unknown[] {
  const fields: unknown = JSON.parse(encodeEntry(entry));
  assert.ok(Array.isArray(fields));
  return fields;
}

test("any entry is read back as it was, packed and with the names of its fields", () => {
  fc.assert(
    fc.property(anyEntry, (entry) => {
      assert.deepEqual(read(packed(entry), entry.sequence), { kind: "order", entry });
      assert.deepEqual(read(entry, entry.sequence), { kind: "order", entry });
    }),
    RUNS,
  );
});

test("the places of a packed entry are fixed: what is on a disk is read by them for ever", () => {
  const quarantine = { sinceMs: NOW_MS + 3, reason: "no answer" };
  const chained = order("c-1", { urgency: "client", orderType: 2, price: 12.34, referenceOrderNo: "R1" });
  const entry: OutboxEntry = {
    ...firstEntry(12, { ...chained, origin: { kind: "command", commandId: "k" } }, "expiry", NOW_MS),
    attempt: 2,
    attemptRecordedMs: NOW_MS + 1,
    expiresAtMs: NOW_MS + 2,
    quarantine,
  };
  const head = [2, 12, NOW_MS, "expiry", 2, NOW_MS + 1, NOW_MS + 2, quarantine];
  const ofOrder = [7, "TEST", "A1", "c-1", "client", "THYAO", 10, 2];
  assert.deepEqual(packed(entry), [...head, ...ofOrder, 2, 12.34, "R1", "k"]);
  const ofActor = { ...entry, order: order("c-1", { urgency: "client" }) };
  assert.deepEqual(packed(ofActor), [...head, ...ofOrder, 1, 0, null, [1, "c-1"]]);
});

test("a packed entry with any place changed, gone or added is unreadable, or is read as exactly what it says", () => {
  const anyValue = fc.oneof(
    fc.constantFrom(null, 0, -1, 0.5, 1, 2, 1e9, 1e9 + 1, 2 ** 53, "", "x", "a b", "expiry", true, [], {}, [1, "x"]),
    fc.jsonValue(),
  );
  const change = fc.record({ entry: anyEntry, at: fc.nat(20), gone: fc.nat(1), values: fc.array(anyValue) });
  let readCount = 0;
  fc.assert(
    fc.property(change, ({ entry, at, gone, values }) => {
      const text = JSON.stringify(packed(entry).toSpliced(at, gone, ...values.slice(0, 2)));
      const stored: unknown = JSON.parse(text);
      const sequence = Array.isArray(stored) && Number.isSafeInteger(stored[1]) && stored[1] >= 0 ? stored[1] : 0;
      if (Array.isArray(stored) && typeof stored[0] === "number" && stored[0] > 2) {
        assert.throws(() => read(stored, sequence), NewerRowError);
        return;
      }
      const row = read(stored, sequence);
      if (row.kind === "unreadable") return;
      assert.ok(row.kind === "order");
      readCount += 1;
      assert.deepEqual(packed(row.entry), stored);
      assert.deepEqual(read(row.entry, sequence), row, "with names, as the schema judges it");
    }),
    { numRuns: 2_000 },
  );
  assert.ok(readCount > 0);
});

const fields = packed(typical);
const wrong: readonly (readonly [string, readonly unknown[]])[] = [
  ["that holds nothing", []],
  ["that is too short", fields.slice(0, -1)],
  ["that is too long", [...fields, null]],
  ["of an older version", fields.with(0, 1)],
  ["without a version", fields.with(0, null)],
  ["whose version is a text", fields.with(0, "2")],
  ["whose sequence is a text", fields.with(1, String(typical.sequence))],
  ["of another sequence than its key's", fields.with(1, typical.sequence + 1)],
  ["with an attempt record without an attempt", fields.with(4, 0)],
  ["with a moment without expiry", fields.with(6, NOW_MS)],
  ["whose quarantine is a list", fields.with(7, [NOW_MS, "no answer"])],
  ["whose quarantine has a field too many", fields.with(7, { sinceMs: NOW_MS, reason: "", extra: 1 })],
  ["with half a lot", fields.with(14, 0.5)],
  ["with a market order that has a price", fields.with(17, 1)],
  ["with an empty reference", fields.with(18, "")],
  ["without an origin", fields.with(19, null)],
  ["whose actor has no order's name", fields.with(19, [1])],
  ["whose actor has a field too many", fields.with(19, [1, "r1", null])],
  ["whose command is a number", fields.with(19, 1)],
  ["whose command has an empty name", fields.with(19, "")],
];
for (const [what, stored] of wrong) {
  test(`a packed entry ${what} is unreadable`, () => {
    assert.equal(read(stored, typical.sequence).kind, "unreadable");
  });
}

test("an entry of a newer program stops the start, packed or with names, whatever else it holds", () => {
  for (const stored of [fields.with(0, 3), [3], [2.5], { ...typical, version: 2 }, { version: 2 }]) {
    assert.throws(() => read(stored, typical.sequence), NewerRowError);
  }
});

test("a list under the key of a quota is unreadable", () => {
  for (const stored of [fields, [3]]) {
    assert.equal(decodeRow("o/pace/0000000000000007/TEST", Buffer.from(JSON.stringify(stored))).kind, "unreadable");
  }
});

test("a usual entry takes less than half of the bytes that it takes with the names of its fields", () => {
  assert.ok(isUsualEntry(typical));
  assert.ok(encodeEntry(typical).length * 2 < JSON.stringify(typical).length);
});
