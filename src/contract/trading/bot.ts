/**
 * Level bots, webhook bots and their pair orders as clients see them (behaviour 11.4).
 */
import { z } from "zod";
import { BOT_DETAILS_MAX, BOT_NAME_LENGTH_MAX } from "../../domain/bot/bot-plan.ts";
import { ALGO_NAME_LENGTH_MAX, PERIOD_LENGTH_MAX } from "../../domain/bot/webhook-bot.ts";
import { amountOrZero, body, lots, named, price, priceOrZero, profitPercent, text, time } from "../fields.ts";
import { accountNumber, brokerageCode, symbolCode } from "./oco.ts";

/** Can be left out, and otherwise must be a number: null is refused (behaviour 1.4). */
const limit = priceOrZero.optional().meta({ description: "0 or absent = none" });
const name = text(1, BOT_NAME_LENGTH_MAX).regex(/\S/, "must not be only blanks");
const quantity = lots.optional().meta({ description: "Lots of one buy; default 1" });

const detailFields = {
  symbol: symbolCode,
  quantity,
  maxBuyPrice: limit,
  minBuyPrice: limit,
  maxSellPrice: limit,
  minSellPrice: limit,
};

const botFields = {
  brokerageCode,
  accountNumber,
  name,
  isActive: z.boolean().meta({ description: "The owner's switch: while it is off, nothing is ordered" }),
};

export const levelBotBody = body({
  ...botFields,
  levelBotDetails: z
    .array(
      body({
        ...detailFields,
        buyGap: price.meta({ description: "How far under the anchor the bot buys" }),
        sellGap: limit,
        targetProfit: profitPercent
          .optional()
          .meta({ description: "Percent over its buy price at which a pair sells, at least" }),
        profit: amountOrZero
          .optional()
          .meta({ description: "Realised profit at which the symbol buys no more; 0 or absent = none" }),
        confirmTicks: z.int().min(1).max(2).optional().meta({
          description:
            "2: the anchor is the lower one of two prices in a row, so that one bad print does not move it; default 1",
        }),
      }),
    )
    .min(1)
    .max(BOT_DETAILS_MAX),
}).meta({ id: "LevelBotWrite" });
export type LevelBotBody = z.infer<typeof levelBotBody>;

export const webhookBotBody = body({
  ...botFields,
  webhookBotDetails: z
    .array(
      body({
        ...detailFields,
        quantity: lots.meta({ description: "Lots of one buy" }),
        algoName: text(1, ALGO_NAME_LENGTH_MAX).meta({ description: "Must equal the signal's" }),
        period: text(1, PERIOD_LENGTH_MAX).meta({ description: "Must equal the signal's, e.g. 1H, 4H, 1D" }),
      }),
    )
    .min(1)
    .max(BOT_DETAILS_MAX),
}).meta({ id: "WebhookBotWrite" });
export type WebhookBotBody = z.infer<typeof webhookBotBody>;

// ------------------------------------------------------------------------------------------------------------- views

const id = z.number().int();
const shownDetail = {
  symbol: z.string(),
  quantity: z.number().int(),
  maxBuyPrice: z.number().meta({ description: "0 = no limit" }),
  minBuyPrice: z.number(),
  maxSellPrice: z.number(),
  minSellPrice: z.number(),
};
const levelDetailSchema = z
  .object({
    ...shownDetail,
    buyGap: z.number(),
    sellGap: z.number(),
    targetProfit: z.number(),
    profit: z.number(),
    confirmTicks: z.literal(2).exactOptional().meta({ description: "Absent: every price counts for the anchor" }),
  })
  .meta({ id: "LevelBotDetail" });
export type LevelDetailView = z.infer<typeof levelDetailSchema>;
const webhookDetailSchema = z
  .object({ ...shownDetail, algoName: z.string(), period: z.string() })
  .meta({ id: "WebhookBotDetail" });
export type WebhookDetailView = z.infer<typeof webhookDetailSchema>;

const shownBot = {
  id,
  name: z.string(),
  accountNumber: z.string(),
  isActive: z.boolean(),
  isRunning: z.boolean().meta({ description: "Whether the service watches for it now" }),
};
export const levelBotSchema = z
  .object({
    ...shownBot,
    levelBotDetails: z.array(levelDetailSchema),
    createdDate: z.string(),
    updatedDate: z.string().nullable(),
  })
  .meta({ id: "LevelBot" });
