/** Assistant tools for prices, the market of a symbol, and price alerts. */
import { z } from "zod";
import { BARS_ANSWERED_MAX, barInterval } from "../../../src/contract/trading/bars.ts";
import { brokerageCode, symbolCode } from "../../../src/contract/trading/oco.ts";
import { ALERT_LISTS, changeAlertBody, priceAlertBody } from "../../../src/contract/trading/price-alert.ts";
import { id, nothing, type TradingTool } from "./trading-tool.ts";

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
  {
    name: "get_conditions",
    title: "Conditions",
    description:
      "Shows whether prices and orders flow: the feed that the caller's levels are watched by and how long it has been silent, the way to each brokerage, and the partitions of engines.",
    scope: "read",
    method: "GET",
    path: "/api/v1/conditions",
    input: nothing,
  },
  {
    name: "get_session",
    title: "Session of a symbol",
    description:
      "Shows the phase of the symbol's exchange now and the next change, by its calendar. Null: no calendar is known.",
    scope: "read",
    method: "GET",
    path: "/api/v1/symbols/{symbol}/session",
    input: z.object({ symbol: symbolCode }),
  },
  {
    name: "get_band",
    title: "Band of a symbol",
    description:
      "Shows the floor and the ceiling between which the exchange takes orders of a symbol today. Null: not known.",
    scope: "read",
    method: "GET",
    path: "/api/v1/symbols/{symbol}/band",
    input: z.object({ symbol: symbolCode, brokerageCode: brokerageCode.optional() }),
  },
  {
    name: "list_price_alerts",
    title: "Price alerts",
    description:
      "Lists the caller's price alerts that are under watch, or with status ended the ones that were reached or expired in the last seven days.",
    scope: "read",
    method: "GET",
    path: "/api/v1/price-alerts",
    input: z.object({ status: z.enum(ALERT_LISTS).optional() }),
  },
  {
    name: "create_price_alert",
    title: "Create a price alert",
    description:
      "Watches a price: the caller is notified when a symbol is at or above, or at or below, it: once, or with repeat at each crossing. No order depends on an alert.",
    scope: "trade",
    method: "POST",
    path: "/api/v1/price-alerts",
    input: priceAlertBody,
  },
  {
    name: "change_price_alert",
    title: "Change a price alert",
    description:
      "Changes a price alert that is under watch. An absent field is unchanged; null takes note or until away. With another price or direction it is armed again.",
    scope: "trade",
    method: "PATCH",
    path: "/api/v1/price-alerts/{id}",
    input: changeAlertBody.extend({ id }),
  },
  {
    name: "delete_price_alert",
    title: "Remove a price alert",
    description: "Removes a price alert that is under watch. The caller is not notified of that price any more.",
    scope: "trade",
    method: "DELETE",
    path: "/api/v1/price-alerts/{id}",
    input: z.object({ id }),
  },
];
