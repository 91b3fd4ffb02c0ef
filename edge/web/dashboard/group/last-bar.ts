/** How a price extends the last bar of a chart. Does not own: drawing (chart.tsx), how bars are made (src/domain). */
import { addBar, type Bar, type BarInterval } from "../../../../src/domain/market/bars.ts";

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
  return addBar(last, { fromMs: timeMs, open: price, high: price, low: price, close: price }, interval, zone);
}
