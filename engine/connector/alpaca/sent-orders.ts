/**
 * How Alpaca's word changes a sent order. The host stores sent orders (host/state/sent-orders.ts).
 *
 * Invariants:
 * 1. Alpaca's last word on an order counts, by Alpaca's own time: an older word that comes late changes nothing. The
 *    filled quantity never falls.
 * 2. `updatedMs` is by Alpaca's clock, once Alpaca has reported the order.
 * 3. `endedBy` is set only if it is certain. Alpaca's `canceled` covers the owner's request and the end of the order's
 *    term. It means the owner only if Alpaca took a cancel request of this connector's before.
 */
import { z } from "zod";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import { ORDER_COMPLETED } from "../../../src/domain/order/order.ts";
import {
  leavingOrder as hostLeavingOrder,
  recordOf as hostRecordOf,
  knownOrderFields,
  type SentOrdersKind,
} from "../host/state/sent-orders.ts";
import type { AlpacaOrder } from "./order.ts";

/** Earlier journals lack the fields that have a default. */
const orderSchema = z.object({
  ...knownOrderFields,
  /** Alpaca took a request to cancel it. */
  isCancelTaken: z.boolean().default(false),
  endedBy: z.enum(["owner", "exchange", "brokerage"]).nullable().default(null),
});
export type KnownOrder = Readonly<z.infer<typeof orderSchema>>;

/** The journal of an Alpaca connector. */
export const ALPACA_ORDERS: SentOrdersKind<KnownOrder> = { kind: "alpaca", title: "an Alpaca", orderSchema };

/** An order that is about to leave for the first time. */
export function leavingOrder(...asked: Parameters<typeof hostLeavingOrder>): KnownOrder {
  return { ...hostLeavingOrder(...asked), isCancelTaken: false, endedBy: null };
}

/** Returns the order as a record of the gateway contract. */
export function recordOf(order: KnownOrder): OrderRecord {
  const endedBy = order.standing === "refused" ? "brokerage" : order.endedBy;
  return { ...hostRecordOf(order), ...(endedBy === null ? {} : { endedBy }) };
}

/** Returns who ended an order, if Alpaca's word and the stored order make it certain; otherwise null. */
export function endedByOf(isCancelTaken: boolean, { end }: Pick<AlpacaOrder, "end">): KnownOrder["endedBy"] {
  if (end === "cancelled") return isCancelTaken ? "owner" : null;
  return end;
}

/** Applies Alpaca's word to an order; returns the same object if it changes nothing. */
export function applyWord(order: KnownOrder, word: AlpacaOrder): KnownOrder {
  const isFirst = order.standing !== "accepted";
  if (!isFirst && (word.updatedMs < order.updatedMs || word.filledQuantity < order.filledQuantity)) return order;
  // Once over it remains over: an ending and a word from before it can carry the same time.
  const isBack = !isFirst && order.orderStatus >= ORDER_COMPLETED && word.orderStatus < ORDER_COMPLETED;
  if (isBack) return order;
  const { orderNo, orderStatus, filledQuantity, averagePrice, updatedMs, text } = word;
  const changed: KnownOrder = {
    ...order,
    ...{ standing: "accepted", orderNo, orderStatus, filledQuantity, averagePrice, updatedMs },
    text: text === "" ? order.text : text,
    endedBy: endedByOf(order.isCancelTaken, word),
  };
  const fields = Object.keys(changed) as (keyof KnownOrder)[];
  return fields.every((field) => changed[field] === order[field]) ? order : changed;
}
