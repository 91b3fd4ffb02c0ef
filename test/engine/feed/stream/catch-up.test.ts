import assert from "node:assert/strict";
import { test } from "node:test";
import { PROBE_MS } from "../../../../engine/feed/stream/catch-up.ts";
import { NOW_MS, setUp } from "../support/catch-up-world.ts";

test("the first start begins at the end of the stream", async () => {
  const { server, catchUp, live, time, texts, holes } = setUp();
  server.publish("A", 1);
  void catchUp.start(null);
  await time.advance(500);
  assert.equal(live.state, "live");
  assert.equal(catchUp.position(), 2, "the tick and the probe");
  server.publish("A", 2);
  assert.deepEqual(texts(), ["A 2"]);
  assert.deepEqual(holes, []);
});

test("what was stored after the position is caught up before live ticks, with the stream's times", async () => {
  const { server, catchUp, live, time, texts, ticks } = setUp();
  server.publish("A", 1, 3_000);
  server.publish("A", 2, 2_000);
  server.publish("B", 3, 1_000);
  server.onRead = (sequence) => {
    if (sequence === 3) server.publish("A", 4);
  };
  const started = catchUp.start(1);
  assert.equal(live.state, "catchingUp");
  await time.advance(500);
  await started;
  server.publish("A", 5);
  assert.deepEqual(texts(), ["A 2 caught up", "B 3 caught up", "A 4 caught up", "A 5"]);
  assert.deepEqual(
    ticks.slice(0, 2).map(({ timeMs }) => NOW_MS - timeMs),
    [2_000, 1_000],
  );
});

test("the position is what the probe before the latest saw", async () => {
  const { server, catchUp, time } = setUp();
  void catchUp.start(null);
  await time.advance(500);
  assert.equal(catchUp.position(), 1);
  server.publish("A", 1);
  await time.advance(PROBE_MS);
  assert.equal(catchUp.position(), 1);
  server.publish("A", 2);
  await time.advance(PROBE_MS);
  assert.equal(catchUp.position(), 3, "the first tick and the probe after it");
  await time.advance(PROBE_MS);
  assert.equal(catchUp.position(), 5);
});

test("a reconnect catches up, and ticks that come before it is told wait", async () => {
  const { server, catchUp, live, time, texts } = setUp();
  void catchUp.start(null);
  await time.advance(500);
  server.publish("A", 10);
  server.change("disconnected");
  assert.equal(live.state, "disconnected");
  server.publish("A", 5);
  server.status = "connected";
  server.publish("A", 11);
  server.change("connected");
  assert.equal(live.state, "catchingUp");
  await time.advance(500);
  assert.equal(live.state, "live");
  assert.deepEqual(texts(), [
    ...["A 10", "A 10 caught up", "A 5 caught up"],
    // Stored and live: the two cannot be distinguished, and that is harmless.
    ...["A 11 caught up"],
  ]);
});

test("a connection that is lost while catching up is caught up from the start again", async () => {
  const { server, catchUp, live, time, texts } = setUp();
  server.publish("A", 1);
  server.publish("A", 2);
  let isLost = false;
  server.onRead = (sequence) => {
    if (sequence === 2 && !isLost) {
      isLost = true;
      server.change("disconnected");
    }
  };
  const started = catchUp.start(0);
  await time.advance(500);
  assert.equal(live.state, "disconnected");
  assert.deepEqual(texts(), ["A 1 caught up"]);
  server.publish("A", 3);
  server.change("connected");
  await time.advance(500);
  await started;
  assert.deepEqual(texts(), ["A 1 caught up", "A 1 caught up", "A 2 caught up", "A 3 caught up"]);
});

test("a stream that no longer holds what was missed is a hole, and the rest is caught up", async () => {
  const { server, catchUp, time, texts, holes, log } = setUp();
  for (const price of [1, 2, 3, 4]) server.publish("A", price);
  server.purge(3);
  void catchUp.start(1);
  await time.advance(500);
  assert.deepEqual(holes, [{ from: 2, to: 3, reason: "missing" }]);
  assert.deepEqual(texts(), ["A 4 caught up"]);
  assert.equal(log.messages("error").length, 1);
});

test("a purge of what was applied already is no hole", async () => {
  const { server, catchUp, time, holes } = setUp();
  for (const price of [1, 2, 3]) server.publish("A", price);
  server.purge(3);
  void catchUp.start(3);
  await time.advance(500);
  assert.deepEqual(holes, []);
});

test("a stream that ends before the position was made again: a hole, and all of it is caught up", async () => {
  const { server, catchUp, time, texts, holes } = setUp();
  server.publish("A", 1);
  void catchUp.start(500);
  await time.advance(500);
  assert.deepEqual(holes, [{ from: 501, to: null, reason: "recreated" }]);
  assert.deepEqual(texts(), ["A 1 caught up"]);
  await time.advance(PROBE_MS * 2);
  assert.equal(catchUp.position(), 3);
});

