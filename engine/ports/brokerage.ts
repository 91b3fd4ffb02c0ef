/** Brokerages, and the accounts that they tell of. Interfaces only. */
import type { FencedEpoch } from "../../src/contract/gateway/fence.ts";
import type { BrokerageStats } from "../../src/contract/operator/operator.ts";
import type { BrokerageOperations } from "../../src/contract/trading/brokerage-operations.ts";
import type {
  AccountRecord,
  AccountRequest,
  Balance,
  BrokerageSettings,
  BrokerReply,
} from "../../src/contract/trading/order.ts";
import type { Result } from "../../src/domain/refusal.ts";

/** What is known of the way to a brokerage, and what it can be asked. */
export type BrokerageSession = Omit<BrokerageStats, "code"> & {
  /** What became of an order. */
  readonly canLookUp: boolean;
  /** What it knows of a symbol. */
  readonly canTellInstrument: boolean;
  /** What prices of a symbol did before. */
  readonly canTellBars: boolean;
};

/** A connection to one brokerage. Every call settles; none throws. */
export interface Brokerage extends BrokerageOperations {
  readonly settings: BrokerageSettings;
  /** Has it hear no earlier leader of the partition from here on. Absent where the brokerage is in the process. */
  fence?(leader: FencedEpoch): Promise<BrokerReply<FencedEpoch>>;
  /** Sets an account back to what it began with. Absent where that is not play money. */
  reset?(request: AccountRequest): Promise<BrokerReply<Balance>>;
  /** Absent where the brokerage is in the process: always up. */
  session?(): BrokerageSession;
  close(): Promise<void>;
}

export interface Brokerages {
  find(code: string): Brokerage | undefined;
  all(): readonly Brokerage[];
}

/** A user's accounts as the brokerages tell them. */
export interface Accounts {
  /** The account that `accountNumber` (or its `number`) names (behaviour 1.7, 1.8). */
  resolve(userId: number, brokerageCode: string, accountNumber: string): Promise<Result<AccountRecord>>;
  /** Forgets what is known of a user at a brokerage: a login may have changed it. */
  forget(userId: number, brokerageCode: string): void;
}

/** An account of a user. */
export interface AccountPlace {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
}

/** Lots of a symbol, and when the brokerage said so. */
export interface Held {
  readonly quantity: number;
  readonly atMs: number;
}

/** What accounts were last known to hold. */
export interface Holdings {
  /** Remembers an account's positions, all of them. */
  learn(place: AccountPlace, positions: readonly { readonly symbol: string; readonly quantity: number }[]): void;
  /** Undefined where it is not known, which is not none. */
  find(place: AccountPlace, symbol: string): Held | undefined;
}
