/** An Alpaca connector: the folder of sent orders, and a session for each account. */
import { type CheckFault, defineConnector, whenDecided } from "../host/program.ts";
import { SentOrders } from "../host/state/sent-orders.ts";
import { AlpacaApi } from "./api.ts";
import { parseAlpacaConfig } from "./config.ts";
import { AlpacaConnector, type ConnectedAccount } from "./connector.ts";
import { ALPACA_ORDERS } from "./sent-orders.ts";
import { AccountSession } from "./session.ts";

export const alpacaConnector = defineConnector({
  parse: parseAlpacaConfig,
  openFolder: (_settings, options) => SentOrders.open(options, ALPACA_ORDERS),
  begin(settings, sentOrders, { clock, timers, log }) {
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
    const end = (): void => {
      for (const session of sessions) session.stop();
    };
    return { connector, sessions, end };
  },
  async check({ sessions }, settings, { timers }) {
    await whenDecided(timers, () => sessions.every(({ isUp, isRefused }) => isUp || isRefused));
    return sessions.flatMap(({ isUp, isRefused, reason }, index): CheckFault[] => {
      const text = `${settings.accounts[index]?.accountNumber} at ${settings.url}: ${reason}`;
      return isUp ? [] : [{ text, reason: isRefused ? "notAllowed" : "unavailable" }];
    });
  },
});
