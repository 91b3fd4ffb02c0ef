/** The settings of the order layer. Plain values; `config.ts` reads them from a file. */
import type { MappedType } from "./dictionary.ts";

type FieldMap = Readonly<Record<string, string | null>>;

export interface FixAccount {
  /** As the installation names it. */
  readonly accountNumber: string;
  /** As the brokerage names it: field 1. */
  readonly number: string;
  readonly name: string;
  /** The users that can trade on it. */
  readonly users: readonly number[];
  readonly isDefault: boolean;
}

export interface OrderSettings {
  readonly beginString: "FIX.4.2" | "FIX.4.4";
  readonly accounts: readonly FixAccount[];
  /** How a market order is sent. `limitIOC`: as a limit order that is filled immediately or not at all. */
  readonly marketAs: "market" | "limitIOC";
  /** `limitIOC`: how far beyond the last price its limit lies. */
  readonly collarPercent: number;
  /** The exchange whose price steps a limit follows. */
  readonly exchange: string;
  /** How an order is asked for: by OrderStatusRequest, or not at all. */
  readonly lookUp: "H" | "none";
  /** Whether open orders are asked for in one message (AF) after a reset of the numbers. */
  readonly massStatus: boolean;
  readonly positions: boolean;
  readonly answerTimeoutMs: number;
  readonly fields: Readonly<Record<MappedType, FieldMap>>;
  /** The brokerage's name of a symbol, if it differs. */
  readonly symbols: Readonly<Record<string, string>>;
}
