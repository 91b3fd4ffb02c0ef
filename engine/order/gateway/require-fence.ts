/**
 * A brokerage for a partition that several engines can lead: nothing is sent to it, cancelled or looked up before its
 * connector has answered that it hears this leader, and so none before.
 *
 * Owns: asking once a leadership, as soon as that begins. Does not own: refusing requests of earlier leaders (the connector), who leads.
 *
 * Invariants:
 * 1. Without that answer a request is certainly not sent; it is tried again like any other that was not.
 * 2. Where a later leader was heard there, nothing is sent at all.
 */
import type { FencedEpoch } from "../../../src/contract/gateway/fence.ts";
import type { BrokerReply } from "../../../src/contract/trading/order.ts";
import type { Brokerage } from "../../ports/brokerage.ts";
import { withOrders } from "../with-orders.ts";

type Refusal = Extract<BrokerReply<never>, { ok: false }>;

/** The brokerage, asked for its fence at once. One in the process has none, and needs none. */
export function requireFence(brokerage: Brokerage, leader: FencedEpoch): Brokerage {
  const ask = async (): Promise<Refusal | undefined> => {
    const reply = await brokerage.fence?.(leader);
    if (reply === undefined || (reply.ok && reply.data.epoch === leader.epoch)) return undefined;
    if (reply.ok) return { ok: false, code: "FENCED", message: `a later leader was heard: epoch ${reply.data.epoch}` };
    asked = undefined;
    return { ok: false, code: "NOT_SENT", message: `the connector did not confirm the leader: ${reply.message}` };
  };
  // The first request need not wait for it then.
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
