/** A stream that lost its last messages with its machine's power, and gives their sequences out again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isFromBefore } from "../../../../engine/actor/arming.ts";
import { PROBE_MS } from "../../../../engine/feed/stream/catch-up.ts";
import type { AcceptedTick } from "../../../../engine/ports/price.ts";
import { setUp } from "../support/catch-up-world.ts";

const DIP = 90;
const LOST = 10;

/** A live feed that has applied ticks of twenty seconds, and a group that is armed now. */
async function startWorld() {
  const world = setUp();
  const { server, catchUp, time, ticks } = world;
  server.publish("A", 100, 310_000);
  void catchUp.start(null);
  await time.advance(500);
  for (let second = 0; second < 20; second += 1) {
    server.publish("A", 100);
    await time.advance(PROBE_MS);
  }
  const armed = { facts: { armedSinceMs: time.nowMs() }, armedAt: catchUp.clock.place() };
  ticks.length = 0;
  world.memories.length = 0;
  /** The server is gone, and comes back without its last messages; `count` ticks come before the engine does. */
  const cutPower = async (count: number, lost = LOST): Promise<void> => {
    server.change("disconnected");
    server.lose(lost);
    await time.advance(1_000);
    server.publish("A", DIP);
    for (let price = 1; price < count; price += 1) server.publish("A", 100);
  };
  const comeBack = async (): Promise<void> => {
    server.change("connected");
    await time.advance(500);
  };
  return { ...world, armed, cutPower, comeBack };
}

function dipOf(ticks: readonly AcceptedTick[]): AcceptedTick {
  const dip = ticks.find(({ price, isCaughtUp }) => isCaughtUp && price.value === DIP);
  assert.ok(dip !== undefined, "the dip was read back");
  return dip;
}

