/**
 * What the outbox and brokerages tell of orders, as events of the actors that asked for them.
 */
import type { WakeEvent } from "../../src/machine/wake-event.ts";
import type { Log } from "../../src/runtime/ports.ts";
import type { OrderOrigin, OrderOutcome, OutboxOrder } from "../ports/order.ts";

/** How an order ended in the outbox, as its actor hears it. `mayReclaim` is asked for a refusal only. */
export function outcomeEvent(
  order: OutboxOrder,
  name: string,
  outcome: OrderOutcome,
  timeMs: number,
  mayReclaim: () => boolean,
): WakeEvent {
  const { quantity } = order;
  if (outcome.type === "refused") {
    const { code, message } = outcome;
    const isUnreached = code === "UNAVAILABLE" || code === "UNAUTHORIZED";
    return {
      type: "orderRefused",
      name,
      message,
      quantity,
      timeMs,
      mayReclaim: mayReclaim(),
      ...(isUnreached && { isUnreached }),
    };
  }
  const { orderNo, orderStatus } = outcome;
  const { clientOrderId } = order;
  return { type: "orderPlaced", name, clientOrderId, orderNo, orderStatus, quantity, timeMs };
}

/** What the owner of an order hears when a person must decide about it. */
export function quarantineNews(order: OutboxOrder, reason: string): object {
  const { clientOrderId, symbol, quantity, accountNumber, brokerageCode } = order;
  return { order: { clientOrderId, symbol, quantity, accountNumber, brokerageCode }, reason };
}

/** The actor that asked for an order is not there to hear its outcome. */
export function logLost(log: Log, origin: Extract<OrderOrigin, { kind: "actor" }>, outcome: OrderOutcome): void {
  log.error(
    { event: "order.outcomeLost", actorId: origin.actorId, name: origin.name, outcome: outcome.type },
    "an outcome found no actor",
  );
}
