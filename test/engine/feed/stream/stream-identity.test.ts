import assert from "node:assert/strict";
import { test } from "node:test";
import { type EndAnswer, StreamIdentity } from "../../../../engine/feed/stream/stream-identity.ts";
import { FakeServer } from "../support/fake-server.ts";
import { ManualTime } from "../support/ports.ts";

const NOW_MS = 1_732_152_000_000;

/** A history of a stream that holds so many ticks, and the ways to look at it. */
function setUp(count = 10) {
  const time = new ManualTime(NOW_MS);
  const stream = new FakeServer(time);
  for (let price = 1; price <= count; price += 1) stream.publish("A", price);
  const history = new StreamIdentity({ stream, clock: time });
  const findEnd = async (): Promise<EndAnswer> => {
    time.freeze(1_000);
    const end = await stream.findEnd(() => undefined);
    const heard = { heardBefore: undefined, heardAfter: undefined };
    return { ...end, ...heard, askedAtMs: time.nowMs(), answeredAtMs: time.nowMs() };
  };
  const look = () => history.look(findEnd);
  const enter = async (appliedTo = 0) => history.enter(await look(), appliedTo);
  return { time, stream, history, findEnd, look, enter };
}

test("a stream that only grows keeps its name, though what was applied is removed", async () => {
  const { stream, history, enter } = setUp();
  assert.equal(history.name, null);
  for (const through of [0, 5, 11, 99]) {
    stream.purge(through);
    assert.deepEqual(await enter(10), { name: "first", isOther: false });
    stream.publish("A", 1);
  }
  assert.equal(history.name, "first");
});

test("a stream that ends before the newest mark was rewound: its name tells since when", async () => {
  const { time, stream, history, enter } = setUp();
  stream.aheadMs = 3_000;
  await enter();
  stream.lose(5);
  const { name, isOther } = await enter();
  assert.deepEqual([name, isOther], [`first#${time.nowMs() + 3_000}`, true], "by its own clock");
  assert.equal(history.name, name);
  stream.publish("A", 1);
  assert.deepEqual(await enter(), { name, isOther: false }, "it is told once");
});

test("a stream that has grown past the newest mark was rewound where another message has its sequence", async () => {
  const { time, stream, enter } = setUp();
  await enter();
  stream.lose(5);
  time.freeze(1);
  for (let price = 1; price < 50; price += 1) stream.publish("A", price);
  assert.deepEqual(await enter(), { name: `first#${time.nowMs()}`, isOther: true });
});

test("what is lost behind the newest mark changes no name", async () => {
  const { stream, enter } = setUp();
  await enter();
  for (let price = 1; price < 50; price += 1) stream.publish("A", price);
  stream.lose(49);
  assert.deepEqual(await enter(), { name: "first", isOther: false });
});

test("a mark that is no longer there says nothing", async () => {
  const { stream, enter } = setUp();
  await enter();
  stream.stored = stream.stored.filter(({ sequence }) => sequence !== 11);
  assert.deepEqual(await enter(), { name: "first", isOther: false });
});

test("a mark whose time is not known does not take the place of one whose time is", async () => {
  const { stream, history, findEnd, enter } = setUp();
  await enter();
  const unknown = await history.look(async () => ({ ...(await findEnd()), timeMs: null }));
  assert.deepEqual(history.enter(unknown, 0), { name: "first", isOther: false });
  const next = await history.look(async () => ({ ...(await findEnd()), timeMs: null }));
  assert.deepEqual(history.enter(next, 0), { name: "first", isOther: false });
  stream.lose(3);
  assert.ok((await enter()).isOther);
});

test("what a look found that was not entered, or that failed, the next one finds", async () => {
  const { stream, history, look, enter } = setUp();
  await enter();
  stream.lose(5);
  assert.ok((await look()).isRewound);
  assert.equal(history.name, "first");
  for (let price = 1; price < 50; price += 1) stream.publish("A", price);
  stream.timeOf = () => Promise.reject(new Error("no answer"));
  await assert.rejects(look(), /no answer/);
  Reflect.deleteProperty(stream, "timeOf");
  assert.ok((await enter()).isOther);
});

test("a look is not the newest where another was entered meanwhile", async () => {
  const { history, look } = setUp();
  const [early, late] = [await look(), await look()];
  assert.ok(history.isNewest(early) && history.isNewest(late));
  history.enter(late, 0);
  assert.ok(!history.isNewest(early));
});

test("a stream that was made again has its own name, also after it was rewound, and its marks are its own", async () => {
  const { stream, enter } = setUp();
  await enter();
  stream.lose(5);
  await enter();
  stream.created = "second";
  stream.lose(stream.last);
  assert.deepEqual(await enter(), { name: "second", isOther: true });
  assert.deepEqual(await enter(), { name: "second", isOther: false });
});

test("a stream that takes nothing is named by our clock, and rewound once", async () => {
  const { time, stream, history, enter } = setUp();
  await enter();
  stream.lose(5);
  const refused = () => history.look(async () => undefined);
  const name = `first#${time.nowMs()}`;
  assert.deepEqual(history.enter(await refused(), 0), { name, isOther: true });
  assert.deepEqual(history.enter(await refused(), 0), { name, isOther: false });
});

test("a life that begins keeps the name that was stored, until the stream is another one", async () => {
  const { stream, history, enter } = setUp();
  history.resume("first#5", NOW_MS);
  assert.equal(history.name, "first#5");
  assert.deepEqual(await enter(10), { name: "first#5", isOther: false });
  stream.created = "second";
  assert.deepEqual(await enter(), { name: "second", isOther: true });
});

test("a life that begins sees that the stream ends before what was applied, but not once it has grown past that", async () => {
  for (const [count, isOther] of [
    [3, true],
    [30, false],
  ] as const) {
    const { time, history, enter } = setUp(count);
    history.resume("first", NOW_MS);
    assert.deepEqual(await enter(10), { name: isOther ? `first#${time.nowMs()}` : "first", isOther });
  }
});

test("where no name was stored, a stream younger than the position is another one", async () => {
  for (const [ageMs, isOther] of [
    [1, false],
    [-1, true],
  ] as const) {
    const { stream, history, enter } = setUp();
    stream.created = new Date(NOW_MS).toISOString();
    history.resume(null, NOW_MS + ageMs);
    assert.equal(history.storedAtMs, NOW_MS + ageMs);
    assert.deepEqual(await enter(), { name: stream.created, isOther });
  }
});
