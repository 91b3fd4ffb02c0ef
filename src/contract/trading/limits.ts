/** The limits of an account, as they cross a process (behaviour 27). */
import { z } from "zod";
import { body } from "../fields.ts";
import { accountNumber, brokerageCode } from "./oco.ts";

export const LIMITS_COMMANDS = { set: "limits.set" } as const;
export const LIMITS_QUERIES = { read: "limits.read" } as const;

const AMOUNT_MAX = 1_000_000_000_000;
const ORDERS_MAX = 100_000;
const amount = z.number().positive().max(AMOUNT_MAX);

const limits = {
  maxDailyLoss: amount.nullable().meta({
    description: "Once own fills of a day have lost it, only sells are taken until a person resumes trading",
  }),
  maxOrdersPerMinute: z
    .int()
    .min(1)
    .max(ORDERS_MAX)
    .nullable()
    .meta({ description: "Orders by hand, entries and buys of bots" }),
  maxOrderValue: amount.nullable().meta({ description: "Lots times limit price, or times the last price" }),
};

/** Query of `limits.read`. */
export const limitsQuery = z.object({ brokerageCode, accountNumber });

/** All limits of one account of the caller; a limit that is left out is removed. */
export const limitsRequest = body({
  brokerageCode,
  accountNumber,
  maxDailyLoss: limits.maxDailyLoss.exactOptional(),
  maxOrdersPerMinute: limits.maxOrdersPerMinute.exactOptional(),
  maxOrderValue: limits.maxOrderValue.exactOptional(),
}).meta({ id: "LimitsChange" });

export const limitsSchema = z
  .object({
    ...limits,
    realisedToday: z.number().nullable().meta({
      description:
        "What own fills have realised today, negative if lost; null: not counted, as maxDailyLoss is not set",
    }),
    ordersLastMinute: z.int().nullable().meta({
      description: "Orders that counted in the last minute; null: not limited, as maxOrdersPerMinute is not set",
    }),
  })
  .meta({ id: "Limits" });
export type LimitsView = z.infer<typeof limitsSchema>;

/** The stored limits of an account. */
export const storedLimitsSchema = z.strictObject({
  version: z.literal(1),
  userId: z.int(),
  brokerageCode: z.string(),
  accountNumber: z.string(),
  maxDailyLoss: z.number().nullable(),
  maxOrdersPerMinute: z.number().nullable(),
  maxOrderValue: z.number().nullable(),
  day: z.int(),
  zone: z.string(),
  realised: z.number(),
  positions: z.array(z.strictObject({ symbol: z.string(), lots: z.number(), cost: z.number() })),
});
