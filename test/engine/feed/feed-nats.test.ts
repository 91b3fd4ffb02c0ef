import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { RetentionPolicy, StorageType } from "nats";
import { createTickFeed, type TickFeed } from "../../../engine/feed/feed.ts";
import { END_SUBJECT, TICK_STREAM } from "../../../engine/feed/stream/jetstream.ts";
import type { HoleRange } from "../../../engine/feed/stream/missed-ticks.ts";
import type { AcceptedTick } from "../../../engine/ports/price.ts";
import { connectNatsBus, type NatsBus } from "../../../src/bus/nats/bus.ts";
import { type NatsServer, natsSuite, startNatsServer } from "../../support/machine/nats-server.ts";
import { untilTrue } from "../../support/machine/until-true.ts";
import { bytes, copyTick, keptLog, knownSymbols, NO_LIMITS, realClock, realTimers, tickText } from "./support/ports.ts";

const CATCH_UP_SECONDS = 300;
const CLOCK_ERROR_MS = 750;

interface Engine {
  readonly bus: NatsBus;
  readonly feed: TickFeed;
  readonly ticks: AcceptedTick[];
  readonly holes: HoleRange[];
  readonly log: ReturnType<typeof keptLog>;
  texts(): string[];
  end(): Promise<void>;
}

/** An engine's feed over its own connection. */
async function startEngine(server: NatsServer, position: number | null): Promise<Engine> {
  const ticks: AcceptedTick[] = [];
  const holes: HoleRange[] = [];
  const log = keptLog();
  const bus = await connectNatsBus({ servers: server.url, name: "engine", onError: () => undefined });
  const feed = await createTickFeed({
    bus,
    connection: bus.connection,
    clock: realClock,
    steadyClock: realClock,
    timers: realTimers,
    ...NO_LIMITS,
    log,
    symbols: knownSymbols("A", "B"),
    catchUpSeconds: CATCH_UP_SECONDS,
    onTick: (tick) => ticks.push(copyTick(tick)),
    onHole: ({ fromMs: _fromMs, untilMs: _untilMs, ...hole }) => holes.push(hole),
  });
  await feed.start(position);
  const end = async (): Promise<void> => {
    feed.stop();
    await bus.drain();
  };
  return { bus, feed, ticks, holes, log, texts: () => ticks.map(tickText), end };
}

