/** An Alpaca connector put together: the folder of sent orders, and a session for each account. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { OperatorMistake } from "../../../src/operator-mistake.ts";
import type { Clock, Fatal, Log, Timers } from "../../../src/runtime/ports.ts";
import { AlpacaApi } from "./api.ts";
import type { AlpacaSettings } from "./config.ts";
import { AlpacaConnector, type ConnectedAccount } from "./connector.ts";
import { SentOrders } from "./sent-orders.ts";
import { AccountSession } from "./session.ts";

interface StartOptions {
  readonly settings: AlpacaSettings;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly fatal: Fatal;
  /** Whether the folder is made where there is none; default: no. */
  readonly mayCreate?: boolean;
}

export interface StartedConnector {
  readonly connector: AlpacaConnector;
  readonly sessions: readonly AccountSession[];
  readonly epochsFile: string;
  stop(): Promise<void>;
}

/** Opens the folder and begins the sessions. Throws an `OperatorMistake` where the folder cannot be used. */
export async function startAlpacaConnector(options: StartOptions): Promise<StartedConnector> {
  const { settings, clock, timers, log, fatal, mayCreate = false } = options;
  const { folder } = settings;
  const sentOrders = await SentOrders.open({ folder, clock, timers, fatal, mayCreate });
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
    ...{ connector, sessions, epochsFile: join(folder, "epochs") },
    stop: async () => {
      for (const session of sessions) session.stop();
      await sentOrders.close();
    },
  };
}

/** Makes the folder of a connector that never ran. Throws an `OperatorMistake` where there is one. */
export async function makeOrderFolder(
  { folder }: AlpacaSettings,
  ports: Pick<StartOptions, "clock" | "timers" | "fatal">,
): Promise<void> {
  if (existsSync(join(folder, "journal"))) {
    throw new OperatorMistake(`${folder} holds orders already: start the connector, which goes on with them`, {
      reason: "cannotCreate",
    });
  }
  const sentOrders = await SentOrders.open({ folder, ...ports, mayCreate: true });
  await sentOrders.close();
}

/** How long a check waits for Alpaca's answers. */
const CHECK_MS = 15_000;
const LOOK_MS = 100;

/** Says what Alpaca says to every account: nothing is traded. Resolves to what is wrong, a line each. */
export async function checkAlpacaConnector(options: StartOptions): Promise<readonly string[]> {
  const { settings, timers } = options;
  const started = await startAlpacaConnector(options);
  const isDecided = (): boolean => started.sessions.every(({ isUp, isRefused }) => isUp || isRefused);
  try {
    for (let waitedMs = 0; waitedMs < CHECK_MS && !isDecided(); waitedMs += LOOK_MS) {
      await new Promise<void>((resolve) => timers.after(LOOK_MS, resolve));
    }
    return started.sessions.flatMap(({ isUp, reason }, index) =>
      isUp ? [] : [`${settings.accounts[index]?.accountNumber} at ${settings.url}: ${reason}`],
    );
  } finally {
    await started.stop();
  }
}
