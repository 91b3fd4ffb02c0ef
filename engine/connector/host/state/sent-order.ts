/**
 * The fields that every connector keeps of an order that it was asked to place, over any protocol.
 *
 * Owns: those fields, their reported form, and whether a name is used again for the same order. Does not own: other
 * fields of a connector, the interpretation of the brokerage's answers.
 */
import { z } from "zod";
import type { OrderRecord } from "../../../../src/contract/trading/order.ts";
import { ORDER_WAITING } from "../../../../src/domain/order/order.ts";

const quantity = z.number().int().nonnegative();
const code = z.union([z.literal(1), z.literal(2)]);

/** Joined with the connector's own fields. `updatedMs`: when it last changed. */
export const sentOrderFields = {
  clientOrderId: z.string().min(1),
  accountNumber: z.string().min(1),
  symbol: z.string().min(1),
  buySell: code,
  orderType: code,
  quantity,
  price: z.number().nonnegative(),
  orderStatus: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  filledQuantity: quantity,
  averagePrice: z.number().nonnegative(),
  text: z.string(),
  createdMs: z.number(),
  updatedMs: z.number(),
};
type SentOrder = Readonly<z.infer<z.ZodObject<typeof sentOrderFields>>>;

type Terms = Pick<SentOrder, "accountNumber" | "symbol" | "quantity" | "buySell" | "orderType">;
type AskedOrder = Terms & Pick<SentOrder, "clientOrderId" | "price">;

/** Whether both are the same order, except for the price. */
export function isSameOrder(order: Terms, other: Terms): boolean {
  return (
    order.accountNumber === other.accountNumber &&
    order.symbol === other.symbol &&
    order.quantity === other.quantity &&
    order.buySell === other.buySell &&
    order.orderType === other.orderType
  );
}

/**
 * Whether both trade the same lots of an account. An order that certainly does not exist can leave again with another
 * kind, or under another name of its symbol.
 */
export function isOfSameLots(order: Terms, other: Terms): boolean {
  return isSameOrder(order, { ...other, symbol: order.symbol, orderType: order.orderType });
}

/** Makes an order that is about to leave for the first time. */
export function freshOrder(asked: AskedOrder, nowMs: number): SentOrder {
  const { clientOrderId, accountNumber, symbol, buySell, orderType, quantity, price } = asked;
  return {
    ...{ clientOrderId, accountNumber, symbol, buySell, orderType, quantity, price },
    ...{ orderStatus: ORDER_WAITING, filledQuantity: 0, averagePrice: 0, text: "" },
    ...{ createdMs: nowMs, updatedMs: nowMs },
  };
}

/** Converts the order to the form of the gateway contract, under this number. */
export function toOrderRecord(orderNo: string, order: SentOrder): OrderRecord {
  const { clientOrderId, accountNumber, symbol, buySell, orderType, quantity, price, text } = order;
  const { orderStatus, filledQuantity, averagePrice, createdMs, updatedMs } = order;
  return {
    ...{ orderNo, clientOrderId, accountNumber, symbol, buySell, orderType, quantity, price },
    ...{ orderStatus, filledQuantity, averagePrice },
    createdDate: new Date(createdMs).toISOString(),
    updatedDate: updatedMs === createdMs ? null : new Date(updatedMs).toISOString(),
    ...(text === "" ? {} : { message: text }),
  };
}