natsSuite("the feed over NATS with JetStream", () => {
  let server: NatsServer;
  let publisher: NatsBus;

  before(async () => {
    server = await startNatsServer({ jetStream: true });
    publisher = await connectNatsBus({ servers: server.url, name: "publisher", onError: () => undefined });
  });

  after(async () => {
    await publisher.drain();
    await server.stop();
  });

  beforeEach(async () => {
    const manager = await publisher.connection.jetstreamManager();
    await manager.streams.delete(TICK_STREAM).catch(() => undefined);
  });

  const streamInfo = async () => (await publisher.connection.jetstreamManager()).streams.info(TICK_STREAM);

  /** Returns the number of stored ticks of a symbol. */
  const storedCount = async (subject: string): Promise<number> => {
    const manager = await publisher.connection.jetstreamManager();
    const { state } = await manager.streams.info(TICK_STREAM, { subjects_filter: subject });
    return state.subjects?.[subject] ?? 0;
  };

  /** Publishes ticks and waits until the stream has them: the server stores and delivers them independently. */
  const publish = async (symbol: string, ...prices: number[]): Promise<void> => {
    const subject = `ticks.${symbol}`;
    const before = await storedCount(subject);
    for (const price of prices) publisher.publish(subject, bytes({ price, time: Date.now() }));
    await publisher.flush();
    await untilTrue(async () => (await storedCount(subject)) >= before + prices.length);
  };

  /** Runs an engine until it has applied everything, and ends it; returns where the next one has to start. */
  const runOnce = async (...prices: number[]): Promise<number> => {
    const engine = await startEngine(server, null);
    await publish("A", ...prices);
    await untilTrue(() => engine.ticks.length === prices.length);
    await engine.end();
    return (await streamInfo()).state.last_seq;
  };

  test("the stream is made at the first start, over all ticks, bounded by age, on disk", async () => {
    const engine = await startEngine(server, null);
    const { config } = await streamInfo();
    assert.deepEqual(config.subjects, ["ticks", "ticks.>"]);
    assert.equal(config.retention, RetentionPolicy.Limits);
    assert.equal(config.storage, StorageType.File);
    assert.ok(config.max_age >= CATCH_UP_SECONDS * 1e9);
    assert.equal(engine.feed.state, "live");
    assert.deepEqual(engine.ticks, []);
    await engine.end();
  });

  test("an existing stream is adopted: it keeps what it has and gets what it lacks", async () => {
    const manager = await publisher.connection.jetstreamManager();
    await manager.streams.add({ name: TICK_STREAM, subjects: ["ticks.*", "other"], max_age: 1e9, max_bytes: 1 << 20 });
    const engine = await startEngine(server, null);
    const { config } = await streamInfo();
    assert.deepEqual([...config.subjects].sort(), ["other", "ticks", "ticks.>"]);
    assert.ok(config.max_age >= CATCH_UP_SECONDS * 1e9);
    assert.equal(config.max_bytes, 1 << 20);
    await engine.end();
  });

  test("the position comes up to the end of the stream", async () => {
    const engine = await startEngine(server, null);
    assert.equal(engine.feed.position(), 1, "the probe");
    await publish("A", 100, 101);
    await untilTrue(() => (engine.feed.position() ?? 0) >= 3);
    await engine.end();
  });

  test("a dip while the engine is down is caught up, with the stream's time, before live ticks", async () => {
    const position = await runOnce(100, 101);
    const beforeMs = Date.now();
    await publish("A", 50, 100);
    publisher.publish("ticks", bytes([{ symbol: "B", price: 7 }]));
    await publisher.flush();
    await untilTrue(async () => (await storedCount("ticks")) === 1);
    const afterMs = Date.now();
    // Far enough from when it is read: the stream's clock is known as far as a probe takes its way.
    await new Promise((resolve) => setTimeout(resolve, 2 * CLOCK_ERROR_MS));
    const engine = await startEngine(server, position);
    await publish("A", 102);
    await untilTrue(() => engine.ticks.length >= 4);
    assert.deepEqual(engine.texts(), ["A 50 caught up", "A 100 caught up", "B 7 caught up", "A 102"]);
    const [dip] = engine.ticks;
    assert.ok(dip !== undefined);
    assert.ok(dip.timeMs >= beforeMs - CLOCK_ERROR_MS && dip.timeMs <= afterMs + CLOCK_ERROR_MS, `${dip.timeMs}`);
    assert.deepEqual(engine.holes, []);
    await engine.end();
  });

  test("more ticks than one pull takes come in order and once", async () => {
    const position = await runOnce(1);
    const prices = Array.from({ length: 5_000 }, (_, index) => index + 1);
    for (const price of prices) publisher.publish("ticks.A", bytes({ price }));
    await publisher.flush();
    const engine = await startEngine(server, position);
    assert.deepEqual(
      engine.ticks.map(({ price }) => price.value),
      prices,
    );
    await engine.end();
  });

  test("ticks published throughout a catch-up all arrive, and none before an earlier one", async () => {
    const position = await runOnce(1);
    let price = 1;
    let isPublishing = true;
    const publishing = (async () => {
      while (isPublishing) {
        for (let count = 0; count < 50; count += 1) {
          price += 1;
          publisher.publish("ticks.A", bytes({ price }));
        }
        await publisher.flush();
      }
    })();
    await untilTrue(() => price > 2_000);
    const engine = await startEngine(server, position);
    const priceWhenLive = price;
    await untilTrue(() => price > priceWhenLive + 500);
    isPublishing = false;
    await publishing;
    await untilTrue(() => engine.ticks.at(-1)?.price.value === price);
    const values = engine.ticks.map((tick) => tick.price.value);
    assert.equal(new Set(values).size, price - 1, "every price from 2 on");
    const firsts = [...new Set(values)];
    assert.deepEqual(
      firsts,
      [...firsts].sort((a, b) => a - b),
    );
    await engine.end();
  });

  test("a purged stream is a hole", async () => {
    const position = await runOnce(100);
    await publish("A", 50, 51, 52);
    const manager = await publisher.connection.jetstreamManager();
    await manager.streams.purge(TICK_STREAM, { seq: position + 3 });
    const engine = await startEngine(server, position);
    assert.deepEqual(engine.holes, [{ from: position + 1, to: position + 2, reason: "missing" }]);
    assert.deepEqual(engine.texts(), ["A 52 caught up"]);
    assert.ok(engine.log.messages("error").length === 1);
    await engine.end();
  });

  test("a stream made again is a hole, and what it holds is caught up", async () => {
    const position = await runOnce(100, 101, 102, 103);
    const manager = await publisher.connection.jetstreamManager();
    const { config } = await streamInfo();
    await manager.streams.delete(TICK_STREAM);
    await manager.streams.add(config);
    await publish("A", 50);
    const engine = await startEngine(server, position);
    assert.deepEqual(engine.holes, [{ from: position + 1, to: null, reason: "recreated" }]);
    assert.deepEqual(engine.texts(), ["A 50 caught up"]);
    await engine.end();
  });

  test("a hole in the life of an engine forgets the prices that it saw: others may have followed them", async () => {
    const engine = await startEngine(server, null);
    await publish("A", 90);
    await untilTrue(() => engine.feed.prices.last("A") !== undefined);
    const manager = await publisher.connection.jetstreamManager();
    const { config } = await streamInfo();
    await manager.streams.delete(TICK_STREAM);
    await manager.streams.add(config);
    await engine.bus.connection.reconnect();
    await untilTrue(() => engine.holes.length === 1);
    assert.equal(engine.feed.prices.last("A"), undefined);
    await engine.end();
  });

  test("a reconnect catches up what was published in between, before live ticks", async () => {
    const engine = await startEngine(server, null);
    await publish("A", 100);
    await untilTrue(() => engine.ticks.length === 1);
    // Only the engine's connection is cut: the publisher continues.
    const dialled = engine.bus.connection.reconnect();
    await publish("A", 50, 100);
    await dialled;
    await untilTrue(() => engine.feed.state === "live" && engine.texts().some((text) => text.startsWith("A 50")));
    await publish("A", 101);
    await untilTrue(() => engine.texts().at(-1) === "A 101");
    assert.ok(engine.texts().indexOf("A 101") > engine.texts().findIndex((text) => text.startsWith("A 50")));
    assert.deepEqual(engine.holes, []);
    await engine.end();
  });

  test("probes are in the stream but are no ticks", async () => {
    const position = await runOnce(100);
    const engine = await startEngine(server, position);
    const manager = await publisher.connection.jetstreamManager();
    const stored = await manager.streams.getMessage(TICK_STREAM, { last_by_subj: END_SUBJECT });
    assert.ok(stored.seq > position);
    const { malformed, unknownSymbol } = engine.feed.counters;
    assert.deepEqual([engine.ticks.length, malformed, unknownSymbol], [0, 0, 0]);
    await engine.end();
  });

  test("no consumer is left behind", async () => {
    const position = await runOnce(100);
    await publish("A", 50);
    const engine = await startEngine(server, position);
    assert.equal(engine.ticks.length, 1);
    await untilTrue(async () => (await streamInfo()).state.consumer_count === 0);
    await engine.end();
  });
});

