import assert from "node:assert/strict";
import { test } from "node:test";
import { SubjectTable } from "../../../engine/feed/subject-table.ts";
import fc from "../../support/property.ts";

/** Looks a subject up where it lies among other bytes. */
function find<Value>(table: SubjectTable<Value>, subject: Uint8Array): Value | undefined {
  const all = Buffer.concat([Buffer.from("MSG "), subject, Buffer.from(" 1 2")]);
  return table.get(all, 4, 4 + subject.length);
}

test("the table finds what a map finds, whatever the bytes and however many", () => {
  const subject = fc.uint8Array({ maxLength: 4, max: 3 });
  const command = fc.record({ subject: fc.oneof(subject, fc.uint8Array({ maxLength: 40 })), isAdded: fc.boolean() });
  fc.assert(
    fc.property(fc.array(command, { maxLength: 1_500, size: "max" }), (commands) => {
      const table = new SubjectTable<number>(0);
      const naive = new Map<string, number>();
      for (const [index, { subject: bytes, isAdded }] of commands.entries()) {
        const key = Buffer.from(bytes).toString("hex");
        assert.equal(find(table, bytes), naive.get(key));
        if (!isAdded || naive.has(key)) continue;
        table.add(bytes, index);
        naive.set(key, index);
      }
      for (const [key, value] of naive) assert.equal(find(table, Buffer.from(key, "hex")), value);
    }),
    { numRuns: 50 },
  );
});

test("what the bytes of a message become later changes no subject", () => {
  const table = new SubjectTable<string>(0);
  const shared = Buffer.from("ticks.THYAO");
  table.add(shared, "THYAO");
  shared.fill(0);
  assert.equal(find(table, Buffer.from("ticks.THYAO")), "THYAO");
  assert.equal(find(table, shared), undefined);
});

test("subjects that are alike up to where they differ are told apart by what follows", () => {
  const table = new SubjectTable<string>("ticks.".length);
  table.add(Buffer.from("ticks.A"), "A");
  table.add(Buffer.from("ticks.AB"), "AB");
  for (const [subject, value] of [
    ["ticks.A", "A"],
    ["ticks.AB", "AB"],
    ["ticks.B", undefined],
    ["ticks.", undefined],
    ["ticks", undefined],
  ] as const) {
    assert.equal(find(table, Buffer.from(subject)), value);
  }
});
