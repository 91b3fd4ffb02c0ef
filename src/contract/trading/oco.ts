/**
 * Synthetic OCO orders as clients see them (behaviour 11.3).
 */
import { z } from "zod";
import { ACTION_POLICIES } from "../../domain/market/corporate-action.ts";
import { EXIT_POLICIES } from "../../domain/oco/group.ts";
import { NOTES_LENGTH_MAX, TAKE_PROFITS_MAX } from "../../domain/oco/oco-plan.ts";
import { PRICE_MAX } from "../../domain/price/price.ts";
import { body, lots, named, price, text, time } from "../fields.ts";

/** A symbol code (behaviour 3.5). */
export const symbolCode = z.string().regex(/^[A-Z0-9_]{1,16}$/, "must be 1 to 16 of A-Z, 0-9 and _");
export const brokerageCode = text(1, 32);
export const accountNumber = text(1, 100);

/** A day. */
const EXIT_MINUTES_MAX = 1_440;

export const exitPolicy = z.enum(EXIT_POLICIES).meta({
  description: "untilSold: further orders sell what an ended order left; once: one order, regardless of what it leaves",
});

/** How and when a stop-loss is sold (behaviour 14.1 and 21.4). */
const exit = body({
  stopLoss: exitPolicy.exactOptional(),
  at: time.nullish().meta({
    description: "The stop-loss sells at this moment, regardless of the price; ISO 8601 with a time of day",
  }),
  beforeCloseMinutes: z.int().min(1).max(EXIT_MINUTES_MAX).nullish().meta({
    description: "The stop-loss sells so many minutes before the close of the exchange, regardless of the price",
  }),
});

/** How a stop-loss follows the price (behaviour 19.1). */
export const stopLossTrailing = body({
  distance: price.exactOptional().meta({ description: "So much under the high; or distancePercent" }),
  distancePercent: z
    .number()
    .positive()
    .max(99.99)
    .exactOptional()
    .meta({ description: "So many percent under the high, with at most two decimals; or distance" }),
  activationPrice: price
    .exactOptional()
    .meta({ description: "The stop-loss stays where it is until a price reaches this" }),
  step: price.exactOptional().meta({ description: "The high counts in whole steps above the first one" }),
  confirmTicks: z.int().min(1).max(2).exactOptional().meta({
    description: "2 (default): a high is the lower one of two prices in a row, so that one bad print raises nothing",
  }),
});

/** How a stop-loss rises as take-profits are sold (behaviour 20.1). */
export const stopLossLadder = z
  .array(
    body({
      afterTakeProfits: z.int().min(1).max(TAKE_PROFITS_MAX).meta({ description: "Once so many are sold whole" }),
      to: z.enum(["entry", "previousTakeProfit"]).meta({ description: "To where the stop-loss rises then" }),
      offset: z
        .number()
        .min(-PRICE_MAX / 100)
        .max(PRICE_MAX / 100)
        .exactOptional()
        .meta({ description: "Added to that price; may be negative" }),
    }),
  )
  .min(1)
  .max(TAKE_PROFITS_MAX);
const corporateActions = z.enum(ACTION_POLICIES).meta({
  description:
    "adjust: levels follow splits, bonus and rights issues and dividends; hold: none of them fires after one until the group is released",
});
const followPosition = z.boolean().exactOptional();
const entryPrice = z
  .number()
  .positive()
  .max(PRICE_MAX / 100)
  .meta({ description: "What was paid, for rungs that lead to the entry" });

