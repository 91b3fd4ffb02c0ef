/** One clock for ticks and rows, and a stream that takes no ticks: reported, counted, remembered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isFromBefore } from "../../../engine/actor/arming.ts";
import { TickAcceptance } from "../../../engine/feed/acceptance.ts";
import { LiveFeed } from "../../../engine/feed/live.ts";
import { PROBE_MS, StreamCatchUp } from "../../../engine/feed/stream/catch-up.ts";
import type { TickHole } from "../../../engine/feed/stream/missed-ticks.ts";
import { StreamClock } from "../../../engine/feed/stream/stream-clock.ts";
import type { FeedMemory } from "../../../engine/ports/feed.ts";
import type { AcceptedTick } from "../../../engine/ports/price.ts";
import type { StreamPlace } from "../../../engine/ports/stream.ts";
import { FakeServer } from "./support/fake-server.ts";
import { copyTick, keptLog, knownSymbols, ManualTime, NO_LIMITS, storedAt } from "./support/ports.ts";

const NOW_MS = 1_732_152_000_000;

function setUp() {
  const ticks: AcceptedTick[] = [];
  const holes: TickHole[] = [];
  const time = new ManualTime(NOW_MS);
  const server = new FakeServer(time);
  const log = keptLog();
  const memories: (number | null)[] = [];
  const live = new LiveFeed({
    ...{ bus: server, clock: time, bufferCapacity: 100 },
    acceptance: new TickAcceptance({
      ...NO_LIMITS,
      symbols: knownSymbols("A"),
      clock: time,
      onTick: (tick) => ticks.push({ ...copyTick(tick), stored: tick.stored }),
    }),
  });
  const catchUp: StreamCatchUp = new StreamCatchUp({
    ...{ bus: server, stream: server, live, clock: time, steadyClock: time, timers: time, log, catchUpSeconds: 300 },
    onHole: (hole) => holes.push(hole),
    onMemory: () => memories.push(catchUp.memory().ticksRefusedSinceMs),
  });
  return { ticks, holes, time, server, log, live, catchUp, memories };
}

function placeAt(sequence: number, aheadMs: number, stream = "first"): StreamPlace {
  return { stream, sequence, aheadMs };
}

for (const aheadMs of [-3_000, 3_000]) {
  test(`with a stream ${aheadMs} ms ahead a dip right after a row was made counts, one right before does not`, async () => {
    const { server, catchUp, time, ticks } = setUp();
    server.aheadMs = aheadMs;
    void catchUp.start(null);
    await time.advance(500);
    server.change("disconnected");
    time.freeze(300);
    server.publish("A", 5);
    time.freeze(10);
    const armed = { facts: { armedSinceMs: time.nowMs() }, armedAt: catchUp.clock.place() };
    time.freeze(10);
    server.publish("A", 6);
    server.change("connected");
    await time.advance(500);
    assert.deepEqual(
      ticks.map((tick) => [tick.price.value, isFromBefore(tick, armed), tick.timeMs - armed.facts.armedSinceMs]),
      [
        [5, true, -10],
        [6, false, 10],
      ],
    );
  });
}

test("what the stream had stored when a row was made came before it, whatever the clocks say", () => {
  const tick = { isCaughtUp: true, timeMs: NOW_MS + 5_000, stored: storedAt(NOW_MS + 5_000, 7) };
  const facts = { armedSinceMs: NOW_MS };
  assert.equal(isFromBefore(tick, { facts, armedAt: placeAt(7, 0) }), true);
  assert.equal(isFromBefore(tick, { facts, armedAt: placeAt(6, 0) }), false);
  assert.equal(isFromBefore(tick, { facts, armedAt: placeAt(7, 0, "another") }), false);
  assert.equal(isFromBefore(tick, { facts, armedAt: null }), false);
  assert.equal(isFromBefore({ ...tick, isCaughtUp: false }, { facts, armedAt: placeAt(7, 0) }), false);
});

test("a clock of ours that steps after a row was made changes nothing: the row keeps how far the stream was ahead", () => {
  const facts = { armedSinceMs: NOW_MS };
  const stored = storedAt(NOW_MS + 2_000 + 1, 8);
  assert.equal(
    isFromBefore({ isCaughtUp: true, timeMs: NOW_MS - 3_600_000, stored }, { facts, armedAt: placeAt(7, 2_000) }),
    false,
  );
});

test("clocks that are apart are a warning once a minute, and told when they agree again", async () => {
  const { server, catchUp, time, log } = setUp();
  server.aheadMs = 251 + 2;
  void catchUp.start(null);
  await time.advance(PROBE_MS * 30);
  assert.equal(catchUp.clock.aheadMs, 253);
  const warnings = () => log.messages("warn").filter((message) => message.includes("of this machine differ"));
  assert.equal(warnings().length, 1);
  server.aheadMs = 0;
  await time.advance(PROBE_MS * 2);
  assert.equal(catchUp.clock.aheadMs, 0);
  assert.ok(log.messages("info").includes("tick feed: the clocks agree again"));
});

test("a slow answer moves no measurement that is surer, a step of the stream's clock does", () => {
  const time = new ManualTime(NOW_MS);
  const clock = new StreamClock({ clock: time, steadyClock: time, log: keptLog() });
  assert.deepEqual([clock.aheadMs, clock.place(), clock.toOwn(5)], [null, null, 5]);
  const read = (aheadMs: number, roundTripMs: number): void => {
    const askedAtMs = time.nowMs() - roundTripMs;
    clock.read({ stream: "first", sequence: 1, timeMs: time.nowMs() + aheadMs, askedAtMs, answeredAtMs: time.nowMs() });
  };
  read(0, 0);
  time.freeze(1_000);
  read(-150, 400);
  assert.equal(clock.aheadMs, 0, "within what the slow one may be off");
  read(5_000, 400);
  assert.equal(clock.aheadMs, 5_200);
  assert.deepEqual(clock.place(), { stream: "first", sequence: 1, aheadMs: 5_200 });
});

test("a stream that takes no ticks is logged and remembered since it last took one, until it does again", async () => {
  const { server, catchUp, time, log, holes, memories } = setUp();
  void catchUp.start(null);
  await time.advance(PROBE_MS);
  memories.length = 0;
  const takenMs = time.nowMs();
  await time.advance(100);
  server.isFull = true;
  server.publish("A", 1);
  await time.advance(PROBE_MS * 3);
  assert.deepEqual(holes, [], "nothing is lost while live ticks come");
  assert.equal(memories.length, 1);
  assert.ok((memories[0] ?? 0) >= NOW_MS && (memories[0] ?? 0) <= takenMs, "no later than the first tick it lacks");
  assert.equal(log.messages("error").filter((message) => message.includes("takes no ticks")).length, 1);
  server.isFull = false;
  await time.advance(PROBE_MS);
  assert.equal(memories[1], null);
  assert.ok(log.messages("info").includes("tick feed: the tick stream takes ticks again"));
});

test("a stream that does not answer while live ticks flow counts as one that takes none, in a quiet market it does not", async () => {
  for (const flows of [true, false]) {
    const { server, catchUp, time } = setUp();
    void catchUp.start(null);
    await time.advance(PROBE_MS);
    server.failure = new Error("timeout");
    for (let second = 0; second < 5; second += 1) {
      if (flows) server.publish("A", 1);
      await time.advance(PROBE_MS);
    }
    assert.equal(catchUp.memory().ticksRefusedSinceMs !== null, flows);
  }
});

test("after a kill the log names the span that the stream lacks, and does not say that all was caught up", async () => {
  const { server, catchUp, time, log, holes, ticks } = setUp();
  server.publish("A", 1, 60_000);
  server.publish("A", 2, 10_000);
  const memory: FeedMemory = { tickStream: "first", ticksRefusedSinceMs: NOW_MS - 30_000 };
  void catchUp.start(1, NOW_MS - 20_000, memory);
  await time.advance(500);
  const [line] = log.lines.filter(({ level }) => level === "error");
  const { missingFrom, missingUntil } = (line?.fields ?? {}) as Record<string, string>;
  assert.deepEqual([Date.parse(missingFrom ?? ""), Date.parse(missingUntil ?? "")], [NOW_MS - 30_000, NOW_MS - 10_000]);
  assert.ok(!log.messages("info").includes("tick feed: caught up"));
  assert.deepEqual(
    holes.map(({ reason }) => reason),
    ["refused"],
  );
  assert.equal(ticks.length, 1, "what is there is caught up all the same");
  assert.equal(catchUp.memory().ticksRefusedSinceMs, null, "it takes ticks again");
});

test("a hole that a full stream left ends where it took ticks again, not with the last ones before it was full", async () => {
  const { server, catchUp, time, holes } = setUp();
  server.publish("A", 1, 299_000);
  // Stored after it was certainly seen to take ticks last, and before it was full.
  server.publish("A", 2, 240_000 - 26);
  server.publish("A", 3, 10_000);
  const memory: FeedMemory = { tickStream: "first", ticksRefusedSinceMs: NOW_MS - 240_000 };
  void catchUp.start(1, NOW_MS - 239_000, memory);
  await time.advance(500);
  assert.deepEqual(
    holes.map(({ fromMs, untilMs }) => [fromMs, untilMs]),
    [[NOW_MS - 240_000, NOW_MS - 10_000]],
  );
});

test("a hole is open while the stream takes nothing, and begins where ticks surely came last", async () => {
  const { server, catchUp, time, holes, log } = setUp();
  void catchUp.start(null);
  await time.advance(PROBE_MS * 2);
  server.isFull = true;
  await time.advance(PROBE_MS * 30);
  const lostMs = time.nowMs();
  server.change("disconnected");
  await time.advance(5_000);
  server.change("connected");
  await time.advance(500);
  assert.deepEqual(
    holes.map(({ reason }) => reason),
    ["refused"],
  );
  const { fromMs, untilMs } = holes[0] ?? assert.fail("there is a hole");
  assert.ok(fromMs !== null && fromMs <= lostMs && fromMs >= lostMs - 2 * PROBE_MS, `${lostMs - Number(fromMs)}`);
  assert.equal(untilMs, null);
  assert.ok(log.lines.some(({ fields }) => "missingUntil" in fields && fields.missingUntil === null));
});

test("a loop that stood still while the stream took nothing has lost nothing", async () => {
  const { server, catchUp, time, holes } = setUp();
  void catchUp.start(null);
  await time.advance(PROBE_MS * 2);
  server.isFull = true;
  await time.advance(PROBE_MS * 2);
  time.freeze(5_000);
  await time.advance(PROBE_MS * 2);
  assert.ok(catchUp.memory().ticksRefusedSinceMs !== null);
  assert.deepEqual(holes, []);
});

test("a stream that is found full at a start lacks ticks since the position was stored", async () => {
  const { server, catchUp, time, holes } = setUp();
  server.publish("A", 1, 60_000);
  server.isFull = true;
  void catchUp.start(1, NOW_MS - 20_000);
  await time.advance(500);
  assert.equal(catchUp.memory().ticksRefusedSinceMs, NOW_MS - 20_000);
  assert.deepEqual(
    holes.map(({ reason }) => reason),
    ["refused"],
  );
});
