/**
 * What a connector implements: one brokerage, whatever it speaks. The host (serve.ts) puts it on the bus, keeps its fence
 * and answers for what it does not have.
 *
 * The words of its refusals are exact, because a sell rests on them: see `BrokerFailureCode`. In short: `REJECTED` only
 * where the brokerage judged the order, `NOT_SENT` only where it certainly never left, `UNAVAILABLE` for every other
 * silence, `NOT_FOUND` only as proof, else `UNKNOWN`.
 */
import type { GatewayStatus } from "../../../src/contract/gateway/gateway.ts";
import type { BrokerageOperations } from "../../../src/contract/trading/brokerage-operations.ts";
import type {
  BrokerFailureCode,
  BrokerReply,
  CancelRequest,
  OrderAnswer,
  PlaceRequest,
} from "../../../src/contract/trading/order.ts";

/** What the connector promises, and whether it can reach the brokerage now. */
export type ConnectorStatus = Omit<GatewayStatus, "protocol" | "instance">;

/** Why a request may not leave any more; `undefined`: it may. */
export type RefusalNow = () => Failure | undefined;

/**
 * The part of a connector that the fence stands before. Calls of one `clientOrderId` come one after the other. A connector
 * in which a request waits asks `refusalNow` once more right before the request leaves.
 */
export interface OrderCalls
  extends Pick<BrokerageOperations, "findOrder">,
    Partial<Pick<BrokerageOperations, "chain">> {
  place(request: PlaceRequest, refusalNow?: RefusalNow): Promise<BrokerReply<OrderAnswer>>;
  cancel(request: CancelRequest, refusalNow?: RefusalNow): Promise<BrokerReply<OrderAnswer>>;
}

/** Of the questions it must answer these two; of the others the host says that they are not supported where it lacks them. */
type ConnectorCalls = Pick<BrokerageOperations, "accounts" | "onUpdate"> &
  Partial<Pick<BrokerageOperations, "login" | "positions" | "dailyOrders" | "instrument" | "balance" | "bars">>;

/** A throw or rejection of `place`, `chain` or `cancel` is answered `UNAVAILABLE`: it may have been taken. */
export interface Connector extends OrderCalls, ConnectorCalls {
  status(): ConnectorStatus;
}

export type Failure = Extract<BrokerReply<never>, { readonly ok: false }>;

export function failed(code: BrokerFailureCode, message: string): Failure {
  return { ok: false, code, message };
}

/** A request for an account that is not the asking user's. */
export function notYours(): Failure {
  return failed("REJECTED", "this account is not configured for this user");
}