/** The fields of a group and of a pending setup that apply to the whole group. */
export const groupTerms = {
  dueDate: time.nullish().meta({
    description:
      "Expiry, ISO 8601; without an offset it is UTC, a date without a time the end of that day at the exchange",
  }),
  notes: text(0, NOTES_LENGTH_MAX).nullish().meta({ description: "Free text" }),
  exit: exit.nullish().meta({
    description: "How the stop-loss is sold once it has fired; absent: the policy of the installation (EXIT_POLICY)",
  }),
  stopLossTrailing: stopLossTrailing.nullish().meta({
    description: "The stop-loss follows the price up; absent or null: it stays where it is",
  }),
  stopLossLadder: stopLossLadder.nullish().meta({
    description: "The stop-loss rises as take-profits are sold; absent or null: it does not",
  }),
  corporateActions: corporateActions.nullish(),
  followPosition: followPosition.meta({
    description: "The quantities of the group shrink if lots of the account are sold elsewhere. Default false",
  }),
};
/** Its take-profit rows, each with the fields of `item` (behaviour 7.4). */
export function takeProfitItems<S extends z.ZodRawShape>(item: S) {
  return z.array(body(item)).min(1).max(TAKE_PROFITS_MAX);
}

export const createGroupBody = body({
  brokerageCode,
  accountNumber,
  symbol: symbolCode,
  stopLossPrice: price.meta({ description: "Lower than every take-profit price; a multiple of its tick" }),
  stopLossQuantity: lots.meta({ description: "Lots that the stop-loss sells" }),
  takeProfitItems: takeProfitItems({ price, quantity: lots }),
  ...groupTerms,
  entryPrice: entryPrice.nullish(),
}).meta({ id: "CreateOcoGroup" });
export type CreateGroupBody = z.infer<typeof createGroupBody>;

/** Terms that a change of a group and of a pending setup share. */
export const changedTerms = {
  dueDate: groupTerms.dueDate,
  notes: groupTerms.notes,
  exit: exit.exactOptional().meta({
    description: "How and when the stop-loss is sold from now on; a field that is absent stays, null takes a time away",
  }),
  stopLossTrailing: stopLossTrailing.nullable().exactOptional().meta({
    description: "The stop-loss follows the price up from now on; null: it stays where it is",
  }),
  stopLossLadder: stopLossLadder.nullable().exactOptional().meta({
    description:
      "The stop-loss rises as take-profits are sold, including take-profits that are sold already; null: it does not",
  }),
  corporateActions: corporateActions.exactOptional(),
  followPosition: followPosition.meta({ description: "Whether the quantities of the group shrink from now on" }),
};

/** A change of a running group (behaviour 15.1). */
export const changeGroupBody = body({
  brokerageCode: brokerageCode.exactOptional().meta({ description: "If it is given it must be the group's" }),
  stopLossPrice: price.exactOptional(),
  stopLossQuantity: lots.exactOptional(),
  takeProfitItems: takeProfitItems({ id: z.int().positive().exactOptional(), price, quantity: lots })
    .exactOptional()
    .meta({
      description:
        "The whole new list of open take-profits: with id changed, without id new; a row that is left out is cancelled",
    }),
  ...changedTerms,
  entryPrice: entryPrice.exactOptional(),
}).meta({ id: "ChangeOcoGroup" });

/** One row of a group as it is shown (behaviour 4.13). */
export const ocoRowSchema = z
  .object({
    id: z.number().int(),
    groupId: z.number().int(),
    userId: z.number().int(),
    accountNumber: z.string(),
    symbol: z.string(),
    orderType: z.literal([1, 2]).meta(named({ TakeProfit: 1, StopLoss: 2 })),
    quantity: z.number().int(),
    price: z.number(),
    status: z.literal([1, 2, 3, 4]).meta(named({ Active: 1, Triggered: 2, TriggerFailed: 3, Cancelled: 4 })),
    triggeredPrice: z.number().nullable(),
    triggeredDate: z.string().nullable(),
    dueDate: z.string().nullable(),
    notes: z.string().nullable(),
    triggerErrorMessage: z.string().nullable(),
    createdDate: z.string(),
    updatedDate: z.string().nullable(),
  })
  .meta({ id: "OcoRow" });
export type OcoRowView = z.infer<typeof ocoRowSchema>;
