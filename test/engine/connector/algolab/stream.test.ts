/** AlgoLab's WebSocket: what ends a connection, when the next one is made, and which messages count. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { startAlgolabStream } from "../../../../engine/connector/algolab/stream.ts";
import { TroubleLog } from "../../../../engine/connector/algolab/trouble-log.ts";
import { loopTimers, systemClock } from "../../../../src/runtime/clock.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { AlgolabWorld } from "./support/algolab-world.ts";
import { API_KEY } from "./support/server.ts";

const SYMBOLS = ["THYAO", "GARAN", "ASELS"];
const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));

describe("AlgoLab's stream", () => {
  let world: AlgolabWorld;
  let hash: string | undefined;
  let messages: [string, unknown][];
  let turns: boolean[];
  let stop: () => void;

  function start(change: object = {}): void {
    stop = startAlgolabStream({
      ...{ url: world.server.url, apiKey: () => API_KEY, hash: () => hash, symbols: SYMBOLS },
      ...{ timers: loopTimers, log: world.log, troubles: new TroubleLog(systemClock, world.log), reconnectMs: 10 },
      onMessage: (type, content) => messages.push([type, content]),
      onTurn: (isConnected) => turns.push(isConnected),
      ...change,
    });
  }

  beforeEach(async () => {
    world = await AlgolabWorld.make();
    hash = world.server.hash;
    messages = [];
    turns = [];
    stop = () => undefined;
  });
  afterEach(async () => {
    stop();
    await world.end();
  });

  const subscriptions = () => world.server.received.filter((message) => (message as { Type: string }).Type === "T");

  test("after each close code it connects again, and subscribes to all symbols each time", async () => {
    for (const code of [1006, 1000, 1001, 1011, 4000]) {
      world.server.closesWith = code;
      const before = world.server.connectionCount;
      start();
      await untilTrue(() => world.server.connectionCount >= before + 3);
      world.server.closesWith = undefined;
      const subscribed = subscriptions().length;
      await untilTrue(() => subscriptions().length > subscribed && world.server.socketCount === 1);
      assert.deepEqual(subscriptions().at(-1), { Type: "T", Token: hash, Symbols: SYMBOLS }, `code ${code}`);
      stop();
      await untilTrue(() => world.server.socketCount === 0);
    }
  });

  test("tries without any answer become rarer, and an answer makes the next one soon again", async () => {
    world.server.closesWith = 1006;
    start({ reconnectMs: 20 });
    await pause(700);
    // 20, 40, 80, 160, 320 ms: without back-off it would be thirty.
    assert(world.server.connectionCount >= 3 && world.server.connectionCount <= 7, `${world.server.connectionCount}`);
    world.server.closesWith = undefined;
    await untilTrue(() => world.server.socketCount === 1);
    world.server.push({ Type: "T", Content: {} });
    await untilTrue(() => messages.length === 1);
    const startedMs = Date.now();
    const before = world.server.connectionCount;
    world.server.dropSockets();
    await untilTrue(() => world.server.connectionCount > before);
    assert(Date.now() - startedMs < 300, `${Date.now() - startedMs} ms`);
  });

  test("a heartbeat that nothing answers ends the socket; a pong or a message is an answer", async () => {
    start({ heartbeatMs: 20, answerMsMax: 60 });
    await untilTrue(() => world.server.received.filter((one) => (one as { Type: string }).Type === "H").length >= 3);
    assert.equal(world.server.connectionCount, 1);
    world.server.answersPings = false;
    await untilTrue(() => world.server.connectionCount >= 2);
    assert(world.linesOf("brokerage.streamSilent").length >= 1);
    assert(turns.includes(false));
    const chatter = setInterval(() => world.server.push({ Type: "T", Content: {} }), 5);
    await pause(200);
    const before = world.server.connectionCount;
    await pause(300);
    clearInterval(chatter);
    assert.equal(world.server.connectionCount, before);
  });

  test("messages of half JSON are counted, logged once and skipped", async () => {
    start();
    await untilTrue(() => world.server.received.length === 1);
    for (const text of ['{"Type":"T","Content":{"Sym', "[]", '"T"', "<html>"]) world.server.pushText(text);
    world.server.push({ Type: "T", Content: { Symbol: "THYAO" } });
    await untilTrue(() => messages.length > 0);
    assert.deepEqual(messages, [["T", { symbol: "THYAO" }]]);
    assert.equal(world.linesOf("brokerage.messageUnreadable").length, 1);
    assert.equal(world.server.connectionCount, 1);
  });

  test("a key that cannot be read now ends nothing: it is read again", async () => {
    let isReadable = false;
    const apiKey = (): string => {
      if (isReadable) return API_KEY;
      throw new Error("the file of the key is being replaced");
    };
    start({ apiKey });
    await untilTrue(() => world.linesOf("brokerage.streamFailed").length > 0);
    isReadable = true;
    await untilTrue(() => world.server.received.length === 1);
  });

  test("a new login connects with its hash without a wait, and no login with none", async () => {
    start();
    await untilTrue(() => world.server.received.length === 1);
    hash = "another-hash";
    await untilTrue(() => world.server.connectionCount >= 2);
    hash = undefined;
    await untilTrue(() => world.server.socketCount === 0);
    const before = world.server.connectionCount;
    await pause(100);
    assert.equal(world.server.connectionCount, before);
    hash = world.server.hash;
    await untilTrue(() => subscriptions().length >= 2 && world.server.socketCount === 1);
    assert.equal(turns.at(-1), true);
  });
});
