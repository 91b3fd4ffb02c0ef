/**
 * Executions as they are stored: in groups packed, as every trigger writes them, elsewhere as they are.
 */
import { z } from "zod";
import { DOUBT_CODES } from "../../domain/order/doubt.ts";
import type { Execution, ReportedEnd } from "../../domain/order/execution.ts";
import { type NumberedOrder, newNumber } from "../../domain/order/order-number.ts";
import { QUANTITY_MAX } from "../../domain/price/quantity.ts";

const timeMs = z.number().int().nonnegative();
const natural = z.number().int().nonnegative();
const price = z.number().positive().nullable();

const numberedOrder = z.strictObject({
  orderNo: z.string().min(1),
  name: z.string().nullable(),
  filledQuantity: natural,
  averagePrice: price,
  isEnded: z.boolean(),
  correctedQuantity: natural.nullable(),
}) satisfies z.ZodType<NumberedOrder>;

const reportedEnd = z.strictObject({
  by: z.enum(["owner", "exchange", "brokerage"]).nullable(),
  orderStatus: natural,
  message: z.string().nullable(),
  fromLook: natural,
}) satisfies z.ZodType<ReportedEnd>;

export const executionSnapshot = z.strictObject({
  clientOrderId: z.string().min(1).nullable(),
  symbol: z.string(),
  buySell: z.union([z.literal(1), z.literal(2)]),
  quantity: natural.max(QUANTITY_MAX),
  limitPrice: price,
  needsPrice: z.boolean(),
  createdDate: z.string().nullable(),
  orders: z.array(numberedOrder).min(1),
  phase: z.enum(["open", "unclear", "ending", "ended", "settled", "inDoubt"]),
  sinceMs: timeMs,
  askCount: natural,
  lookCount: natural,
  askAtMs: timeMs.nullable(),
  missingSinceMs: timeMs.nullable(),
  end: reportedEnd.nullable(),
  doubt: z.enum(DOUBT_CODES).optional(),
  unpriced: z.array(numberedOrder).min(1).optional(),
}) satisfies z.ZodType<Execution>;

/** An order that its brokerage has not answered. */
export const unansweredSnapshot = executionSnapshot.extend({ orders: z.tuple([]) });

const PACKED_FIELDS = 11;

/**
 * The execution of a market sell, without what its group knows: symbol, side and terms. Only a doubt has a twelfth
 * field.
 */
export function packSell(row: number, execution: Execution): readonly unknown[] {
  const { end, doubt } = execution;
  return [
    row,
    execution.clientOrderId,
    execution.quantity,
    execution.phase,
    execution.sinceMs,
    execution.askCount,
    execution.lookCount,
    execution.askAtMs,
    execution.missingSinceMs,
    end === null ? null : [end.by, end.orderStatus, end.message, end.fromLook],
    execution.orders.map(packNumber),
    ...(doubt === undefined ? [] : [doubt]),
  ];
}

function packNumber(order: NumberedOrder): readonly unknown[] {
  const { orderNo, name, filledQuantity, averagePrice, isEnded, correctedQuantity } = order;
  return [orderNo, name, filledQuantity, averagePrice, isEnded, correctedQuantity];
}

/** Reads the result of `packSell`, or `[row, orderNo, quantity]` of an older edition. The schema judges the result. */
export function unpackSell(fields: unknown, symbol: unknown): unknown {
  if (!Array.isArray(fields)) return fields;
  if (fields.length === 3) return oldSell({ row: fields[0], orderNo: fields[1], quantity: fields[2] }, symbol);
  if (fields.length !== PACKED_FIELDS && fields.length !== PACKED_FIELDS + 1) return fields;
  const orders: unknown = fields[10];
  // By name and place: object spreads and a pattern of twelve take twenty times as long, and every trigger reads one.
  const execution = {
    clientOrderId: fields[1],
    symbol,
    buySell: 2,
    quantity: fields[2],
    limitPrice: null,
    needsPrice: false,
    createdDate: null,
    orders: Array.isArray(orders) ? orders.map(unpackNumber) : orders,
    phase: fields[3],
    sinceMs: fields[4],
    askCount: fields[5],
    lookCount: fields[6],
    askAtMs: fields[7],
    missingSinceMs: fields[8],
    end: unpackEnd(fields[9]),
  };
  return {
    row: fields[0],
    execution: fields.length === PACKED_FIELDS ? execution : { ...execution, doubt: fields[11] },
  };
}

function unpackEnd(fields: unknown): unknown {
  if (!Array.isArray(fields)) return fields;
  const [by, orderStatus, message, fromLook] = fields;
  return { by, orderStatus, message, fromLook };
}

function unpackNumber(fields: unknown): unknown {
  if (!Array.isArray(fields)) return fields;
  const [orderNo, name, filledQuantity, averagePrice, isEnded, correctedQuantity] = fields;
  return { orderNo, name, filledQuantity, averagePrice, isEnded, correctedQuantity };
}

const followedBefore = z.strictObject({ row: natural, orderNo: z.string().min(1), quantity: natural.min(1) });

/** A followed sell as an older edition stored it: its name is not known, so that it is asked for by its number. */
export function oldSell(stored: unknown, symbol: unknown): unknown {
  const old = followedBefore.safeParse(stored);
  if (!old.success || typeof symbol !== "string") return stored;
  const { row, orderNo, quantity } = old.data;
  return { row, execution: openedBefore({ symbol, buySell: 2, quantity, needsPrice: false }, orderNo, null) };
}

/** An order that an older edition followed and that is open, as far as it knew. */
export function openedBefore(
  wish: Pick<Execution, "symbol" | "buySell" | "quantity" | "needsPrice">,
  orderNo: string,
  createdDate: string | null,
): Execution {
  return {
    clientOrderId: null,
    symbol: wish.symbol,
    buySell: wish.buySell,
    quantity: wish.quantity,
    limitPrice: null,
    needsPrice: wish.needsPrice,
    createdDate,
    orders: [newNumber(orderNo, null)],
    phase: "open",
    sinceMs: 0,
    askCount: 0,
    lookCount: 0,
    askAtMs: null,
    missingSinceMs: null,
    end: null,
  };
}
