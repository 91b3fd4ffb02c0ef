/** Messages that vanish from the middle of what is read back: they are reported, never skipped silently. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp } from "../support/catch-up-world.ts";

test("a message that is gone from within the range is a hole, and the rest is caught up", async () => {
  const { server, catchUp, time, texts, holes, log } = setUp();
  for (const price of [1, 2, 3, 4]) server.publish("A", price);
  server.stored = server.stored.filter(({ sequence }) => sequence !== 3);
  void catchUp.start(1);
  await time.advance(500);
  assert.deepEqual(texts(), ["A 2 caught up", "A 4 caught up"]);
  assert.deepEqual(holes, [{ from: 3, to: 3, reason: "missing" }]);
  assert.equal(log.messages("error").length, 1);
});

test("however many are gone from within the range, they are told as one hole", async () => {
  const { server, catchUp, time, texts, holes } = setUp();
  for (const price of [1, 2, 3, 4, 5, 6, 7, 8]) server.publish("A", price);
  server.stored = server.stored.filter(({ sequence }) => sequence % 2 === 0);
  void catchUp.start(1);
  await time.advance(500);
  assert.equal(texts().length, 4);
  assert.deepEqual(holes, [{ from: 3, to: 7, reason: "missing" }]);
});

test("a limit of the stream that overtakes the reading is a hole", async () => {
  const { server, catchUp, time, live, texts, holes } = setUp();
  for (const price of [1, 2, 3, 4, 5]) server.publish("A", price);
  server.onRead = (sequence) => {
    if (sequence === 3) server.purge(4);
  };
  void catchUp.start(1);
  await time.advance(500);
  assert.equal(live.state, "live");
  assert.deepEqual(texts(), ["A 2 caught up", "A 5 caught up"]);
  assert.deepEqual(holes, [{ from: 3, to: 4, reason: "missing" }]);
});

test("a limit of the stream that overtakes the whole rest of the range is a hole up to its end, and the feed is live", async () => {
  const { server, catchUp, time, live, texts, holes } = setUp();
  for (const price of [1, 2, 3]) server.publish("A", price);
  server.onRead = (sequence) => {
    if (sequence !== 3) return;
    for (const price of [10, 11]) server.publish("B", price);
    server.purge(4);
  };
  void catchUp.start(1);
  await time.advance(500);
  assert.equal(live.state, "live");
  assert.deepEqual(texts().slice(0, 1), ["A 2 caught up"]);
  assert.deepEqual(holes, [{ from: 3, to: 4, reason: "missing" }]);
});

test("what a server gives only at the second reading is no hole", async () => {
  const { server, catchUp, time, live, texts, holes } = setUp();
  for (const price of [1, 2, 3, 4]) server.publish("A", price);
  const read = server.read.bind(server);
  // It does not know of the last ones yet.
  server.read = (range, signal, visit) =>
    read({ ...range, to: server.reads.length === 0 ? 2 : range.to }, signal, visit);
  void catchUp.start(0);
  await time.advance(1_000);
  assert.equal(live.state, "live");
  assert.deepEqual(texts(), ["A 1 caught up", "A 2 caught up", "A 3 caught up", "A 4 caught up"]);
  assert.deepEqual(holes, []);
});

test("a connection that is lost before a hole was told leaves it to the next reading", async () => {
  const { server, catchUp, time, holes } = setUp();
  for (const price of [1, 2, 3, 4, 5]) server.publish("A", price);
  server.stored = server.stored.filter(({ sequence }) => sequence !== 3);
  let isLost = false;
  server.onRead = (sequence) => {
    if (sequence === 5 && !isLost) {
      isLost = true;
      server.change("disconnected");
    }
  };
  void catchUp.start(1);
  await time.advance(500);
  assert.deepEqual(holes, []);
  server.change("connected");
  await time.advance(500);
  assert.deepEqual(holes, [{ from: 3, to: 3, reason: "missing" }]);
});
