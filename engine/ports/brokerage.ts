/** Brokerages, and the accounts that they report. Interfaces only. */
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

/** The known state of the way to a brokerage, and its supported questions. */
export type BrokerageSession = Omit<BrokerageStats, "code"> & {
  /** Whether it can look up the outcome of an order. */
  readonly canLookUp: boolean;
  /** Whether it returns the facts of a symbol. */
  readonly canTellInstrument: boolean;
  /** Whether it returns the price history of a symbol. */
  readonly canTellBars: boolean;
};

/** A connection to one brokerage. Every call settles; none throws. */
export interface Brokerage extends BrokerageOperations {
  readonly settings: BrokerageSettings;
  /** Makes it refuse every earlier leader of the partition from here on. Absent if the brokerage is in the process. */
  fence?(leader: FencedEpoch): Promise<BrokerReply<FencedEpoch>>;
  /** Resets an account to its initial state. Absent unless it holds play money. */
  reset?(request: AccountRequest): Promise<BrokerReply<Balance>>;
  /** Absent if the brokerage is in the process: always up. */
  session?(): BrokerageSession;
  close(): Promise<void>;
}

export interface Brokerages {
  find(code: string): Brokerage | undefined;
  all(): readonly Brokerage[];
}

/** A user's accounts as the brokerages report them. */
export interface Accounts {
  /** The account that `accountNumber` (or its `number`) names (behaviour 1.7, 1.8). */
  resolve(userId: number, brokerageCode: string, accountNumber: string): Promise<Result<AccountRecord>>;
  /** Forgets the accounts of a user at a brokerage: a login can have changed them. */
  forget(userId: number, brokerageCode: string): void;
}

/** An account of a user. */
export interface AccountPlace {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
}

/** Lots of a symbol, and when the brokerage reported them. */
export interface Held {
  readonly quantity: number;
  readonly atMs: number;
  /** Lots that own orders submitted since have sold; counted with `SELL_LEDGER=refuse` only, as are buys. */
  readonly soldSince: number;
  /** Names of own orders submitted since; their fills are in `soldSince`. */
  readonly ordersSince: ReadonlySet<string>;
  /** Whether own orders have bought any since. */
  readonly hasBoughtSince: boolean;
}

/** The last known positions of accounts. */
export interface Holdings {
  /** Remembers an account's positions, all of them. */
  learn(place: AccountPlace, positions: readonly { readonly symbol: string; readonly quantity: number }[]): void;
  /** Undefined if it is not known, which does not mean 0. */
  find(place: AccountPlace, symbol: string): Held | undefined;
}
