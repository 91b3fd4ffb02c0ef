/**
 * Ticks as an operator sends them (behaviour 11.7). What publishers send on the bus is read by the feed itself.
 */
import { z } from "zod";
import { LIVE_PRICE_MAX } from "../domain/price/price.ts";
import { body } from "./fields.ts";
import { symbolCode } from "./trading/oco.ts";

/** How far ahead of the clock a tick's time can lie (behaviour 3.2): further ahead, its source's clock is wrong. */
export const TICK_AHEAD_MS_MAX = 5_000;

const TICKS_PER_POST_MAX = 1_000;

const tickInput = body({
  symbol: symbolCode,
  price: z.number().gt(0, "must be above 0").max(LIVE_PRICE_MAX).meta({
    description: "May have more decimals than the tick table, and may lie over 9,999,999, the highest price of a level",
  }),
  time: z.number().int().min(0).nullish().meta({
    description:
      "Epoch milliseconds; default: when it is taken. One that lies more than MAX_TICK_AGE_SECONDS before that makes the engine ignore the tick",
    type: "integer",
  }),
}).meta({ id: "Tick" });
export type TickInput = z.infer<typeof tickInput>;

/** Body of POST `ticks`. */
export const publishTicksBody = body({ ticks: z.array(tickInput).min(1).max(TICKS_PER_POST_MAX) });
export const publishedTicksSchema = z.object({ published: z.number().int() });

/** A last price older than this does not count as the present one. */
const LAST_PRICE_AGE_MS_MAX = 60_000;

/** Whether a last price is so young that it counts for a level that is armed now, or for the lots of an entry (behaviour 3.3, 24.10). */
export function isRecent({ timeMs }: { readonly timeMs: number }, nowMs: number): boolean {
  const ageMs = nowMs - timeMs;
  // After a clock was set back the age of a price is unknown.
  return ageMs <= LAST_PRICE_AGE_MS_MAX && ageMs >= -TICK_AHEAD_MS_MAX;
}
