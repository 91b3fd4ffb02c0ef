/**
 * AlgoLab's trades of the share market as ticks.
 *
 * Does not own: the connection (stream.ts), which trades become ticks (host/price/trade-feed.ts).
 */
import { type FeedPorts, type StartedFeed, TradeFeed } from "../../host/price/trade-feed.ts";
import { withoutMarket } from "../protocol.ts";
import { readSessionFile } from "../session-file.ts";
import { startAlgolabStream } from "../stream.ts";
import { TroubleLog } from "../trouble-log.ts";
import type { AlgolabFeedConfig } from "./config.ts";
import { tradeSchema } from "./trade.ts";

/** Connects and subscribes, again and again. Waits while no user is logged in. */
export function startAlgolabFeed(config: AlgolabFeedConfig, ports: FeedPorts): StartedFeed {
  const { url, apiKey, sessionFile, reconnectMs } = config;
  const feed = new TradeFeed(config.feed, ports);
  feed.start();
  const asked = new Map(feed.venueSymbols.map((symbol) => [withoutMarket(symbol), symbol]));
  const isAsked = new Set(feed.venueSymbols);
  const askedName = (symbol: string): string =>
    isAsked.has(symbol) ? symbol : (asked.get(withoutMarket(symbol)) ?? symbol);
  const troubles = new TroubleLog(ports.clock, ports.log);
  const stopStream = startAlgolabStream({
    ...{ url, apiKey, hash: () => readSessionFile(sessionFile, troubles), symbols: feed.venueSymbols },
    ...{ timers: ports.timers, log: ports.log, troubles, reconnectMs },
    onTurn: (isConnected) => feed.turn(isConnected),
    onMessage: (type, content) => {
      const trade = type === "T" ? tradeSchema.safeParse(content) : undefined;
      if (trade?.success !== true) return;
      feed.hear();
      const { symbol, price, date: timeMs } = trade.data;
      feed.take({ symbol: askedName(symbol), price, timeMs, conditions: [], isSnapshot: false });
    },
  });
  return {
    status: () => feed.status(),
    stop: async () => {
      feed.stop();
      stopStream();
    },
  };
}
