/** How far another machine's clock is from ours, by readings that take their time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MeasuredClock } from "../../src/runtime/measured-clock.ts";

test("whatever the answers take, the truth lies within the error, and a right clock is never called wrong", () => {
  const answer = fc.record({ gapMs: fc.nat(60_000), thereMs: fc.nat(4_000), backMs: fc.nat(4_000) });
  fc.assert(
    fc.property(fc.integer({ min: -10_000, max: 10_000 }), fc.array(answer, { minLength: 1 }), (aheadMs, answers) => {
      let nowMs = 1_000_000;
      const measured = new MeasuredClock({ nowMs: () => nowMs }, { nowMs: () => nowMs });
      for (const { gapMs, thereMs, backMs } of answers) {
        nowMs += gapMs;
        const askedAtMs = nowMs;
        const timeMs = nowMs + thereMs + aheadMs;
        nowMs += thereMs + backMs;
        measured.read({ timeMs, askedAtMs, answeredAtMs: nowMs });
      }
      const slowestMs = Math.max(...answers.map(({ thereMs, backMs }) => thereMs + backMs));
      assert.ok(Math.abs((measured.aheadMs ?? Number.NaN) - aheadMs) <= slowestMs / 2 + 1);
      if (Math.abs(aheadMs) <= 2_000) assert.equal(measured.offMs, 0);
      if (Math.abs(aheadMs) > 2_000 + slowestMs + 60_000 * answers.length * 0.001) assert.notEqual(measured.offMs, 0);
    }),
  );
});
