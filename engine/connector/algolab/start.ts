/** An AlgoLab connector: the folder of sent orders, the login, the queue, the stream of order changes. */
import type { Cancel, Timers } from "../../../src/runtime/ports.ts";
import { defineConnector } from "../host/program.ts";
import { SentOrders } from "../host/state/sent-orders.ts";
import { AlgolabApi } from "./api.ts";
import { checkAlgolabSession } from "./check.ts";
import { parseAlgolabConfig } from "./config.ts";
import { AlgolabConnector } from "./connector.ts";
import { type AlgolabTrade, tradeSchema } from "./feed/trade.ts";
import { ALGOLAB_ORDERS } from "./order.ts";
import { RequestQueue } from "./request-queue.ts";
import { AlgolabSession } from "./session.ts";
import { startAlgolabStream } from "./stream.ts";
import { TroubleLog } from "./trouble-log.ts";

/** Other requests need slots as well while AlgoLab does not answer. */
const RETRY_SLOTS = 3;

export const algolabConnector = defineConnector({
  parse: parseAlgolabConfig,
  openFolder: (_settings, options) => SentOrders.open(options, ALGOLAB_ORDERS),
  begin(settings, sentOrders, { clock, steadyClock, timers, log }) {
    const { url, apiKey, reconnectMs } = settings;
    const queue = new RequestQueue(settings.requestIntervalMs, { clock, steadyClock, timers });
    const troubles = new TroubleLog(clock, log);
    const session: AlgolabSession = new AlgolabSession({
      ...{ file: settings.sessionFile, refreshMs: settings.refreshMs, clock, timers, log, troubles },
      retryMs: RETRY_SLOTS * settings.requestIntervalMs,
      readOrders: () => connector.readOrders(),
    });
    const hash = (): string | undefined => session.hash;
    const api = new AlgolabApi({ apiKey, url, timeoutMs: settings.requestTimeoutMs, queue, hash, clock, troubles });
    const connector: AlgolabConnector = new AlgolabConnector({
      ...{ settings, api, session, sentOrders, clock, steadyClock, log },
    });
    session.start(api);
    const stopPolls = pollOrders(settings.pollMs, timers, connector, session, queue);
    const tradeListeners = new Set<(trade: AlgolabTrade) => void>();
    const stopStream = startAlgolabStream({
      ...{ url, apiKey, hash, symbols: ["ALL"], timers, log, troubles, reconnectMs, onTurn: () => undefined },
      // A change of an own order is a reason to read the list: the message itself proves nothing.
      onMessage: (type, content) => {
        const trade = type === "T" ? tradeSchema.safeParse(content).data : undefined;
        if (trade !== undefined) for (const listener of tradeListeners) listener(trade);
        if (trade?.refprice !== undefined) connector.noteBasePrice(trade.symbol, trade.refprice, trade.date);
        if (type === "O" && session.isUp && queue.length === 0) void connector.readOrders();
      },
    });
    const end = (): void => {
      stopPolls();
      stopStream();
      session.stop();
      queue.stop();
    };
    return { connector, session, api, troubles, tradeListeners, end };
  },
  check: (session, settings, ports) => checkAlgolabSession(session, settings, ports),
});

/** Reads today's orders while an order is open, and not behind other requests. */
function pollOrders(
  pollMs: number,
  timers: Timers,
  connector: AlgolabConnector,
  session: AlgolabSession,
  queue: RequestQueue,
): Cancel {
  let cancel: Cancel = () => undefined;
  const poll = (): void => {
    if (session.isUp && connector.hasOpenOrders && queue.length === 0) void connector.readOrders();
    cancel = timers.after(pollMs, poll);
  };
  poll();
  return () => cancel();
}
