/** A FIX connector: its folder, its session, its answers. */
import { randomBytes } from "node:crypto";
import { defineConnector, whenDecided } from "../host/program.ts";
import { parseFixConfig } from "./config.ts";
import { openSessionFolder } from "./folder.ts";
import { FixConnector } from "./order/connector.ts";
import { connectSocket } from "./session/connection.ts";
import { FixSession } from "./session/session.ts";
import { sessionName } from "./session/settings.ts";

export const fixConnector = defineConnector({
  parse: parseFixConfig,
  needsPrices: ({ orders }) => orders.marketAs === "limitIOC",
  openFolder: ({ session }, options) => openSessionFolder({ ...options, session: sessionName(session) }),
  begin(settings, folder, { clock, steadyClock, timers, log, lastPriceOf }) {
    const { journal, sentOrders, numbers } = folder;
    const newName = uniqueNames();
    const connector: FixConnector = new FixConnector({
      ...{ settings: settings.orders, sentOrders, clock, timers, log, newName, lastPriceOf },
      session: {
        get isLive() {
          return session.isLive;
        },
        get life() {
          return session.numbers.life;
        },
        get behindMs() {
          return session.numbers.behindMs;
        },
        send: (type, fields, onLeft) => session.send(type, fields, onLeft),
      },
    });
    sentOrders.begin(journal, (order) => connector.tell(order));
    const connect = connectSocket(settings.tls);
    const session: FixSession = new FixSession({
      ...{ settings: settings.session, numbers, journal, connect, clock, steadyClock, timers, log, user: connector },
    });
    folder.keepShort(() => session.numbers);
    session.start();
    return { connector, session, end: () => session.stop() };
  },
  async check({ session }, settings, { timers }) {
    await whenDecided(
      timers,
      (waitedMs) => session.isLive || session.phase === "halted" || (session.phase === "resting" && waitedMs > 1_000),
    );
    if (session.isLive) return [];
    const { host, port } = settings.session.addresses[0] ?? { host: "", port: 0 };
    const reason = session.isRefused ? "notAllowed" : session.phase === "halted" ? "configuration" : "unavailable";
    return [{ text: `${host}:${port}: ${session.reason}`, reason }];
  },
});

/** Returns a source of unique names: a random part is unique to this start. */
function uniqueNames(): (prefix: string) => string {
  const start = randomBytes(5).toString("hex");
  let count = 0;
  return (prefix) => {
    count += 1;
    return `${prefix}${start}${count.toString(36)}`;
  };
}
