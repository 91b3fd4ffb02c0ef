/** The price alerts of a user that are under watch, by id (behaviour 29). */
import { z } from "zod";
import { alertListPrefix } from "../../projection/price-alert.ts";
import { forUser } from "../context.ts";
import { pageOfRows } from "../pages.ts";

export const listPriceAlerts = forUser({
  schema: z.object({ from: z.string().max(100).nullish() }),
  handle: async ({ store }, userId, { from = null }, pageBytesMax) =>
    pageOfRows(store, alertListPrefix(userId), from, pageBytesMax),
});
