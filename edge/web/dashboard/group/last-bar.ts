/** How a price extends the last bar of a chart. Does not own: drawing (chart.tsx), how bars are made (src/domain). */
import { type Bar, type BarInterval, INTERVAL_MS, periodOf } from "../../../../src/domain/market/bars.ts";

/**
 * Extends the last bar of a chart by a price, or begins the next one; undefined for an older price. `zone`: the IANA
 * time zone of the exchange, in which a day begins.
 */
export function barWith(
  last: Bar | undefined,
  price: number,
  timeMs: number,
  { interval, zone }: { readonly interval: BarInterval; readonly zone: string },
): Bar | undefined {
  if (last !== undefined && timeMs < last.fromMs) return undefined;
  // The beginning of a day is expensive to compute, and the shortest day has 23 hours.
  const sureMs = interval === "1d" ? INTERVAL_MS["1h"] * 23 : INTERVAL_MS[interval];
  const isSure = last !== undefined && timeMs < last.fromMs + sureMs;
  const fromMs = isSure ? last.fromMs : periodOf(timeMs, interval, zone);
  if (last === undefined || fromMs > last.fromMs) return { fromMs, open: price, high: price, low: price, close: price };
  return { ...last, high: Math.max(last.high, price), low: Math.min(last.low, price), close: price };
}
