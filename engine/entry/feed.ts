/**
 * Publishes prices as ticks on the bus, from a real venue or a simulated market. Needs NATS_URL.
 * `npm run feed -- fix|alpaca|algolab|sim <config.json>`
 */
import { assert } from "../../src/assert.ts";
import { connectNatsBus, type NatsBus } from "../../src/bus/nats/bus.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import { createLog } from "../../src/runtime/log.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import { endPolitely, explainFailedStart, tellBusErrors } from "../../src/runtime/process.ts";
import { needsNats, readSettings } from "../../src/runtime/settings.ts";
import { UserError } from "../../src/runtime/user-error.ts";
import { parseAlgolabFeedConfig } from "../connector/algolab/feed/config.ts";
import { startAlgolabFeed } from "../connector/algolab/feed/start.ts";
import { parseAlpacaFeedConfig } from "../connector/alpaca/feed/config.ts";
import { startAlpacaFeed } from "../connector/alpaca/feed/start.ts";
import { parseFixFeedConfig } from "../connector/fix/feed/config.ts";
import { startFixFeed } from "../connector/fix/feed/start.ts";
import { type Parse, readConfigFile } from "../connector/host/config-file.ts";
import type { FeedPorts, FeedSettings, StartedFeed } from "../connector/host/price/trade-feed.ts";
import { readSimulatedSymbols, startSimulatedFeed } from "../feed/source/sim.ts";

type Ports = FeedPorts & { readonly steadyClock: Clock; readonly bus: NatsBus };

interface Program {
  readonly name: string;
  readonly symbolCount: number;
  readonly start: (ports: Ports) => { stop(): Promise<void> };
}

/** Each reads the file at `path`. Throws a `UserError` that names every mistake. */
const KINDS: Readonly<Record<string, (path: string) => Program>> = {
  fix: venueFeed(parseFixFeedConfig, startFixFeed),
  alpaca: venueFeed(parseAlpacaFeedConfig, startAlpacaFeed),
  algolab: venueFeed(parseAlgolabFeedConfig, startAlgolabFeed),
  sim: (path) => {
    const symbols = readSimulatedSymbols(path);
    const start: Program["start"] = (ports) => {
      const feed = startSimulatedFeed({ ...ports, symbols, seed: 1, speed: 1 });
      return { stop: async () => feed.stop() };
    };
    return { name: "sim", symbolCount: symbols.length, start };
  },
};

function venueFeed<Config extends { readonly feed: FeedSettings }>(
  parse: Parse<Config>,
  start: (config: Config, ports: Ports) => StartedFeed,
): (path: string) => Program {
  return (path) => {
    const config = readConfigFile(path, process.env, parse);
    const { name, symbols } = config.feed;
    return { name, symbolCount: Object.keys(symbols).length, start: (ports) => start(config, ports) };
  };
}

async function main(): Promise<void> {
  const [what = "", path, ...more] = process.argv.slice(2);
  const read = Object.hasOwn(KINDS, what) ? KINDS[what] : undefined;
  if (read === undefined || path === undefined || more.length > 0) {
    throw new UserError(`usage: npm run feed -- ${Object.keys(KINDS).join("|")} <config.json>`, {
      reason: "usage",
    });
  }
  const { name, symbolCount, start } = read(path);
  const { NATS_URL, LOG_LEVEL, LOG_TIMES } = readSettings(process.env, [], [needsNats("prices go over NATS")]);
  assert(NATS_URL !== undefined, "prices go over NATS");
  const log = createLog({ level: LOG_LEVEL, times: LOG_TIMES }, `feed-${name}`);
  const whenStopped = endPolitely(log);
  const bus = await connectNatsBus({
    servers: NATS_URL,
    name: `feed-${name}`,
    waitOnFirstConnect: true,
    onError: tellBusErrors(log),
  });
  const { stop } = start({
    ...{ clock: systemClock, steadyClock, timers: loopTimers, log },
    publish: (subject, data) => bus.publish(subject, data),
    bus,
  });
  log.info({ event: "feed.ready", feed: name, symbols: symbolCount }, "the feed is ready");
  whenStopped(stop, () => bus.drain());
}

main().catch(explainFailedStart("feed"));
