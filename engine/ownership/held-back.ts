/**
 * A brokerage that gets no order while this engine does not know that it is the only one of its partitions: what would
 * be sent was certainly not, and is tried again.
 */
import type { BrokerReply } from "../../src/contract/trading/order.ts";
import type { Brokerage } from "../ports/brokerage.ts";
import type { Ownership } from "../ports/ownership.ts";

const HELD_BACK = {
  ok: false,
  code: "NOT_SENT",
  message: "held back until it is known that no other engine runs this partition",
} as const;

/** The brokerage behind the question whether this engine may act. Reads for clients are not held back. */
export function heldBack(brokerage: Brokerage, ownership: Pick<Ownership, "mayAct">): Brokerage {
  const ifOwned = <T>(send: () => Promise<BrokerReply<T>>): Promise<BrokerReply<T>> =>
    ownership.mayAct() ? send() : Promise.resolve(HELD_BACK);
  return {
    settings: brokerage.settings,
    login: (request) => brokerage.login(request),
    accounts: (request) => brokerage.accounts(request),
    positions: (request) => brokerage.positions(request),
    dailyOrders: (request) => brokerage.dailyOrders(request),
    place: (request) => ifOwned(() => brokerage.place(request)),
    chain: (request) => ifOwned(() => brokerage.chain(request)),
    cancel: (request) => ifOwned(() => brokerage.cancel(request)),
    findOrder: (request) => ifOwned(() => brokerage.findOrder(request)),
    onUpdate: (listener) => brokerage.onUpdate(listener),
    ...(brokerage.session === undefined ? {} : { session: brokerage.session }),
    close: () => brokerage.close(),
  };
}
