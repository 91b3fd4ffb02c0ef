/**
 * A brokerage that gets no request about an order while this engine does not know that it alone runs its partitions.
 * Such a request is certainly not sent, and is tried again.
 */
import type { BrokerReply } from "../../src/contract/trading/order.ts";
import type { Brokerage } from "../ports/brokerage.ts";
import type { Ownership } from "../ports/ownership.ts";
import { withOrders } from "./with-orders.ts";

const HELD_BACK = {
  ok: false,
  code: "NOT_SENT",
  message: "held back until it is known that no other engine runs this partition",
  isHeldBack: true,
} as const;

/** Wraps a brokerage: requests pass only while this engine may act. Reads for clients are not held back. */
export function requireLease(brokerage: Brokerage, ownership: Pick<Ownership, "mayAct">): Brokerage {
  const ifOwned = <T>(send: () => Promise<BrokerReply<T>>): Promise<BrokerReply<T>> =>
    ownership.mayAct() ? send() : Promise.resolve(HELD_BACK);
  return withOrders(brokerage, {
    place: (request) => ifOwned(() => brokerage.place(request)),
    chain: (request) => ifOwned(() => brokerage.chain(request)),
    cancel: (request) => ifOwned(() => brokerage.cancel(request)),
    findOrder: (request) => ifOwned(() => brokerage.findOrder(request)),
  });
}
