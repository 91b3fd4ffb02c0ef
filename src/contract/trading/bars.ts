/** Bars of the price history as clients see them (behaviour 22). */
import { z } from "zod";
import { BAR_INTERVALS } from "../../domain/market/bars.ts";
import { symbolCode } from "./oco.ts";

export const BAR_QUERIES = { read: "symbols.bars" } as const;

/** As many bars one answer may hold. */
export const BARS_ANSWERED_MAX = 1_500;

export const barInterval = z.enum(BAR_INTERVALS).meta({
  description: "The length of a period; a day is one of the zone of the symbol's exchange",
});

export const barViewSchema = z
  .object({
    time: z.string().meta({ description: "The beginning of the period, UTC, ISO 8601" }),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
  })
  .meta({ id: "Bar" });
export type BarView = z.infer<typeof barViewSchema>;

/** Body of `symbols.bars`. Times as ISO 8601. */
export const readBarsBody = z.object({
  symbol: symbolCode,
  interval: barInterval,
  from: z.string().max(64).optional(),
  to: z.string().max(64).optional(),
  limit: z.number().int().min(1).max(BARS_ANSWERED_MAX),
});
