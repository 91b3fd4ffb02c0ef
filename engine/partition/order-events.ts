/**
 * Converts outcomes of the outbox to events of the actors that asked for the orders, and to data for their owners.
 */
import type { WakeEvent } from "../../src/machine/wake-event.ts";
import type { Log } from "../../src/runtime/ports.ts";
import type { OrderOrigin, OrderOutcome, OutboxOrder } from "../ports/order.ts";

/** Converts the outcome of an order to an event of its actor. `mayReclaim` is called for a refusal only. */
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

/** Returns the event data about an order that waits for a person, or for a market that does not take it now. */
export function quarantineNews(order: OutboxOrder, reason: string): object {
  const { clientOrderId, symbol, quantity, accountNumber, brokerageCode } = order;
  return { order: { clientOrderId, symbol, quantity, accountNumber, brokerageCode }, reason };
}

/** Logs an outcome that no actor was there to receive. */
export function logLost(log: Log, origin: Extract<OrderOrigin, { kind: "actor" }>, outcome: OrderOutcome): void {
  log.error(
    { event: "order.outcomeLost", actorId: origin.actorId, name: origin.name, outcome: outcome.type },
    "an outcome found no actor",
  );
}
