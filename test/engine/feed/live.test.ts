// tier: fast
import assert from "node:assert/strict";
import { test } from "node:test";
import { TickAcceptance } from "../../../engine/feed/acceptance.ts";
import { TICK_MESSAGE_BYTES_MAX } from "../../../engine/feed/decode.ts";
import { createTickFeed } from "../../../engine/feed/feed.ts";
import { LiveFeed } from "../../../engine/feed/live.ts";
import type { AcceptedTick } from "../../../engine/ports/price.ts";
import { createMemoryBus } from "../../../src/bus/memory/bus.ts";
import {
  bytes,
  copyTick,
  keptLog,
  knownSymbols,
  ManualTime,
  NO_LIMITS,
  settle,
  storedAt,
  tickText,
} from "./support/ports.ts";

const NOW_MS = 1_732_152_000_000;

function setUp(bufferCapacity = 100) {
  const ticks: AcceptedTick[] = [];
  const bus = createMemoryBus();
  const time = new ManualTime(NOW_MS);
  const acceptance = new TickAcceptance({
    symbols: knownSymbols("A", "B"),
    clock: time,
    ...NO_LIMITS,
    onTick: (tick) => ticks.push(copyTick(tick)),
  });
  const live = new LiveFeed({ bus, clock: time, acceptance, bufferCapacity });
  const publish = async (subject: string, message: unknown): Promise<void> => {
    bus.publish(subject, bytes(message));
    await bus.flush();
  };
  live.open();
  return { ticks, bus, time, acceptance, live, publish, texts: () => ticks.map(tickText) };
}

test("a tick on its symbol's subject is handed on, whatever its shape", async () => {
  const { publish, texts } = setUp();
  await publish("ticks.A", '{"price":1}');
  await publish("ticks.A", { price: 2, time: NOW_MS, size: 5 });
  await publish("ticks.B", [{ price: 3 }, { price: 4 }]);
  assert.deepEqual(texts(), ["A 1", "A 2", "B 3", "B 4"]);
});

test("a batch on the common subject names the symbol of every tick", async () => {
  const { publish, texts, acceptance } = setUp();
  await publish("ticks", [{ symbol: "A", price: 1 }, { symbol: "C", price: 2 }, {}, { symbol: "B", price: 3 }]);
  await publish("ticks", { symbol: "A", price: 4 });
  assert.deepEqual(texts(), ["A 1", "B 3", "A 4"]);
  assert.deepEqual([acceptance.counters.unknownSymbol, acceptance.counters.malformed], [1, 1]);
});

test("a subject with a dot behind ticks. names no symbol: its message counts as of an unknown symbol (behaviour 3.2)", async () => {
  const { publish, texts, acceptance } = setUp();
  await publish("ticks.A.E", '{"price":1}');
  await publish("ticks.A.E.F", '{"price":1}');
  await publish("ticks.A", '{"price":2}');
  assert.deepEqual(texts(), ["A 2"]);
  assert.equal(acceptance.counters.unknownSymbol, 2);
});

test("bad ticks are counted by reason and harm no later one", async () => {
  const { publish, texts, acceptance } = setUp();
  await publish("ticks.C", '{"price":1}');
  await publish("ticks.a", '{"price":1}');
  for (const message of ["", "{", "x".repeat(TICK_MESSAGE_BYTES_MAX + 1), { price: 1, time: "now" }]) {
    await publish("ticks.A", message);
  }
  await publish("ticks.A", '{"price":0}');
  await publish("ticks.A", { price: 5, time: NOW_MS + 60_000 });
  await publish("ticks.A", { price: 6, time: NOW_MS - 60_000 });
  await publish("ticks.A", { price: 7, time: NOW_MS - 60_001 });
  assert.deepEqual(texts(), ["A 6"]);
  assert.deepEqual(acceptance.counters, {
    accepted: 1,
    malformed: 4,
    invalidPrice: 1,
    unknownSymbol: 2,
    stale: 1,
    future: 1,
    tooOld: 0,
    outlier: 0,
    coalesced: 0,
  });
});

test("subjects below a symbol's fire nothing, live or read back", async () => {
  const { publish, live, texts, acceptance } = setUp();
  await publish("ticks.A.B", '{"price":1}');
  live.takeCaughtUp("ticks.A.B", bytes('{"price":1}'), NOW_MS, storedAt(NOW_MS));
  live.takeCaughtUp("ticks.A", bytes('{"price":2}'), NOW_MS, storedAt(NOW_MS));
  assert.deepEqual(texts(), ["A 2 caught up"]);
  assert.deepEqual([acceptance.counters.unknownSymbol, acceptance.counters.malformed], [1, 0]);
});

