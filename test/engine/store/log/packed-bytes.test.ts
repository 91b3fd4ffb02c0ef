/** Packed bytes are read as they were packed, independently of what is packed and dropped next to them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PACKED_BYTES_MAX, type Packed, PackedBytes } from "../../../../engine/store/log/packed-bytes.ts";

test("as a list of buffers", () => {
  const size = fc.oneof(fc.nat(300), fc.constantFrom(0, 30, 31, 62, 63, PACKED_BYTES_MAX, PACKED_BYTES_MAX + 1));
  const change = fc.record({ size, fill: fc.nat(255), dropped: fc.option(fc.nat(), { freq: 2 }) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 50, maxLength: 1_500, size: "max" }), (changes) => {
      const bytes = new PackedBytes();
      const held: { readonly packed: Packed; readonly twin: Buffer }[] = [];
      for (const { size: byteCount, fill, dropped } of changes) {
        const twin = Buffer.alloc(byteCount, fill);
        held.push({ packed: bytes.pack(twin), twin });
        if (dropped === null) continue;
        const [gone] = held.splice(dropped % held.length, 1);
        if (gone !== undefined) bytes.drop(gone.packed);
      }
      for (const { packed, twin } of held) {
        assert.deepEqual(Buffer.from(bytes.read(packed)), twin);
        assert.equal(bytes.lengthOf(packed), twin.byteLength);
      }
    }),
    { numRuns: 30 },
  );
});

test("takes no more room for what comes and goes", () => {
  const bytes = new PackedBytes();
  const waiting: Packed[] = [];
  for (let number = 0; number < 200_000; number += 1) {
    waiting.push(bytes.pack(Buffer.alloc(100 + (number % 7) * 40)));
    if (waiting.length > 500) bytes.drop(waiting.shift() ?? 0);
  }
  assert.ok(bytes.byteCount <= 2 * 1024 * 1024, `${bytes.byteCount}`);
});

test("what was read stays as it was when something else takes its place", () => {
  const bytes = new PackedBytes();
  const first = bytes.pack(Buffer.from("first"));
  const read = bytes.read(first);
  bytes.drop(first);
  bytes.pack(Buffer.from("other"));
  assert.deepEqual(Buffer.from(read), Buffer.from("first"));
});
