/**
 * The interface of a connector: one brokerage, over any protocol. The host (serve.ts) puts it on the bus, keeps its
 * fence and answers for missing operations.
 *
 * The meaning of its refusals is exact, because a sell relies on them: see `BrokerFailureCode`. In short: `REJECTED`
 * only if the brokerage judged the order, `NOT_SENT` only if it certainly never left, `UNAVAILABLE` for every other
 * silence, `NOT_FOUND` only as proof, otherwise `UNKNOWN`.
 */
import type { GatewayStatus } from "../../../src/contract/gateway/gateway.ts";
import type { BrokerageOperations } from "../../../src/contract/trading/brokerage-operations.ts";
import type {
  BrokerFailureCode,
  BrokerReply,
  CancelRequest,
  OrderAnswer,
  OrderRecord,
  PlaceRequest,
} from "../../../src/contract/trading/order.ts";
import { ORDER_COMPLETED } from "../../../src/domain/order/order.ts";

/** The promises of the connector, and whether it can reach the brokerage now. */
export type ConnectorStatus = Omit<GatewayStatus, "protocol" | "instance">;

/** Returns why a request must no longer leave; `undefined`: it can leave. */
export type RefusalNow = () => Failure | undefined;

/**
 * The part of a connector that the fence protects. Calls of one `clientOrderId` run one after the other. A connector
 * that queues requests calls `refusalNow` again right before a request leaves.
 */
export interface OrderCalls
  extends Pick<BrokerageOperations, "findOrder">,
    Partial<Pick<BrokerageOperations, "chain">> {
  place(request: PlaceRequest, refusalNow?: RefusalNow): Promise<BrokerReply<OrderAnswer>>;
  cancel(request: CancelRequest, refusalNow?: RefusalNow): Promise<BrokerReply<OrderAnswer>>;
}

/** A connector must answer these two queries; the host answers the others as not supported if they are missing. */
type ConnectorCalls = Pick<BrokerageOperations, "accounts" | "onUpdate"> &
  Partial<Pick<BrokerageOperations, "login" | "positions" | "dailyOrders" | "instrument" | "balance" | "bars">>;

/**
 * A throw or rejection of `place`, `chain` or `cancel` is answered `UNAVAILABLE`: the brokerage can have accepted it.
 */
export interface Connector extends OrderCalls, ConnectorCalls {
  status(): ConnectorStatus;
}

export type Failure = Extract<BrokerReply<never>, { readonly ok: false }>;

export function failed(code: BrokerFailureCode, message: string): Failure {
  return { ok: false, code, message };
}

/** The answer that an order was taken: a completed one names its fill, so that the engine need not look it up. */
export function taken({ orderNo, orderStatus, filledQuantity, averagePrice }: Taken): BrokerReply<OrderAnswer> {
  return orderStatus === ORDER_COMPLETED
    ? { ok: true, data: { orderNo, orderStatus, filledQuantity, averagePrice } }
    : { ok: true, data: { orderNo, orderStatus } };
}

type Taken = Pick<OrderRecord, "orderNo" | "orderStatus" | "filledQuantity" | "averagePrice">;

/** Refuses a request for an account that is not the asking user's. */
export function notYours(): Failure {
  return failed("REJECTED", "this account is not configured for this user");
}
