/**
 * Ticks as an operator sends them (behaviour 11.7). What publishers send on the bus is read by the feed itself.
 */
import { z } from "zod";
import { LIVE_PRICE_MAX } from "../domain/price/price.ts";
import { body } from "./fields.ts";
import { symbolCode } from "./trading/oco.ts";

const TICKS_PER_POST_MAX = 1_000;

const tickInput = body({
  symbol: symbolCode,
  price: z.number().gt(0, "must be above 0").max(LIVE_PRICE_MAX).meta({
    description: "May have more decimals than the tick table, and may lie over 9,999,999, the highest price of a level",
  }),
  time: z.number().int().min(0).nullish().meta({
    description:
      "Epoch milliseconds; default: when it is taken. The engine ignores a tick whose time lies more than MAX_TICK_AGE_SECONDS before that",
    type: "integer",
  }),
}).meta({ id: "Tick" });
export type TickInput = z.infer<typeof tickInput>;

/** Body of POST `ticks`. */
export const publishTicksBody = body({ ticks: z.array(tickInput).min(1).max(TICKS_PER_POST_MAX) });
export const publishedTicksSchema = z.object({ published: z.number().int() });
