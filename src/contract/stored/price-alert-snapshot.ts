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
}) satisfies z.ZodType<PriceAlert>;
