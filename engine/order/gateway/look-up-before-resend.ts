/**
 * A brokerage for an installation that was restored from a backup: an order that the lost life may have sent is looked
 * up before it is sent.
 *
 * Owns: what is done about such an order before its first sending. Does not own: which they are (store/backup/restored.ts),
 * settling what stays unknown (the outbox).
 *
 * Invariants:
 * 1. Such an order is sent only where the brokerage promised `idempotent`, or said that it does not know it.
 * 2. Where that cannot be found out the outcome is unknown (UNAVAILABLE): an order may exist, and the outbox settles it as promised.
 *    Behind the promise `none` a person must decide; what that person sends again is sent.
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

/** The brokerage, asked first about every order that `mayBeKnown` names by its `clientOrderId`. */
export function lookUpBeforeResend(
  brokerage: Brokerage,
  clock: Clock,
  mayBeKnown: (clientOrderId: string) => boolean,
): Brokerage {
  /** Orders that a person was called for. */
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
      // Sent when it is no longer acceptable it would be refused for that alone.
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