export type LevelBotView = z.infer<typeof levelBotSchema>;
/** The answer to the creation of a level bot. */
export const createdLevelBotSchema = levelBotSchema
  .pick({ id: true, name: true, accountNumber: true, isActive: true })
  .meta({ id: "CreatedLevelBot" });

const webhookBotFields = {
  ...shownBot,
  webhookBotDetails: z.array(webhookDetailSchema),
  createdDate: z.string(),
  updatedDate: z.string().nullable(),
};
/** The engine's row: the engine does not know the address under which clients reach the edge. */
export const webhookBotRowSchema = z.object({ ...webhookBotFields, webhookPath: z.string() });
export type WebhookBotRow = z.infer<typeof webhookBotRowSchema>;
export const webhookBotSchema = z
  .object({
    ...webhookBotFields,
    webhookUrl: z.string().optional().meta({
      description:
        "Where signals are sent to; anyone who knows it can trade: keep it secret. Only for callers with the scope trade",
    }),
  })
  .meta({ id: "WebhookBot" });

const legStatus = z.literal([0, 1, 2]).meta(named({ None: 0, Sent: 1, Completed: 2 }));
const pairFields = {
  buyQuantity: z.number().int(),
  buyStatus: legStatus,
  buyOrderNo: z.string().nullable(),
  buyOrderDate: z.string().nullable(),
  buyPrice: z.number().nullable().meta({ description: "Average price of the buy; null until it is completed" }),
  sellQuantity: z.number().int(),
  sellStatus: legStatus,
  sellOrderNo: z.string().nullable(),
  sellOrderDate: z.string().nullable(),
};
export const levelPairSchema = z
  .object({
    id,
    systemId: id,
    symbol: z.string(),
    ...pairFields,
    description: z.string(),
  })
  .meta({ id: "LevelBotPair" });
export type LevelPairView = z.infer<typeof levelPairSchema>;
export const webhookPairSchema = z
  .object({
    id,
    systemId: id,
    symbol: z.string(),
    algoName: z.string(),
    period: z.string(),
    accountNumber: z.string(),
    ...pairFields,
  })
  .meta({ id: "WebhookBotPair" });
export type WebhookPairView = z.infer<typeof webhookPairSchema>;

/** Behaviour 8.2. */
const pairHistoryItemSchema = z
  .object({
    id,
    systemId: id,
    symbol: z.string(),
    buyQuantity: z.number().int(),
    buyOrderNo: z.string().nullable(),
    buyOrderDate: z.string().nullable(),
    sellQuantity: z.number().int(),
    sellOrderNo: z.string().nullable(),
    sellOrderDate: z.string().nullable(),
    description: z.string(),
    hourCount: z.number().int(),
    profit: z.number().meta({ description: "What the sells brought less what the buy cost; 0 where the buy failed" }),
  })
  .meta({ id: "PairHistoryItem" });
export type PairHistoryItemView = z.infer<typeof pairHistoryItemSchema>;
export const pairHistorySchema = z
  .object({
    items: z.array(pairHistoryItemSchema),
    totalCount: z.number().int(),
    page: z.number().int(),
    pageSize: z.number().int(),
  })
  .meta({ id: "PairHistory" });

/** Behaviour 8.6. */
export const botTotalsSchema = z
  .object({
    systemId: id,
    closedCount: z.number().int().meta({ description: "All closed pairs, however old" }),
    buyFailedCount: z.number().int().meta({ description: "How many of them closed because their buy failed" }),
    winCount: z.number().int().meta({ description: "How many of them brought a profit above 0" }),
    lossCount: z.number().int().meta({ description: "How many of them brought a profit below 0" }),
    profit: z.number().meta({ description: "The exact sum of the profits of all closed pairs" }),
    grossProfit: z.number().meta({ description: "The exact sum of the profits above 0" }),
    grossLoss: z.number().meta({ description: "The exact sum of the losses, as a number that is 0 or more" }),
    profitFactor: z.number().nullable().meta({
      description: "grossProfit / grossLoss, to four decimals; null while no pair has lost",
    }),
    winRate: z.number().nullable().meta({
      description:
        "The part of the pairs whose buy did not fail that gained, from 0 to 1, to four decimals; null without one",
    }),
    largestDrawdown: z.number().meta({
      description: "The largest fall of the running sum of profits from its highest value before, 0 or more; exact",
    }),
    highestProfit: z.number().meta({
      description: "The highest value of the running sum of profits, 0 or more; exact",
    }),
    openCount: z.number().int().meta({ description: "Open pairs" }),
    open: z
      .array(
        z.object({
          symbol: z.string(),
          quantity: z.number().int().meta({ description: "Lots that its open pairs bought" }),
          cost: z.number().meta({ description: "What these lots cost" }),
          pairCount: z.number().int(),
        }),
      )
      .meta({ description: "Open pairs whose buy price is known, by symbol" }),
    next: z
      .array(
        z.object({
          symbol: z.string(),
          buyPrice: z.number().nullable().meta({
            description:
              "The highest live price at which it buys next; null before the first price, and while it buys none",
          }),
          sellPrice: z.number().nullable().meta({
            description: "The lowest live price at which an open pair is sold next; null without such a pair",
          }),
        }),
      )
      .exactOptional()
      .meta({ description: "Of a level bot that is not deleted: its next levels by symbol, as they are now" }),
  })
  .meta({ id: "BotTotals" });
