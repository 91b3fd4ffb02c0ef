/** Price alerts, as they cross a process (behaviour 29). */
import { z } from "zod";
import { ALERT_NOTE_LENGTH_MAX } from "../../domain/price-alert.ts";
import { body, choice, line, price } from "../fields.ts";
import { symbolCode } from "./oco.ts";

const DIRECTIONS = ["atOrAbove", "atOrBelow"] as const;
const direction = choice(DIRECTIONS).meta({
  description: "atOrAbove: a price of at least `price` reaches it; atOrBelow: one of at most `price`",
});

/** Body of a create. */
export const priceAlertBody = body({
  symbol: symbolCode,
  direction,
  price: price.meta({ description: "Two decimals at most; it need not be a multiple of the tick" }),
  note: line(ALERT_NOTE_LENGTH_MAX).nullish().meta({ description: "Free text, which the event repeats" }),
}).meta({ id: "PriceAlertWrite" });

/** Body of `priceAlerts.delete`. */
export const deleteAlertBody = z.object({ id: z.number().int().positive() });

export const priceAlertSchema = z
  .object({
    id: z.number().int(),
    symbol: z.string(),
    direction,
    price: z.number(),
    note: z.string().nullable(),
    createdDate: z.string().meta({ description: "UTC, ISO 8601" }),
  })
  .meta({ id: "PriceAlert" });
export type PriceAlertView = z.infer<typeof priceAlertSchema>;

/** The payload of the event of a reached price. */
export const reachedAlert = {
  alertId: z.number().int(),
  ...priceAlertSchema.pick({ symbol: true, direction: true, price: true, note: true }).shape,
  reachedPrice: z.number().meta({ description: "The price that reached it" }),
};
