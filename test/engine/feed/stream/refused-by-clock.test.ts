import assert from "node:assert/strict";
import { test } from "node:test";
import { RefusedByClock } from "../../../../engine/feed/stream/refused-by-clock.ts";

test("what was refused before the clock was set is read back from the probe before the first of it", () => {
  const refused = new RefusedByClock();
  refused.caughtUp(0, 10);
  assert.equal(refused.probe(0, 20), null);
  assert.equal(refused.probe(3, 30), null);
  assert.equal(refused.probe(3, 40), null);
  refused.onClockSet();
  assert.equal(refused.probe(5, 50), 20);
  assert.equal(refused.probe(5, 60), null);
});

test("a clock that is set when nothing was refused reads nothing back", () => {
  const refused = new RefusedByClock();
  refused.caughtUp(4, 10);
  refused.onClockSet();
  assert.equal(refused.probe(4, 20), null);
  assert.equal(refused.probe(5, 30), null);
});

test("what was refused behind the end of a reading that set the clock is read back from that end", () => {
  const refused = new RefusedByClock();
  refused.caughtUp(0, 10);
  refused.onClockSet();
  refused.caughtUp(2, 30);
  assert.equal(refused.probe(2, 40), 30);
  assert.equal(refused.probe(2, 50), null);
});