test("a stream younger than the stored position is another one, though it has grown past it: all of it is caught up", async () => {
  for (const [ageMs, isOther] of [
    [1, false],
    [-1, true],
  ] as const) {
    const { server, catchUp, time, texts, holes } = setUp();
    server.created = new Date(time.nowMs()).toISOString();
    for (const price of [1, 2, 3]) server.publish("A", price);
    void catchUp.start(2, time.nowMs() + ageMs);
    await time.advance(500);
    assert.deepEqual(holes, isOther ? [{ from: 3, to: null, reason: "recreated" }] : []);
    assert.deepEqual(texts(), [...(isOther ? ["A 1 caught up", "A 2 caught up"] : []), "A 3 caught up"]);
  }
});

test("a stream made again during an outage is told even when it has grown past the position", async () => {
  const { server, catchUp, time, holes } = setUp();
  void catchUp.start(null);
  await time.advance(500);
  server.change("disconnected");
  server.created = "second";
  for (const price of [1, 2, 3]) server.publish("A", price);
  server.change("connected");
  await time.advance(500);
  assert.deepEqual(holes, [{ from: 2, to: null, reason: "recreated" }]);
});

test("a stream made again while live is no hole, and the position follows it", async () => {
  const { server, catchUp, time, holes } = setUp();
  for (let price = 1; price < 50; price += 1) server.publish("A", price);
  void catchUp.start(null);
  await time.advance(PROBE_MS * 3);
  assert.equal(catchUp.position(), 52);
  server.created = "second";
  server.stored = [];
  server.last = 0;
  await time.advance(PROBE_MS);
  assert.equal(catchUp.position(), 0);
  server.publish("A", 1);
  await time.advance(PROBE_MS * 2);
  assert.equal(catchUp.position(), 3);
  assert.deepEqual(holes, []);
});

test("ticks older than CATCH_UP_SECONDS are not caught up, and that is told", async () => {
  const { server, catchUp, time, texts, holes } = setUp();
  server.publish("A", 1, 400_000);
  server.publish("A", 2, 301_000);
  server.publish("A", 3, 299_000);
  void catchUp.start(0);
  await time.advance(500);
  assert.deepEqual(texts(), ["A 3 caught up"]);
  assert.deepEqual(holes, [{ from: 1, to: 2, reason: "tooOld" }]);
});

test("where all is too old, that is a hole", async () => {
  const { server, catchUp, time, live, texts, holes } = setUp();
  server.publish("A", 1, 400_000);
  void catchUp.start(0);
  await time.advance(500);
  assert.equal(live.state, "live");
  assert.deepEqual(texts(), []);
  assert.deepEqual(holes, [{ from: 1, to: 1, reason: "tooOld" }]);
});

test("marks that are too old are no ticks that were missed", async () => {
  const { server, catchUp, time, texts, holes } = setUp();
  server.publish("A", 1, 500_000);
  await server.findEnd(() => undefined);
  await server.findEnd(() => undefined);
  await time.advance(400_000);
  server.publish("A", 2);
  void catchUp.start(1);
  await time.advance(500);
  assert.deepEqual(texts(), ["A 2 caught up"]);
  assert.deepEqual(holes, []);
});

for (const [what, knownTo] of [
  ["nothing", 0],
  ["less than all", 2],
] as const) {
  test(`${what} from a server that is catching up itself is not taken for all there is`, async () => {
    const { server, catchUp, live, time, texts, holes } = setUp();
    for (const price of [1, 2, 3]) server.publish("A", price);
    server.knownTo = knownTo;
    const started = catchUp.start(0);
    await time.advance(3_000);
    assert.equal(live.state, "catchingUp");
    server.knownTo = Number.POSITIVE_INFINITY;
    await time.advance(500);
    await started;
    assert.deepEqual(texts(), ["A 1 caught up", "A 2 caught up", "A 3 caught up"]);
    assert.deepEqual(holes, []);
  });
}

test("a leader that does not know yet what the one before it stored is asked again: nothing was made again", async () => {
  const { server, catchUp, live, time, texts, holes } = setUp();
  void catchUp.start(null);
  await time.advance(PROBE_MS * 3);
  const position = catchUp.position();
  server.change("disconnected");
  server.publish("A", 1);
  server.leaderKnowsTo = 1;
  server.change("connected");
  await time.advance(3_000);
  assert.deepEqual([live.state, catchUp.position()], ["catchingUp", position]);
  server.leaderKnowsTo = Number.POSITIVE_INFINITY;
  await time.advance(500);
  assert.deepEqual(texts(), ["A 1 caught up"]);
  server.leaderKnowsTo = 1;
  await time.advance(PROBE_MS * 2);
  server.leaderKnowsTo = Number.POSITIVE_INFINITY;
  await time.advance(PROBE_MS * 2);
  assert.ok((catchUp.position() ?? 0) > (position ?? 0));
  assert.deepEqual(holes, []);
});

