/** A kind of connector as the command line starts it: its configuration is read and checked, nothing is opened yet. */
import type { Clock, Fatal, Log, Timers } from "../../../src/runtime/ports.ts";
import type { ExitReason } from "../../../src/runtime/user-error.ts";
import type { Connector } from "./connector.ts";

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

interface RunningConnector {
  readonly connector: Connector;
  stop(): Promise<void>;
}

export interface ConnectorProgram {
  /** The brokerage's code. */
  readonly code: string;
  readonly folder: string;
  /** Whether it sets limits by the last price. */
  readonly needsPrices: boolean;
  /** Makes the folder of a connector that never ran. */
  make(ports: ProgramPorts): Promise<void>;
  /** Tries a logon at the brokerage; nothing is traded. Resolves to the faults. */
  check(ports: CheckPorts): Promise<readonly CheckFault[]>;
  start(ports: ProgramPorts): Promise<RunningConnector>;
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
