/** Price alerts, as they cross a process (behaviour 29). */
import { z } from "zod";
import { ALERT_NOTE_LENGTH_MAX } from "../../domain/price-alert.ts";
import { body, choice, line, price, time } from "../fields.ts";
import { symbolCode } from "./oco.ts";

const DIRECTIONS = ["atOrAbove", "atOrBelow"] as const;
const direction = choice(DIRECTIONS).meta({
  description: "atOrAbove: a price of at least `price` reaches it; atOrBelow: one of at most `price`",
});
const alertPrice = price.meta({ description: "Two decimals at most; it need not be a multiple of the tick" });
const terms = {
  note: line(ALERT_NOTE_LENGTH_MAX).nullish().meta({ description: "Free text, which the event repeats" }),
  repeat: z.boolean().exactOptional().meta({
    description:
      "True: it remains under watch after it was reached, and can be reached again once a price was on the other side. Default false",
  }),
  until: time.nullish().meta({
    description:
      "The alert ends then, ISO 8601; without an offset it is UTC, a date without a time the end of that day at the exchange",
  }),
};

/** Body of a create. */
export const priceAlertBody = body({ symbol: symbolCode, direction, price: alertPrice, ...terms }).meta({
  id: "PriceAlertWrite",
});

/** Body of a change. */
export const changeAlertBody = body({
  direction: direction.exactOptional(),
  price: alertPrice.exactOptional(),
  ...terms,
  repeat: terms.repeat.meta({
    description: "True: it remains under watch after it was reached; false: the next price that reaches it ends it",
  }),
}).meta({ id: "PriceAlertChange" });

const alertId = z.number().int().positive();
/** Body of `priceAlerts.change`. */
export const changeAlertCommand = z.object({ id: alertId, change: changeAlertBody });
/** Body of `priceAlerts.delete`. */
export const deleteAlertBody = z.object({ id: alertId });

/** The two lists of alerts. */
export const ALERT_LISTS = ["watching", "ended"] as const;

export const priceAlertSchema = z
  .object({
    id: z.number().int(),
    symbol: z.string(),
    direction,
    price: z.number(),
    note: z.string().nullable(),
    createdDate: z.string().meta({ description: "UTC, ISO 8601" }),
    status: z.enum(["watching", "reached", "expired"]).meta({
      description: "reached: a price ended it; expired: its time did, whether it was reached before or not",
    }),
    repeat: z.boolean(),
    until: z.string().nullable().meta({ description: "UTC, ISO 8601; null: it does not end by itself" }),
    armed: z.boolean().meta({
      description: "False: it was reached and repeats, and waits for a price on the other side; or it is over",
    }),
    reachedCount: z.number().int().meta({ description: "How many prices have reached it" }),
    reachedDate: z.string().nullable().meta({ description: "When the last one did; UTC, ISO 8601" }),
    reachedPrice: z.number().nullable().meta({ description: "The last price that reached it" }),
    endedDate: z.string().nullable().meta({ description: "UTC, ISO 8601; null: it is under watch" }),
  })
  .meta({ id: "PriceAlert" });
export type PriceAlertView = z.infer<typeof priceAlertSchema>;

const named = {
  alertId: z.number().int(),
  ...priceAlertSchema.pick({ symbol: true, direction: true, price: true, note: true }).shape,
};

/** The payload of the event of a reached price. */
export const reachedAlert = {
  ...named,
  reachedPrice: z.number().meta({ description: "The price that reached it" }),
  repeat: z.boolean().optional().meta({
    description: "True: the alert remains under watch; absent in events of older versions",
  }),
};

/** The payload of the event of an alert that ended by time. */
export const expiredAlert = {
  ...named,
  reachedCount: priceAlertSchema.shape.reachedCount,
  until: z.string().meta({ description: "When it ended; UTC, ISO 8601" }),
};
