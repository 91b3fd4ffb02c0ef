/** AlgoLab's trades as ticks: which trades count, and what is reported of late ones. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { parseAlgolabFeedConfig } from "../../../../engine/connector/algolab/feed/config.ts";
import { startAlgolabFeed } from "../../../../engine/connector/algolab/feed/start.ts";
import { loopTimers, systemClock } from "../../../../src/runtime/clock.ts";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { AlgolabWorld, VARIABLES } from "./support/algolab-world.ts";

test("a trade of the share market becomes a tick with its own time; late, foreign and broken ones do not", async () => {
  const world = await AlgolabWorld.make();
  const file = { name: "ALGOLAB", symbols: { THYAO: "THYAO" }, apiKey: { env: "ALGOLAB_KEY" }, sessionFile: "session" };
  const config = {
    ...parseAlgolabFeedConfig({ ...file, url: world.server.url }, world.folder, VARIABLES),
    reconnectMs: 10,
  };
  const ticks: { subject: string; value: unknown }[] = [];
  const publish = (subject: string, data: Uint8Array): void => {
    if (subject.startsWith("ticks.")) ticks.push({ subject, value: JSON.parse(Buffer.from(data).toString()) });
  };
  const feed = startAlgolabFeed(config, { publish, clock: systemClock, timers: loopTimers, log: world.log });
  assert.equal(feed.status().connected, false);
  await writeFile(world.sessionFile, world.server.hash);
  await untilTrue(() => feed.status().connected && world.server.received.length > 0);
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
  const trade = (change: object, ageMs = 0): void =>
    world.server.push({
      Type: "T",
      Content: {
        ...{ Symbol: "THYAO", Market: "IMKBH", Price: "312.5", Date: new Date(nowMs - ageMs).toISOString() },
        ...change,
      },
    });
  trade({}, 900_000);
  trade({ Market: "VIOP" });
  trade({ Price: "0" });
  trade({ Date: "yesterday" });
  trade({});
  await untilTrue(() => ticks.length > 0);
  assert.deepEqual(ticks, [{ subject: "ticks.THYAO", value: { price: 312.5, time: nowMs } }]);
  assert.equal(feed.status().delayed, 1);
  await feed.stop();
  await world.end();
});

test("names with the market's suffix and without it are one symbol, and an older price keeps its own time", async () => {
  const world = await AlgolabWorld.make();
  const symbols = { THYAO: "THYAO.E", GARAN: "GARAN" };
  const file = { name: "ALGOLAB", symbols, apiKey: { env: "ALGOLAB_KEY" }, sessionFile: "session" };
  const config = {
    ...parseAlgolabFeedConfig({ ...file, url: world.server.url }, world.folder, VARIABLES),
    reconnectMs: 10,
  };
  const ticks: [string, unknown][] = [];
  const publish = (subject: string, data: Uint8Array): void => {
    if (subject.startsWith("ticks.")) ticks.push([subject, JSON.parse(Buffer.from(data).toString())]);
  };
  await writeFile(world.sessionFile, world.server.hash);
  const feed = startAlgolabFeed(config, { publish, clock: systemClock, timers: loopTimers, log: world.log });
  await untilTrue(() => world.server.received.length > 0);
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
  const trade = (symbol: string, price: string, timeMs: number): void =>
    world.server.push({
      Type: "T",
      Content: { Symbol: symbol, Market: "IMKBH", Price: price, Date: new Date(timeMs).toISOString() },
    });
  trade("THYAO", "312.5", nowMs);
  trade("GARAN.E", "120", nowMs);
  trade("ASELS", "1", nowMs);
  // The engine refuses it by its time, and its bars take it.
  trade("THYAO.E", "312", nowMs - 2_000);
  await untilTrue(() => ticks.length === 3);
  assert.deepEqual(ticks, [
    ["ticks.THYAO", { price: 312.5, time: nowMs }],
    ["ticks.GARAN", { price: 120, time: nowMs }],
    ["ticks.THYAO", { price: 312, time: nowMs - 2_000 }],
  ]);
  await feed.stop();
  await world.end();
});
