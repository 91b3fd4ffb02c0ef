/** The program of one kind of connector: its configuration file, its folder, its start, its check. */
import type { Clock, Fatal, Log, Timers } from "../../../src/runtime/ports.ts";
import type { ExitReason } from "../../../src/runtime/user-error.ts";
import type { Variables } from "../../../src/runtime/variables.ts";
import type { Parse } from "./config-file.ts";
import type { Connector } from "./connector.ts";
import { type FolderOptions, makeConnectorFolder } from "./state/folder.ts";

export interface ProgramPorts {
  readonly clock: Clock;
  /** Monotonic. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly fatal: Fatal;
  /** The last price of a symbol, for kinds that need prices. */
  readonly lastPriceOf: (symbol: string) => number | undefined;
}

export interface CheckPorts extends ProgramPorts {
  /** Prints findings of a check that are not faults. */
  readonly note: (text: string) => void;
}

/** A fault that a check found, and the one of `EXIT_CODES` with which the program then ends. */
export interface CheckFault {
  readonly text: string;
  /** `notAllowed`: the brokerage refused the logon; `unavailable`: it was not reached. */
  readonly reason: Extract<ExitReason, "notAllowed" | "unavailable" | "temporary" | "configuration">;
}

/** A connector as the command line starts it: its configuration is read and checked, nothing is opened yet. */
export interface ConnectorProgram {
  /** The brokerage's code. */
  readonly code: string;
  readonly folder: string;
  /** Whether it sets limits by the last price. */
  readonly needsPrices: boolean;
  make(ports: FolderPorts): Promise<void>;
  check(ports: CheckPorts): Promise<readonly CheckFault[]>;
  start(ports: ProgramPorts): Promise<{ readonly connector: Connector; stop(): Promise<void> }>;
}

interface ConnectorSettings {
  readonly code: string;
  readonly folder: string;
}

type FolderPorts = Pick<ProgramPorts, "clock" | "timers" | "fatal">;

/** The parts in which kinds of connectors differ. */
interface ConnectorParts<Settings, Folder, Session> {
  readonly parse: Parse<Settings>;
  /** Whether it sets limits by the last price; default: no. */
  needsPrices?(settings: Settings): boolean;
  /** Locks and opens the folder. Rejects with a `UserError` if it is missing or cannot be used. */
  openFolder(settings: Settings, options: FolderOptions & FolderPorts): Promise<Folder>;
  /** Begins the session with the brokerage. `end` ends it; the folder is closed after that. */
  begin(settings: Settings, folder: Folder, ports: ProgramPorts): Session;
  /** Finds the faults of a session that has just begun. It trades nothing. */
  check(session: Session, settings: Settings, ports: CheckPorts): Promise<readonly CheckFault[]>;
}

interface OpenOptions<Settings> extends ProgramPorts {
  readonly settings: Settings;
  /** Whether the folder is made if it does not exist; default: no. */
  readonly mayCreate?: boolean;
}

/** Makes the start, the first start and the check of a kind of connector from its parts. */
export function defineConnector<
  Settings extends ConnectorSettings,
  Folder extends { close(): Promise<void> },
  Session extends { readonly connector: Connector; end(): void | Promise<void> },
>(parts: ConnectorParts<Settings, Folder, Session>) {
  const openFolder = (settings: Settings, { clock, timers, fatal }: FolderPorts, mayCreate: boolean): Promise<Folder> =>
    parts.openFolder(settings, { folder: settings.folder, clock, timers, fatal, mayCreate });
  /** Opens the folder and begins the session. Rejects with a `UserError` if the folder cannot be used. */
  const open = async (options: OpenOptions<Settings>): Promise<Session & { stop(): Promise<void> }> => {
    const { settings, mayCreate = false } = options;
    const folder = await openFolder(settings, options, mayCreate);
    const session = parts.begin(settings, folder, options);
    const stop = async (): Promise<void> => {
      await session.end();
      await folder.close();
    };
    return { ...session, stop };
  };
  /** Makes the folder of a connector that never ran. Rejects with a `UserError` if one ran there. */
  const make = (settings: Settings, ports: FolderPorts): Promise<void> =>
    makeConnectorFolder(settings.folder, () => openFolder(settings, ports, true));
  /** Tries a logon at the brokerage; nothing is traded. Resolves to the faults. */
  const check = async (options: OpenOptions<Settings> & CheckPorts): Promise<readonly CheckFault[]> => {
    const session = await open(options);
    try {
      return await parts.check(session, options.settings, options);
    } finally {
      await session.stop();
    }
  };
  /** Reads the value of a file in `folder`. Throws a `UserError` that names every mistake. */
  const program = (value: unknown, folder: string, variables: Variables): ConnectorProgram => {
    const settings = parts.parse(value, folder, variables);
    return {
      code: settings.code,
      folder: settings.folder,
      needsPrices: parts.needsPrices?.(settings) ?? false,
      make: (ports) => make(settings, ports),
      check: (ports) => check({ settings, ...ports }),
      start: (ports) => open({ settings, ...ports }),
    };
  };
  return { open, make, check, program };
}

/** How long a check waits for the counterparty's answer. */
const CHECK_MS = 15_000;
const LOOK_MS = 100;

/** Waits until a check's result is decided, but at most for the time of a check. */
export async function whenDecided(timers: Timers, isDecided: (waitedMs: number) => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < CHECK_MS && !isDecided(waitedMs); waitedMs += LOOK_MS) {
    await new Promise<void>((resolve) => timers.after(LOOK_MS, resolve));
  }
}
