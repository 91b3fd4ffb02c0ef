/** Assistant tools for prices. */
import { z } from "zod";
import { BARS_ANSWERED_MAX, barInterval } from "../../../src/contract/trading/bars.ts";
import { symbolCode } from "../../../src/contract/trading/oco.ts";
import type { TradingTool } from "./trading-tool.ts";

export const MARKET_TOOLS: readonly TradingTool[] = [
  {
    name: "get_prices",
    title: "Last prices",
    description: "Gives the last price of symbols, with its time and age.",
    scope: "read",
    method: "GET",
    path: "/api/v1/prices",
    input: z.object({ symbols: z.array(symbolCode).min(1).max(100) }),
  },
  {
    name: "get_bars",
    title: "Price history",
    description: "Gives what the price of a symbol did before: open, high, low and close by period, the newest last.",
    scope: "read",
    method: "GET",
    path: "/api/v1/symbols/{symbol}/bars",
    input: z.object({
      symbol: symbolCode,
      interval: barInterval,
      limit: z.number().int().min(1).max(BARS_ANSWERED_MAX).optional(),
    }),
  },
];
