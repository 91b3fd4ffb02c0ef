/**
 * A brokerage for an installation that was restored from a backup: an order that may have been sent after the backup is
 * looked up before it is sent.
 *
 * Owns: the handling of such an order before its first sending. Does not own: which orders they are
 * (store/backup/restored.ts), settling orders that remain unknown (the outbox).
 *
 * Invariants:
 * 1. Such an order is sent only if the brokerage promised `idempotent`, or answered that it does not know the order.
 * 2. If that cannot be found out the outcome is unknown (UNAVAILABLE): an order may exist, and the outbox settles it as
 *    promised. Under the promise `none` a person must decide; an order that this person sends again is sent.
 */
import type { BrokerReply, OrderAnswer, PlaceRequest } from "../../../src/contract/trading/order.ts";
import type { Clock } from "../../../src/runtime/ports.ts";
import type { Brokerage } from "../../ports/brokerage.ts";
import { withOrders } from "../with-orders.ts";

type Send = () => Promise<BrokerReply<OrderAnswer>>;

const MAY_EXIST = {
  ok: false,
  code: "UNAVAILABLE",
  message: "it may have been sent after the backup that was restored",
} as const;

/** Wraps a brokerage: an order that `mayBeKnown` names by its `clientOrderId` is sent only as the invariants allow. */
export function lookUpBeforeResend(
  brokerage: Brokerage,
  clock: Clock,
  mayBeKnown: (clientOrderId: string) => boolean,
): Brokerage {
  /** Orders that were handed to a person. */
  const handedOver = new Set<string>();
  const { resend } = brokerage.settings;

  const sendOrLook = async (request: PlaceRequest, send: Send): Promise<BrokerReply<OrderAnswer>> => {
    const { userId, accountNumber, clientOrderId, expiresAt } = request;
    if (resend === "idempotent" || !mayBeKnown(clientOrderId)) return send();
    if (resend === "none") {
      if (handedOver.delete(clientOrderId)) return send();
      handedOver.add(clientOrderId);
      return MAY_EXIST;
    }
    const found = await brokerage.findOrder({ userId, accountNumber, clientOrderId });
    if (!found.ok) {
      // The brokerage would refuse an order that is sent after its expiry for that reason alone.
      const isLate = expiresAt !== undefined && clock.nowMs() >= Date.parse(expiresAt);
      return found.code === "NOT_FOUND" && !isLate ? send() : MAY_EXIST;
    }
    if (found.data.clientOrderId !== clientOrderId) return MAY_EXIST;
    const { orderNo, orderStatus } = found.data;
    return { ok: true, data: { orderNo, orderStatus } };
  };

  return withOrders(brokerage, {
    place: (request) => sendOrLook(request, () => brokerage.place(request)),
    chain: (request) => sendOrLook(request, () => brokerage.chain(request)),
    cancel: (request) => brokerage.cancel(request),
    findOrder: (request) => brokerage.findOrder(request),
  });
}
