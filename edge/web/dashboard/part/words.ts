/** Texts of the pages: numbers, times and states. */
import { priceText } from "../../../../src/event/describe-event.ts";
import type { EventFamily } from "../../../../src/event/family.ts";

export { priceText, quantityText, rowName } from "../../../../src/event/describe-event.ts";

const percentFormat = new Intl.NumberFormat("en-US", {
  style: "percent",
  minimumFractionDigits: 2,
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
const dayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });

const moneyFormat = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An amount of money: two decimals, so that decimals align in a column. */
export function moneyText(amount: number): string {
  return moneyFormat.format(amount);
}

/** An average has more digits than what it is of. */
export function averageText(price: number): string {
  return priceText(price < 1 ? price : Math.round(price * 100) / 100);
}

/** How far a level is from a price, in percent of the price. */
export function distanceText(level: number, price: number | undefined): string {
  return price === undefined || price === 0 ? "–" : percentFormat.format(level / price - 1);
}

/** A share in percent, with its sign. */
export function shareText(share: number): string {
  return percentFormat.format(share);
}

/** The hour of a moment of today, with its day otherwise: the calendar's, not the last 24 hours. */
export function timeText(time: string | number | null | undefined): string {
  if (time === null || time === undefined) return "–";
  const date = new Date(time);
  return date.toDateString() === new Date().toDateString() ? timeFormat.format(date) : dateFormat.format(date);
}

/** The hour of a moment, whichever day it is of. */
export function clockText(time: string): string {
  return timeFormat.format(new Date(time));
}

/** The day of a moment, in the zone of the browser. */
export function dayText(time: string): string {
  return dayFormat.format(new Date(time));
}

/** Seconds, minutes or hours, in short. */
export function ageText(ageMs: number): string {
  const seconds = Math.max(0, Math.round(ageMs / 1_000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}

export const ROW_STATES = ["", "Active", "Triggered", "Failed", "Cancelled"] as const;
export const ORDER_STATES = ["Waiting", "Open", "Completed", "Cancelled", "Rejected"] as const;
export const FAMILY_WORDS: Readonly<Record<EventFamily, string>> = {
  groups: "OCO groups",
  bots: "Bots",
  orders: "Orders and alarms",
};