natsSuite("the feed over a NATS server that goes away", () => {
  test("ticks stored before the server was killed and after it came back are caught up", async () => {
    const server = await startNatsServer({ jetStream: true });
    const engine = await startEngine(server, null);
    const publisher = await connectNatsBus({ servers: server.url, name: "publisher", onError: () => undefined });
    publisher.publish("ticks.A", bytes({ price: 100 }));
    await untilTrue(() => engine.ticks.length === 1);
    await server.kill("SIGKILL");
    await untilTrue(() => engine.feed.state === "disconnected");
    await server.restart();
    await untilTrue(() => publisher.status === "connected");
    publisher.publish("ticks.A", bytes({ price: 50 }));
    await untilTrue(() => engine.texts().some((text) => text.startsWith("A 50")));
    await untilTrue(() => engine.feed.state === "live");
    await publisher.drain();
    await engine.end();
    await server.stop();
  });

  test("a server that comes back without its last messages gives their sequences again: a hole, and all is read", async () => {
    const folder = mkdtempSync(join(tmpdir(), "rewound-"));
    const [storeDir, onDisk] = [join(folder, "store"), join(folder, "on-disk")];
    const server = await startNatsServer({ jetStream: true, storeDir });
    const engine = await startEngine(server, null);
    engine.bus.publish("ticks.A", bytes({ price: 100 }));
    await untilTrue(() => (engine.feed.position() ?? 0) > 2);
    await server.kill("SIGKILL");
    cpSync(storeDir, onDisk, { recursive: true });
    await server.restart();
    await untilTrue(() => engine.feed.state === "live");
    const name = engine.feed.memory()?.tickStream;
    const position = engine.feed.position() ?? 0;
    await untilTrue(() => (engine.feed.position() ?? 0) > position + 1);
    assert.deepEqual([engine.holes, engine.feed.memory()?.tickStream], [[], name], "a restart alone is none");
    await server.kill("SIGKILL");
    rmSync(storeDir, { recursive: true });
    cpSync(onDisk, storeDir, { recursive: true });
    // Publishers are back before the engine.
    const early = await startNatsServer({ jetStream: true, storeDir });
    const publisher = await connectNatsBus({ servers: early.url, name: "publisher", onError: () => undefined });
    const manager = await publisher.connection.jetstreamManager();
    const lastSequence = async () => (await manager.streams.info(TICK_STREAM)).state.last_seq;
    assert.ok((await lastSequence()) < (engine.feed.position() ?? 0));
    publisher.publish("ticks.A", bytes({ price: 50 }));
    for (let price = 51; price < 100; price += 1) publisher.publish("ticks.A", bytes({ price }));
    await untilTrue(async () => (await lastSequence()) > (engine.feed.position() ?? 0) + 20);
    await publisher.drain();
    await early.kill("SIGTERM");
    await server.restart();
    await untilTrue(() => engine.feed.state === "live");
    assert.deepEqual(
      engine.holes.map(({ reason }) => reason),
      ["recreated"],
    );
    assert.ok(engine.texts().includes("A 50 caught up"));
    assert.ok(engine.feed.memory()?.tickStream?.startsWith(`${name}#`));
    await engine.end();
    await server.stop();
    await early.stop();
    rmSync(folder, { recursive: true });
  });

  test("without JetStream the feed is live, and says once that only the last live prices count", async () => {
    const server = await startNatsServer();
    const engine = await startEngine(server, null);
    engine.bus.publish("ticks.A", bytes({ price: 100 }));
    await untilTrue(() => engine.ticks.length === 1);
    assert.equal(engine.feed.state, "live");
    assert.equal(engine.feed.position(), null);
    assert.equal(engine.log.messages("warn").length, 1);
    await engine.end();
    await server.stop();
  });
});
