/** Alpaca's prices against a server that plays its stream. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { parseAlpacaFeedConfig } from "../../../../engine/connector/alpaca/feed/config.ts";
import { startAlpacaFeed } from "../../../../engine/connector/alpaca/feed/start.ts";
import type { StartedFeed } from "../../../../engine/connector/host/price/trade-feed.ts";
import { loopTimers, systemClock } from "../../../../src/runtime/clock.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { RecordedLog } from "../fix/support/session-world.ts";
import { VARIABLES } from "./support/alpaca-world.ts";
import { AlpacaServer } from "./support/server.ts";

describe("a feed of Alpaca's prices", () => {
  let server: AlpacaServer;
  let feed: StartedFeed;
  let log: RecordedLog;
  let aheadMs: number;
  let published: { readonly subject: string; readonly value: Record<string, unknown> }[];

  const start = (change: object = {}, variables: Record<string, string> = VARIABLES): void => {
    const config = parseAlpacaFeedConfig(
      {
        ...{ name: "US", symbols: { AAPL: "AAPL", BRK_B: "BRK.B" }, url: `ws://127.0.0.1:${server.port}/v2/iex` },
        ...{ keyId: { env: "KEY_ID" }, secret: { env: "SECRET" } },
        ...{ reconnectSeconds: 0.02, reconnectSecondsMax: 0.1, refusedSeconds: 0.05, ...change },
      },
      "/",
      variables,
    );
    feed = startAlpacaFeed(config, {
      ...{ timers: loopTimers, log, clock: { nowMs: () => systemClock.nowMs() + aheadMs } },
      publish: (subject, data) => {
        published.push({ subject, value: JSON.parse(Buffer.from(data).toString()) as Record<string, unknown> });
      },
    });
  };
  const ticks = () => published.filter(({ subject }) => subject.startsWith("ticks."));

  beforeEach(async () => {
    server = await AlpacaServer.start();
    log = new RecordedLog();
    published = [];
    aheadMs = 0;
  });
  afterEach(async () => {
    await feed.stop();
    await server.stop();
  });

  test("trades become ticks under our names, with the venue's own time", async () => {
    start();
    await untilTrue(() => feed.status().connected);
    const atMs = Date.now() - 1_000;
    server.trade("AAPL", 227.31, atMs);
    server.trade("BRK.B", 480.015, atMs);
    await untilTrue(() => ticks().length === 2);
    assert.deepEqual(ticks(), [
      { subject: "ticks.AAPL", value: { price: 227.31, time: atMs } },
      { subject: "ticks.BRK_B", value: { price: 480.015, time: atMs } },
    ]);
  });

  test("what does not move the last price makes no tick: odd lots, extended hours, out of sequence", async () => {
    start();
    await untilTrue(() => feed.status().connected);
    for (const condition of ["I", "T", "U", "Z", "W"]) server.trade("AAPL", 1, Date.now(), ["@", condition]);
    server.trade("AAPL", 227.31, Date.now(), ["@", "F"]);
    await untilTrue(() => ticks().length === 1);
    assert.equal(ticks()[0]?.value.price, 227.31);
  });

  test("delayed prices are refused and told, not published late", async () => {
    start();
    await untilTrue(() => feed.status().connected);
    server.trade("AAPL", 1, Date.now() - 900_000);
    await untilTrue(() => feed.status().delayed === 1);
    assert.deepEqual([ticks().length, feed.status().ticks], [0, 0]);
    assert.ok(log.lines.some(({ message }) => /come too late and are refused/.test(message)));
  });

  test("a stream that broke is made again for ever, and told while it is down", async () => {
    start();
    await untilTrue(() => feed.status().connected);
    server.cut();
    await untilTrue(() => !feed.status().connected);
    await untilTrue(() => feed.status().connected);
    server.trade("AAPL", 5, Date.now());
    await untilTrue(() => ticks().length === 1);
    const told = published.filter(({ subject }) => subject === "feed.US.status").map(({ value }) => value.connected);
    assert.deepEqual(told, [false, true, false, true]);
  });

  test("connected and silent is told: it looks like a quiet market to everybody else", async () => {
    start({ silentSeconds: 1 });
    await untilTrue(() => feed.status().connected);
    assert.equal(feed.status().silent, false);
    aheadMs = 1_100;
    assert.equal(feed.status().silent, true);
    server.trade("AAPL", 5, Date.now() + aheadMs);
    await untilTrue(() => !feed.status().silent);
  });

  test("symbols that Alpaca does not give are told as refused, under our names", async () => {
    server.given = ["AAPL"];
    start();
    await untilTrue(() => feed.status().refused.length > 0);
    assert.deepEqual(feed.status().refused, ["BRK_B"]);
  });

  for (const [name, error] of Object.entries({
    "more connections than allowed": { code: 406, msg: "connection limit exceeded" },
    "a feed that is not subscribed to": { code: 409, msg: "insufficient subscription" },
  })) {
    test(`${name}: it is tried again later and never told as connected`, async () => {
      server.priceError = error;
      start();
      await untilTrue(() => log.lines.filter(({ text }) => text.includes(error.msg)).length >= 2);
      assert.equal(feed.status().connected, false);
      server.priceError = null;
      await untilTrue(() => feed.status().connected);
    });
  }

  test("wrong keys are told, and tried again", async () => {
    start({}, { ...VARIABLES, SECRET: "wrong" });
    await untilTrue(() => log.lines.filter(({ text }) => text.includes("auth failed")).length >= 2);
    assert.equal(feed.status().connected, false);
  });
});
