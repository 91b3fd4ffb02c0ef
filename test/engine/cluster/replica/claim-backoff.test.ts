import assert from "node:assert/strict";
import { test } from "node:test";
import { ClaimBackoff } from "../../../../engine/cluster/replica/claim-backoff.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";

test("holds back for a lease, and twice as long each time in a row, up to a minute", async () => {
  const time = new FakeTime();
  let overCount = 0;
  const onOver = (): void => {
    overCount += 1;
  };
  const holdBack = new ClaimBackoff({ leaseMs: 2_000, timers: time, onOver });
  assert.equal(holdBack.isOn, false);
  for (const wantedMs of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    const before = overCount;
    assert.equal(holdBack.fail(), wantedMs);
    assert.equal(holdBack.durationMs, wantedMs);
    await time.advance(wantedMs - 1);
    assert.deepEqual([holdBack.isOn, overCount], [true, before]);
    await time.advance(1);
    assert.deepEqual([holdBack.isOn, overCount], [false, before + 1]);
  }
});

test("a term that held ends it, and the next failure counts as the first", async () => {
  const time = new FakeTime();
  let isOver = false;
  const onOver = (): void => {
    isOver = true;
  };
  const holdBack = new ClaimBackoff({ leaseMs: 2_000, timers: time, onOver });
  holdBack.fail();
  holdBack.fail();
  holdBack.reset();
  assert.equal(holdBack.isOn, false);
  await time.advance(60_000);
  assert.equal(isOver, false, "nothing is over that was ended");
  assert.equal(holdBack.fail(), 2_000);
});
