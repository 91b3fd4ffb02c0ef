/**
 * Registering a pending OCO setup (behaviour 5.6).
 */
import { z } from "zod";
import { STOP_ENTRY } from "../../domain/setup.ts";
import {
  amount,
  body,
  choice,
  lots,
  price,
  priceOrZero,
  stopLossPercent,
  takeProfitPercent,
  text,
  time,
} from "../fields.ts";
import {
  accountNumber,
  brokerageCode,
  changedTerms,
  exitPolicy,
  groupTerms,
  stopLossLadder,
  stopLossTrailing,
  symbolCode,
  takeProfitItems,
} from "./oco.ts";

/** Of percent and price the unused one is left out: null is not a number (behaviour 1.4). */
const tier = {
  quantity: lots,
  percent: takeProfitPercent.optional().meta({ description: "Percent above the fill price; not together with price" }),
  price: price.optional().meta({ description: "A multiple of its tick; not together with percent" }),
};

export const registerSetupBody = body({
  brokerageCode,
  accountNumber,
  brokerOrderNo: text(1, 100).meta({ description: "The buy order at the brokerage" }),
  symbol: symbolCode.meta({ description: "The symbol of the brokerage order" }),
  stopLossQuantity: lots,
  stopLossPercent: stopLossPercent
    .optional()
    .meta({ description: "Percent below the fill price; not together with stopLossPrice" }),
  stopLossPrice: price.optional().meta({ description: "A multiple of its tick; not together with stopLossPercent" }),
  takeProfitItems: takeProfitItems(tier),
  ...groupTerms,
}).meta({ id: "RegisterPendingOco" });
export type RegisterSetupBody = z.infer<typeof registerSetupBody>;

const entryTakeProfit = {
  percent: tier.percent,
  price: tier.price,
  quantity: lots.exactOptional().meta({ description: "Lots; not together with quantityPercent" }),
  quantityPercent: z
    .number()
    .positive()
    .max(100)
    .exactOptional()
    .meta({ description: "Percent of the entry's lots, with at most two decimals; not together with quantity" }),
};

/** A buy and its exits in one request (behaviour 24.1). */
export const enterBody = body({
  brokerageCode,
  accountNumber,
  symbol: symbolCode,
  entry: body({
    orderType: choice([1, 2, STOP_ENTRY]).meta({
      description:
        "1 = market, 2 = limit, 3 = stop: a market order that is sent once the price has risen to triggerPrice",
    }),
    price: priceOrZero.exactOptional().meta({ description: "Of a limit order, a multiple of its tick" }),
    triggerPrice: price.exactOptional().meta({ description: "Of a stop entry, a multiple of its tick" }),
    quantity: lots.exactOptional().meta({ description: "Lots; not together with cashAmount or riskAmount" }),
    cashAmount: amount.exactOptional().meta({
      description: "Buys as many lots as this pays for at price, triggerPrice or the last price; fees are not counted",
    }),
    riskAmount: amount.exactOptional().meta({
      description: "Buys as many lots as lose this if the stop-loss sells at its level",
    }),
    expiresAt: time.nullish().meta({
      description: "What is not filled by then is cancelled; ISO 8601, as dueDate",
    }),
  }).meta({ description: "The buy that is placed" }),
  protectPartial: z.boolean().default(true).meta({
    description: "True: the group is made of the first part that is filled, and grows; false: once the buy has ended",
  }),
  stopLossPercent: registerSetupBody.shape.stopLossPercent,
  stopLossPrice: registerSetupBody.shape.stopLossPrice,
  takeProfitItems: takeProfitItems(entryTakeProfit),
  ...groupTerms,
}).meta({ id: "EnterWithExits" });
export type EnterBody = z.infer<typeof enterBody>;

/** The state of an entry at the end of the time that its client waits. */
export const enteredSchema = z
  .object({
    setupId: z.int(),
    orderNo: z
      .string()
      .nullable()
      .meta({ description: "null: the brokerage has not answered yet, or a stop entry waits for its trigger" }),
    orderStatus: z.int().nullable(),
    quantity: z.int().meta({ description: "The lots that it buys" }),
  })
  .meta({ id: "Entered" });

