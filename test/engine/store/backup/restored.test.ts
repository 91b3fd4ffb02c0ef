import assert from "node:assert/strict";
import { test } from "node:test";
import { asRestored, isOfLostLife, RESTORE_RATE, RESTORE_RESERVE } from "../../../../engine/store/backup/restored.ts";
import { FORMAT, type Head } from "../../../../engine/store/journal/head.ts";

const COPIED_AT_MS = 1_000_000_000;
const HOUR_MS = 3_600_000;
const head: Head = {
  ...{ format: FORMAT, installation: "abcdefghij", partition: 0, partitions: 1, batch: 9, sequence: 700, ids: 500 },
  ...{
    liveHash: "0".repeat(16),
    archiveHash: "0".repeat(16),
    tickPosition: 7,
    tickStream: null,
    ticksRefusedSinceMs: null,
    writtenAtMs: COPIED_AT_MS,
  },
};
const copy = { ...head, copiedAtMs: COPIED_AT_MS };

function restored(change: Partial<Head>, atMs: number): Head {
  const found = asRestored({ ...copy, ...change }, atMs);
  assert.ok(found !== undefined);
  return found;
}

test("only a copy is restored, and is none afterwards", () => {
  assert.equal(asRestored(head, COPIED_AT_MS), undefined);
  const { ids, sequence, ...rest } = restored({}, COPIED_AT_MS);
  assert.deepEqual({ ids, sequence }, { ids: 500 + RESTORE_RESERVE, sequence: 700 + RESTORE_RESERVE });
  const { ids: _ids, sequence: _sequence, ...before } = head;
  assert.deepEqual(rest, { ...before, restoredIds: 500 });
  assert.equal(asRestored({ ...rest, ids, sequence }, COPIED_AT_MS), undefined);
});

test("what is restored a second time gives out nothing that the first restoration gave out", () => {
  for (const partitions of [1, 64]) {
    const first = restored({ partitions }, COPIED_AT_MS + HOUR_MS);
    const second = restored({ partitions }, COPIED_AT_MS + 2 * HOUR_MS);
    const givenOut = Math.floor((3_600 * RESTORE_RATE) / partitions);
    assert.ok(second.ids >= first.ids + givenOut && second.sequence >= first.sequence + givenOut);
  }
  assert.equal(restored({}, 0).ids, 500 + RESTORE_RESERVE, "a clock that went back");
});

test("ten restorations of backups a month old leave bots room to number their pairs", () => {
  for (const partitions of [1, 64]) {
    const reserve = restored({ partitions }, COPIED_AT_MS + 30 * 24 * HOUR_MS).ids - head.ids;
    assert.ok(Number.isSafeInteger(10 * reserve * partitions * 1_000_000), String(reserve));
  }
});

test("the lost life may have sent whatever is named after what is in the backup", () => {
  const later: Head = { ...head, partition: 1, partitions: 4, restoredIds: 100 };
  const isOf = (name: string): boolean => isOfLostLife(later, `abcdefghij-${name}`);
  for (const name of ["r401", "r401-405", "c5", "p401000007b", "p401000007s2", "odd"]) assert.ok(isOf(name), name);
  for (const name of ["r405", "r405-409", "c409", "p405000001b"]) assert.ok(!isOf(name), name);
  assert.ok(!isOfLostLife(head, "abcdefghij-r1"), "nothing was restored");
});
