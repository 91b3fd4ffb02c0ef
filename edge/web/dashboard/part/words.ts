/** What the pages say: numbers, times, states and events in words. */
import type { OcoRow } from "../desk/model.ts";
import { STOP_LOSS } from "../desk/model.ts";
import type { StreamedEvent } from "../desk/stream.ts";

const priceFormat = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 });
const quantityFormat = new Intl.NumberFormat("en-US");
const percentFormat = new Intl.NumberFormat("en-US", {
  style: "percent",
  maximumFractionDigits: 2,
  signDisplay: "always",
});
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dateFormat = new Intl.DateTimeFormat("en-GB", {
  day: "2-digit",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

const DAY_MS = 86_400_000;

export function priceText(price: number | null | undefined): string {
  return price === null || price === undefined ? "–" : priceFormat.format(price);
}

export function quantityText(quantity: number): string {
  return quantityFormat.format(quantity);
}

/** How far a level is from a price, in percent of the price. */
export function distanceText(level: number, price: number | undefined): string {
  return price === undefined || price === 0 ? "–" : percentFormat.format(level / price - 1);
}

/** The hour today, the day before that. */
export function timeText(time: string | number | null | undefined): string {
  if (time === null || time === undefined) return "–";
  const date = new Date(time);
  return Math.abs(Date.now() - date.getTime()) < DAY_MS ? timeFormat.format(date) : dateFormat.format(date);
}

/** Seconds, minutes or hours, in short. */
export function ageText(ageMs: number): string {
  const seconds = Math.max(0, Math.round(ageMs / 1_000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}

export const ROW_STATES = ["", "Active", "Triggered", "Failed", "Cancelled"] as const;
export const ORDER_STATES = ["Waiting", "Open", "Completed", "Cancelled", "Rejected"] as const;

export function rowName(row: OcoRow): string {
  return row.orderType === STOP_LOSS ? "Stop-loss" : "Take-profit";
}

function isRow(value: unknown): value is OcoRow {
  return typeof value === "object" && value !== null && "groupId" in value && "orderType" in value;
}

/** The row that an event is about, where it is about one. */
export function rowOf(event: StreamedEvent): OcoRow | undefined {
  return isRow(event.row) ? event.row : undefined;
}

/** The rows of an event that tells of a whole group. */
export function rowsOf(event: StreamedEvent): readonly OcoRow[] {
  const rows = Array.isArray(event.rows) ? event.rows.filter(isRow) : [];
  const row = rowOf(event);
  return row === undefined ? rows : [...rows, row];
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function fieldOf(value: unknown, field: string): string {
  return typeof value === "object" && value !== null && field in value ? textOf(Reflect.get(value, field)) : "";
}

/** An event as a sentence. */
export function eventText(event: StreamedEvent): string {
  const row = rowOf(event);
  const order = event.order;
  const symbol = row?.symbol ?? textOf(event.symbol) ?? "";
  const why = textOf(event.message) || textOf(event.reason);
  switch (event.type) {
    case "oco.created":
      return `${rowsOf(event)[0]?.symbol ?? "A"} group is under watch`;
    case "oco.triggered":
      return row === undefined
        ? "A level was reached"
        : `${symbol} ${rowName(row).toLowerCase()} at ${priceText(row.price)} fired at ${priceText(row.triggeredPrice)}: ${quantityText(row.quantity)} sold at market`;
    case "oco.triggerFailed":
      return row === undefined
        ? "A sell failed"
        : `${symbol} ${rowName(row).toLowerCase()} at ${priceText(row.price)} was reached and could not be sold: ${why || (row.triggerErrorMessage ?? "")}`;
    case "oco.sellIncomplete":
      return `${symbol} was sold only in part: ${why || (row?.triggerErrorMessage ?? "")}`;
    case "oco.cancelled":
      return row === undefined
        ? "A row was cancelled"
        : `${symbol} ${rowName(row).toLowerCase()} at ${priceText(row.price)} is no longer watched`;
    case "setup.registered":
      return `A pending OCO waits for order ${fieldOf(event.row, "brokerOrderNo")} (${fieldOf(event.row, "symbol")})`;
    case "setup.converted":
      return `Order ${fieldOf(event.row, "brokerOrderNo")} filled: its OCO group is under watch`;
    case "setup.conversionFailed":
      return `Order ${fieldOf(event.row, "brokerOrderNo")} filled, but no group was made: ${why}`;
    case "setup.removed":
      return `The pending OCO of order ${fieldOf(event.row, "brokerOrderNo")} is gone`;
    case "order.placed":
      return `Order ${fieldOf(order, "orderNo")} placed: ${fieldOf(order, "quantity")} ${fieldOf(order, "symbol")}`;
    case "order.refused":
      return `Order for ${fieldOf(order, "symbol")} refused: ${why}`;
    case "order.quarantined":
      return `Order ${fieldOf(order, "clientOrderId")} for ${fieldOf(order, "symbol")} needs a person: ${why}`;
    default:
      return [sentenceOf(event.type), symbol, why].filter((part) => part !== "").join(" · ");
  }
}

/** `pair.buyFailed` as "Pair buy failed". */
function sentenceOf(type: string): string {
  const words = type.replaceAll(".", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** How much an event matters to whoever trades. */
export function weightOf(type: string): "bad" | "good" | "plain" {
  if (/(Failed|refused|quarantined|Incomplete|unmatched|revoked)$/i.test(type)) return "bad";
  return /(triggered|converted|sold|bought|placed)$/.test(type) ? "good" : "plain";
}
