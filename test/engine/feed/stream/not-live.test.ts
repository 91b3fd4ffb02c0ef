import assert from "node:assert/strict";
import { test } from "node:test";
import { PROBE_MS } from "../../../../engine/feed/stream/catch-up.ts";
import { setUp } from "../support/catch-up-world.ts";

test("ticks that the stream stored and that did not arrive live are read back, once, before later ones", async () => {
  const { server, catchUp, time, texts, holes, log } = setUp();
  void catchUp.start(null);
  await time.advance(500);
  server.publish("A", 10);
  await time.advance(PROBE_MS * 2);
  server.isRouteBroken = true;
  server.publish("A", 5);
  server.isRouteBroken = false;
  server.publish("A", 11);
  await time.advance(PROBE_MS * 2 + 500);
  assert.deepEqual(texts().slice(0, 2), ["A 10", "A 11"]);
  assert.deepEqual(texts().slice(-2), ["A 5 caught up", "A 11 caught up"]);
  assert.equal(catchUp.unheardCount, 1);
  assert.equal(log.messages("warn").filter((message) => message.includes("did not arrive live")).length, 1);
  const count = server.reads.length;
  await time.advance(PROBE_MS * 5);
  assert.equal(server.reads.length, count);
  assert.deepEqual(holes, []);
});

test("while ticks seem to be missing the position stays: a restart reads them back", async () => {
  const { server, catchUp, time } = setUp();
  void catchUp.start(null);
  await time.advance(PROBE_MS * 3);
  const position = catchUp.position() ?? 0;
  server.isRouteBroken = true;
  server.publish("A", 5);
  await time.advance(PROBE_MS);
  assert.ok((catchUp.position() ?? 0) <= position + 1);
});

test("a stream that stores what else is published is not compared with the ticks that arrived", async () => {
  const { server, catchUp, time } = setUp();
  server.isShared = true;
  void catchUp.start(null);
  await time.advance(500);
  server.isRouteBroken = true;
  server.publish("A", 5);
  await time.advance(PROBE_MS * 4);
  assert.deepEqual([server.reads.length, catchUp.unheardCount], [0, 0]);
});
