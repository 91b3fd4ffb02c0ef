/**
 * A brokerage for a partition that several engines can lead: no request about an order is sent before the connector has
 * confirmed that it knows this leader. From then on the connector refuses earlier leaders.
 *
 * Owns: asking once per leadership, as soon as it begins. Does not own: refusing requests of earlier leaders (the
 * connector), electing the leader.
 *
 * Invariants:
 * 1. Without that answer a request is certainly not sent; it is tried again like any other request that was not sent.
 * 2. If the connector knows a later leader, nothing is sent at all.
 */
import type { FencedEpoch } from "../../../src/contract/gateway/fence.ts";
import type { BrokerReply } from "../../../src/contract/trading/order.ts";
import type { Brokerage } from "../../ports/brokerage.ts";
import { withOrders } from "../with-orders.ts";

type Refusal = Extract<BrokerReply<never>, { ok: false }>;

/** Wraps a brokerage and asks immediately for its fence. A brokerage within the process has and needs no fence. */
export function requireFence(brokerage: Brokerage, leader: FencedEpoch): Brokerage {
  const ask = async (): Promise<Refusal | undefined> => {
    const reply = await brokerage.fence?.(leader);
    if (reply === undefined || (reply.ok && reply.data.epoch === leader.epoch)) return undefined;
    if (reply.ok)
      return {
        ok: false,
        code: "FENCED",
        message: `the connector received a later leader's epoch: ${reply.data.epoch}`,
      };
    asked = undefined;
    return { ok: false, code: "NOT_SENT", message: `the connector did not confirm the leader: ${reply.message}` };
  };
  // Asked now, so that the first request need not wait for the answer.
  let asked: Promise<Refusal | undefined> | undefined = ask();
  const behindFence = async <T>(send: () => Promise<BrokerReply<T>>): Promise<BrokerReply<T>> => {
    asked ??= ask();
    return (await asked) ?? send();
  };
  return withOrders(brokerage, {
    place: (request) => behindFence(() => brokerage.place(request)),
    chain: (request) => behindFence(() => brokerage.chain(request)),
    cancel: (request) => behindFence(() => brokerage.cancel(request)),
    findOrder: (request) => behindFence(() => brokerage.findOrder(request)),
  });
}
