/** Prices of a real venue as ticks on the bus: `npm run feed -- fix <config.json>`. Needs NATS_URL. */
import { connectNatsBus } from "../../src/bus/nats/bus.ts";
import { OperatorMistake } from "../../src/operator-mistake.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import { createLog } from "../../src/runtime/log.ts";
import { endPolitely, explainFailedStart } from "../../src/runtime/process.ts";
import { readSettings } from "../../src/runtime/settings.ts";
import { readFixFeedConfig } from "../connector/fix/feed/config.ts";
import { startFixFeed } from "../connector/fix/feed/start.ts";

async function main(): Promise<void> {
  const [what, path, ...more] = process.argv.slice(2);
  if (what !== "fix" || path === undefined || more.length > 0) {
    throw new OperatorMistake("usage: npm run feed -- fix <config.json>", { reason: "usage" });
  }
  const config = readFixFeedConfig(path, process.env);
  const { NATS_URL, LOG_LEVEL } = readSettings(process.env, []);
  if (NATS_URL === undefined) throw new OperatorMistake("NATS_URL: is not set, and prices go over NATS");
  const log = createLog(LOG_LEVEL, `feed-${config.feed.name}`);
  const whenStopped = endPolitely(log);
  const bus = await connectNatsBus({
    servers: NATS_URL,
    name: `feed-${config.feed.name}`,
    waitOnFirstConnect: true,
    onError: (err, context) => log.warn({ err, ...context }, "bus"),
  });
  const { stop } = startFixFeed({
    ...{ config, clock: systemClock, steadyClock, timers: loopTimers, log },
    publish: (subject, data) => bus.publish(subject, data),
  });
  log.info({ name: config.feed.name, symbols: Object.keys(config.feed.symbols).length }, "the feed is ready");
  whenStopped(stop, () => bus.drain());
}

main().catch(explainFailedStart("feed"));
