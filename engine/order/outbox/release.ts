/**
 * Decisions of a person about an order whose fate no program can look up.
 *
 * Owns: which orders wait for a decision, and the result of each decision. Does not own: carrying it out (outbox.ts).
 */
import { unreachable } from "../../../src/assert.ts";
import type { OrderDecision } from "../../../src/contract/operator/operator.ts";
import { ORDER_WAITING } from "../../../src/domain/order/order.ts";
import { accept, type Result, refuse } from "../../../src/domain/refusal.ts";
import type { OrderOutcome } from "../../ports/order.ts";
import { unmarkedEntry } from "./entry/entry.ts";
import { enterState, resetToUnsent, type TrackedOrder } from "./tracked-order.ts";
import type { UnsettledOrders } from "./unsettled-orders.ts";

/** Finds an order in quarantine or in settlement that is not decided yet; else NOT_FOUND or CONFLICT. */
export function findDecidable(unsettled: UnsettledOrders, sequence: number): Result<TrackedOrder> {
  const order = unsettled.find(sequence);
  if (order === undefined) return refuse("NOT_FOUND", `no order with sequence ${sequence} is in the outbox`);
  const isWaiting = order.state === "quarantined" || (order.state === "settling" && !order.isDecided);
  if (!isWaiting) return refuse("CONFLICT", `the order is ${order.state}: there is nothing to decide`);
  return accept(order);
}

/** The outcome for the owner; undefined if the order is sent again. */
export function outcomeOf(decision: OrderDecision): OrderOutcome | undefined {
  switch (decision.action) {
    case "resend":
      return undefined;
    case "placed":
      return { type: "placed", orderNo: decision.orderNo, orderStatus: ORDER_WAITING };
    case "refused":
      return { type: "refused", code: "REJECTED", message: decision.message };
    default:
      return unreachable(decision);
  }
}

/** Resets the order, so that it is sent as if for the first time. */
export function releaseUnsent(order: TrackedOrder, promise: TrackedOrder["promise"], nowMs: number): void {
  order.generation += 1;
  order.entry = unmarkedEntry(order.entry);
  resetToUnsent(order);
  // If the person is wrong, sending by name does no harm, but a later answer "refused" would.
  order.mayExist = promise === "idempotent";
  order.wasInDoubt = order.mayExist;
  enterState(order, "queued", "released by hand", nowMs);
}
