/**
 * The contexts of bots as they are stored, checked on reading as strictly as they were written.
 */
import { z } from "zod";
import { PAIR_NUMBER_MAX } from "../../domain/bot/bot.ts";
import { DETAIL_SLOTS, type LevelBot, OPEN_PAIRS_MAX } from "../../domain/bot/level-bot-levels.ts";
import { RECENT_SIGNALS_MAX, type WebhookBot } from "../../domain/bot/webhook-bot.ts";
import { AMOUNT_TEXT } from "../../domain/price/amount.ts";
import { QUANTITY_MAX } from "../../domain/price/quantity.ts";
import { TICK_TABLES } from "../../domain/price/tick-table.ts";
import { executionSnapshot, openedBefore } from "./execution-snapshot.ts";
import { renamedSnapshot } from "./renamed-snapshot.ts";

const id = z.number().int().positive();
const quantity = z.number().int().min(1).max(QUANTITY_MAX);
const hundredths = z.number().int().min(1).max(999_999_900);
const timeMs = z.number().int().nonnegative();
const atLeastZero = z.number().nonnegative();
const approach = z.enum(["under", "over"]);
const amount = z.string().regex(AMOUNT_TEXT);

const leg = z.strictObject({
  quantity,
  sentAtMs: timeMs.nullable(),
  orderNo: z.string().min(1).nullable(),
  completedAtMs: timeMs.nullable(),
  averagePrice: z.number().positive().nullable(),
});

const pair = z.strictObject({
  pairId: id,
  causePrice: hundredths.exactOptional(),
  buy: leg,
  sell: leg,
  sellAttempts: z.number().int().nonnegative(),
  soldQuantity: z.number().int().nonnegative(),
  unpricedQuantity: z.number().int().nonnegative(),
  soldAmount: amount,
  description: z.string(),
  executions: z.array(executionSnapshot),
});

const levelPair = pair.extend({
  slot: z
    .number()
    .int()
    .min(0)
    .max(OPEN_PAIRS_MAX - 1),
  sellLevel: hundredths.nullable(),
  sellApproach: approach,
  retryAtMs: timeMs.nullable(),
});

const detail = z.strictObject({
  symbol: z.string(),
  quantity,
  limits: z.strictObject({
    minBuyPrice: hundredths.nullable(),
    maxBuyPrice: hundredths.nullable(),
    minSellPrice: hundredths.nullable(),
    maxSellPrice: hundredths.nullable(),
  }),
  isRemoved: z.boolean(),
});

const levelDetail = detail.extend({
  slot: z
    .number()
    .int()
    .min(0)
    .max(DETAIL_SLOTS - 1),
  buyGap: hundredths,
  sellGap: hundredths.or(z.literal(0)),
  targetProfit: atLeastZero,
  profit: atLeastZero,
  tickTable: z.enum(TICK_TABLES),
  anchor: hundredths.nullable(),
  /** 1 and null in a bot that was stored before anchors could be confirmed. */
  confirmTicks: z.literal([1, 2]).default(1),
  before: z.strictObject({ price: hundredths, ownTimeMs: z.number().nullable() }).nullable().default(null),
  buyApproach: approach,
  realisedProfit: amount,
  pairs: z.array(levelPair).max(OPEN_PAIRS_MAX),
});

const bot = z.strictObject({
  version: z.literal(2),
  botId: id,
  userId: id,
  brokerageCode: z.string(),
  accountNumber: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  createdAtMs: timeMs,
  updatedAtMs: timeMs.nullable(),
  changes: z.number().int().positive().exactOptional(),
  deletedAtMs: timeMs.nullable(),
  lastPairNumber: z.number().int().min(0).max(PAIR_NUMBER_MAX),
  pastOrders: z.array(
    z.strictObject({
      detailKey: z.string(),
      causePrice: hundredths.exactOptional(),
      execution: executionSnapshot,
      isSellKept: z.boolean(),
    }),
  ),
  countedActions: z.array(z.string()).min(1).readonly().exactOptional(),
  renamed: renamedSnapshot,
});

export const levelBotSnapshot = bot.extend({
  levelsChangedAtMs: timeMs,
  /** Null in a bot that was stored before this was known. */
  levelsChangedBy: z
    .strictObject({ stream: z.string(), sequence: z.number().int().min(1) })
    .nullable()
    .default(null),
  details: z.array(levelDetail).min(1).max(DETAIL_SLOTS),
}) satisfies z.ZodType<LevelBot>;

const webhookDetail = detail.extend({
  algoName: z.string(),
  period: z.string(),
  deferredSellAtMs: timeMs.nullable(),
  pairs: z.array(pair).max(1),
});

export const webhookBotSnapshot = bot.extend({
  webhookSecret: z.string().min(1),
  recentSignals: z.array(z.strictObject({ fingerprint: z.string(), timeMs })).max(RECENT_SIGNALS_MAX),
  details: z.array(webhookDetail).min(1),
}) satisfies z.ZodType<WebhookBot>;

/** Reads a stored level bot, also one of the edition before. */
export function parseLevelBot(stored: unknown): LevelBot {
  return levelBotSnapshot.parse(withExecutions(stored));
}

/** Reads a stored webhook bot, also one of the edition before. */
export function parseWebhookBot(stored: unknown): WebhookBot {
  return webhookBotSnapshot.parse(withExecutions(stored));
}

const botBefore = z.looseObject({
  version: z.literal(1),
  details: z.array(z.looseObject({ symbol: z.string(), pairs: z.array(z.looseObject({ buy: leg, sell: leg })) })),
});

/** The previous edition stored only the numbers of its orders: orders without an end are open, as far as it knew. */
function withExecutions(stored: unknown): unknown {
  const before = botBefore.safeParse(stored);
  if (!before.success) return stored;
  const details = before.data.details.map((one) => ({
    ...one,
    pairs: one.pairs.map((known) => ({
      ...known,
      unpricedQuantity: 0,
      executions: [...openOrder(one.symbol, 1, known.buy), ...openOrder(one.symbol, 2, known.sell)],
    })),
  }));
  return { ...before.data, version: 2, details, pastOrders: [] };
}

function openOrder(symbol: string, buySell: 1 | 2, { orderNo, completedAtMs, quantity }: z.infer<typeof leg>) {
  if (orderNo === null || completedAtMs !== null) return [];
  return [openedBefore({ symbol, buySell, quantity, needsPrice: true }, orderNo, null)];
}
