import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  decodeFrame,
  encodeFrame,
  type Frame,
  FrameDamaged,
  NO_RECORD,
  partsOf,
} from "../../../../../engine/cluster/log/stream/frame.ts";
import fc from "../../../../support/property.ts";

const place = {
  epoch: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  leaseMs: fc.integer({ min: 1, max: 10_000 }),
  number: fc.integer({ min: NO_RECORD, max: Number.MAX_SAFE_INTEGER }),
};
const name = fc.string({ minLength: 1 });
const frames: fc.Arbitrary<Frame> = fc.oneof(
  fc.record({ kind: fc.constant("claim" as const), ...place, owner: name }),
  fc.record({ kind: fc.constant("beat" as const), ...place }),
  fc.record({ kind: fc.constant("release" as const), ...place, to: fc.option(name, { nil: undefined }) }),
  fc.record({
    kind: fc.constant("part" as const),
    ...place,
    part: fc.integer({ min: 0, max: 0xffff }),
    isLast: fc.boolean(),
    bytes: fc.uint8Array({ maxLength: 64 }),
  }),
);

function plain(frame: Frame): Frame {
  return frame.kind === "part" ? { ...frame, bytes: Uint8Array.from(frame.bytes) } : frame;
}

describe("a frame of the log", () => {
  test("is read back as it was written", () => {
    fc.assert(fc.property(frames, (frame) => assert.deepEqual(plain(decodeFrame(encodeFrame(frame))), { ...frame })));
  });

  test("with one bit changed or its end cut off is damaged", () => {
    fc.assert(
      fc.property(frames, fc.nat(), fc.boolean(), (frame, at, isCut) => {
        const bytes = Uint8Array.from(encodeFrame(frame));
        const bit = at % (bytes.length * 8);
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const changed = isCut ? encodeFrame(frame).subarray(0, at % bytes.length) : bytes;
        assert.throws(() => decodeFrame(changed), FrameDamaged);
      }),
    );
  });

  test("of a kind that a newer version writes says so", () => {
    const bytes = Buffer.from(encodeFrame({ kind: "beat", epoch: 1, leaseMs: 2_000, number: 3 }));
    bytes[8] = 9;
    assert.throws(() => decodeFrame(bytes), FrameDamaged);
  });

  test("holds no more of a record than a server takes, and all parts together are the record", () => {
    const at = { epoch: 1, leaseMs: 2_000, number: 7 };
    for (const size of [0, 1, 512 * 1024, 512 * 1024 + 1, 3_000_000]) {
      const record = Buffer.alloc(size, size % 251);
      const parts = partsOf(record, at);
      assert.deepEqual(Buffer.concat(parts.map(({ bytes }) => bytes)), record);
      assert.deepEqual(
        parts.map(({ part, isLast }) => [part, isLast]),
        parts.map((_, part) => [part, part === parts.length - 1]),
      );
      assert.ok(parts.every((part) => encodeFrame(part).byteLength < 1024 * 1024));
    }
  });
});
