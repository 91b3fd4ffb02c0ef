/** The stored context of a price alert, checked on reading as strictly as it was written. */
import { z } from "zod";
import type { PriceAlert } from "../../domain/price-alert.ts";

const id = z.number().int().positive();
const moment = z.number().int().nonnegative();

export const priceAlertSnapshot = z.strictObject({
  version: z.literal(1),
  alertId: id,
  userId: id,
  symbol: z.string(),
  side: z.enum(["above", "below"]),
  price: z.number().int().positive(),
  note: z.string().nullable(),
  slot: moment,
  createdAtMs: moment,
  armedSinceMs: moment,
  isOver: z.boolean(),
  countedActions: z.array(z.string()),
  // An alert of an older version lacks all of these.
  repeats: z.literal(true).exactOptional(),
  isAway: z.literal(true).exactOptional(),
  turnedBy: z.strictObject({ stream: z.string(), sequence: moment }).exactOptional(),
  untilMs: moment.exactOptional(),
  pricedAtMs: moment.exactOptional(),
  reached: z.strictObject({ count: id, price: z.number().positive(), timeMs: moment }).exactOptional(),
  ended: z.strictObject({ type: z.enum(["reached", "expired"]), timeMs: moment }).exactOptional(),
}) satisfies z.ZodType<PriceAlert>;