/** A change of a registered setup (behaviour 5.9). */
export const changeSetupBody = body({
  brokerageCode: brokerageCode.exactOptional().meta({ description: "If it is given it must be the setup's" }),
  stopLossQuantity: lots.exactOptional(),
  stopLossPercent: stopLossPercent
    .exactOptional()
    .meta({ description: "Percent below the fill price, in place of a price; not together with stopLossPrice" }),
  stopLossPrice: price
    .exactOptional()
    .meta({ description: "A multiple of its tick, in place of a percent; not together with stopLossPercent" }),
  takeProfitItems: takeProfitItems(tier).exactOptional().meta({ description: "The whole new list of take-profits" }),
  ...changedTerms,
  expiresAt: time.nullish().meta({
    description: "Of an entry: what is not filled by then is cancelled; ISO 8601, as dueDate; null: nothing is",
  }),
  triggerPrice: price
    .exactOptional()
    .meta({ description: "Of a stop entry whose trigger is not reached yet, a multiple of its tick" }),
}).meta({ id: "ChangePendingOco" });

/** One take-profit of a registered setup: either its percent or its price is null. */
const shownTier = { quantity: z.number().int(), percent: z.number().nullable(), price: z.number().nullable() };

/** A setup that waits for its brokerage order. */
export const setupViewSchema = z
  .object({
    setupId: z.number().int(),
    brokerageCode: z.string(),
    accountNumber: z.string(),
    brokerOrderNo: z.string().nullable().meta({
      description:
        "The buy order at the brokerage; null: the order belongs to an entry, and the brokerage has not answered it",
    }),
    symbol: z.string(),
    stopLossQuantity: z.number().int(),
    stopLossPercent: z.number().nullable(),
    stopLossPrice: z.number().nullable(),
    takeProfitItems: z.array(z.object(shownTier)),
    dueDate: z.string().nullable(),
    notes: z.string().nullable(),
    exit: z
      .object({
        stopLoss: exitPolicy
          .nullable()
          .meta({ description: "null: as the installation is set at the conversion (EXIT_POLICY)" }),
        at: z.string().nullable(),
        beforeCloseMinutes: z.number().int().nullable(),
      })
      .nullable()
      .meta({ description: "How and when the stop-loss will be sold; null: nothing was given" }),
    stopLossTrailing: stopLossTrailing.nullable(),
    stopLossLadder: stopLossLadder.nullable(),
    followPosition: z
      .boolean()
      .meta({ description: "True: the quantities of the group will shrink if lots are sold elsewhere" }),
    createdDate: z.string(),
    version: z.number().int().meta({ description: "1 for a new setup; it rises with every change of it; the `ETag`" }),
    entry: z
      .object({
        orderType: z.int(),
        price: z.number().meta({ description: "0 for any other than a limit order" }),
        triggerPrice: z.number().nullable().meta({ description: "Of a stop entry" }),
        triggeredPrice: z.number().nullable().meta({ description: "The price that sent its buy; null: none did" }),
        expiresAt: z.string().nullable(),
        quantity: z.int(),
        filledQuantity: z.int(),
        averagePrice: z.number().nullable(),
        protectPartial: z.boolean(),
        groupId: z.int().nullable().meta({ description: "The group of the lots that are filled so far; null: none" }),
        isEnding: z.boolean().meta({ description: "True: it is being cancelled at the brokerage" }),
      })
      .nullable()
      .meta({ description: "The buy, if the pending OCO placed it itself; null: its owner did" }),
    orderMessage: z.string().nullable().meta({
      description:
        "Set while the brokerage does not know the buy order any more or refuses to cancel it, or a part of an entry is not protected",
    }),
  })
  .meta({ id: "PendingOco" });
export type SetupView = z.infer<typeof setupViewSchema>;

export const setupIdSchema = z.number().int().meta({ description: "setupId" });