test("held ticks wait for those that are read back, and then go on in order as caught up", async () => {
  const { publish, live, texts, ticks, time } = setUp();
  await publish("ticks.A", { price: 1, time: NOW_MS - 50 });
  live.hold();
  assert.equal(live.state, "catchingUp");
  await publish("ticks.A", { price: 4, time: NOW_MS });
  await publish("ticks.B", '{"price":5}');
  assert.equal(live.waitingCount, 2);
  live.takeCaughtUp("ticks.A", bytes({ price: 2, time: NOW_MS - 20 }), NOW_MS - 10, storedAt(NOW_MS - 10));
  live.takeCaughtUp("ticks.A", bytes({ price: 3, time: NOW_MS - 60 }), NOW_MS - 10, storedAt(NOW_MS - 10));
  time.freeze(500);
  live.release();
  assert.equal(live.state, "live");
  await publish("ticks.A", '{"price":6}');
  assert.deepEqual(texts(), ["A 1", "A 2 caught up", "A 4 caught up", "B 5 caught up", "A 6"]);
  assert.deepEqual(
    ticks.map(({ timeMs }) => timeMs),
    [NOW_MS, NOW_MS - 10, NOW_MS, NOW_MS, NOW_MS + 500],
  );
});

test("under pressure the first, the lowest, the highest and the last of what waits stay", async () => {
  const { publish, live, texts, acceptance } = setUp(10);
  live.hold();
  for (const price of [50, 20, 60, 90, 40, 1e15, 55, 54, 53, 52, 51, 50]) {
    await publish("ticks.A", { price });
  }
  live.release();
  assert.deepEqual(texts(), ["A 50 caught up", "A 20 caught up", "A 90 caught up", "A 50 caught up"]);
  assert.deepEqual([acceptance.counters.accepted, acceptance.counters.coalesced], [4, 7]);
  assert.equal(acceptance.counters.invalidPrice, 1);
});

test("holding again throws away what waits", async () => {
  const { publish, live, texts } = setUp();
  live.hold();
  await publish("ticks.A", '{"price":1}');
  live.hold();
  await publish("ticks.A", '{"price":2}');
  live.release();
  assert.deepEqual(texts(), ["A 2 caught up"]);
});

test("a closed feed takes nothing more, and a drained bus shows as disconnected", async () => {
  const { publish, live, texts, bus } = setUp();
  live.close();
  await publish("ticks.A", '{"price":1}');
  assert.deepEqual(texts(), []);
  assert.equal(live.state, "live");
  await bus.drain();
  assert.equal(live.state, "disconnected");
});

test("over the in-process bus the feed is live at once, says so once, and survives a consumer that throws", async () => {
  const bus = createMemoryBus();
  const log = keptLog();
  const seen: string[] = [];
  const time = new ManualTime(NOW_MS);
  const feed = await createTickFeed({
    bus,
    connection: undefined,
    clock: time,
    steadyClock: time,
    timers: time,
    ...NO_LIMITS,
    log,
    symbols: knownSymbols("A"),
    catchUpSeconds: 300,
    onTick: (tick) => {
      seen.push(tickText(tick));
      if (tick.price.value === 1) throw new Error("a bug");
    },
    onHole: () => assert.fail("no hole"),
  });
  assert.equal(feed.memory(), undefined, "what was stored before the start stays");
  await feed.start(7);
  assert.equal(feed.state, "live");
  assert.equal(feed.lastTickMs, null);
  bus.publish("ticks.A", bytes([{ price: 1 }, { price: 2 }]));
  await settle();
  assert.deepEqual(seen, ["A 1", "A 2"]);
  assert.equal(feed.prices.last("A")?.price.value, 2);
  assert.equal(feed.lastTickMs, NOW_MS);
  assert.equal(feed.position(), null);
  assert.equal(feed.counters.accepted, 2);
  assert.deepEqual(log.messages("warn"), []);
  assert.match(log.messages("info").join("\n"), /prices come from this process and are not kept/);
  assert.deepEqual(log.messages("error"), ["tick feed: a tick was not handled"]);
  feed.stop();
  bus.publish("ticks.A", bytes({ price: 3 }));
  await settle();
  assert.equal(seen.length, 2);
});

test("catching up lasts until the last tick that waited was handed on, and is told then", async () => {
  const { bus, time, acceptance } = setUp();
  const seen: string[] = [];
  const live: LiveFeed = new LiveFeed({
    bus,
    clock: time,
    acceptance: new TickAcceptance({
      symbols: knownSymbols("A"),
      clock: time,
      ...NO_LIMITS,
      onTick: (tick) => seen.push(`${tickText(copyTick(tick))}: ${live.isCatchingUp}`),
    }),
    bufferCapacity: 100,
    onCaughtUp: () => seen.push(`caught up: ${live.isCatchingUp}`),
  });
  live.hold();
  live.open();
  bus.publish("ticks.A", bytes({ price: 1 }));
  bus.publish("ticks.A", bytes({ price: 2 }));
  await bus.flush();
  assert.equal(live.isCatchingUp, true);
  live.release();
  assert.equal(acceptance.counters.accepted, 2, "the other feed heard them at once");
  assert.equal(live.isCatchingUp, false);
  assert.deepEqual(seen, ["A 1 caught up: true", "A 2 caught up: true", "caught up: false"]);
});
