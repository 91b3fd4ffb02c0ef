/** Orders of clients after their brokerage took them (behaviour 13.8). */
import { beginClientOrder } from "../../src/domain/order/client-order.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { ActorHost } from "../actor/host.ts";
import type { OutboxOrder } from "../ports/order.ts";
import type { Journal } from "../ports/storage.ts";
import type { OrderFacts } from "./order-facts.ts";

interface Parts {
  readonly journal: Pick<Journal, "allocateIds">;
  readonly host: Pick<ActorHost, "create">;
  readonly orderFacts: Pick<OrderFacts, "ofActor">;
}

/** In the batch of the outcome: reports about the order are judged, notified and shown from now on. */
export function followClientOrder(
  { journal, host, orderFacts }: Parts,
  clock: Clock,
  order: OutboxOrder,
  { orderNo, orderStatus }: { readonly orderNo: string; readonly orderStatus: number },
): void {
  const [orderId = 0] = journal.allocateIds(1);
  const begun = beginClientOrder({ ...order, orderId }, orderNo, orderStatus, clock.nowMs());
  host.create("clientOrder", orderId, begun.order);
  orderFacts.ofActor(orderId, "clientOrder", order, begun.told);
}
