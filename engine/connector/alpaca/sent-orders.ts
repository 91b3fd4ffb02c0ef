/**
 * What Alpaca's word makes of a sent order. How sent orders are kept is the host's (host/state/sent-orders.ts).
 *
 * Invariants:
 * 1. What Alpaca last said of it counts, by Alpaca's own time: an older word that comes late changes nothing. The filled
 *    quantity never falls.
 * 2. `updatedMs` is by Alpaca's clock, once it has told of the order.
 */
import { z } from "zod";
import { ORDER_COMPLETED } from "../../../src/domain/order/order.ts";
import { knownOrderFields, type SentOrdersKind } from "../host/state/sent-orders.ts";
import type { AlpacaOrder } from "./order.ts";

const orderSchema = z.object(knownOrderFields);
export type KnownOrder = Readonly<z.infer<typeof orderSchema>>;

/** The journal of an Alpaca connector. */
export const ALPACA_ORDERS: SentOrdersKind<KnownOrder> = { kind: "alpaca", title: "an Alpaca", orderSchema };

/** What Alpaca's word makes of an order; the same object when it changes nothing. */
export function applyWord(order: KnownOrder, word: AlpacaOrder): KnownOrder {
  const isFirst = order.standing !== "accepted";
  if (!isFirst && (word.updatedMs < order.updatedMs || word.filledQuantity < order.filledQuantity)) return order;
  // Once over it stays over: an ending and a word from before it may carry the same time.
  const isBack = !isFirst && order.orderStatus >= ORDER_COMPLETED && word.orderStatus < ORDER_COMPLETED;
  if (isBack) return order;
  const { orderNo, orderStatus, filledQuantity, averagePrice, updatedMs, text } = word;
  const changed: KnownOrder = {
    ...order,
    ...{ standing: "accepted", orderNo, orderStatus, filledQuantity, averagePrice, updatedMs },
    text: text === "" ? order.text : text,
  };
  const fields = Object.keys(changed) as (keyof KnownOrder)[];
  return fields.every((field) => changed[field] === order[field]) ? order : changed;
}
