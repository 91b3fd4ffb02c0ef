/** Assembles an Alpaca connector: the folder of sent orders, and a session for each account. */
import { type CheckFault, type ProgramPorts, whenDecided } from "../host/program.ts";
import { makeConnectorFolder } from "../host/state/folder.ts";
import { SentOrders } from "../host/state/sent-orders.ts";
import { AlpacaApi } from "./api.ts";
import type { AlpacaSettings } from "./config.ts";
import { AlpacaConnector, type ConnectedAccount } from "./connector.ts";
import { ALPACA_ORDERS } from "./sent-orders.ts";
import { AccountSession } from "./session.ts";

interface StartOptions extends Pick<ProgramPorts, "clock" | "timers" | "log" | "fatal"> {
  readonly settings: AlpacaSettings;
  /** Whether the folder is created if it does not exist; default: no. */
  readonly mayCreate?: boolean;
}

export interface StartedConnector {
  readonly connector: AlpacaConnector;
  readonly sessions: readonly AccountSession[];
  stop(): Promise<void>;
}

/** Opens the folder and begins the sessions. Throws a `UserError` if the folder cannot be used. */
export async function startAlpacaConnector(options: StartOptions): Promise<StartedConnector> {
  const { settings, clock, timers, log, fatal, mayCreate = false } = options;
  const sentOrders = await SentOrders.open({ folder: settings.folder, clock, timers, fatal, mayCreate }, ALPACA_ORDERS);
  const sessions: AccountSession[] = [];
  const accounts = settings.accounts.map((account): ConnectedAccount => {
    const { keyId, secret, accountNumber } = account;
    const api = new AlpacaApi({ keyId, secret, url: settings.url, timeoutMs: settings.requestTimeoutMs });
    const session = new AccountSession({
      ...{ settings, account, api, clock, timers, log },
      onOrder: (order) => connector.hear(accountNumber, order),
      settleOpen: (seen) => connector.settleOpen(accountNumber, seen),
      lastSeenMs: () => connector.lastSeenMs(accountNumber),
    });
    sessions.push(session);
    return { account, api, session };
  });
  const connector: AlpacaConnector = new AlpacaConnector({ settings, sentOrders, accounts, clock, timers });
  for (const session of sessions) session.start();
  return {
    ...{ connector, sessions },
    stop: async () => {
      for (const session of sessions) session.stop();
      await sentOrders.close();
    },
  };
}

/** Creates the folder of a connector that never ran. Throws a `UserError` if it exists. */
export function makeOrderFolder(
  { folder }: AlpacaSettings,
  { clock, timers, fatal }: Pick<StartOptions, "clock" | "timers" | "fatal">,
): Promise<void> {
  return makeConnectorFolder(folder, () =>
    SentOrders.open({ folder, clock, timers, fatal, mayCreate: true }, ALPACA_ORDERS),
  );
}

/** Reports Alpaca's answer for every account; trades nothing. */
export async function checkAlpacaConnector(options: StartOptions): Promise<readonly CheckFault[]> {
  const { settings, timers } = options;
  const started = await startAlpacaConnector(options);
  try {
    await whenDecided(timers, () => started.sessions.every(({ isUp, isRefused }) => isUp || isRefused));
    return started.sessions.flatMap(({ isUp, isRefused, reason }, index): CheckFault[] => {
      const text = `${settings.accounts[index]?.accountNumber} at ${settings.url}: ${reason}`;
      return isUp ? [] : [{ text, reason: isRefused ? "notAllowed" : "unavailable" }];
    });
  } finally {
    await started.stop();
  }
}
