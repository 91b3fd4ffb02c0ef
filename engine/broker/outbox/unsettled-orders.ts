/**
 * All orders that have no outcome yet, and what operators see of them.
 *
 * Owns: who is in the outbox. Does not own: in which state, and why.
 *
 * Invariant: a brokerage's orders in the outbox have names of their own.
 */
import { assert } from "../../../src/assert.ts";
import type { OrderName } from "../../ports/order.ts";
import { type OrderState, type PendingOrder, type TrackedOrder, toPendingOrder } from "./tracked-order.ts";

export interface Page {
  /** Only orders after this sequence; default: from the first. */
  readonly afterSequence?: number;
  /** At most so many; default and maximum 1,000. */
  readonly limit?: number;
}

const PAGE_MAX = 1_000;

/** Counts since the process started, and how many orders are in each state now. */
export interface OutboxStats {
  readonly byState: Readonly<Record<OrderState, number>>;
  readonly laneCount: number;
  readonly sendCount: number;
  readonly lookUpCount: number;
  readonly placedCount: number;
  readonly refusedCount: number;
  readonly unknownCount: number;
  readonly quarantineCount: number;
  /** Rows of the store that could not be read: never sent, kept as they are. */
  readonly unreadableCount: number;
}

export class UnsettledOrders {
  /** Ascending: what is recovered comes in key order and before what is submitted. */
  readonly #orders = new Map<number, TrackedOrder>();
  readonly #byName = new Map<string, TrackedOrder>();

  get size(): number {
    return this.#orders.size;
  }

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

  remove(order: TrackedOrder): void {
    assert(this.#orders.delete(order.entry.sequence), "an order ends once");
    this.#byName.delete(nameOf(order.entry.order));
  }

  values(): Iterable<TrackedOrder> {
    return this.#orders.values();
  }

  /** A page of orders in commit order, of one state or of all. */
  list({ afterSequence = -1, limit = PAGE_MAX }: Page, state?: OrderState): PendingOrder[] {
    const found: PendingOrder[] = [];
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
