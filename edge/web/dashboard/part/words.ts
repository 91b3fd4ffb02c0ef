/** Texts of the pages: numbers, times and states. */
import type { EventFamily } from "../../../../src/event/family.ts";
import { priceText, shareText } from "../language/numbers.ts";
import { dateLocale, say } from "../language/say.ts";
import { STOP_LOSS } from "../state/model.ts";

export { moneyText, priceText, profitText, quantityText, shareText } from "../language/numbers.ts";

const timeFormat = new Intl.DateTimeFormat(dateLocale(), { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dateFormat = new Intl.DateTimeFormat(dateLocale(), {
  day: "2-digit",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const dayFormat = new Intl.DateTimeFormat(dateLocale(), {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});

const momentFormat = new Intl.DateTimeFormat(dateLocale(), { dateStyle: "full", timeStyle: "short", timeZone: "UTC" });

/** The kind of a row. */
export function rowName({ orderType }: { readonly orderType: 1 | 2 }): string {
  return orderType === STOP_LOSS ? say("Stop-loss") : say("Take-profit");
}

/** An average has more digits than what it is of. */
export function averageText(price: number): string {
  return priceText(price < 1 ? price : Math.round(price * 100) / 100);
}

/** How far a level is from a price, in percent of the price. */
export function distanceText(level: number, price: number | undefined): string {
  return price === undefined || price === 0 ? "–" : shareText(level / price - 1);
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

/** The moment in a field for date and time (`2026-03-02T17:50`) as text; empty for an empty field. */
export function typedMomentText(value: string): string {
  // The field has a time on the wall, which is the same in every zone.
  const date = new Date(`${value}Z`);
  return Number.isNaN(date.getTime()) ? "" : momentFormat.format(date);
}

/** Seconds, minutes or hours, in short. */
export function ageText(ageMs: number): string {
  const seconds = Math.max(0, Math.round(ageMs / 1_000));
  if (seconds < 60) return say("{count} s", { count: seconds });
  return seconds < 3_600
    ? say("{count} min", { count: Math.floor(seconds / 60) })
    : say("{count} h", { count: Math.floor(seconds / 3_600) });
}

/** How long something lasted, in two units: exact to the second for less than an hour. */
export function spanText(spanMs: number): string {
  const seconds = Math.max(0, Math.round(spanMs / 1_000));
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3_600)];
  if (minutes === 0) return say("{count} s", { count: seconds });
  if (hours === 0) return say("{minutes} min {seconds} s", { minutes, seconds: seconds % 60 });
  if (hours < 24) return say("{hours} h {minutes} min", { hours, minutes: minutes % 60 });
  return say("{days} d {hours} h", { days: Math.floor(hours / 24), hours: hours % 24 });
}

export const ROW_STATES = ["", say("Active"), say("Triggered"), say("Failed"), say("Cancelled")] as const;
export const ORDER_STATES = [say("Waiting"), say("Open"), say("Filled"), say("Cancelled"), say("Rejected")] as const;
export const FAMILY_WORDS: Readonly<Record<EventFamily, string>> = {
  groups: say("OCO groups"),
  bots: say("Bots"),
  orders: say("Orders and alarms"),
};
