/**
 * The bars of a chart: the bars that the service keeps, and the prices since.
 *
 * Owns: how a price extends the last bar. Does not own: drawing (chart.tsx), how bars are made (src/domain).
 */
import { type Bar, type BarInterval, INTERVAL_MS, periodOf } from "../../../../src/domain/market/bars.ts";
import type { DashboardState } from "../state/dashboard-state.ts";

const BARS_READ = 500;

interface AnsweredBar {
  readonly time: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** The latest bars that the service keeps, the oldest first. Throws if they cannot be read. */
export async function readBars(dashboard: DashboardState, symbol: string, interval: BarInterval): Promise<Bar[]> {
  const query = new URLSearchParams({ interval, limit: String(BARS_READ) });
  const path = `/api/v1/symbols/${encodeURIComponent(symbol)}/bars?${query}`;
  const answered = await dashboard.session.get<readonly AnsweredBar[]>(path);
  return answered.map(({ time, ...prices }) => ({ fromMs: Date.parse(time), ...prices }));
}

/**
 * Extends the last bar of a chart by a price, or begins the next one; undefined for an older price. A new day bar
 * begins a whole number of days after the last one, so that it keeps the zone of the exchange.
 */
export function barWith(last: Bar | undefined, price: number, timeMs: number, interval: BarInterval): Bar | undefined {
  const lengthMs = INTERVAL_MS[interval];
  if (last !== undefined && timeMs < last.fromMs) return undefined;
  if (last !== undefined && timeMs < last.fromMs + lengthMs) {
    return { ...last, high: Math.max(last.high, price), low: Math.min(last.low, price), close: price };
  }
  const fromMs =
    interval === "1d" && last !== undefined
      ? timeMs - ((timeMs - last.fromMs) % lengthMs)
      : periodOf(timeMs, interval, "UTC");
  return { fromMs, open: price, high: price, low: price, close: price };
}
