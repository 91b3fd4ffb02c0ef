/** Brokerages, and the accounts that they tell of. Interfaces only. */
import type { FencedEpoch } from "../../src/contract/gateway/fence.ts";
import type { BrokerageStats } from "../../src/contract/operator/operator.ts";
import type {
  AccountRecord,
  BrokerageSettings,
  BrokerReply,
  CancelRequest,
  ChainRequest,
  DailyOrdersRequest,
  FindOrderRequest,
  LoginAnswer,
  LoginRequest,
  OrderAnswer,
  OrderRecord,
  PlaceRequest,
  PositionRecord,
  PositionsRequest,
} from "../../src/contract/trading/order.ts";
import type { Result } from "../../src/domain/refusal.ts";
import type { Cancel } from "../../src/runtime/ports.ts";

/** What is known of the way to a brokerage, and whether it can be asked what became of an order. */
export type BrokerageSession = Omit<BrokerageStats, "code"> & { readonly canLookUp: boolean };

/** A connection to one brokerage. Every call settles; none throws. */
export interface Brokerage {
  readonly settings: BrokerageSettings;
  login(request: LoginRequest): Promise<BrokerReply<LoginAnswer>>;
  accounts(request: { readonly userId: number }): Promise<BrokerReply<readonly AccountRecord[]>>;
  positions(request: PositionsRequest): Promise<BrokerReply<readonly PositionRecord[]>>;
  dailyOrders(request: DailyOrdersRequest): Promise<BrokerReply<readonly OrderRecord[]>>;
  place(request: PlaceRequest): Promise<BrokerReply<OrderAnswer>>;
  chain(request: ChainRequest): Promise<BrokerReply<OrderAnswer>>;
  cancel(request: CancelRequest): Promise<BrokerReply<OrderAnswer>>;
  findOrder(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>>;
  /** Told of every change of an order; at least once, in any order. Returns the way to stop. */
  onUpdate(listener: (record: OrderRecord) => void): Cancel;
  /** Has it hear no earlier leader of the partition from here on. Absent where the brokerage is in the process. */
  fence?(leader: FencedEpoch): Promise<BrokerReply<FencedEpoch>>;
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
