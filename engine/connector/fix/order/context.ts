/** The shared context of the connector's parts. */
import type { AccountRequest } from "../../../../src/contract/trading/order.ts";
import type { Clock, Log, Timers } from "../../../../src/runtime/ports.ts";
import type { SentPlace } from "../session/sender.ts";
import type { Field } from "../wire/message.ts";
import type { Subject } from "./message.ts";
import type { KnownOrder } from "./order.ts";
import type { SentOrders } from "./sent-orders.ts";
import type { FixAccount, OrderSettings } from "./settings.ts";

/** The session as the connector sees it. */
interface SessionDoor {
  readonly isLive: boolean;
  readonly life: number;
  /** When the broker last knew of more messages of ours than are kept here; null: never. */
  readonly behindMs: number | null;
  /** Undefined: the session is down and nothing was kept. `onLeft(false)`: it certainly never left. */
  send(type: string, fields: readonly Field[], onLeft: (hasLeft: boolean) => void): SentPlace | undefined;
}

export interface ConnectorContext {
  readonly settings: OrderSettings;
  readonly session: SessionDoor;
  readonly sentOrders: SentOrders;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** A name that was never given before: for cancels and questions. */
  readonly newName: (prefix: string) => string;
}

/** Returns the account of a request, if the user can use it. */
export function accountOf(settings: OrderSettings, request: AccountRequest): FixAccount | undefined {
  return settings.accounts.find(
    ({ accountNumber, users }) => accountNumber === request.accountNumber && users.includes(request.userId),
  );
}

/** Returns the subject of a message about a known order; undefined if its account is no longer configured. */
export function subjectOf(settings: OrderSettings, order: KnownOrder): Subject | undefined {
  const account = settings.accounts.find(({ accountNumber }) => accountNumber === order.accountNumber);
  return account === undefined ? undefined : { settings, account, userId: account.users[0] ?? 0, symbol: order.symbol };
}