test("after a tick that is not too old none is, though a clock that was set back meanwhile says so", async () => {
  const { server, catchUp, time, texts } = setUp();
  server.publish("A", 1, 301_000);
  server.publish("A", 2, -3_600_000);
  server.publish("A", 3, 302_000);
  void catchUp.start(0);
  await time.advance(500);
  assert.deepEqual(texts(), ["A 2 caught up", "A 3 caught up"]);
});

test("a clock of the server that is ahead puts no tick into the future", async () => {
  const { server, catchUp, time, ticks } = setUp();
  server.publish("A", 1, -9_000);
  void catchUp.start(0);
  await time.advance(500);
  assert.equal(ticks[0]?.timeMs, NOW_MS + 100);
});

test("a stream that fails is tried again, from where it came to", async () => {
  const { server, catchUp, time, live, texts, holes } = setUp();
  for (const price of [1, 2, 3]) server.publish("A", price);
  server.onRead = (sequence) => {
    if (sequence === 3) server.failure = new Error("no answer");
  };
  void catchUp.start(0);
  await time.advance(700);
  assert.equal(live.state, "catchingUp");
  server.onRead = () => undefined;
  server.failure = undefined;
  await time.advance(1_000);
  assert.equal(live.state, "live");
  assert.deepEqual(texts(), ["A 1 caught up", "A 2 caught up", "A 3 caught up"]);
  assert.deepEqual(holes, []);
});

test("what became too old while the stream failed is caught up all the same", async () => {
  const { server, catchUp, time, texts, holes } = setUp();
  for (const ageMs of [299_500, 299_400, 299_300, 1_000]) server.publish("A", server.last + 1, ageMs);
  server.onRead = (sequence) => {
    if (sequence === 2) server.failure = new Error("no answer");
  };
  void catchUp.start(0);
  await time.advance(4_000);
  server.onRead = () => undefined;
  server.failure = undefined;
  await time.advance(1_000);
  assert.deepEqual(texts(), ["A 1 caught up", "A 2 caught up", "A 3 caught up", "A 4 caught up"]);
  assert.deepEqual(holes, []);
});

test("a stream that stays unreadable is a hole, and live ticks go on", async () => {
  const { server, catchUp, time, live, texts, holes } = setUp();
  server.failure = new Error("no answer");
  server.publish("A", 1);
  const started = catchUp.start(0);
  server.publish("A", 2);
  await time.advance(12_000);
  await started;
  assert.equal(live.state, "live");
  assert.deepEqual(holes, [{ from: 1, to: null, reason: "unreadable" }]);
  assert.deepEqual(texts(), ["A 2 caught up"]);
});

test("a clock that steps back meanwhile holds no live tick back for longer", async () => {
  const { server, catchUp, time, step, live, texts } = setUp();
  server.failure = new Error("no answer");
  const started = catchUp.start(0);
  await time.advance(1_000);
  server.publish("A", 2);
  step.byMs = -3_600_000;
  await time.advance(11_000);
  await started;
  assert.equal(live.state, "live");
  assert.deepEqual(texts(), ["A 2 caught up"]);
});

test("a loop that stood still while the clock stepped back catches up all the same", async () => {
  const { server, catchUp, live, time, step } = setUp();
  void catchUp.start(null);
  await time.advance(PROBE_MS * 3);
  const readsBefore = server.reads.length;
  time.freeze(5_000);
  step.byMs = -3_600_000;
  await time.advance(510);
  assert.equal(live.state, "live");
  assert.equal(server.reads.length, readsBefore + 1);
});

test("a server without JetStream is said once, and live ticks go on after every reconnect", async () => {
  const { server, catchUp, time, live, log, texts, holes } = setUp();
  server.presence = "absent";
  void catchUp.start(null);
  await time.advance(500);
  assert.equal(live.state, "live");
  server.change("disconnected");
  server.change("connected");
  await time.advance(500);
  server.publish("A", 1);
  assert.deepEqual(texts(), ["A 1"]);
  assert.equal(log.messages("warn").filter((message) => message.includes("no JetStream")).length, 1);
  assert.equal(catchUp.position(), null);
  assert.deepEqual(holes, []);
});

test("a position that a server without JetStream cannot serve is a hole", async () => {
  const { server, catchUp, time, holes } = setUp();
  server.presence = "absent";
  void catchUp.start(41);
  await time.advance(500);
  assert.deepEqual(holes, [{ from: 42, to: null, reason: "unreadable" }]);
});

test("a feed that was stopped sets no timer and settles its start", async () => {
  const { server, catchUp, time } = setUp();
  server.failure = new Error("no answer");
  const started = catchUp.start(0);
  await time.advance(PROBE_MS * 2);
  catchUp.stop();
  await started;
  await time.advance(PROBE_MS * 2);
  assert.equal(time.waitingCount, 0);
});
