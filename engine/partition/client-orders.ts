/** Orders of clients after their brokerage took them (behaviour 13.8). */
import { beginClientOrder, renameClientOrder } from "../../src/domain/order/client-order.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { ActorHost } from "../actor/host.ts";
import type { OutboxOrder } from "../ports/order.ts";
import type { Symbols } from "../ports/price.ts";
import type { Journal } from "../ports/storage.ts";
import type { OrderFacts } from "./order-facts.ts";

interface Parts {
  readonly journal: Pick<Journal, "allocateIds">;
  readonly host: Pick<ActorHost, "create">;
  readonly orderFacts: Pick<OrderFacts, "ofActor">;
  readonly clock: Clock;
  readonly symbols: Pick<Symbols, "presentName">;
}

/** In the batch of the outcome: reports about the order are judged, notified and shown from now on. */
export function followClientOrder(
  { journal, host, orderFacts, clock, symbols }: Parts,
  order: OutboxOrder,
  { orderNo, orderStatus }: { readonly orderNo: string; readonly orderStatus: number },
): void {
  const [orderId = 0] = journal.allocateIds(1);
  const begun = beginClientOrder({ ...order, orderId }, orderNo, orderStatus, clock.nowMs());
  // It left under the former name: the brokerage may report it under either.
  const renamed = renameClientOrder(begun.order, { from: order.symbol, to: symbols.presentName(order.symbol) });
  host.create("clientOrder", orderId, renamed?.order ?? begun.order);
  orderFacts.ofActor(orderId, "clientOrder", order, begun.told);
}
