/** The text of the dashboard's bar about partitions that engines share. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterWords } from "../../../edge/web/dashboard/part/cluster-words.ts";

const WHOLE = { partitionCount: 12, ledCount: 12, copiedCount: 12, lagRecordsMax: 0, areServersTrusted: true };

test("all led, with copies that have all: one short line", () => {
  assert.deepEqual(clusterWords(WHOLE), { isGood: true, text: "12 of 12 partitions led", hint: "copies have all" });
  assert.deepEqual(clusterWords({ ...WHOLE, lagRecordsMax: 7 }), {
    ...{ isGood: true, text: "12 of 12 partitions led", hint: "copies lack 7" },
  });
});

const FAULTS = [
  [{ ledCount: 11 }, "11 of 12 partitions led"],
  [{ copiedCount: 9 }, "12 of 12 partitions led, 3 without a copy"],
  [{ lagRecordsMax: 1_001 }, "12 of 12 partitions led, a copy is far behind"],
  [{ areServersTrusted: false }, "12 of 12 partitions led, the servers of the log cannot be trusted"],
] as const;

for (const [change, text] of FAULTS) {
  test(`a fault is named: ${text}`, () => {
    const words = clusterWords({ ...WHOLE, ...change });
    assert.deepEqual([words.isGood, words.text], [false, text]);
  });
}
