/**
 * Events as text: one line each, for the log, the terminal and notifications.
 *
 * Invariant: no secret is in an event, and no text that its owner wrote (names, notes) is in a line. A type without a
 * text of its own is described by its summary.
 */
import { BUY, placedWord } from "../../domain/order/order.ts";
import { EVENTS, isEventType } from "./event.ts";

/**
 * The fields of an event: any can be missing, as old events lack fields of new ones. Read by hand, since a trigger
 * reports each row of its group.
 */
type Fields = Readonly<Record<string, unknown>>;

const STOP_LOSS = 2;
const ACTIVE = 1;

/** Events that left lots unsold, or a bought position without its stop: a person must check them. */
const UNSOLD = ["oco.triggerFailed", "oco.sellIncomplete", "setup.conversionFailed", "pair.sellFailed"] as const;
export type UnsoldType = (typeof UNSOLD)[number];

export function isUnsold(type: string): type is UnsoldType {
  return UNSOLD.some((one) => one === type);
}

/** How many events of each such type there were. */
export function countUnsold(): Record<UnsoldType, number> {
  return { "oco.triggerFailed": 0, "oco.sellIncomplete": 0, "setup.conversionFailed": 0, "pair.sellFailed": 0 };
}

/** What an event of such a type is about, as fields of a log line; nothing of what its owner wrote. */
export function unsoldFields(payload: object): Readonly<Record<string, unknown>> {
  const event = payload as Fields;
  const row = fieldsOf(event.row);
  const { id, groupId, setupId, symbol, quantity, price, triggeredPrice } = row ?? {};
  const reason = event.message ?? event.reason ?? row?.triggerErrorMessage;
  return { rowId: id, groupId, setupId, systemId: event.systemId, symbol, quantity, price, triggeredPrice, reason };
}

/** One line about an event. */
export function describeEvent(event: object): string {
  return "type" in event && typeof event.type === "string" ? describePayload(event.type, event) : "an event";
}

/** One line about an event of a type, by its payload alone. */
export function describePayload(type: string, payload: object): string {
  const event = payload as Fields;
  const why = event.message ?? event.reason ?? fieldsOf(event.row)?.triggerErrorMessage;
  return typeof why === "string" ? `${wordsOf(type, event)}: ${why}` : wordsOf(type, event);
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? (value as Fields) : undefined;
}

function wordsOf(type: string, event: Fields): string {
  const { groupId, systemId, symbol } = event;
  const row = fieldsOf(event.row);
  const order = fieldsOf(event.order);
  const subject = type.slice(0, type.indexOf("."));
  if (subject === "oco" && row !== undefined) return rowWords(type, event, row);
  if (subject === "order" && order !== undefined) return orderWords(type, order);
  if (subject === "pair" && row !== undefined) return pairWords(type, event, row);
  if (subject === "setup" && row !== undefined) {
    const group = groupId === undefined ? "" : ` became group ${groupId}`;
    return `${plain(type)}: pending OCO ${row.setupId} of ${row.symbol}, order ${row.brokerOrderNo ?? "not answered"}${group}`;
  }
  if (type === "oco.created" && Array.isArray(event.rows)) return createdWords("made", groupId, event.rows);
  if (type === "oco.changed" && Array.isArray(event.rows)) return createdWords("changed", groupId, event.rows);
  if (type === "account.flattened" && Array.isArray(event.orders)) return `${plain(type)}: ${event.orders.length}`;
  if (subject === "alarm") return alarmWords(type, event);
  const what = [systemId === undefined ? "" : ` bot ${systemId}`, typeof symbol === "string" ? symbol : ""];
  return `${plain(type)}:${what.filter((part) => part !== "").join(" ") || ` ${summaryOf(type)}`}`;
}

function rowWords(type: string, { clientOrderId }: Fields, row: Fields): string {
  const kind = row.orderType === STOP_LOSS ? "stop-loss" : "take-profit";
  const level = `${kind} ${row.id} of ${row.symbol} (${row.quantity} at ${row.price})`;
  if (typeof row.triggeredPrice !== "number") return `${plain(type)}: ${level}`;
  const order = clientOrderId === undefined ? "" : `, order ${clientOrderId}`;
  return `${plain(type)}: ${level} by the price ${row.triggeredPrice}${order}`;
}

function createdWords(what: "made" | "changed", groupId: unknown, rows: readonly unknown[]): string {
  const [stopLoss, ...others] = rows.map(fieldsOf);
  // A changed group also lists the rows that are over.
  const takeProfits = what === "made" ? others : others.filter((row) => row?.status === ACTIVE);
  const prices = takeProfits.map((row) => String(row?.price)).join(", ");
  return `group ${what}: ${groupId} of ${stopLoss?.symbol}, stop-loss ${stopLoss?.price}, take-profits ${prices}`;
}

