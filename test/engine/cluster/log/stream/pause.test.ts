/** Pauses that end before their time leave nothing behind at the signal that they watch. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { pause } from "../../../../../engine/cluster/log/stream/pause.ts";
import { FakeTime } from "../../../../support/machine/fake-time.ts";

test("a pause ends by its time, when it is woken, or with the reason of its signal", async () => {
  const time = new FakeTime();
  const ending = new AbortController();
  let wake: () => void = () => undefined;
  const woken = pause(time, 1_000, ending.signal, (end) => {
    wake = end;
  });
  wake();
  await woken;
  const timed = pause(time, 1_000, ending.signal);
  await time.advance(1_000);
  await timed;
  assert.equal(getEventListeners(ending.signal, "abort").length, 0);
  const ended = pause(time, 1_000, ending.signal);
  ending.abort(new Error("the end"));
  await assert.rejects(ended, /the end/);
  await assert.rejects(pause(time, 1_000, ending.signal), /the end/);
});
