import assert from "node:assert/strict";
import { test } from "node:test";
import { runClock } from "../../engine/clock.ts";

test("a run of calls is one moment, and the next one another", async () => {
  let reads = 0;
  const clock = runClock({
    nowMs: () => {
      reads += 1;
      return reads * 100;
    },
  });
  assert.deepEqual([clock.nowMs(), clock.nowMs(), clock.nowMs()], [100, 100, 100]);
  await Promise.resolve();
  assert.deepEqual([clock.nowMs(), clock.nowMs()], [200, 200]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(clock.nowMs(), 300);
});
