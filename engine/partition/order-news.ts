/**
 * What the outbox and brokerages tell of orders, as events of the actors that asked for them.
 */
import type { OcoGroup } from "../../src/domain/oco/oco.ts";
import { groupClaim } from "../../src/machine/group.ts";
import type { WakeEvent } from "../../src/machine/wake-event.ts";
import type { Actors } from "../ports/actor.ts";
import type { OrderOutcome, OutboxOrder } from "../ports/order.ts";

/** How an order ended in the outbox, as its actor hears it. */
export function outcomeEvent(order: OutboxOrder, name: string, outcome: OrderOutcome, timeMs: number): WakeEvent {
  const { quantity } = order;
  if (outcome.type === "refused") return { type: "orderRefused", name, message: outcome.message, timeMs };
  return { type: "orderPlaced", name, orderNo: outcome.orderNo, orderStatus: outcome.orderStatus, quantity, timeMs };
}

/** Whether no other group has the place that a group gave up when its stop-loss was taken (behaviour 4.1, 4.5a). */
export function mayReclaim(actors: Pick<Actors, "find" | "holderOf">, owner: number): boolean {
  const group = actors.find("group", owner)?.context;
  if (group === undefined) return false;
  const holder = actors.holderOf(groupClaim(group as OcoGroup));
  // It never gave the place up where a take-profit of its own is on its way.
  return holder === undefined || holder === owner;
}

/** What the owner of an order hears when a person must decide about it. */
export function quarantineNews(order: OutboxOrder, reason: string): object {
  const { clientOrderId, symbol, quantity, accountNumber, brokerageCode } = order;
  return { order: { clientOrderId, symbol, quantity, accountNumber, brokerageCode }, reason };
}