export type BotTotalsView = z.infer<typeof botTotalsSchema>;

/** Behaviour 8.6a. */
export const sellTargetSchema = z
  .object({
    id: id.meta({ description: "The pair" }),
    sellPrice: z.number().nullable().meta({
      description: "The lowest live price at which it is sold; null before its buy has completed, and if no price is",
    }),
  })
  .meta({ id: "LevelBotTarget" });
export type SellTargetView = z.infer<typeof sellTargetSchema>;

// ----------------------------------------------------------------------------------------------------------- systems

export const LEVEL_BOT = 1;
export const WEBHOOK_BOT = 2;

const BOT_TYPES = { LevelBot: LEVEL_BOT, WebhookBot: WEBHOOK_BOT, StockBot: 3, SignalBot: 4 };

const choice = z.literal([1, 2, 3]);
export const listSystemsBody = body({
  brokerageCode,
  accountNumber,
  botType: z
    .array(z.literal([1, 2, 3, 4]).meta(named(BOT_TYPES)))
    .max(100)
    .nullish()
    .meta({ description: "Only these; empty = all" }),
  isActive: choice.nullish().meta({ description: "1 = all (default), 2 = active, 3 = passive" }),
  isDeleted: choice.nullish().meta({ description: "1 = all, 2 = not deleted (default), 3 = deleted" }),
  startDate: time.nullish().meta({ description: "Created at or after, ISO 8601" }),
  endDate: time.nullish().meta({ description: "Created at or before, ISO 8601; a date means all of it" }),
});

export const systemSchema = z
  .object({
    id,
    name: z.string(),
    botType: z.number().int().meta(named(BOT_TYPES)),
    isActive: z.boolean(),
    isRunning: z.boolean(),
    levelBotDetails: z.array(levelDetailSchema).optional().meta({ description: "Of a LevelBot" }),
  })
  .meta({ id: "System" });
export type SystemView = z.infer<typeof systemSchema>;

// ---------------------------------------------------------------------------------------------------------- webhooks

/** The body of a signal (behaviour 9.1). */
export const signalBody = z
  .object({
    algoName: text(1, ALGO_NAME_LENGTH_MAX),
    period: text(1, PERIOD_LENGTH_MAX),
    symbol: symbolCode,
    side: z.enum(["buy", "sell"]),
    price: z.number().gt(0).max(9_999_999).optional().meta({ description: "Default: the last live price" }),
    id: z
      .union([text(1, 200), z.number()])
      .nullish()
      .meta({
        description:
          "Signals with the same id within 60 s count once; default: with the same body. A number beyond 2^53 is not exact and counts as no id: send such an id as text",
      }),
  })
  .meta({ id: "Signal" });

/** How many details a signal matched. */
export const signalAnswerSchema = z.object({ matched: z.number().int() });

/** A webhook's secret: the partition of its bot in base 36, `_`, and 256 random bits as base64url. */
export const WEBHOOK_SECRET = /^(0|[1-9a-z][0-9a-z]{0,2})_[A-Za-z0-9_-]{43}$/;
/** Where signals are posted; the secret follows. */
export const WEBHOOK_PATH = "/webhooks/";

/** The partition that a secret names; undefined if it cannot be a bot's secret. */
export function partitionOfSecret(secret: string): number | undefined {
  const [, partition] = WEBHOOK_SECRET.exec(secret) ?? [];
  return partition === undefined ? undefined : Number.parseInt(partition, 36);
}
