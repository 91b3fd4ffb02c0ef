/**
 * The followed orders of an account: orders of its groups, pending OCOs and bots, from their name until they are
 * settled, and orders of clients for a day longer.
 */

import type { FollowedOrderView } from "../../../src/contract/trading/followed-order.ts";
import { listOrdersBody } from "../../../src/contract/trading/followed-order.ts";
import type { DailyOrderView } from "../../../src/contract/trading/trading.ts";
import type { ClientOrder } from "../../../src/domain/order/client-order.ts";
import { isQuiet } from "../../../src/domain/order/execution.ts";
import { LIMIT, MARKET, ORDER_COMPLETED, ORDER_OPEN } from "../../../src/domain/order/order.ts";
import { averagePriceOf, filledQuantityOf } from "../../../src/domain/order/order-number.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import { formatTime } from "../../../src/domain/time.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import { ordersOf, unansweredView } from "../../projection/executions.ts";
import { padded } from "../../table/tables.ts";
import { forUser, type QueryContext } from "../context.ts";
import { pageOfKeyed } from "../pages.ts";
import { accountOfRows } from "./account-of-rows.ts";

/** Sorted by the owner's id, then by number; the orders of an owner that are not answered yet come first. */
export const listOrders = forUser({
  schema: listOrdersBody,
  handle: async (context, userId, { brokerageCode, accountNumber: name, from = null, part = {} }, pageBytesMax) => {
    const account = await accountOfRows(context, userId, brokerageCode, name);
    if (!account.ok) return account;
    const place = { userId, brokerageCode, accountNumber: account.value.accountNumber };
    if (from !== null && !CURSOR.test(from)) return refuse("INVALID", "cursor is not a value that this list returned");
    const { states, symbol, sinceMs, limit = Infinity } = part;
    const since = sinceMs === undefined ? "" : formatTime(sinceMs);
    const followed = context.watchbook.ownersIn(place).flatMap((id) => ordersOf(context.actors, id, place));
    const unanswered = context.operator.orders
      .unansweredOf(place)
      .map((order) => unansweredView(context.actors, order));
    const orders = [...followed, ...unanswered]
      .filter((order) => states === undefined || states.includes(order.state))
      .filter((order) => (symbol === undefined || symbol === order.symbol) && order.since >= since);
    return pageOfKeyed(orders, keyOf, { from, limit, bytesMax: pageBytesMax });
  },
});

const CURSOR = /^\d{16}\.\d{3}/;

/**
 * By owner, then by first number, shorter ones first: a replaced order keeps its place, as its new number comes last. An
 * order without a number goes by its name, before all numbers.
 */
function keyOf({ owner, orderNumbers: [first], clientOrderId }: FollowedOrderView): string {
  const length = first?.length ?? 0;
  return `${padded(owner.id)}.${String(length).padStart(3, "0")}${first ?? clientOrderId}`;
}

/** The followed order of a number, also of a number before it was replaced; undefined if none is followed. */
export function followedOrderOf(
  { watchbook, actors }: Pick<QueryContext, "watchbook" | "actors">,
  place: AccountPlace,
  orderNo: string,
): FollowedOrderView | undefined {
  const orders = watchbook.followersOf({ ...place, orderNo }).flatMap((id) => ordersOf(actors, id, place));
  return orders.find(({ orderNumbers }) => orderNumbers.includes(orderNo));
}

/** A client's order as its brokerage last reported it; undefined if no client placed an order of this number. */
export function clientOrderOf(
  { watchbook, actors }: Pick<QueryContext, "watchbook" | "actors">,
  place: AccountPlace,
  orderNo: string,
): DailyOrderView | undefined {
  for (const id of watchbook.followersOf({ ...place, orderNo })) {
    const order = actors.find("clientOrder", id)?.context;
    if (order?.userId === place.userId) return viewOf(order, orderNo);
  }
  return undefined;
}

function viewOf({ accountNumber, placedAtMs, execution }: ClientOrder, orderNo: string): DailyOrderView {
  const { symbol, quantity, buySell, limitPrice, clientOrderId, sinceMs, end } = execution;
  const filledQuantity = filledQuantityOf(execution);
  const endStatus = filledQuantity >= quantity ? ORDER_COMPLETED : (end?.orderStatus ?? ORDER_OPEN);
  return {
    ...{ symbol, quantity, buySell, orderNo, accountNumber, clientOrderId, filledQuantity },
    orderStatus: isQuiet(execution) ? endStatus : ORDER_OPEN,
    orderType: limitPrice === null ? MARKET : LIMIT,
    price: limitPrice ?? 0,
    averagePrice: averagePriceOf(execution) ?? 0,
    createdDate: formatTime(placedAtMs),
    updatedDate: formatTime(sinceMs),
  };
}
