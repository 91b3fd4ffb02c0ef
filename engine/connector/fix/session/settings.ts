/** The settings of a session: names, numbers' policies, intervals. Plain values; `config.ts` reads them from a file. */
import type { ReconnectSettings } from "../../host/config-file.ts";
import type { Field } from "../wire/message.ts";
import type { Address } from "./connection.ts";
import type { Schedule } from "./schedule.ts";

export interface SessionSettings extends ReconnectSettings {
  readonly beginString: "FIX.4.2" | "FIX.4.4";
  readonly senderCompId: string;
  readonly targetCompId: string;
  /** Tried in turn. */
  readonly addresses: readonly Address[];
  /** Further fields of every header, e.g. 50, 57, 128. */
  readonly header: readonly Field[];
  /** Further fields of the next Logon, e.g. 553 and 554. Secrets; never logged. */
  readonly logon: () => readonly Field[];
  readonly heartbeatMs: number;
  /** When both counters go back to 1 at our request. */
  readonly resetOn: "never" | "daily" | "logon";
  /** What to do when the peer has lost count: wait for a person, or take its numbers and ask about every open order. */
  readonly onUnexpectedReset: "stop" | "reconcile";
  /** Without one the session is always open, and its day is the UTC day. */
  readonly schedule?: Schedule;
  readonly logonTimeoutMs: number;
  readonly logoutTimeoutMs: number;
  readonly clockSkewMsMax: number;
  readonly bodyLengthMax: number;
}

/** Returns the name of a session, to which its folder belongs. */
export function sessionName(settings: SessionSettings): string {
  return `${settings.beginString}:${settings.senderCompId}->${settings.targetCompId}`;
}
