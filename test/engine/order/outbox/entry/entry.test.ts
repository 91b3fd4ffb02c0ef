/** Rows are checked as strictly on reading as on writing. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  attemptedEntry,
  decodeRow,
  encodeEntry,
  encodePace,
  firstEntry,
  NewerRowError,
  type OutboxEntry,
  outboxKey,
  paceKey,
  unmarkedEntry,
  wasMaybeSent,
} from "../../../../../engine/order/outbox/entry/entry.ts";
import { isUsualEntry } from "../../../../../engine/order/outbox/entry/entry-check.ts";
import { TABLES } from "../../../../../engine/table/tables.ts";
import { order } from "../harness.ts";

const NOW_MS = 1_700_000_000_000;
const fresh = firstEntry(12, order("c-1"), "query", NOW_MS);
const expiring = attemptedEntry(fresh, 1, { promise: "expiry", expiryMs: 10_000 }, NOW_MS);

function read(json: unknown, key = outboxKey(12)) {
  return decodeRow(key, Buffer.from(typeof json === "string" ? json : JSON.stringify(json)));
}

describe("an entry", () => {
  test("is read back as it was written", () => {
    const chained = order("c-2", { urgency: "client", orderType: 2, price: 12.34, referenceOrderNo: "R1" });
    const quarantine = { sinceMs: NOW_MS, reason: "no answer" };
    const entries = [
      fresh,
      expiring,
      { ...expiring, quarantine },
      unmarkedEntry({ ...expiring, quarantine }),
      firstEntry(12, { ...chained, origin: { kind: "command", commandId: "k" } }, "none", NOW_MS),
    ];
    for (const entry of entries) {
      assert.deepEqual(read(encodeEntry(entry)), { kind: "order", entry });
    }
  });

  test("its key sorts as its sequence does and lies in the outbox's range", () => {
    assert(outboxKey(9) < outboxKey(10));
    const { gte, lt } = TABLES.outbox.range;
    for (const key of [outboxKey(0), outboxKey(Number.MAX_SAFE_INTEGER), paceKey(1, "TEST")]) {
      assert(key >= gte && key < lt, key);
    }
  });

  test("counts as maybe sent once an attempt is stored, and always where sends are not stored", () => {
    assert.equal(wasMaybeSent(fresh), false);
    assert.equal(wasMaybeSent(expiring), true);
    assert.equal(wasMaybeSent({ ...fresh, promise: "idempotent" }), true);
    assert.equal(wasMaybeSent(unmarkedEntry(expiring)), false);
  });

  const wrong: readonly (readonly [string, object])[] = [
    ["an attempt record without an attempt", { ...fresh, attemptRecordedMs: NOW_MS }],
    ["expiry without a moment", { ...expiring, expiresAtMs: null }],
    ["a moment without expiry", { ...expiring, promise: "query" }],
    ["a field too many", { ...fresh, extra: 1 }],
    ["a field of the order too many", { ...fresh, order: { ...fresh.order, extra: 1 } }],
    ["a market order with a price", { ...fresh, order: { ...fresh.order, price: 1 } }],
    ["a limit order without a price", { ...fresh, order: { ...fresh.order, orderType: 2 } }],
    ["no quantity", { ...fresh, order: { ...fresh.order, quantity: 0 } }],
    ["half a lot", { ...fresh, order: { ...fresh.order, quantity: 0.5 } }],
    ["an empty name", { ...fresh, order: { ...fresh.order, clientOrderId: "" } }],
    ["an unknown urgency", { ...fresh, order: { ...fresh.order, urgency: "soon" } }],
    ["an unknown promise", { ...fresh, promise: "maybe" }],
    ["an older version", { ...fresh, version: 0 }],
  ];
  for (const [name, json] of wrong) {
    test(`with ${name} is neither written nor read`, () => {
      assert.throws(() => encodeEntry({ ...fresh, ...json }));
      assert.equal(read(json).kind, "unreadable");
    });
  }

  test("that is no JSON, or lies under another's key, is unreadable", () => {
    assert.equal(read("{").kind, "unreadable");
    assert.equal(read("null").kind, "unreadable");
    assert.equal(read(encodeEntry(fresh), outboxKey(13)).kind, "unreadable");
  });

  test("of a newer program stops the start", () => {
    assert.throws(() => read({ ...fresh, version: 2, news: true }), NewerRowError);
    assert.throws(() => read({ version: 2 }, paceKey(1, "TEST")), NewerRowError);
  });
});

test("what passes the plain check of an actor's order passes the schema", () => {
  const usual = firstEntry(12, order("c-3"), "query", NOW_MS);
  assert.ok(isUsualEntry(usual), "the order of the tests is a usual one");
  const values = [null, undefined, 0, -1, 0.5, 1, 2, 3, 2 ** 53, "", "x", "expiry", "a b", {}, []];
  const wholes = [usual, expiring].flatMap((entry) => [
    ...Object.keys({ ...entry, other: 1 }).flatMap((key) => values.map((value) => ({ ...entry, [key]: value }))),
    ...Object.keys({ ...entry.order, other: 1 }).flatMap((key) =>
      values.map((value) => ({ ...entry, order: { ...entry.order, [key]: value } })),
    ),
    ...Object.keys({ ...entry.order.origin, other: 1 }).flatMap((key) =>
      values.map((value) => ({ ...entry, order: { ...entry.order, origin: { ...entry.order.origin, [key]: value } } })),
    ),
  ]);
  let passed = 0;
  for (const whole of wholes as unknown as OutboxEntry[]) {
    if (!(isSound(whole) && isUsualEntry(whole))) continue;
    passed += 1;
    const row = { kind: "order", entry: whole };
    assert.deepEqual(read(whole, outboxKey(whole.sequence)), row, "with names, as the schema judges it");
    assert.deepEqual(read(encodeEntry(whole), outboxKey(whole.sequence)), row);
  }
  assert.ok(passed > 0);
});

/** The types promise objects where there are objects. */
function isSound({ order }: OutboxEntry): boolean {
  return typeof order === "object" && order !== null && typeof order.origin === "object" && order.origin !== null;
}

test("a quota's row is read back as it was written", () => {
  const key = paceKey(7, "TEST");
  const row = read(encodePace(7, "TEST", [[3, 2]], NOW_MS), key);
  assert.deepEqual(row, {
    kind: "pace",
    pace: { version: 1, writtenMs: NOW_MS, userId: 7, brokerageCode: "TEST", uses: [[3, 2]] },
  });
  assert.equal(read({ version: 1 }, key).kind, "unreadable");
  assert.equal(read(encodePace(8, "TEST", [[3, 2]], NOW_MS), key).kind, "unreadable", "under another's key");
});
