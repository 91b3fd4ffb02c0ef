/**
 * Last prices as clients see them.
 */
import { z } from "zod";
import { symbolCode } from "./oco.ts";

/** As many as a symbol list may hold. */
export const PRICE_SYMBOLS_MAX = 500;

export const lastPriceSchema = z
  .object({
    symbol: z.string(),
    price: z.number().nullable().meta({ description: "The last accepted price; null where none is known" }),
    time: z.string().nullable().meta({ description: "When the price was true, UTC, ISO 8601" }),
    ageMs: z
      .number()
      .int()
      .nullable()
      .meta({ description: "How old the price is now, in milliseconds; null where its time is ahead of the clock" }),
  })
  .meta({ id: "LastPrice" });
export type LastPriceView = z.infer<typeof lastPriceSchema>;

/** Body of the query `prices.last`. */
export const lastPricesBody = z.object({ symbols: z.array(symbolCode).max(10_000) });
