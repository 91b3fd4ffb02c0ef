/** Assembles a FIX price feed. Its session has no past: both sides count from 1 at every logon. */
import type { Clock } from "../../../../src/runtime/ports.ts";
import type { FeedPorts, StartedFeed } from "../../host/price/trade-feed.ts";
import type { JournalFile } from "../../host/state/journal.ts";
import { connectSocket } from "../session/connection.ts";
import { FIRST_NUMBERS } from "../session/numbers.ts";
import { FixSession } from "../session/session.ts";
import type { FixFeedConfig } from "./config.ts";
import { PriceFeed } from "./price-feed.ts";

interface SessionPorts extends FeedPorts {
  /** Monotonic. */
  readonly steadyClock: Clock;
}

/** Nothing of a price feed outlives its connection. */
const FORGETFUL: JournalFile = {
  append: () => undefined,
  keepShort: () => undefined,
  afterDurable: (act) => queueMicrotask(act),
  close: async () => undefined,
};

/** Connects and subscribes, and repeats both after each loss. */
export function startFixFeed(config: FixFeedConfig, ports: SessionPorts): StartedFeed {
  const { publish, clock, steadyClock, timers, log } = ports;
  const feed: PriceFeed = new PriceFeed({
    ...{ settings: config.feed, publish, clock, timers, log },
    send: (type, fields) => void session.send(type, fields, () => undefined),
  });
  const session: FixSession = new FixSession({
    ...{ settings: config.session, numbers: FIRST_NUMBERS, journal: FORGETFUL, connect: connectSocket(config.tls) },
    ...{ clock, steadyClock, timers, log, user: feed },
  });
  session.start();
  feed.start();
  return {
    status: () => feed.status(),
    stop: async () => {
      feed.stop();
      await session.stop();
    },
  };
}
