/**
 * Alpaca's trades as ticks: connects again after each end, and reports the symbols that Alpaca does not provide.
 *
 * Does not own: which trades become ticks (host/price/trade-feed.ts).
 *
 * Invariant: it is connected only once Alpaca has confirmed which symbols it provides; the others are reported as
 * refused.
 */
import { streaming } from "@alpacahq/alpaca-trade-api";
import type { Cancel } from "../../../../src/runtime/ports.ts";
import { type FeedPorts, type StartedFeed, TradeFeed } from "../../host/price/trade-feed.ts";
import { Reconnect } from "../../host/reconnect.ts";
import type { AlpacaFeedConfig } from "./config.ts";

/** Without a confirmed subscription by then, the try is given up. */
const LOGON_MS_MAX = 15_000;

/** Connects and subscribes, and repeats both after each loss. */
export function startAlpacaFeed(config: AlpacaFeedConfig, ports: FeedPorts): StartedFeed {
  const { timers, log } = ports;
  const { keyId, secret, url } = config;
  const feed = new TradeFeed(config.feed, ports);
  const asked = [...feed.venueSymbols];
  let current: streaming.MarketDataStream | undefined;
  let isRefused = false;
  let cancelLogon: Cancel = () => undefined;

  const connect = (): void => {
    isRefused = false;
    // The library gives up for good after some endings; so every try is a stream of its own.
    const credentials = { keyId: keyId(), secret: secret() };
    const stream = new streaming.MarketDataStream({ credentials, url, reconnect: false });
    current = stream;
    const isThis = (): boolean => current === stream;
    stream.on(streaming.EVENT.SUBSCRIPTION, ({ trades }: { readonly trades: readonly string[] }) => {
      if (!isThis()) return;
      cancelLogon();
      reconnect.succeeded();
      feed.turn(true);
      const left = asked.filter((symbol) => !trades.includes(symbol));
      if (left.length > 0) feed.refuse(left, "Alpaca's subscription leaves them out");
    });
    stream.onTrade(({ symbol, price, timestamp, conditions }) => {
      if (!isThis()) return;
      feed.hear();
      const timeMs = timestamp.getTime();
      if (price > 0 && Number.isFinite(timeMs)) feed.take({ symbol, price, timeMs, conditions, isSnapshot: false });
    });
    stream.onError((text) => {
      if (!isThis()) return;
      log.error({ event: "prices.streamFailed", text }, "Alpaca's price stream failed");
      isRefused = REFUSALS.has(text);
      // After a refused subscription the connection never receives a price.
      if (isRefused) stream.disconnect();
    });
    stream.onDisconnect(() => {
      if (!isThis()) return;
      current = undefined;
      cancelLogon();
      feed.turn(false);
      reconnect.later(isRefused);
    });
    cancelLogon = timers.after(LOGON_MS_MAX, () => stream.disconnect());
    stream.subscribeForTrades(asked);
    stream.connect();
  };
  const reconnect = new Reconnect(config.reconnect, timers, connect);
  feed.start();
  connect();
  return {
    status: () => feed.status(),
    stop: async () => {
      feed.stop();
      reconnect.stop();
      current?.disconnect();
    },
  };
}

/** The library's texts for faults that a retry soon does not change. */
const REFUSALS: ReadonlySet<string> = new Set([
  "auth failed",
  "auth timeout",
  "symbol limit exceeded",
  "connection limit exceeded",
  "insufficient subscription",
]);
