/**
 * All orders that have no outcome yet, and what operators see of them.
 *
 * Owns: who is in the outbox. Does not own: in which state, and why.
 *
 * Invariant: a brokerage's orders in the outbox have names of their own.
 */
import { assert } from "../../../src/assert.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import type { OrderPage, PendingOrderRecord, UnansweredOrderRecord } from "../../ports/operator.ts";
import type { OrderName } from "../../ports/order.ts";
import { type OrderState, type TrackedOrder, toPendingOrder, toUnansweredOrder } from "./tracked-order.ts";

/** Of a page of orders, at the most. */
const PAGE_MAX = 1_000;

/** The counters of an outbox that has done nothing yet. */
export const NO_COUNTS = {
  sendCount: 0,
  lookUpCount: 0,
  placedCount: 0,
  refusedCount: 0,
  unknownCount: 0,
  quarantineCount: 0,
  unreadableCount: 0,
};

export class UnsettledOrders {
  /** Ascending: what is recovered comes in key order and before what is submitted. */
  readonly #orders = new Map<number, TrackedOrder>();
  readonly #byName = new Map<string, TrackedOrder>();

  add(order: TrackedOrder): void {
    const name = nameOf(order.entry.order);
    assert(!this.#byName.has(name), () => `the order ${name} is in the outbox already`);
    this.#byName.set(name, order);
    this.#orders.set(order.entry.sequence, order);
  }

  find(sequence: number): TrackedOrder | undefined {
    return this.#orders.get(sequence);
  }

  named(name: OrderName): TrackedOrder | undefined {
    return this.#byName.get(nameOf(name));
  }

  /** The orders of an actor. O(orders). */
  ofActor(actorId: number): TrackedOrder[] {
    return [...this.#orders.values()].filter(({ entry: { order } }) => {
      return order.origin.kind === "actor" && order.origin.actorId === actorId;
    });
  }

  /** The orders of an account. O(orders). */
  ofAccount({ userId, brokerageCode, accountNumber }: AccountPlace): UnansweredOrderRecord[] {
    return [...this.#orders.values()].flatMap((tracked) => {
      const { order } = tracked.entry;
      const isOf = order.userId === userId && order.accountNumber === accountNumber;
      return isOf && order.brokerageCode === brokerageCode ? [toUnansweredOrder(tracked)] : [];
    });
  }

  remove(order: TrackedOrder): void {
    assert(this.#orders.delete(order.entry.sequence), "an order ends once");
    this.#byName.delete(nameOf(order.entry.order));
  }

  values(): Iterable<TrackedOrder> {
    return this.#orders.values();
  }

  /** A page of orders in commit order, of one state or of all. */
  list({ afterSequence = -1, limit = PAGE_MAX }: OrderPage, state?: OrderState): PendingOrderRecord[] {
    const found: PendingOrderRecord[] = [];
    for (const order of this.#orders.values()) {
      if (found.length >= Math.min(limit, PAGE_MAX)) break;
      if (order.entry.sequence <= afterSequence || (state !== undefined && order.state !== state)) continue;
      found.push(toPendingOrder(order));
    }
    return found;
  }

  /** How many are in each state. O(orders). */
  countByState(): Record<OrderState, number> {
    const counts = { queued: 0, sending: 0, retrying: 0, settling: 0, quarantined: 0 };
    for (const { state } of this.#orders.values()) counts[state] += 1;
    return counts;
  }
}

/** The name by which the brokerage knows the order. */
function nameOf({ brokerageCode, clientOrderId }: OrderName): string {
  return `${brokerageCode}/${clientOrderId}`;
}
