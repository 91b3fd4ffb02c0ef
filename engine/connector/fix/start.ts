/** Assembles a FIX connector: its folder, its session, its answers. */
import { randomBytes } from "node:crypto";
import { type CheckFault, type ProgramPorts, whenDecided } from "../host/program.ts";
import { makeConnectorFolder } from "../host/state/folder.ts";
import type { FixConnectorConfig } from "./config.ts";
import { openSessionFolder } from "./folder.ts";
import { FixConnector } from "./order/connector.ts";
import { connectSocket } from "./session/connection.ts";
import { FixSession } from "./session/session.ts";
import { sessionName } from "./session/settings.ts";

interface StartOptions extends ProgramPorts {
  readonly config: FixConnectorConfig;
  /** Whether the session's folder is created if it does not exist; default: no. */
  readonly mayCreate?: boolean;
}

export interface StartedConnector {
  readonly connector: FixConnector;
  readonly session: FixSession;
  stop(): Promise<void>;
}

/** Opens the folder and begins the session. Throws a `UserError` if the folder cannot be used. */
export async function startFixConnector(options: StartOptions): Promise<StartedConnector> {
  const { config, clock, steadyClock, timers, log, lastPriceOf, mayCreate = false } = options;
  const folder = await openFolder(config, options, mayCreate);
  const { journal, sentOrders, numbers } = folder;
  // A random part that is unique to this start makes its names unique.
  const start = randomBytes(5).toString("hex");
  let count = 0;
  const newName = (prefix: string): string => {
    count += 1;
    return `${prefix}${start}${count.toString(36)}`;
  };
  const connector: FixConnector = new FixConnector({
    ...{ settings: config.orders, sentOrders, clock, timers, log, newName, lastPriceOf },
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
  const connect = connectSocket(config.tls);
  const session: FixSession = new FixSession({
    ...{ settings: config.session, numbers, journal, connect, clock, steadyClock, timers, log, user: connector },
  });
  folder.keepShort(() => session.numbers);
  session.start();
  return {
    ...{ connector, session },
    stop: async () => {
      await session.stop();
      await folder.close();
    },
  };
}

type FolderPorts = Pick<StartOptions, "clock" | "timers" | "fatal">;

function openFolder(
  { folder, session }: FixConnectorConfig,
  { clock, timers, fatal }: FolderPorts,
  mayCreate: boolean,
) {
  return openSessionFolder({ folder, session: sessionName(session), clock, timers, fatal, mayCreate });
}

/** Creates the folder of a new session. Throws a `UserError` if it exists. */
export function makeSessionFolder(config: FixConnectorConfig, ports: FolderPorts): Promise<void> {
  return makeConnectorFolder(config.folder, () => openFolder(config, ports, true));
}

/** Reports the counterparty's answer to a logon; trades nothing. */
export async function checkFixConnector(options: StartOptions): Promise<readonly CheckFault[]> {
  const { config, timers } = options;
  const started = await startFixConnector(options);
  const { session } = started;
  try {
    await whenDecided(
      timers,
      (waitedMs) => session.isLive || session.phase === "halted" || (session.phase === "resting" && waitedMs > 1_000),
    );
    if (session.isLive) return [];
    const { host, port } = config.session.addresses[0] ?? { host: "", port: 0 };
    const reason = session.isRefused ? "notAllowed" : session.phase === "halted" ? "configuration" : "unavailable";
    return [{ text: `${host}:${port}: ${session.reason}`, reason }];
  } finally {
    await started.stop();
  }
}
