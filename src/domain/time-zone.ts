/**
 * Days in the time zones of exchanges (behaviour 1.5).
 *
 * Owns: which zone an exchange has, and when a day of it ends. Does not own: trading hours and holidays.
 */
import { accept, type Result, refuse } from "./refusal.ts";
import { parseTime, TIME_MAX_MS, utcDayOf } from "./time.ts";

const MS_PER_DAY = 86_400_000;
const MS_PER_MINUTE = 60_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const ISTANBUL: ReadonlySet<string> = new Set(["BIST", "XIST"]);
const NEW_YORK: ReadonlySet<string> = new Set([
  ...["NYSE", "NASDAQ", "ARCA", "AMEX", "BATS"],
  // By their market identifier codes.
  ...["XNYS", "XNAS", "ARCX", "XASE", "BATS", "IEXG"],
]);

/** The IANA time zone of an exchange, in any case of letters; UTC for an unknown exchange. */
export function zoneOfExchange(exchange: string): string {
  const name = exchange.toUpperCase();
  if (ISTANBUL.has(name)) return "Europe/Istanbul";
  return NEW_YORK.has(name) ? "America/New_York" : "UTC";
}

/** The market identifier code under which an exchange's calendar is stored; its own name for an unknown exchange. */
export function calendarMicOf(exchange: string): string {
  const name = exchange.toUpperCase();
  if (ISTANBUL.has(name)) return "XIST";
  return NEW_YORK.has(name) ? "XNYS" : name;
}

/** Whether clocks of this IANA zone are known. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The date that clocks of `zone` show at a moment, as `2026-03-02`. */
export function dateIn(zone: string, timeMs: number): string {
  return new Date(timeMs + offsetMs(timeMs, zone)).toISOString().slice(0, 10);
}

/** The date that clocks of `zone` show at a moment, in days since 1970-01-01. */
export function dayIn(zone: string, timeMs: number): number {
  return utcDayOf(timeMs + offsetMs(timeMs, zone));
}

/** The moment at which clocks of `zone` show a minute of a day, both counted from midnight and 1970-01-01. */
export function momentIn(zone: string, day: number, minute: number): number {
  return utcOfLocal(day * MS_PER_DAY + minute * MS_PER_MINUTE, zone);
}

/** The moment at which a day of `zone` is over and the next one begins. */
export function dayEndMs(zone: string, day: number): number {
  return momentIn(zone, day + 1, 0);
}

/** When the day of `zone` began in which a moment lies, epoch milliseconds. */
export function startOfDayMs(zone: string, timeMs: number): number {
  return utcOfLocal(Date.parse(dateIn(zone, timeMs)), zone);
}

/**
 * Reads a moment until which something holds, as epoch milliseconds: a date without a time is the last millisecond of
 * that day in `zone`, everything else as `parseTime` reads it. Refuses (INVALID) what `parseTime` refuses.
 */
export function parseDeadline(text: string, field: string, zone: string): Result<number> {
  const timeMs = parseTime(text, field);
  if (!timeMs.ok || !DATE.test(text)) return timeMs;
  const endMs = dayEndMs(zone, utcDayOf(timeMs.value)) - 1;
  return endMs <= TIME_MAX_MS ? accept(endMs) : refuse("INVALID", `${field} ${text} is not in the years 1970 to 9999`);
}

/** The moment at which clocks of `zone` show `localMs`, a local time written as if it were UTC. */
function utcOfLocal(localMs: number, zone: string): number {
  const guessMs = localMs - offsetMs(localMs, zone);
  return localMs - offsetMs(guessMs, zone);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far clocks of `zone` are ahead of UTC at a moment, in milliseconds. */
function offsetMs(timeMs: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(timeMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.trunc(timeMs / 1_000) * 1_000;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, made);
  return made;
}
