/** Bars of a symbol: the own price history, and before it the bars of a brokerage (behaviour 22). */
import { BAR_QUERIES, BARS_ANSWERED_MAX, type BarView, readBarsBody } from "../../../src/contract/trading/bars.ts";
import {
  type Bar,
  type BarInterval,
  INTERVAL_MS,
  periodOf,
  preferOwn,
  sumUp,
} from "../../../src/domain/market/bars.ts";
import { accept, type Result, refuse } from "../../../src/domain/refusal.ts";
import { formatTime, parseTime } from "../../../src/domain/time.ts";
import type { BarHistory } from "../../ports/history.ts";
import { forUser, type QueryHandler } from "../context.ts";
import { VenueBars } from "./venue-bars.ts";

interface Asked {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
}

interface Span {
  readonly fromMs: number;
  /** Bars that begin at this moment are in it, too. */
  readonly toMs: number;
}

/** The queries over the price history of this engine, by name. */
export function barQueries(history: BarHistory): ReadonlyMap<string, QueryHandler> {
  const venue = new VenueBars();
  const readBars = forUser({
    schema: readBarsBody,
    handle: async (context, userId, { symbol, interval, ...asked }) => {
      const { symbols, clock } = context;
      if (!symbols.isKnown(symbol)) return { ok: false, code: "NOT_FOUND", message: "the symbol was not found" };
      const span = spanOf(asked, INTERVAL_MS[interval], clock.nowMs());
      if (!span.ok) return span;
      const { fromMs, toMs } = span.value;
      const zone = symbols.zoneOf(symbol);
      // The first and the last period are whole, or their bars would differ from the answer to a wider question.
      const beginMs = periodOf(fromMs, interval, zone);
      const endMs = Math.min(periodOf(toMs, interval, zone) + 2 * INTERVAL_MS[interval], clock.nowMs() + 60_000);
      let bars = await readSums(history.read(symbol, beginMs, endMs), interval, zone);
      const [first] = bars;
      if (first === undefined || first.fromMs - fromMs >= INTERVAL_MS[interval]) {
        bars = joinVenue(bars, await venue.read(context, { userId, symbol, interval }), interval !== "1m");
      }
      const inside = bars.filter((bar) => bar.fromMs >= fromMs && bar.fromMs <= toMs);
      return { ok: true, data: inside.slice(-asked.limit).map(viewOf) };
    },
  });
  return new Map([[BAR_QUERIES.read, readBars]]);
}

/** Each slice is summed up as it comes: all of them together would block the loop. */
async function readSums(slices: AsyncIterable<readonly Bar[]>, interval: BarInterval, zone: string) {
  const sums: Bar[] = [];
  for await (const slice of slices) sums.push(...sumUp([...sums.splice(-1), ...slice], interval, zone));
  return sums as readonly Bar[];
}

/** Without `to` it is now; without `from` it is so much before `to` that `limit` bars have room. */
function spanOf(asked: Asked, lengthMs: number, nowMs: number): Result<Span> {
  const to = asked.to === undefined ? accept(nowMs) : parseTime(asked.to, "to");
  if (!to.ok) return to;
  const preset = accept(Math.max(0, to.value - asked.limit * lengthMs));
  const from = asked.from === undefined ? preset : parseTime(asked.from, "from");
  if (!from.ok) return from;
  if (from.value > to.value) return refuse("INVALID", "from must not be after to");
  if (to.value - from.value > BARS_ANSWERED_MAX * lengthMs) {
    return refuse("INVALID", `from must lie at most ${BARS_ANSWERED_MAX} periods of the interval before to`);
  }
  return accept({ fromMs: from.value, toMs: to.value });
}

/** Own bars count. The first own one of a longer period may begin in its middle: what the venue saw of it counts, too. */
function joinVenue(own: readonly Bar[], venue: readonly Bar[], mayBeginLate: boolean): readonly Bar[] {
  const [first, ...rest] = own;
  const same = venue.find(({ fromMs }) => fromMs === first?.fromMs);
  if (first === undefined || same === undefined || !mayBeginLate) return preferOwn(own, venue);
  const bounds = { high: Math.max(first.high, same.high), low: Math.min(first.low, same.low) };
  return preferOwn([{ ...first, ...bounds, open: same.open }, ...rest], venue);
}

function viewOf({ fromMs, open, high, low, close }: Bar): BarView {
  return { time: formatTime(fromMs), open, high, low, close };
}
