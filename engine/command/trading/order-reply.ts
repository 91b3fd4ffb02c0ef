/**
 * Converts an order's outcome to the reply of the command that asked for it (behaviour 6.5).
 */
import type { Reply } from "../../../src/contract/command.ts";
import type { EventPayload } from "../../../src/contract/event/event.ts";
import type { OrderOutcome, OutboxOrder } from "../../ports/order.ts";

/** Returns `data` of a placed order, or the refusal for the client. */
export function replyToOrder(order: OutboxOrder, outcome: OrderOutcome): Reply {
  if (outcome.type === "placed") {
    const { symbol, quantity, buySell } = order;
    return {
      ok: true,
      data: { symbol, quantity, buySell, orderNo: outcome.orderNo, orderStatus: outcome.orderStatus },
    };
  }
  switch (outcome.code) {
    case "REJECTED":
      return { ok: false, code: "INVALID", message: `the brokerage refused the order: ${outcome.message}` };
    case "NOT_NOW":
      return {
        ok: false,
        code: "NOT_NOW",
        message: `the order was not taken now, and none exists: ${outcome.message}`,
      };
    case "NOT_FOUND":
      return { ok: false, code: "NOT_FOUND", message: "the brokerage does not know the order referred to" };
    case "UNAUTHORIZED":
      return { ok: false, code: "FORBIDDEN", message: "log in to the brokerage first" };
    case "UNAVAILABLE":
      return { ok: false, code: "UNAVAILABLE", message: outcome.message };
  }
}

/** Returns the event about the outcome of a client's order: placed, or refused. */
export function clientOrderEvent(order: OutboxOrder, outcome: OrderOutcome): ClientOrderEvent {
  const { clientOrderId, brokerageCode, accountNumber, symbol, quantity, buySell, orderType, price } = order;
  const shown = { clientOrderId, brokerageCode, accountNumber, symbol, quantity, buySell, orderType, price };
  if (outcome.type === "refused") {
    return { type: "order.refused", payload: { order: shown, message: outcome.message } };
  }
  const { orderNo, orderStatus } = outcome;
  return { type: "order.placed", payload: { order: { ...shown, orderNo, orderStatus } } };
}

type ClientOrderEvent =
  | { readonly type: "order.placed"; readonly payload: EventPayload<"order.placed"> }
  | { readonly type: "order.refused"; readonly payload: EventPayload<"order.refused"> };
