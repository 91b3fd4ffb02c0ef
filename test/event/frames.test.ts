import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameReader } from "../../src/event/frames.ts";
import fc from "../support/property.ts";

const TEXT =
  'retry: 1000\n\n: alive\nid: a-0-1\n\nid: a-0-2\nevent: x\ndata: {"type":"x"}\n\nevent: price\ndata: {}\n\n';
const FRAMES = [
  { id: undefined, data: undefined, retryMs: 1_000 },
  { id: "a-0-1", data: undefined, retryMs: undefined },
  { id: "a-0-2", data: '{"type":"x"}', retryMs: undefined },
  { id: undefined, data: "{}", retryMs: undefined },
];

test("frames are the same however the text is cut", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(TEXT.length)), (cuts) => {
      const ends = [...cuts.sort((left, right) => left - right), TEXT.length];
      const reader = new FrameReader();
      let from = 0;
      const frames = ends.flatMap((end) => {
        const piece = TEXT.slice(from, end);
        from = end;
        return reader.take(piece);
      });
      assert.deepEqual(frames, FRAMES);
    }),
  );
});
