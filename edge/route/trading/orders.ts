/**
 * Orders at brokerages (behaviour 11.2).
 *
 * Placing an order costs one of the brokerage's order quota. Cancelling costs nothing: a user without quota must still
 * be able to take orders back (behaviour 7: orders, chain, batch, OCO).
 */
import { z } from "zod";
import { COMMANDS, QUERIES, type Reply } from "../../../src/contract/command.ts";
import { FOLLOWED_STATES, followedOrderSchema, orderSchema } from "../../../src/contract/trading/followed-order.ts";
import {
  batchItemSchema,
  cancelBatchBody,
  cancelOrderBody,
  chainOrderBody,
  orderStatusOf,
  placeBatchBody,
  placementSchema,
  placeOrderBody,
} from "../../../src/contract/trading/trading.ts";
import { placedWord } from "../../../src/domain/order/order.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { choicesParameter, ofAccount, partOfList, sinceParameter } from "../../operation/parameters.ts";

const tag = "Orders";
const path = "/api/v1/orders";

const statesParameter = choicesParameter(
  (text) => FOLLOWED_STATES.find((state) => state === text),
  `${FOLLOWED_STATES.slice(0, -1).join(", ")} or ${FOLLOWED_STATES.at(-1)}`,
).optional();

/** Adds the operations on orders. */
export function addOrderOperations(add: AddOperation): void {
  addReading(add);
  addPlacing(add);
  addCancelling(add);
}

function addPlacing(add: AddOperation): void {
  add({
    operationId: "placeOrder",
    method: "POST",
    path,
    tag,
    summary: "Place an order",
    description:
      "When the brokerage does not answer in time the answer is 503 and the order may exist: repeat the request with " +
      "the same Idempotency-Key, or look at the day's orders.",
    scope: "trade",
    body: placeOrderBody,
    data: placementSchema,
    limit: (limits, { userId, body }) => limits.orders(userId, body.brokerageCode, 1),
    handle: async (call) => call.answer(await call.command(COMMANDS.placeOrder, call.body), became("The order")),
  });
  add({
    operationId: "placeChainOrder",
    method: "POST",
    path: `${path}/chain`,
    tag,
    summary: "Place a chain order",
    description: "It waits until its reference order is completed, and is cancelled when that is.",
    scope: "trade",
    body: chainOrderBody,
    data: placementSchema,
    limit: (limits, { userId, body }) => limits.orders(userId, body.brokerageCode, 1),
    handle: async (call) => call.answer(await call.command(COMMANDS.chainOrder, call.body), became("The chain order")),
  });
  add({
    operationId: "placeOrderBatch",
    method: "POST",
    path: `${path}/batch`,
    tag,
    summary: "Place a batch of orders",
    description:
      "Answers item by item, in order. An item that fails, also a malformed one, does not stop the rest. A batch " +
      "costs its number of items and is refused whole when it does not fit the quota.",
    scope: "trade",
    body: placeBatchBody,
    data: z.array(batchItemSchema),
    limit: (limits, { userId, body }) => limits.orders(userId, body.brokerageCode, body.items.length),
    handle: async (call) => {
      const body = { ...call.body, items: call.body.items.map(withoutNegativeZero) };
      const reply = await call.command(COMMANDS.placeBatch, body);
      return call.answer(reply, messageOf(reply, "The batch was placed"));
    },
  });
}

function addReading(add: AddOperation): void {
  add({
    operationId: "listOrders",
    method: "GET",
    path,
    tag,
    summary: "List the orders that are followed",
    description:
      "Orders of the account's OCO groups, pending OCOs and bots until nothing more can happen to them, by the id of their " +
      "owner. Orders that clients placed, orders of chains too, are listed for 24 h more. An order that the brokerage " +
      "has not answered is the first of its owner.",
    scope: "read",
    query: ofAccount.extend({
      state: statesParameter,
      since: sinceParameter.describe("Only orders that came into their state then or later, ISO 8601"),
      ...partOfList,
    }),
    data: z.array(followedOrderSchema),
    hasParts: true,
    handle: (call) => {
      const { state: states, since: sinceMs, ...part } = call.query;
      return call.part(QUERIES.listOrders, { ...part, states, sinceMs }, "The orders that are followed");
    },
  });
  add({
    operationId: "getOrder",
    method: "GET",
    path: `${path}/:orderNo`,
    tag,
    summary: "Show an order",
    description:
      "By its number, as the brokerage reports it now. `followed` is what the service knows of it. An order that a client " +
      "placed through the service is answered as it was last known if the brokerage cannot show it.",
    scope: "read",
    params: z.object({ orderNo: cancelOrderBody.shape.orderNo }),
    query: ofAccount,
    data: orderSchema,
    handle: async (call) =>
      call.answer(await call.ask(QUERIES.readOrder, { ...call.params, ...call.query }), "The order"),
  });
}

function addCancelling(add: AddOperation): void {
  add({
    operationId: "cancelOrder",
    method: "POST",
    path: `${path}/cancel`,
    tag,
    summary: "Cancel an order",
    description: "Costs nothing of the order quota.",
    scope: "trade",
    body: cancelOrderBody,
    data: z.literal(true),
    handle: async (call) => call.answer(await call.command(COMMANDS.cancelOrder, call.body), "The order was cancelled"),
  });
  add({
    operationId: "cancelOrderBatch",
    method: "POST",
    path: `${path}/cancel/batch`,
    tag,
    summary: "Cancel a batch of orders",
    description: "The message contains the number of cancelled orders; an order that several items name counts once.",
    scope: "trade",
    body: cancelBatchBody,
    data: z.literal(true),
    handle: async (call) => {
      const reply = await call.command(COMMANDS.cancelBatch, call.body);
      return call.answer(reply, messageOf(reply, "The orders were cancelled"));
    },
  });
}

/** The message about an order, by the status in its placement. */
function became(order: string): (placement: unknown) => string {
  return (placement) => `${order} was ${placedWord(orderStatusOf(placement))}`;
}

/** The engine's message about the whole request, else the usual one. */
function messageOf(reply: Reply, usual: string): string {
  return (reply.ok ? reply.message : undefined) ?? usual;
}

const pricedSchema = z.looseObject({ price: z.number() });

/** On its way to the engine -0 would turn into 0, the price of a market order. As null it makes its item fail. */
function withoutNegativeZero(item: unknown): unknown {
  const priced = pricedSchema.safeParse(item);
  return priced.success && Object.is(priced.data.price, -0) ? { ...priced.data, price: null } : item;
}
