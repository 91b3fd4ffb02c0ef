/** The operations of a brokerage, shared by the engine's way to it and by a connector. Interfaces only. */
import type {
  AccountRecord,
  AccountRequest,
  Balance,
  Bar,
  BarsRequest,
  BrokerReply,
  CancelRequest,
  ChainRequest,
  FindOrderRequest,
  Instrument,
  InstrumentRequest,
  LoginAnswer,
  LoginRequest,
  OrderAnswer,
  OrderRecord,
  PlaceRequest,
  PositionRecord,
  PositionsRequest,
} from "./order.ts";

export interface BrokerageOperations {
  login(request: LoginRequest): Promise<BrokerReply<LoginAnswer>>;
  /** The accounts that this user can use. */
  accounts(request: { readonly userId: number }): Promise<BrokerReply<readonly AccountRecord[]>>;
  positions(request: PositionsRequest): Promise<BrokerReply<readonly PositionRecord[]>>;
  dailyOrders(request: AccountRequest): Promise<BrokerReply<readonly OrderRecord[]>>;
  place(request: PlaceRequest): Promise<BrokerReply<OrderAnswer>>;
  chain(request: ChainRequest): Promise<BrokerReply<OrderAnswer>>;
  cancel(request: CancelRequest): Promise<BrokerReply<OrderAnswer>>;
  findOrder(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>>;
  /** The known facts of a symbol for today: its band, its lots, whether it is halted. Absent: it cannot be asked. */
  instrument?(request: InstrumentRequest): Promise<BrokerReply<Instrument>>;
  /** The account's money. Absent: it cannot be asked. */
  balance?(request: AccountRequest): Promise<BrokerReply<Balance>>;
  /** The latest prices of a symbol by period. Absent: they cannot be asked. */
  bars?(request: BarsRequest): Promise<BrokerReply<readonly Bar[]>>;
  /**
   * Calls the listener with every change of an order, at least once, in any order. Returns a function that stops it.
   */
  onUpdate(listener: (record: OrderRecord) => void): () => void;
}
