/**
 * Events in words: one line each, for the log, the terminal and notifications.
 *
 * Invariant: no secret is in an event, and no text that its owner wrote (names, notes) is in a line. A type without words of its own is told by
 * its summary.
 */

import { z } from "zod";
import { BUY } from "../../domain/order/order.ts";
import { EVENTS, isEventType } from "./event.ts";

const spoken = z.looseObject({
  type: z.string(),
  groupId: z.number().optional(),
  systemId: z.number().optional(),
  symbol: z.string().optional(),
  message: z.string().optional(),
  reason: z.string().optional(),
  rows: z.array(z.looseObject({})).optional(),
  row: z
    .looseObject({
      id: z.number().optional(),
      setupId: z.number().optional(),
      symbol: z.string().optional(),
      orderType: z.number().optional(),
      quantity: z.number().optional(),
      price: z.number().optional(),
      triggeredPrice: z.number().nullish(),
      triggerErrorMessage: z.string().nullish(),
      brokerOrderNo: z.string().optional(),
      buyQuantity: z.number().optional(),
      buyOrderNo: z.string().nullish(),
      sellQuantity: z.number().optional(),
      sellOrderNo: z.string().nullish(),
    })
    .optional(),
  order: z
    .looseObject({
      clientOrderId: z.string(),
      symbol: z.string(),
      quantity: z.number(),
      buySell: z.number().optional(),
      orderNo: z.string().optional(),
    })
    .optional(),
});
type Spoken = z.infer<typeof spoken>;

const STOP_LOSS = 2;

/** One line about an event. */
export function describeEvent(event: object): string {
  const read = spoken.safeParse(event);
  if (!read.success) return "an event";
  const words = wordsOf(read.data);
  const why = read.data.message ?? read.data.reason ?? read.data.row?.triggerErrorMessage;
  return why === undefined || why === null ? words : `${words}: ${why}`;
}

function wordsOf(event: Spoken): string {
  const { type, row, order } = event;
  const [subject] = type.split(".");
  if (subject === "oco" && row !== undefined) return rowWords(type, row);
  if (subject === "order" && order !== undefined) return orderWords(type, order);
  if (subject === "pair" && row !== undefined) return pairWords(event, row);
  if (subject === "setup" && row !== undefined) {
    const group = event.groupId === undefined ? "" : ` became group ${event.groupId}`;
    return `${plain(type)}: pending OCO ${row.setupId} of ${row.symbol}, order ${row.brokerOrderNo}${group}`;
  }
  if (type === "oco.created" && event.rows !== undefined) return createdWords(event);
  const what = [event.systemId === undefined ? "" : ` bot ${event.systemId}`, event.symbol ?? ""];
  return `${plain(type)}:${what.filter((part) => part !== "").join(" ") || ` ${summaryOf(type)}`}`;
}

function rowWords(type: string, row: NonNullable<Spoken["row"]>): string {
  const kind = row.orderType === STOP_LOSS ? "stop-loss" : "take-profit";
  const level = `${kind} ${row.id} of ${row.symbol} (${row.quantity} at ${row.price})`;
  if (row.triggeredPrice === null || row.triggeredPrice === undefined) return `${plain(type)}: ${level}`;
  return `${plain(type)}: ${level} by the price ${row.triggeredPrice}, order r${row.id}`;
}

function createdWords({ groupId, rows = [] }: Spoken): string {
  const [stopLoss] = rows;
  return `group made: ${groupId} of ${String(stopLoss?.symbol)}, stop-loss ${String(stopLoss?.price)}, take-profits ${rows
    .slice(1)
    .map(({ price }) => String(price))
    .join(", ")}`;
}

function orderWords(type: string, order: NonNullable<Spoken["order"]>): string {
  const side = order.buySell === undefined ? "order" : order.buySell === BUY ? "buy" : "sell";
  const number = order.orderNo === undefined ? "" : ` as ${order.orderNo}`;
  return `${plain(type)}: ${side} ${order.quantity} ${order.symbol}, ${order.clientOrderId}${number}`;
}

function pairWords({ type, systemId, symbol }: Spoken, row: NonNullable<Spoken["row"]>): string {
  const isBuy = type.startsWith("pair.b");
  const [quantity, orderNo] = isBuy ? [row.buyQuantity, row.buyOrderNo] : [row.sellQuantity, row.sellOrderNo];
  return `${plain(type)}: bot ${systemId}, ${quantity} ${symbol}, order ${orderNo ?? "none"}`;
}

const PLAIN: Readonly<Record<string, string>> = {
  "oco.triggered": "triggered and sold",
  "oco.triggerFailed": "reached and not sold",
  "oco.cancelled": "cancelled",
  "oco.sellIncomplete": "sold in part",
  "oco.rearmed": "watched again",
  "setup.registered": "registered",
  "setup.converted": "converted",
  "setup.conversionFailed": "not converted",
  "setup.removed": "removed",
  "order.placed": "order placed",
  "order.refused": "order refused",
  "order.quarantined": "ORDER IN QUARANTINE",
  "pair.bought": "bought",
  "pair.sold": "sold",
  "pair.buyFailed": "buy failed",
  "pair.sellFailed": "sell failed",
};

function plain(type: string): string {
  return PLAIN[type] ?? type;
}

function summaryOf(type: string): string {
  return isEventType(type) ? EVENTS[type].summary : "";
}
