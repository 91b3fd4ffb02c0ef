/** A FIX connector put together: its folder, its session, what it answers. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { OperatorMistake } from "../../../src/operator-mistake.ts";
import type { Clock, Fatal, Log, Timers } from "../../../src/runtime/ports.ts";
import type { FixConnectorConfig } from "./config.ts";
import { openSessionFolder } from "./folder.ts";
import { FixConnector } from "./order/connector.ts";
import { connectSocket } from "./session/connection.ts";
import { FixSession } from "./session/session.ts";
import { sessionName } from "./session/settings.ts";

interface StartOptions {
  readonly config: FixConnectorConfig;
  readonly clock: Clock;
  /** Monotonic. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly fatal: Fatal;
  readonly lastPriceOf: (symbol: string) => number | undefined;
  /** Whether the session's folder is made where there is none; default: no. */
  readonly mayCreate?: boolean;
}

export interface StartedConnector {
  readonly connector: FixConnector;
  readonly session: FixSession;
  readonly epochsFile: string;
  stop(): Promise<void>;
}

/** Opens the folder and begins the session. Throws an `OperatorMistake` where the folder cannot be used. */
export async function startFixConnector(options: StartOptions): Promise<StartedConnector> {
  const { config, clock, steadyClock, timers, log, fatal, lastPriceOf } = options;
  const { folder: path, session: settings } = config;
  const mayCreate = options.mayCreate ?? false;
  const folder = await openSessionFolder({
    folder: path,
    session: sessionName(settings),
    clock,
    timers,
    fatal,
    mayCreate,
  });
  const { journal, sentOrders, numbers } = folder;
  // A part that no other start has makes the names of this one its own.
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
  sentOrders.begin({ journal, clock, onChange: (order) => connector.tell(order) });
  const connect = connectSocket(config.tls);
  const session: FixSession = new FixSession({
    ...{ settings: config.session, numbers, journal, connect, clock, steadyClock, timers, log, user: connector },
  });
  folder.keepShort(() => session.numbers);
  session.start();
  return {
    ...{ connector, session, epochsFile: folder.epochsFile },
    stop: async () => {
      await session.stop();
      await folder.close();
    },
  };
}

/** Makes the folder of a session that never was. Throws an `OperatorMistake` where there is one. */
export async function makeSessionFolder(
  config: FixConnectorConfig,
  ports: Pick<StartOptions, "clock" | "timers" | "fatal">,
): Promise<void> {
  const { folder: path, session } = config;
  if (existsSync(join(path, "journal"))) {
    throw new OperatorMistake(`${path} holds a session already: start the connector, which goes on with it`, {
      reason: "cannotCreate",
    });
  }
  const made = await openSessionFolder({ folder: path, session: sessionName(session), ...ports, mayCreate: true });
  await made.close();
}

/** How long a check waits for the counterparty's answer. */
const CHECK_MS = 15_000;

/** Says what the counterparty says to a logon: nothing is traded. Resolves to what is wrong, a line each. */
export async function checkFixConnector(options: StartOptions): Promise<readonly string[]> {
  const { config, timers } = options;
  const started = await startFixConnector(options);
  const { session } = started;
  try {
    for (let waitedMs = 0; waitedMs < CHECK_MS && !session.isLive; waitedMs += 100) {
      if (session.phase === "halted" || (session.phase === "resting" && waitedMs > 1_000)) break;
      await new Promise<void>((resolve) => timers.after(100, resolve));
    }
    if (session.isLive) return [];
    const { host, port } = config.session.addresses[0] ?? { host: "", port: 0 };
    return [`${host}:${port}: ${session.reason}`];
  } finally {
    await started.stop();
  }
}
