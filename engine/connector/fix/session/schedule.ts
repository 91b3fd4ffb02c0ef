/**
 * When a session is open: days and hours in the counterparty's time zone.
 *
 * Invariant: a session's day is the local date on which it began, also if it ends after midnight. So a daily reset
 * happens once a session and never in the middle of one.
 */

export interface Schedule {
  /** 1 = Monday to 7 = Sunday: the days on which a session begins. */
  readonly days: readonly number[];
  /** Minutes of the local day. `end` at or before `start`: on the next day. */
  readonly startMinute: number;
  readonly endMinute: number;
  readonly timeZone: string;
}

const MINUTES_OF_DAY = 1_440;

interface LocalTime {
  readonly date: string;
  readonly weekday: number;
  readonly minute: number;
}

/** The local date and minute of an instant. */
function localTime(timeMs: number, timeZone: string): LocalTime {
  const parts = formatterOf(timeZone).formatToParts(timeMs);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value ?? "0");
  const year = part("year");
  const date = new Date(Date.UTC(year, part("month") - 1, part("day")));
  return {
    date: date.toISOString().slice(0, 10),
    weekday: date.getUTCDay() === 0 ? 7 : date.getUTCDay(),
    minute: (part("hour") % 24) * 60 + part("minute"),
  };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hourCycle: "h23",
      ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" },
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** True for a name that the machine's zone data knows. */
export function isTimeZone(timeZone: string): boolean {
  try {
    formatterOf(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** The day (local date of its beginning) of the session that is open at `timeMs`; undefined between sessions. */
function sessionDay(schedule: Schedule, timeMs: number): string | undefined {
  const { startMinute, endMinute, days, timeZone } = schedule;
  const now = localTime(timeMs, timeZone);
  const endsNextDay = endMinute <= startMinute;
  const isBegun = days.includes(now.weekday) && now.minute >= startMinute;
  if (isBegun && (endsNextDay || now.minute < endMinute)) return now.date;
  if (!endsNextDay || now.minute >= endMinute) return undefined;
  // Begun yesterday: an instant of the local day before, also if the clocks changed in between.
  const before = localTime(timeMs - (now.minute + MINUTES_OF_DAY / 2) * 60_000, timeZone);
  return days.includes(before.weekday) ? before.date : undefined;
}

/** The session's day; without a schedule it is the UTC day and never over. */
export function dayOf(schedule: Schedule | undefined, timeMs: number): string | undefined {
  return schedule === undefined ? new Date(timeMs).toISOString().slice(0, 10) : sessionDay(schedule, timeMs);
}

/** FIX's UTC timestamp with milliseconds: `20261122-11:33:10.123`. */
export function renderUtc(timeMs: number): string {
  const iso = new Date(timeMs).toISOString();
  return `${iso.slice(0, 10).replaceAll("-", "")}-${iso.slice(11, 23)}`;
}

/** Parses a UTC timestamp, with or without fractions of a second; returns undefined if it is not one. */
export function parseUtc(text: string | undefined): number | undefined {
  const found = /^(\d{4})(\d{2})(\d{2})-(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?$/.exec(text ?? "");
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = ""] = found;
  const atSecond = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second === "60" ? "59" : second}Z`);
  if (Number.isNaN(atSecond)) return undefined;
  return atSecond + Math.floor(Number(`0${fraction || ".0"}`) * 1_000);
}
