/**
 * Moments in time as text: ISO 8601 in, UTC with milliseconds out (behaviour 1.5).
 *
 * Owns the accepted forms and the calendar check. Does not own the clock, nor whether a moment must be in the future.
 *
 * Invariants:
 * 1. A moment is an integer of milliseconds since 1970-01-01T00:00:00.000Z, from TIME_MIN_MS to TIME_MAX_MS.
 * 2. What `formatTime` writes, `parseTime` reads back as the same moment.
 * 3. A refusal repeats the text only when it consists of nothing but a well-formed time.
 */

import { assert } from "../assert.ts";
import { accept, type Result, refuse } from "./refusal.ts";

/** 1970-01-01T00:00:00.000Z */
export const TIME_MIN_MS = 0;

/** 9999-12-31T23:59:59.999Z */
export const TIME_MAX_MS = 253_402_300_799_999;

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;

/** The day of a moment in UTC, in days since the epoch. */
export function utcDayOf(timeMs: number): number {
  return Math.floor(timeMs / MS_PER_DAY);
}

/** `00` to `99`. */
const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"));

/**
 * Date, then optionally time of day with up to nine decimals of a second, then optionally `Z`, `+03:00`, `+0300` or
 * `+03`.
 */
const ISO_TIME =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:T(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<decimals>\d{1,9}))?)?(?:Z|(?<sign>[+-])(?<offsetHour>\d{2})(?::?(?<offsetMinute>\d{2}))?)?)?$/;

/**
 * Reads an ISO 8601 time: a date (midnight UTC), or a date and a time of day, with `Z`, an offset, or neither (UTC).
 * Decimals of a second beyond milliseconds are cut off. Refuses (INVALID) other forms, moments that do not exist
 * (2026-02-30, a second 60, an hour 24) and years outside 1970 to 9999. Answers epoch milliseconds.
 */
export function parseTime(text: string, field: string): Result<number> {
  const parts = ISO_TIME.exec(text)?.groups;
  if (parts === undefined) {
    return refuse("INVALID", `${field} is not an ISO 8601 time such as 2026-03-01T10:00:00Z`);
  }
  const numberOf = (name: string): number => Number(parts[name] ?? 0);
  const year = numberOf("year");
  const month = numberOf("month");
  const day = numberOf("day");
  const hour = numberOf("hour");
  const minute = numberOf("minute");
  const second = numberOf("second");
  if (year < 1970) return refuse("INVALID", `${field} ${text} is not in the years 1970 to 9999`);

  const isOnCalendar = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  const isOnClock = hour <= 23 && minute <= 59 && second <= 59;
  const isOffset = numberOf("offsetHour") <= 23 && numberOf("offsetMinute") <= 59;
  if (!isOnCalendar || !isOnClock || !isOffset) return refuse("INVALID", `${field} ${text} does not exist`);

  const ms = Number((parts.decimals ?? "").slice(0, 3).padEnd(3, "0"));
  const offsetMinutes = (parts.sign === "-" ? -1 : 1) * (numberOf("offsetHour") * 60 + numberOf("offsetMinute"));
  const timeMs = Date.UTC(year, month - 1, day, hour, minute, second, ms) - offsetMinutes * MS_PER_MINUTE;
  if (timeMs < TIME_MIN_MS || timeMs > TIME_MAX_MS) {
    return refuse("INVALID", `${field} ${text} is not in the years 1970 to 9999`);
  }
  return accept(timeMs);
}

/** Writes a moment as UTC ISO 8601 with milliseconds and `Z`: `2026-03-01T10:00:00.000Z`. */
export function formatTime(timeMs: number): string {
  if (lastMoment.timeMs !== timeMs) {
    lastMoment.text = textOf(timeMs);
    lastMoment.timeMs = timeMs;
  }
  return lastMoment.text;
}

/** The moment written last: the rows of a group change at the same one. */
const lastMoment = { timeMs: 0, text: "1970-01-01T00:00:00.000Z" };

function textOf(timeMs: number): string {
  assert(Number.isInteger(timeMs) && timeMs >= TIME_MIN_MS && timeMs <= TIME_MAX_MS, () => `not a moment: ${timeMs}`);
  const inDayMs = timeMs % MS_PER_DAY;
  const hour = TWO_DIGITS[Math.trunc(inDayMs / 3_600_000)];
  const minute = TWO_DIGITS[Math.trunc(inDayMs / MS_PER_MINUTE) % 60];
  const second = TWO_DIGITS[Math.trunc(inDayMs / 1_000) % 60];
  const ms = inDayMs % 1_000;
  return `${dateOf(timeMs - inDayMs)}T${hour}:${minute}:${second}.${Math.trunc(ms / 100)}${TWO_DIGITS[ms % 100]}Z`;
}

/** The date written last: moments that are written together mostly share their day, and a Date is expensive to make. */
const lastDate = { startMs: TIME_MIN_MS, text: "1970-01-01" };

function dateOf(startMs: number): string {
  if (lastDate.startMs !== startMs) {
    lastDate.startMs = startMs;
    lastDate.text = new Date(startMs).toISOString().slice(0, 10);
  }
  return lastDate.text;
}

/** Days of a month, 1 to 12, in the Gregorian calendar: day 0 of the month after is its last. */
function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
