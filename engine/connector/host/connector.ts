/**
 * What a connector implements: one brokerage, whatever it speaks. The host (serve.ts) puts it on the bus, keeps its fence
 * and answers for what it does not have.
 *
 * The words of its refusals are exact, because a sell rests on them: see `BrokerFailureCode`. In short: `REJECTED` only
 * where the brokerage judged the order, `NOT_SENT` only where it certainly never left, `UNAVAILABLE` for every other
 * silence, `NOT_FOUND` only as proof, else `UNKNOWN`.
 */
import type { GatewayStatus } from "../../../src/contract/gateway/gateway.ts";
import type {
  AccountRecord,
  BrokerFailureCode,
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
} from "../../../src/contract/trading/order.ts";
import type { Cancel } from "../../../src/runtime/ports.ts";

/** What the connector promises, and whether it can reach the brokerage now. */
export type ConnectorStatus = Omit<GatewayStatus, "protocol" | "instance">;

/** The part of a connector that the fence stands before. Calls of one `clientOrderId` come one after the other. */
export interface OrderCalls {
  place(request: PlaceRequest): Promise<BrokerReply<OrderAnswer>>;
  chain?(request: ChainRequest): Promise<BrokerReply<OrderAnswer>>;
  cancel(request: CancelRequest): Promise<BrokerReply<OrderAnswer>>;
  findOrder(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>>;
}

/** A throw or rejection of `place`, `chain` or `cancel` is answered `UNAVAILABLE`: it may have been taken. */
export interface Connector extends OrderCalls {
  status(): ConnectorStatus;
  /** What this user may use. */
  accounts(request: { readonly userId: number }): Promise<BrokerReply<readonly AccountRecord[]>>;
  login?(request: LoginRequest): Promise<BrokerReply<LoginAnswer>>;
  positions?(request: PositionsRequest): Promise<BrokerReply<readonly PositionRecord[]>>;
  dailyOrders?(request: DailyOrdersRequest): Promise<BrokerReply<readonly OrderRecord[]>>;
  /** Told of every change of an order, at least once, in any order. Returns the way to stop. */
  onUpdate(listener: (record: OrderRecord) => void): Cancel;
}

export type Failure = Extract<BrokerReply<never>, { readonly ok: false }>;

export function failed(code: BrokerFailureCode, message: string): Failure {
  return { ok: false, code, message };
}

/** A request for an account that is not the asking user's. */
export function notYours(): Failure {
  return failed("REJECTED", "this account is not configured for this user");
}
