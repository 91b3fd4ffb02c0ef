/** Orders as lines of a table: states, sides and owners as text in place of codes. */
import type { components } from "../openapi/generated/schema.d.ts";

export type FollowedOrder = components["schemas"]["FollowedOrder"];
export type Order = components["schemas"]["Order"];

/** The account that an order belongs to. */
export interface OrderAccount {
  readonly brokerageCode: string;
  readonly accountNumber: string;
}

const STATES: Readonly<Record<FollowedOrder["state"], string>> = {
  unanswered: "not answered yet",
  open: "open",
  unclear: "unclear, the brokerage is asked again",
  ending: "end not confirmed yet",
  ended: "ended",
  inDoubt: "in doubt",
  settled: "settled",
};
const OWNERS: Readonly<Record<FollowedOrder["owner"]["type"], string>> = {
  group: "OCO group",
  pendingOco: "pending OCO",
  bot: "bot",
  client: "client order",
};
const STATUSES = ["waiting", "open", "completed", "cancelled", "rejected"] as const;
const BUY = 1;
const MARKET = 1;

/** Returns the columns of an order that the service follows. */
export function followedRow({ brokerageCode, accountNumber }: OrderAccount, order: FollowedOrder) {
  const { orderNo, symbol, buySell, quantity, averagePrice, state, since, owner, message } = order;
  return {
    ...{ order: orderNo ?? order.clientOrderId, account: `${brokerageCode} ${accountNumber}`, symbol },
    side: sideOf(buySell),
    filled: filledOf(order.filledQuantity, quantity),
    ...{ average: averagePrice, state: STATES[state], since, owner: `${OWNERS[owner.type]} ${owner.id}`, message },
  };
}

/** Returns the fields of one order: what the brokerage reports, then what the service knows of it. */
export function orderFields({ brokerageCode }: OrderAccount, order: Order) {
  const { orderNo, accountNumber, symbol, buySell, orderType, price, orderStatus, quantity, followed } = order;
  const known =
    followed === null
      ? { followed: "no: no group, pending OCO, bot or client order of the service has it" }
      : {
          ...{ followed: STATES[followed.state], since: followed.since, numbers: followed.orderNumbers.join(", ") },
          ...{ owner: `${OWNERS[followed.owner.type]} ${followed.owner.id}`, message: followed.message },
        };
  return {
    ...{ order: orderNo, account: `${brokerageCode} ${accountNumber}`, symbol, side: sideOf(buySell) },
    ...{ type: orderType === MARKET ? "market" : `limit ${price}`, filled: filledOf(order.filledQuantity, quantity) },
    average: order.averagePrice === 0 ? null : order.averagePrice,
    ...{ status: STATUSES[orderStatus] ?? String(orderStatus), name: order.clientOrderId },
    ...{ created: order.createdDate, updated: order.updatedDate },
    ...known,
  };
}

function sideOf(buySell: number): string {
  return buySell === BUY ? "buy" : "sell";
}

function filledOf(filled: number, quantity: number): string {
  return quantity === 0 ? `${filled}` : `${filled} of ${quantity}`;
}