function orderWords(type: string, order: Fields): string {
  const { buySell, orderNo, orderStatus, quantity, symbol, clientOrderId } = order;
  if (type === "order.cancelled") return `${plain(type)}: ${orderNo} of ${symbol}`;
  const side = buySell === undefined ? "order" : buySell === BUY ? "buy" : "sell";
  const number = orderNo === undefined ? "" : ` as ${orderNo}`;
  const what = type === "order.placed" ? `order ${placedWord(Number(orderStatus))}` : plain(type);
  return `${what}: ${side} ${quantity} ${symbol}, ${clientOrderId}${number}`;
}

function pairWords(type: string, { systemId, symbol }: Fields, row: Fields): string {
  const isBuy = type.startsWith("pair.b");
  const [quantity, orderNo] = isBuy ? [row.buyQuantity, row.buyOrderNo] : [row.sellQuantity, row.sellOrderNo];
  return `${plain(type)}: bot ${systemId}, ${quantity} ${symbol}, order ${orderNo ?? "none"}`;
}

function alarmWords(type: string, { groupId, setupId, systemId, orderId, familyId }: Fields): string {
  const subjects = { group: groupId, "pending OCO": setupId, bot: systemId, order: orderId, "token family": familyId };
  const named = Object.entries(subjects).flatMap(([name, id]) => (id === undefined ? [] : [`${name} ${id}`]));
  return [plain(type), ...named].join(": ");
}

const PLAIN: Readonly<Record<string, string>> = {
  "oco.triggered": "triggered, sell order placed",
  "oco.triggerFailed": "reached and not sold",
  "oco.cancelled": "cancelled",
  "oco.sellIncomplete": "sold in part",
  "oco.adjusted": "follows a change of its symbol",
  "oco.trailingActivated": "trailing activated",
  "oco.stopRaised": "stop-loss raised",
  "oco.trailingUncertain": "prices lost, the stop-loss stays",
  "oco.rearmed": "watched again",
  "oco.reduced": "sells less",
  "oco.sentReduced": "sent once more, with what the take-profits left",
  "oco.exitContinues": "sold in part, the rest is being sold",
  "oco.exitCompleted": "sold to the last lot",
  "oco.exitStopped": "exit stopped by its owner",
  "oco.lateFill": "bought after its stop-loss had fired, and sold too",
  "oco.waitsForSession": "WAITS FOR THE MARKET TO OPEN",
  "oco.restricted": "under measures of its exchange",
  "oco.unrestricted": "under no measure any more",
  "setup.registered": "registered",
  "setup.changed": "changed",
  "setup.converted": "converted",
  "setup.unprotected": "A FILLED PART IS NOT PROTECTED",
  "setup.triggered": "trigger reached",
  "setup.cancelRefused": "CANCEL REFUSED",
  "setup.conversionFailed": "not converted",
  "setup.removed": "removed",
  "setup.entryRefused": "entry refused",
  "setup.orderLost": "ORDER NOT KNOWN ANY MORE",
  "setup.orderFound": "order known again",
  "order.placed": "order placed",
  "order.cancelled": "order cancelled",
  "order.refused": "order refused",
  "order.postponed": "NOT TAKEN NOW, tried again",
  "order.quarantined": "ORDER IN QUARANTINE",
  "order.inDoubt": "ORDER IN DOUBT",
  "order.settled": "order in doubt settled by an operator",
  "order.found": "order known again",
  "order.replaced": "order replaced",
  "order.overfilled": "order filled beyond its quantity",
  "order.corrected": "fills taken back",
  "alarm.filledAfterEnd": "ALARM, FILLED AFTER ITS END",
  "alarm.exitStopped": "ALARM, NOT SOLD TO THE END",
  "alarm.quarantined": "ALARM, STOPPED",
  "alarm.released": "released, continues",
  "alarm.ticksLost": "ALARM, PRICES LOST",
  "alarm.clockOff": "ALARM, WRONG CLOCK",
  "alarm.pricesSilent": "ALARM, NO PRICES",
  "alarm.soldAfterEnd": "ALARM, SOLD AFTER ALL",
  "trading.stateChanged": "trading state set",
  "ledger.foreignSell": "sold elsewhere",
  "price.reached": "price reached",
  "price.expired": "price alert ended",
  "limits.changed": "limits set",
  "alarm.lossLimit": "ALARM, DAILY LOSS REACHED",
  "account.flattened": "account flattened, symbols that are sold",
  "alarm.measure": "ALARM, A MEASURE KEEPS A SELL BACK",
  "symbol.held": "ALARM, LEVELS HELD",
  "symbol.released": "levels fire again",
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
