/**
 * The trading calendar of an exchange: the phases of its days, its holidays and its half days (behaviour 21).
 *
 * Owns: valid calendars, and which phase a moment lies in. Does not own: files (the engine), waits for a phase.
 *
 * Invariants:
 * 1. Saturdays, Sundays and holidays have no phase; a half day has phases of its own.
 * 2. A phase begins with its first minute and ends before the minute `to`. Phases of a day are in order and do not
 *    overlap.
 */
import { accept, type Result, refuse } from "../refusal.ts";
import { parseTime, utcDayOf } from "../time.ts";
import { dayIn, isZone, momentIn } from "../time-zone.ts";

/** Kinds of orders that a phase can take. */
export const TAKEN_ORDERS = ["market", "limit"] as const;
type TakenOrder = (typeof TAKEN_ORDERS)[number];

/** A phase as a file gives it: times of day of the exchange, `09:40`; `to` may be `24:00`. */
export interface PhaseRequest {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly takes: readonly TakenOrder[];
}

/** A calendar as a file gives it. Dates are days of the exchange, `2026-03-02`. */
export interface CalendarRequest {
  /** The market identifier code. */
  readonly mic: string;
  /** An IANA time zone. */
  readonly zone: string;
  readonly phases: readonly PhaseRequest[];
  readonly holidays: readonly string[];
  readonly halfDays: Readonly<Record<string, readonly PhaseRequest[]>>;
}

interface Phase {
  readonly name: string;
  /** Minutes since midnight. */
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly takes: readonly TakenOrder[];
}

/** A valid calendar. Days are counted from 1970-01-01. */
export interface Calendar {
  readonly mic: string;
  readonly zone: string;
  readonly phases: readonly Phase[];
  readonly holidays: ReadonlySet<number>;
  readonly halfDays: ReadonlyMap<number, readonly Phase[]>;
}

/** A phase on one day, from its first moment up to before its end. */
export interface Session {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly takes: readonly TakenOrder[];
}

/** The market of an order. */
export interface Market {
  /** The time zone of the exchange. */
  readonly zone: string;
  /** Undefined: its opening time is not known. */
  readonly calendar: Calendar | undefined;
  /** The kind of the next order. */
  readonly order: TakenOrder;
  /** When the next order would leave, in epoch milliseconds; absent: at the moment of the event. */
  readonly nowMs?: number;
}

const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/;
const MIDNIGHT = "24:00";
const MINUTES_PER_DAY = 1_440;
/** A calendar without a phase for this many days has no phase at all. */
const DAYS_AHEAD_MAX = 60;
/** 1970-01-01 was a Thursday. */
const WEEKDAY_OF_DAY_0 = 4;

/** Checks a calendar. Refuses (INVALID) with the field and the rule. */
export function planCalendar(request: CalendarRequest): Result<Calendar> {
  const { mic, zone } = request;
  if (!isZone(zone)) return refuse("INVALID", `zone ${zone} is not a known IANA time zone`);
  const phases = planPhases(request.phases, "phases");
  if (!phases.ok) return phases;
  const holidays = new Set<number>();
  for (const [index, text] of request.holidays.entries()) {
    const day = parseDay(text, `holidays[${index}]`);
    if (!day.ok) return day;
    if (holidays.has(day.value)) return refuse("INVALID", `holidays[${index}] ${text} is listed twice`);
    holidays.add(day.value);
  }
  const halfDays = new Map<number, readonly Phase[]>();
  for (const [text, requests] of Object.entries(request.halfDays)) {
    const day = parseDay(text, "halfDays");
    if (!day.ok) return day;
    if (holidays.has(day.value)) return refuse("INVALID", `halfDays ${text} is a holiday, too`);
    const ofDay = planPhases(requests, `halfDays.${text}`);
    if (!ofDay.ok) return ofDay;
    halfDays.set(day.value, ofDay.value);
  }
  return accept({ mic, zone, phases: phases.value, holidays, halfDays });
}

function planPhases(requests: readonly PhaseRequest[], field: string): Result<readonly Phase[]> {
  if (requests.length === 0) return refuse("INVALID", `${field} must have at least one phase`);
  const phases: Phase[] = [];
  for (const [index, { name, from, to, takes }] of requests.entries()) {
    const place = `${field}[${index}]`;
    const fromMinute = minuteOf(from);
    if (fromMinute === undefined) return refuse("INVALID", `${place}.from ${from} is not a time of day such as 09:40`);
    const toMinute = to === MIDNIGHT ? MINUTES_PER_DAY : minuteOf(to);
    if (toMinute === undefined) return refuse("INVALID", `${place}.to ${to} is not a time of day such as 18:00`);
    if (toMinute <= fromMinute) return refuse("INVALID", `${place}.to ${to} must be later than its from ${from}`);
    const before = phases.at(-1);
    if (before !== undefined && fromMinute < before.toMinute) {
      return refuse("INVALID", `${place}.from ${from} must not be earlier than the end of ${field}[${index - 1}]`);
    }
    phases.push({ name, fromMinute, toMinute, takes });
  }
  return accept(phases);
}

