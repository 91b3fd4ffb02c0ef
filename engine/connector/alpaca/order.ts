/**
 * Alpaca's orders as plain values, and as records of the contract. Plain functions.
 *
 * Invariant: an order that cannot be read whole does not count: a fraction of a share must not become a fill.
 */
import { z } from "zod";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import {
  BUY,
  isUndone,
  LIMIT,
  MARKET,
  ORDER_CANCELLED,
  ORDER_COMPLETED,
  ORDER_OPEN,
  ORDER_REJECTED,
  ORDER_WAITING,
  SELL,
} from "../../../src/domain/order/order.ts";

const decimal = z.string().transform(Number).pipe(z.number().nonnegative());
const shares = decimal.pipe(z.number().int("is not a whole number of shares"));

const WAITING = new Set(["accepted", "pending_new", "accepted_for_bidding", "held", "pending_review"]);
/**
 * Final states: they are day orders. A replaced order is not over: its replacement continues to sell under another
 * number, so that a person must check.
 */
const ENDED = new Set(["canceled", "expired", "done_for_day"]);

/** Who caused each end. `cancelled`: a request, or the exchange because of the order's term. */
const ENDS: ReadonlyMap<string, AlpacaOrder["end"]> = new Map([
  ["canceled", "cancelled"],
  ["expired", "exchange"],
  ["done_for_day", "exchange"],
  ["rejected", "brokerage"],
] as const);

/** An order as Alpaca's library gives it. */
const orderSchema = z.object({
  id: z.string().min(1).max(100),
  clientOrderId: z.string(),
  symbol: z.string().min(1),
  side: z.enum(["buy", "sell"]),
  type: z.string(),
  qty: shares,
  filledQty: shares,
  filledAvgPrice: decimal.nullish().transform((price) => price ?? 0),
  limitPrice: decimal.nullish().transform((price) => price ?? 0),
  status: z.string(),
  createdAt: z.date(),
  updatedAt: z.date().nullish(),
});

export interface AlpacaOrder {
  readonly orderNo: string;
  readonly clientOrderId: string;
  /** Alpaca's name of it. */
  readonly symbol: string;
  readonly buySell: OrderRecord["buySell"];
  readonly orderType: OrderRecord["orderType"];
  readonly quantity: number;
  readonly price: number;
  readonly orderStatus: OrderRecord["orderStatus"];
  readonly filledQuantity: number;
  readonly averagePrice: number;
  readonly createdMs: number;
  /** When it last changed, by Alpaca's clock. */
  readonly updatedMs: number;
  /** Alpaca's own text on how it ended, if that is not plain. */
  readonly text: string;
  /** Who ended it, as far as Alpaca's word states it; null if it has not ended, or was filled. */
  readonly end: "cancelled" | "exchange" | "brokerage" | null;
}

/**
 * Reads a page of orders without the orders that this connector cannot represent (fractions of shares, amounts of
 * money).
 */
export function readOrders(values: readonly unknown[]): AlpacaOrder[] {
  return values.flatMap((value) => {
    const read = orderSchema.safeParse(value);
    return read.success ? [orderOf(read.data)] : [];
  });
}

/** Reads an order. Throws if this connector cannot represent it. */
export function readOrder(value: unknown): AlpacaOrder {
  return orderOf(orderSchema.parse(value));
}

function orderOf(order: z.infer<typeof orderSchema>): AlpacaOrder {
  const { status, qty, filledQty } = order;
  const createdMs = order.createdAt.getTime();
  const orderStatus = statusOf(status, filledQty, qty);
  return {
    ...{ orderNo: order.id, clientOrderId: order.clientOrderId, symbol: order.symbol },
    buySell: order.side === "buy" ? BUY : SELL,
    orderType: order.type === "limit" ? LIMIT : MARKET,
    ...{ quantity: qty, price: order.type === "limit" ? order.limitPrice : 0 },
    orderStatus,
    ...{ filledQuantity: filledQty, averagePrice: filledQty === 0 ? 0 : order.filledAvgPrice },
    createdMs,
    updatedMs: order.updatedAt?.getTime() ?? createdMs,
    text: status === "expired" || status === "done_for_day" || status === "replaced" ? `Alpaca: ${status}` : "",
    end: isUndone({ orderStatus }) ? (ENDS.get(status) ?? null) : null,
  };
}

/** A status that is new to this connector counts as open: its meaning is not known, but the order has not ended. */
function statusOf(status: string, filledQuantity: number, quantity: number): OrderRecord["orderStatus"] {
  const isWhole = quantity > 0 && filledQuantity >= quantity;
  if (status === "filled" || isWhole) return ORDER_COMPLETED;
  if (status === "rejected") return filledQuantity > 0 ? ORDER_CANCELLED : ORDER_REJECTED;
  if (ENDED.has(status)) return ORDER_CANCELLED;
  return WAITING.has(status) && filledQuantity === 0 ? ORDER_WAITING : ORDER_OPEN;
}
