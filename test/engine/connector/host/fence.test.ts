/** The fence: epochs and bars are raised and never lowered, and what is at or under them is refused. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { FenceKeeper } from "../../../../engine/connector/host/fence.ts";
import { openEpochFile } from "../../../../engine/connector/host/state/epoch-file.ts";

const HOUR_MS = 3_600_000;
const at = (attempt: number, epoch = 0) => ({ partition: 0, epoch, attempt });

function keeper() {
  const time = { nowMs: 0 };
  return { time, fence: new FenceKeeper({ nowMs: () => time.nowMs }) };
}

test("an attempt at or under the bar is refused, a later one and another order pass", () => {
  const { fence } = keeper();
  assert.equal(fence.refusalOf(at(1), "a"), undefined);
  fence.raiseBar("a", at(2));
  assert.match(fence.refusalOf(at(1), "a") ?? "", /attempt 1 comes too late: attempt 2/);
  assert.match(fence.refusalOf(at(2), "a") ?? "", /too late/);
  assert.equal(fence.refusalOf(at(3), "a"), undefined);
  assert.equal(fence.refusalOf(at(1), "b"), undefined);
});

test("a bar that a late look-up names again is not lowered", () => {
  const { fence } = keeper();
  fence.raiseBar("a", at(3));
  fence.raiseBar("a", at(1));
  assert.notEqual(fence.refusalOf(at(3), "a"), undefined);
  fence.raiseBar("a", at(1, 1));
  assert.notEqual(
    fence.refusalOf(at(9, 0), "a"),
    undefined,
    "a later leader's attempt 1 is above all of the earlier's",
  );
});

test("an earlier leader of the partition is refused whatever its attempt, another partition's is not", () => {
  const { fence } = keeper();
  assert.equal(fence.refusalOf(at(1, 7), "a"), undefined);
  assert.match(fence.refusalOf(at(9, 6), "b") ?? "", /epoch 6 of partition 0 ended: 7/);
  assert.equal(fence.refusalOf({ partition: 1, epoch: 0, attempt: 1 }, "c"), undefined);
  assert.deepEqual(fence.raiseEpoch({ partition: 0, epoch: 5 }), { partition: 0, epoch: 7 });
});

test("a request without a fence passes: its engine is of the first edition", () => {
  const { fence } = keeper();
  fence.raiseBar("a", at(3));
  assert.equal(fence.refusalOf(undefined, "a"), undefined);
});

test("a bar lives for an hour after it was last raised, and leaves nothing behind", () => {
  const { fence, time } = keeper();
  fence.raiseBar("a", at(1));
  fence.raiseBar("b", at(1));
  time.nowMs = HOUR_MS - 1;
  fence.raiseBar("a", at(1));
  time.nowMs = HOUR_MS + 1;
  assert.notEqual(fence.refusalOf(at(1), "a"), undefined);
  assert.equal(fence.refusalOf(at(1), "b"), undefined);
  fence.raiseBar("c", at(1));
  assert.equal(fence.barCount, 2);
  time.nowMs = 3 * HOUR_MS;
  fence.raiseBar("d", at(1));
  assert.equal(fence.barCount, 1);
});

test("epochs outlive the process in a file, and a file that holds none is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "epochs-"));
  try {
    const path = join(folder, "acme.epochs");
    const clock = { nowMs: () => 0 };
    new FenceKeeper(clock, openEpochFile(path)).raiseEpoch({ partition: 3, epoch: 41 });
    const next = new FenceKeeper(clock, openEpochFile(path));
    assert.notEqual(next.refusalOf({ partition: 3, epoch: 40, attempt: 1 }, "a"), undefined);
    assert.match(readFileSync(path, "utf8"), /41/);
    writeFileSync(path, "{");
    assert.throws(() => openEpochFile(path), /holds no epochs/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
