/** Rows packed in memory give what was set, as a map does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { KeptRows } from "../../../../engine/store/log/kept-rows.ts";
import { PACKED_BYTES_MAX } from "../../../../engine/store/log/packed-bytes.ts";

const NUMBERS = 3_000;

test("rows are what was last set, whatever was set and removed beside them", () => {
  const change = fc.record({
    number: fc.nat(NUMBERS),
    size: fc.oneof(fc.nat(300), fc.constantFrom(0, 30, 31, 62, 63, PACKED_BYTES_MAX)),
    isRemoval: fc.nat(3).map((roll) => roll === 0),
    fill: fc.nat(255),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 50, maxLength: 2_000, size: "max" }), (changes) => {
      const rows = new KeptRows();
      const twin = new Map<number, Buffer>();
      for (const { number, size, isRemoval, fill } of changes) {
        if (isRemoval) {
          rows.delete(number);
          twin.delete(number);
        } else {
          const row = Buffer.alloc(size, fill);
          rows.set(number, row);
          twin.set(number, row);
        }
      }
      for (let number = 0; number <= NUMBERS; number += 1) assert.deepEqual(rows.get(number), twin.get(number));
    }),
    { numRuns: 30 },
  );
});

test("a row that is too long is not kept, and what was kept under its number is gone", () => {
  const rows = new KeptRows();
  rows.set(7, Buffer.alloc(40, 1));
  rows.set(7, Buffer.alloc(PACKED_BYTES_MAX + 1));
  assert.equal(rows.get(7), undefined);
  rows.set(7, Buffer.alloc(3, 2));
  assert.deepEqual(rows.get(7), Buffer.alloc(3, 2));
});

test("a text is kept as its bytes", () => {
  const rows = new KeptRows();
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      rows.set(3, text);
      assert.deepEqual(rows.get(3), Buffer.from(text));
    }),
  );
  rows.set(3, "ö".repeat(PACKED_BYTES_MAX / 2 + 1));
  assert.equal(rows.get(3), undefined);
});

test("what was given stays as it was when another row takes its place", () => {
  const rows = new KeptRows();
  rows.set(1, Buffer.from("first"));
  const given = rows.get(1);
  rows.delete(1);
  rows.set(2, Buffer.from("other"));
  assert.deepEqual(given, Buffer.from("first"));
});

test("more rows than a chunk holds", () => {
  const rows = new KeptRows();
  const rowOf = (number: number): Buffer => Buffer.alloc(200 + (number % 150), number % 251);
  for (let number = 0; number < 20_000; number += 1) rows.set(number * 5, rowOf(number));
  for (let number = 0; number < 20_000; number += 3) rows.delete(number * 5);
  for (let number = 0; number < 20_000; number += 1) {
    assert.deepEqual(rows.get(number * 5), number % 3 === 0 ? undefined : rowOf(number));
  }
});
