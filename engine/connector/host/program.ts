/** A kind of connector as the command line starts it: its configuration read and checked, nothing opened yet. */
import type { Clock, Fatal, Log, Timers } from "../../../src/runtime/ports.ts";
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

interface RunningConnector {
  readonly connector: Connector;
  readonly epochsFile: string;
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
  /** What the brokerage says to a logon; nothing is traded. Resolves to what is wrong, a line each. */
  check(ports: ProgramPorts): Promise<readonly string[]>;
  start(ports: ProgramPorts): Promise<RunningConnector>;
}
