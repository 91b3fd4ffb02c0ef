/**
 * The orders that are followed for an account: those of its groups, pending OCOs and bots, until nothing more can become of them.
 */
import { listOrdersBody } from "../../../src/contract/trading/followed-order.ts";
import { ordersOf } from "../../projection/executions.ts";
import { forUser } from "../context.ts";
import { pageOfRecords } from "../pages.ts";
import { accountOfRows } from "./account-of-rows.ts";

/** By the id of their owners. */
export const listOrders = forUser({
  schema: listOrdersBody,
  handle: async (context, userId, { brokerageCode, accountNumber: name, from }, pageBytesMax) => {
    const account = await accountOfRows(context, userId, brokerageCode, name);
    if (!account.ok) return account;
    const place = { userId, brokerageCode, accountNumber: account.value.accountNumber };
    const orders = context.watchbook.ownersIn(place).flatMap((id) => ordersOf(context.actors, id, place));
    return pageOfRecords(orders, from ?? null, pageBytesMax);
  },
});
