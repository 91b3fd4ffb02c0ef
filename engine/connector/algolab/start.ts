/** Assembles an AlgoLab connector: the folder of sent orders, the login, the queue, the stream of order changes. */
import type { Cancel } from "../../../src/runtime/ports.ts";
import type { ProgramPorts } from "../host/program.ts";
import { makeConnectorFolder } from "../host/state/folder.ts";
import { SentOrders } from "../host/state/sent-orders.ts";
import { AlgolabApi } from "./api.ts";
import type { AlgolabSettings } from "./config.ts";
import { AlgolabConnector } from "./connector.ts";
import { type AlgolabTrade, tradeSchema } from "./feed/trade.ts";
import { ALGOLAB_ORDERS } from "./order.ts";
import { RequestQueue } from "./request-queue.ts";
import { AlgolabSession } from "./session.ts";
import { startAlgolabStream } from "./stream.ts";
import { TroubleLog } from "./trouble-log.ts";

/** Other requests need slots as well while AlgoLab does not answer. */
const RETRY_SLOTS = 3;

interface StartOptions extends Pick<ProgramPorts, "clock" | "steadyClock" | "timers" | "log" | "fatal"> {
  readonly settings: AlgolabSettings;
  /** Whether the folder is created if it does not exist; default: no. */
  readonly mayCreate?: boolean;
  /** How long until a lost stream is made again, in milliseconds. */
  readonly reconnectMs?: number;
  /** Receives each trade of the share market. */
  readonly onTrade?: (trade: AlgolabTrade) => void;
}

interface StartedConnector {
  readonly connector: AlgolabConnector;
  readonly session: AlgolabSession;
  readonly api: AlgolabApi;
  readonly troubles: TroubleLog;
  stop(): Promise<void>;
}

/** Opens the folder and begins the session. Throws a `UserError` if the folder cannot be used. */
export async function startAlgolabConnector(options: StartOptions): Promise<StartedConnector> {
  const { settings, clock, steadyClock, timers, log, fatal, mayCreate = false } = options;
  const { url, apiKey } = settings;
  const folderOptions = { folder: settings.folder, clock, timers, fatal, mayCreate };
  const sentOrders = await SentOrders.open(folderOptions, ALGOLAB_ORDERS);
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
  const stopPolls = pollOrders(options, connector, session, queue);
  const stopStream = startAlgolabStream({
    ...{ url, apiKey, hash, symbols: ["ALL"], timers, log, troubles, onTurn: () => undefined },
    ...(options.reconnectMs === undefined ? {} : { reconnectMs: options.reconnectMs }),
    // A change of an own order is a reason to read the list: the message itself proves nothing.
    onMessage: (type, content) => {
      const trade = type === "T" ? tradeSchema.safeParse(content).data : undefined;
      if (trade !== undefined) options.onTrade?.(trade);
      if (trade?.refprice !== undefined) connector.noteBasePrice(trade.symbol, trade.refprice, trade.date);
      if (type === "O" && session.isUp && queue.length === 0) void connector.readOrders();
    },
  });
  return {
    ...{ connector, session, api, troubles },
    stop: async () => {
      stopPolls();
      stopStream();
      session.stop();
      queue.stop();
      await sentOrders.close();
    },
  };
}

/** Reads today's orders while an order is open, and not behind other requests. */
function pollOrders(
  { settings, timers }: StartOptions,
  connector: AlgolabConnector,
  session: AlgolabSession,
  queue: RequestQueue,
): Cancel {
  let cancel: Cancel = () => undefined;
  const poll = (): void => {
    if (session.isUp && connector.hasOpenOrders && queue.length === 0) void connector.readOrders();
    cancel = timers.after(settings.pollMs, poll);
  };
  poll();
  return () => cancel();
}

/** Creates the folder of a connector that never ran. Throws a `UserError` if it exists. */
export function makeAlgolabFolder(
  { folder }: AlgolabSettings,
  { clock, timers, fatal }: Pick<StartOptions, "clock" | "timers" | "fatal">,
): Promise<void> {
  const open = () => SentOrders.open({ folder, clock, timers, fatal, mayCreate: true }, ALGOLAB_ORDERS);
  return makeConnectorFolder(folder, open);
}
