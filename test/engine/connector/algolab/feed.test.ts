/** AlgoLab's trades as ticks: which trades count, and what is told of late ones. */
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
  const config = parseAlgolabFeedConfig({ ...file, url: world.server.url }, world.folder, VARIABLES);
  const ticks: { subject: string; value: unknown }[] = [];
  const publish = (subject: string, data: Uint8Array): void => {
    if (subject.startsWith("ticks.")) ticks.push({ subject, value: JSON.parse(Buffer.from(data).toString()) });
  };
  const feed = startAlgolabFeed(config, { publish, clock: systemClock, timers: loopTimers, log: world.log }, 10);
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
