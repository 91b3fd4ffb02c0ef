/**
 * What would happen if a price reached a level of a group now, and why (behaviour 25).
 */
import { z } from "zod";
import { TRADING_STATES } from "../../domain/order/trading-state.ts";
import { sessionSchema } from "../operator/session.ts";
import { ledgerRowSchema } from "./ledger.ts";
import { groupBandSchema, groupHoldSchema, groupRestrictionSchema } from "./plan.ts";

const RESULTS = ["sells", "waits", "doesNotFire", "nothingLeft"] as const;

const REASONS = [
  "QUARANTINED",
  "STOP_LOSS_SELLING",
  "SYMBOL_HELD",
  "TRADING_HALTED",
  "NOTHING_LEFT",
  "MEASURE_WAIT",
  "NO_MARKET_ORDERS",
  "FLOOR_UNKNOWN",
  "VALUE_CAP",
  "VALUE_CAP_UNKNOWN",
  "AUCTION_ONLY",
  "MARKET_CLOSED",
  "MORE_THAN_HELD",
] as const;

const lots = z.number().int();

const rowOutlookSchema = z
  .object({
    id: z.number().int(),
    orderType: z.union([z.literal(1), z.literal(2)]).meta({ description: "1 TakeProfit, 2 StopLoss" }),
    price: z.number().meta({ description: "The level" }),
    quantity: lots,
    result: z.enum(RESULTS).meta({
      description:
        "sells: the order leaves immediately; waits: the row fires and its order waits; doesNotFire: the price has no effect; nothingLeft: other orders of the group sell all lots of the row",
    }),
    order: z
      .object({
        orderType: z.union([z.literal(1), z.literal(2)]).meta({ description: "1 market, 2 limit" }),
        price: z.number().nullable().meta({ description: "The limit; null: a market order" }),
        quantity: lots,
      })
      .nullable()
      .meta({ description: "The first order; null: none is sent" }),
    laterQuantity: lots.meta({ description: "Lots that further orders sell, one after another" }),
    waitsUntil: z
      .string()
      .nullable()
      .meta({ description: "When the order leaves that waits; null: it does not wait, or the moment is unknown" }),
    opensDate: z.string().nullable().meta({
      description:
        "When the market opens for the order by the calendar; the order is tried before, too. Null: it is open, or no calendar is known",
    }),
    reasons: z.array(z.object({ code: z.enum(REASONS), message: z.string() })).meta({ description: "Why" }),
  })
  .meta({ id: "OcoRowOutlook" });
export type RowOutlookView = z.infer<typeof rowOutlookSchema>;

export const outlookSchema = z
  .object({
    groupId: z.number().int(),
    version: z.number().int(),
    symbol: z.string(),
    asOf: z.string().meta({ description: "The moment of the answer" }),
    rows: z.array(rowOutlookSchema).meta({ description: "Rows that a price can fire, the stop-loss first" }),
    lastPrice: z
      .object({ price: z.number(), time: z.string() })
      .nullable()
      .meta({ description: "The last live price; null: not known" }),
    session: sessionSchema.nullable().meta({ description: "The session of now; null: no calendar is known" }),
    band: groupBandSchema,
    hold: groupHoldSchema,
    restrictions: z
      .array(
        groupRestrictionSchema
          .extend({ consequence: z.string().meta({ description: "What it does to sells of the group" }) })
          .meta({ id: "OutlookRestriction" }),
      )
      .meta({ description: "Measures of the exchange on the symbol" }),
    tradingState: z
      .object({ state: z.enum(TRADING_STATES), reason: z.string(), includingStops: z.boolean() })
      .nullable()
      .meta({ description: "The strictest state that applies; null: trading is active" }),
    ledger: ledgerRowSchema
      .pick({ held: true, heldAsOf: true, committed: true })
      .meta({ id: "OutlookLedger", description: "The symbol in the account, as it was last known" }),
  })
  .meta({ id: "OcoOutlook" });
export type OutlookView = z.infer<typeof outlookSchema>;
