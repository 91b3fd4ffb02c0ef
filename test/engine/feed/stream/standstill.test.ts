/** A process that was paused: ticks of that time count at the moment of their storage, not when they are seen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PROBE_MS } from "../../../../engine/feed/stream/catch-up.ts";
import { NOW_MS, setUp } from "../support/catch-up-world.ts";

test("a loop that stood still catches up from the position", async () => {
  const { server, catchUp, live, time, log } = setUp();
  void catchUp.start(null);
  await time.advance(PROBE_MS * 3);
  const readsBefore = server.reads.length;
  time.freeze(5_000);
  await time.advance(10);
  assert.equal(live.state, "catchingUp");
  await time.advance(500);
  assert.equal(live.state, "live");
  assert.equal(server.reads.length, readsBefore + 1);
  assert.ok(log.messages("warn").some((message) => message.includes("the process was paused")));
});

test("what comes while the loop stands still counts when it was stored, though it is seen before any timer is", async () => {
  const { server, catchUp, live, time, texts, ticks } = setUp();
  void catchUp.start(null);
  await time.advance(PROBE_MS * 3);
  time.freeze(5_000);
  server.publish("A", 1, 4_000);
  assert.equal(live.state, "catchingUp");
  assert.deepEqual(texts(), []);
  await time.advance(500);
  // Stored and live: the two cannot be distinguished, and that is harmless.
  assert.deepEqual(texts(), ["A 1 caught up", "A 1 caught up"]);
  assert.equal(ticks[0]?.timeMs, NOW_MS + PROBE_MS * 3 + 1_000);
  server.publish("A", 2);
  assert.equal(texts().at(-1), "A 2");
});

test("a loop that stood still while a probe was on its way catches up", async () => {
  const { server, catchUp, live, time, texts } = setUp();
  void catchUp.start(null);
  await time.advance(PROBE_MS * 3);
  let answer: () => void = () => undefined;
  server.beforeMark = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  await time.advance(PROBE_MS);
  server.publish("A", 1);
  time.freeze(5_000);
  await time.advance(10);
  assert.equal(live.state, "catchingUp");
  server.beforeMark = async () => undefined;
  answer();
  await time.advance(500);
  assert.deepEqual(texts(), ["A 1", "A 1 caught up"]);
  assert.equal(live.state, "live");
});

test("what comes while the loop stands still in the middle of reading back counts when it was stored", async () => {
  const { server, catchUp, live, time, texts, ticks } = setUp();
  server.publish("A", 10, 1_000);
  server.onRead = () => {
    server.onRead = () => undefined;
    time.freeze(5_000);
    server.publish("A", 1, 4_000);
  };
  void catchUp.start(0);
  await time.advance(6_000);
  assert.equal(live.state, "live");
  assert.deepEqual(texts(), ["A 10 caught up", "A 1 caught up"]);
  assert.equal(ticks[1]?.timeMs, NOW_MS + 100 + 1_000, "after the first one was read");
  server.publish("A", 2);
  assert.equal(texts().at(-1), "A 2");
});

test("a first start that stands still in the middle loses no tick of that time", async () => {
  const { server, catchUp, live, time, texts } = setUp();
  server.beforeMark = async () => {
    server.beforeMark = async () => undefined;
    time.freeze(5_000);
    server.publish("A", 1, 4_000);
  };
  void catchUp.start(null);
  await time.advance(6_000);
  assert.equal(live.state, "live");
  assert.deepEqual(texts(), ["A 1 caught up"]);
});

test("a stream that could not answer in time because the process stood still is read to its end", async () => {
  const { server, catchUp, live, time, texts, holes } = setUp();
  server.publish("A", 1);
  server.publish("A", 2);
  server.onRead = (sequence) => {
    if (sequence !== 2) return;
    server.onRead = () => undefined;
    time.freeze(30_000);
    throw new Error("timeout");
  };
  void catchUp.start(0);
  await time.advance(32_000);
  assert.equal(live.state, "live");
  assert.deepEqual(texts(), ["A 1 caught up", "A 2 caught up"]);
  assert.deepEqual(holes, []);
});

test("a stream that cannot be read is given up although the process stood still before", async () => {
  const { server, catchUp, live, time, holes } = setUp();
  server.publish("A", 1);
  server.failure = new Error("timeout");
  void catchUp.start(0);
  time.freeze(30_000);
  await time.advance(9_000);
  assert.equal(live.state, "catchingUp");
  await time.advance(2_000);
  assert.equal(live.state, "live");
  assert.deepEqual(
    holes.map(({ reason }) => reason),
    ["unreadable"],
  );
});

test("a stream that cannot be read is given up only once orders may leave, and is read back if it answers before", async () => {
  const { server, catchUp, live, time, holes, right, texts } = setUp();
  server.publish("A", 1);
  server.failure = new Error("timeout");
  right.mayAct = false;
  void catchUp.start(0);
  await time.advance(200_000);
  assert.equal(live.state, "catchingUp");
  right.mayAct = true;
  await time.advance(9_000);
  assert.equal(live.state, "catchingUp", "the time to give up begins once orders may leave");
  server.failure = undefined;
  await time.advance(2_000);
  assert.deepEqual([live.state, texts(), holes], ["live", ["A 1 caught up"], []]);
});

test("a probe that the standing still left without an answer says nothing of the stream", async () => {
  const { server, catchUp, live, time, holes, log } = setUp();
  void catchUp.start(null);
  await time.advance(PROBE_MS * 3);
  server.beforeMark = async () => {
    server.beforeMark = async () => undefined;
    time.freeze(5_000);
    throw new Error("timeout");
  };
  server.publish("A", 1);
  await time.advance(PROBE_MS * 8);
  assert.equal(live.state, "live");
  assert.deepEqual(holes, []);
  assert.deepEqual(log.messages("error"), []);
});

test("what waits while a stream that takes nothing is read back is kept, though the loop stood still", async () => {
  const { server, catchUp, live, time, texts } = setUp();
  server.publish("A", 10, 1_000);
  server.isFull = true;
  server.onRead = () => {
    server.onRead = () => undefined;
    time.freeze(5_000);
    server.publish("A", 1);
  };
  void catchUp.start(0);
  await time.advance(6_000);
  assert.equal(live.state, "live");
  assert.deepEqual(texts(), ["A 10 caught up", "A 1 caught up"]);
});
