/**
 * Bars: the prices of a symbol in a period (behaviour 22).
 *
 * Owns: how a bar is made of prices, joined with another and summed up to longer periods. Does not own: where bars are
 * stored, which prices count.
 *
 * Invariant: to join a minute with itself, or with a part of itself, changes nothing.
 */
import { startOfDayMs } from "../time-zone.ts";

const MINUTE_MS = 60_000;

/** The lengths of periods that bars are asked for. */
export const BAR_INTERVALS = ["1m", "5m", "15m", "1h", "1d"] as const;
export type BarInterval = (typeof BAR_INTERVALS)[number];

/** About how long a period is, in milliseconds: a day may have 23 or 25 hours. */
export const INTERVAL_MS: Readonly<Record<BarInterval, number>> = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "1h": 60 * MINUTE_MS,
  "1d": 24 * 60 * MINUTE_MS,
};

/** The prices of one period, in currency units. */
export interface Bar {
  /** The beginning of the period, epoch milliseconds. */
  readonly fromMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** A bar of one minute that can be joined with more of the same minute, in any order of arrival. */
export interface MinuteBar extends Bar {
  /** When its first price was true. */
  readonly openMs: number;
  /** When its last price was true. */
  readonly closeMs: number;
}

/** The beginning of the minute that a moment lies in, epoch milliseconds. */
export function minuteOf(timeMs: number): number {
  return timeMs - (timeMs % MINUTE_MS);
}

/** The bar of a minute with one price. */
export function minuteBarOf(price: number, timeMs: number): MinuteBar {
  const bounds = { open: price, high: price, low: price, close: price };
  return { fromMs: minuteOf(timeMs), ...bounds, openMs: timeMs, closeMs: timeMs };
}

/** Two bars of the same minute as one. Of two prices at the same moment the open of `bar` stays, and `later` closes. */
export function joinMinutes(bar: MinuteBar, later: MinuteBar): MinuteBar {
  const opening = later.openMs < bar.openMs ? later : bar;
  const closing = later.closeMs >= bar.closeMs ? later : bar;
  return {
    fromMs: bar.fromMs,
    open: opening.open,
    high: Math.max(bar.high, later.high),
    low: Math.min(bar.low, later.low),
    close: closing.close,
    openMs: opening.openMs,
    closeMs: closing.closeMs,
  };
}

/** The beginning of the period that a moment lies in, epoch milliseconds; a day is one of the IANA time zone `zone`. */
export function periodOf(timeMs: number, interval: BarInterval, zone: string): number {
  if (interval === "1d") return startOfDayMs(zone, timeMs);
  return timeMs - (timeMs % INTERVAL_MS[interval]);
}

/** Returns `sum` with a bar of its period or of a part of it added; for a bar of a later period that period's sum. */
export function addBar(sum: Bar | undefined, bar: Bar, interval: BarInterval, zone: string): Bar {
  // The beginning of a day is expensive to compute, and the shortest day has 23 hours.
  const sureMs = interval === "1d" ? 23 * 60 * MINUTE_MS : INTERVAL_MS[interval];
  const isSure = sum !== undefined && bar.fromMs < sum.fromMs + sureMs;
  const fromMs = isSure ? sum.fromMs : periodOf(bar.fromMs, interval, zone);
  const { open, high, low, close } = bar;
  if (sum === undefined || fromMs !== sum.fromMs) return { fromMs, open, high, low, close };
  return { ...sum, high: Math.max(sum.high, high), low: Math.min(sum.low, low), close };
}

/** Bars in order of time, summed up to longer periods. A period without a price has no bar. */
export function sumUp(bars: readonly Bar[], interval: BarInterval, zone: string): Bar[] {
  const sums: Bar[] = [];
  for (const bar of bars) {
    const last = sums.at(-1);
    const sum = addBar(last, bar, interval, zone);
    if (sum.fromMs === last?.fromMs) sums[sums.length - 1] = sum;
    else sums.push(sum);
  }
  return sums;
}

/** Bars of the same periods from two sources, in order of time; if both have a bar, `own` counts. */
export function preferOwn(own: readonly Bar[], other: readonly Bar[]): Bar[] {
  const byTime = new Map([...other, ...own].map((bar) => [bar.fromMs, bar]));
  return [...byTime.values()].sort((left, right) => left.fromMs - right.fromMs);
}
