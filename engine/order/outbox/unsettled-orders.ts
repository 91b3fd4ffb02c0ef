/**
 * All orders without an outcome, and their records for operators.
 *
 * Owns: which orders are in the outbox. Does not own: their state and its reason.
 *
 * Invariant: the names of a brokerage's orders in the outbox are unique.
 */
import { assert } from "../../../src/assert.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import type { OrderPage, PendingOrderRecord, UnansweredOrderRecord } from "../../ports/operator.ts";
import type { OrderName } from "../../ports/order.ts";
import {
  isCertainlyUnsent,
  type OrderState,
  type TrackedOrder,
  toPendingOrder,
  toUnansweredOrder,
} from "./tracked-order.ts";

/** The most orders of a page. */
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
  /** In ascending order: recovered orders are added in key order, and before submitted ones. */
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

  /** The orders of a symbol that certainly were not sent. O(orders). */
  unsentOf(symbol: string): TrackedOrder[] {
    return [...this.#orders.values()].filter(
      (order) => order.entry.order.symbol === symbol && isCertainlyUnsent(order),
    );
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

  /** Lists a page of orders in commit order, of one state or of all. */
  list({ afterSequence = -1, limit = PAGE_MAX }: OrderPage, state?: OrderState): PendingOrderRecord[] {
    const found: PendingOrderRecord[] = [];
    for (const order of this.#orders.values()) {
      if (found.length >= Math.min(limit, PAGE_MAX)) break;
      if (order.entry.sequence <= afterSequence || (state !== undefined && order.state !== state)) continue;
      found.push(toPendingOrder(order));
    }
    return found;
  }

  /** Counts the orders in each state. O(orders). */
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
