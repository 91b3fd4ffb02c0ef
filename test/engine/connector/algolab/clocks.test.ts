/** How far our clock is off AlgoLab's: only what neither whole seconds nor the way of the answer explain. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TroubleLog } from "../../../../engine/connector/algolab/trouble-log.ts";
import { RecordedLog } from "../fix/support/session-world.ts";

const SENT_MS = Date.parse("2026-03-10T12:00:00.000Z");

function aheadMs(date: string | null, tookMs: number): number {
  const troubles = new TroubleLog({ nowMs: () => SENT_MS + tookMs }, new RecordedLog());
  troubles.compareClocks(date, SENT_MS);
  return troubles.clockAheadMs;
}

test("a difference within the second of the header and the time of the answer is none", () => {
  for (const [date, tookMs] of [
    ["Tue, 10 Mar 2026 12:00:00 GMT", 0],
    ["Tue, 10 Mar 2026 11:59:59 GMT", 0],
    ["Tue, 10 Mar 2026 12:00:08 GMT", 9_000],
  ] as const)
    assert.equal(aheadMs(date, tookMs), 0, date);
});

test("a clock that is ahead or behind is told by the least that it must be off", () => {
  assert.equal(aheadMs("Tue, 10 Mar 2026 11:59:30 GMT", 200), 29_000);
  assert.equal(aheadMs("Tue, 10 Mar 2026 12:00:30 GMT", 200), -29_800);
});

test("an answer without a date that can be read proves nothing", () => {
  assert.equal(aheadMs(null, 10), 0);
  assert.equal(aheadMs("yesterday", 10), 0);
});