for (const [name, count] of [
  ["has grown past the position", LOST + 10],
  ["has grown to just the position", LOST - 1],
  ["is still shorter than the position", 2],
] as const) {
  test(`a stream that was rewound and ${name}: a hole, and its ticks are not taken for older ones`, async () => {
    const { catchUp, ticks, holes, memories, time, armed, cutPower, comeBack } = await startWorld();
    const position = catchUp.position() ?? 0;
    await cutPower(count);
    const sinceMs = time.nowMs();
    await comeBack();
    assert.deepEqual(holes, [{ from: position + 1, to: null, reason: "recreated" }]);
    const dip = dipOf(ticks);
    const stream = catchUp.memory().tickStream;
    assert.match(stream ?? "", /^first#\d+$/);
    const [, markMs] = stream?.split("#") ?? [];
    assert.ok(Number(markMs) >= sinceMs && Number(markMs) <= sinceMs + 500, "since the first mark after it");
    assert.equal(dip.stored?.stream, stream);
    assert.ok((dip.stored?.sequence ?? 0) <= (armed.armedAt?.sequence ?? 0), "its sequence alone says another thing");
    assert.equal(isFromBefore(dip, armed), false);
    assert.equal(catchUp.clock.place()?.stream, stream);
    assert.deepEqual(memories, [stream], "kept at once");
    await time.advance(PROBE_MS * 3);
    await comeBack();
    assert.equal(holes.length, 1, "told once");
    assert.equal(catchUp.memory().tickStream, stream);
  });
}

test("what was not rewound keeps its name and tells no hole, over reconnects and a restart", async () => {
  const { server, connect, catchUp, time, ticks, holes, memories, armed, cutPower, comeBack } = await startWorld();
  for (let outage = 0; outage < 3; outage += 1) {
    await cutPower(LOST, 0);
    await comeBack();
    assert.equal(dipOf(ticks).stored?.stream, "first");
    ticks.length = 0;
    await time.advance(PROBE_MS * 2);
  }
  const position = catchUp.position();
  catchUp.stop();
  server.publish("A", DIP);
  const next = connect();
  void next.catchUp.start(position, time.nowMs(), catchUp.memory());
  await time.advance(PROBE_MS * 3);
  assert.equal(isFromBefore(dipOf(ticks), armed), false);
  assert.equal(next.catchUp.clock.place()?.stream, "first");
  assert.deepEqual([holes, memories], [[], []]);
});

test("the name of a stream that was rewound outlives a restart", async () => {
  const { server, connect, catchUp, time, ticks, holes, cutPower, comeBack } = await startWorld();
  await cutPower(2);
  await comeBack();
  await time.advance(PROBE_MS * 2);
  const [memory, position] = [catchUp.memory(), catchUp.position()];
  catchUp.stop();
  [ticks.length, holes.length] = [0, 0];
  server.publish("A", DIP);
  const next = connect();
  void next.catchUp.start(position, time.nowMs(), memory);
  await time.advance(500);
  assert.equal(dipOf(ticks).stored?.stream, memory.tickStream);
  assert.deepEqual([holes, next.catchUp.memory()], [[], memory]);
});

test("an engine that restarts with its server sees that the stream ends before what it applied", async () => {
  const { server, connect, catchUp, time, ticks, holes, armed, cutPower } = await startWorld();
  const [memory, position] = [catchUp.memory(), catchUp.position()];
  catchUp.stop();
  await cutPower(2);
  server.status = "connected";
  const next = connect();
  void next.catchUp.start(position, time.nowMs(), memory);
  await time.advance(500);
  assert.deepEqual(holes, [{ from: (position ?? 0) + 1, to: null, reason: "recreated" }]);
  assert.equal(isFromBefore(dipOf(ticks), armed), false);
});

test("a stream that was rewound and then made again has its own name", async () => {
  const { server, catchUp, ticks, holes, cutPower, comeBack } = await startWorld();
  await cutPower(2);
  await comeBack();
  ticks.length = 0;
  server.created = "second";
  await cutPower(30, server.last);
  await comeBack();
  assert.equal(dipOf(ticks).stored?.stream, "second");
  assert.equal(catchUp.memory().tickStream, "second");
  assert.equal(holes.length, 2);
});

test("a connection that is lost while the rewound stream is looked at hides nothing", async () => {
  const { server, time, ticks, holes, cutPower, comeBack } = await startWorld();
  await cutPower(LOST + 10);
  const { timeOf } = server;
  server.timeOf = (sequence) => {
    server.timeOf = timeOf;
    server.change("disconnected");
    return timeOf.call(server, sequence);
  };
  await comeBack();
  assert.deepEqual([ticks, holes], [[], []]);
  await time.advance(1_000);
  await comeBack();
  assert.equal(holes.length, 1);
  dipOf(ticks);
});

test("a question that is not answered is asked again: nothing is read before the answer", async () => {
  const { server, time, live, ticks, holes, cutPower, comeBack } = await startWorld();
  await cutPower(LOST + 10);
  const { timeOf } = server;
  server.timeOf = () => Promise.reject(new Error("no answer"));
  await comeBack();
  await time.advance(2_000);
  assert.equal(live.state, "catchingUp");
  assert.deepEqual([ticks, holes], [[], []]);
  server.timeOf = timeOf;
  await time.advance(1_000);
  assert.equal(holes.length, 1);
  dipOf(ticks);
});

test("a stream that is rewound behind a live connection is no hole: the name changes and the position follows", async () => {
  const { server, catchUp, time, holes, memories, log } = await startWorld();
  server.lose(LOST);
  for (let price = 1; price < LOST + 10; price += 1) server.publish("A", 100);
  await time.advance(PROBE_MS);
  const stream = catchUp.memory().tickStream;
  assert.match(stream ?? "", /^first#\d+$/);
  assert.equal(catchUp.position(), 0);
  assert.equal(catchUp.clock.place()?.stream, stream);
  assert.deepEqual(memories, [stream]);
  await time.advance(PROBE_MS * 2);
  assert.ok((catchUp.position() ?? 0) > LOST);
  assert.deepEqual([holes, catchUp.memory().tickStream], [[], stream]);
  assert.equal(log.messages("warn").filter((message) => message.includes("lost its end")).length, 1);
});

test("a probe that is answered after the stream was looked at again says nothing", async () => {
  const { server, catchUp, time, holes, cutPower, comeBack } = await startWorld();
  let answer: () => void = () => undefined;
  const { timeOf } = server;
  server.timeOf = async (sequence) => {
    server.timeOf = timeOf;
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return timeOf.call(server, sequence);
  };
  await time.advance(PROBE_MS);
  await cutPower(LOST + 10);
  await comeBack();
  const stream = catchUp.memory().tickStream;
  const place = catchUp.clock.place();
  answer();
  await time.advance(100);
  assert.deepEqual(catchUp.clock.place(), place);
  await time.advance(PROBE_MS * 3);
  assert.equal(catchUp.memory().tickStream, stream);
  assert.equal(holes.length, 1);
});