function minuteOf(text: string): number | undefined {
  const [, hour, minute] = TIME_OF_DAY.exec(text) ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
}

function parseDay(text: string, field: string): Result<number> {
  const timeMs = parseTime(text, field);
  if (!timeMs.ok) return timeMs;
  if (text.length !== "2026-03-02".length) return refuse("INVALID", `${field} ${text} must be a date without a time`);
  return accept(utcDayOf(timeMs.value));
}

/** The session that a moment lies in; undefined between sessions. */
export function sessionAt(calendar: Calendar, timeMs: number): Session | undefined {
  return sessionsOf(calendar, dayIn(calendar.zone, timeMs)).find((one) => one.fromMs <= timeMs && timeMs < one.toMs);
}

/** The first session that begins after a moment; undefined if none does within 60 days. */
export function sessionAfter(calendar: Calendar, timeMs: number): Session | undefined {
  return findSession(calendar, timeMs, ({ fromMs }) => fromMs > timeMs);
}

/**
 * The earliest moment from `timeMs` on at which an order of a kind is taken: `timeMs` itself if it is taken then.
 * Undefined if it is not within 60 days.
 */
export function takenFromMs(calendar: Calendar, timeMs: number, order: TakenOrder): number | undefined {
  const found = findSession(calendar, timeMs, ({ toMs, takes }) => toMs > timeMs && takes.includes(order));
  return found === undefined ? undefined : Math.max(timeMs, found.fromMs);
}

/** A calendar can be wrong: a market that should be closed is still tried this often (behaviour 21.3). */
export const CLOSED_PAUSE_MS = 900_000;

/**
 * When a market opens for the order that it does not take at `timeMs`; undefined if it takes it then, or if the opening
 * is not known.
 */
export function opensAtMs(market: Market | undefined, timeMs: number): number | undefined {
  if (market?.calendar === undefined) return undefined;
  const fromMs = takenFromMs(market.calendar, timeMs, market.order);
  return fromMs === timeMs ? undefined : fromMs;
}

/**
 * In how many milliseconds a market opens for the order that it does not take at `timeMs`; undefined as in `opensAtMs`.
 */
export function opensInMs(market: Market | undefined, timeMs: number): number | undefined {
  const openMs = opensAtMs(market, timeMs);
  return openMs === undefined ? undefined : openMs - timeMs;
}

/** The day of a market at a moment, in days since 1970-01-01; in UTC if the market is not known (behaviour 21.2). */
export function marketDayOf(market: Market | undefined, timeMs: number): number {
  return market === undefined ? utcDayOf(timeMs) : dayIn(market.zone, timeMs);
}

/** The end of the last session of the exchange's day that a moment lies in; undefined on a day without one. */
export function closeOfDayMs(calendar: Calendar, timeMs: number): number | undefined {
  return sessionsOf(calendar, dayIn(calendar.zone, timeMs)).at(-1)?.toMs;
}

/**
 * The end of the session that a moment lies in, unless it is the day's longest, which is the continuous one; else
 * undefined.
 */
export function auctionEndMs(calendar: Calendar, timeMs: number): number | undefined {
  const lengthOf = ({ fromMs, toMs }: Session): number => toMs - fromMs;
  const current = sessionAt(calendar, timeMs);
  const longestMs = Math.max(...sessionsOf(calendar, dayIn(calendar.zone, timeMs)).map(lengthOf));
  return current === undefined || lengthOf(current) === longestMs ? undefined : current.toMs;
}

/** The first moment after `timeMs` that lies `beforeMinutes` before the end of a day's last session. */
export function nextBeforeCloseMs(calendar: Calendar, timeMs: number, beforeMinutes: number): number | undefined {
  const today = dayIn(calendar.zone, timeMs);
  for (let day = today; day <= today + DAYS_AHEAD_MAX; day += 1) {
    const closeMs = sessionsOf(calendar, day).at(-1)?.toMs;
    const atMs = closeMs === undefined ? undefined : closeMs - beforeMinutes * 60_000;
    if (atMs !== undefined && atMs > timeMs) return atMs;
  }
  return undefined;
}

function findSession(calendar: Calendar, timeMs: number, isIt: (session: Session) => boolean): Session | undefined {
  const today = dayIn(calendar.zone, timeMs);
  for (let day = today; day <= today + DAYS_AHEAD_MAX; day += 1) {
    const found = sessionsOf(calendar, day).find(isIt);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The sessions of a day, in order. */
function sessionsOf({ zone, phases, holidays, halfDays }: Calendar, day: number): readonly Session[] {
  const weekday = (day + WEEKDAY_OF_DAY_0) % 7;
  if (weekday === 0 || weekday === 6 || holidays.has(day)) return [];
  return (halfDays.get(day) ?? phases).map(({ name, fromMinute, toMinute, takes }) => ({
    name,
    fromMs: momentIn(zone, day, fromMinute),
    toMs: momentIn(zone, day, toMinute),
    takes,
  }));
}
