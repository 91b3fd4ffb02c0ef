/**
 * Registering a pending OCO setup (specification, "Register pending").
 */
import { z } from "zod";
import { accountNumber, brokerageCode, symbolCode } from "./oco.ts";

const quantity = z.number().meta({ description: "Lots, from 1", type: "integer" });
/** Left out where the level is given in the other way: null is no number (decisions 1.4). */
const percent = z.number().optional();
const price = z.number().optional();

export const registerSetupBody = z
  .object({
    brokerageCode,
    accountNumber,
    brokerOrderNo: z
      .string()
      .min(1, "must not be empty")
      .max(100)
      .meta({ description: "The buy order at the brokerage" }),
    symbol: symbolCode.meta({ description: "That of the brokerage order" }),
    stopLossQuantity: quantity,
    stopLossPercent: percent.meta({ description: "Percent below the fill price; not together with stopLossPrice" }),
    stopLossPrice: price.meta({ description: "A multiple of its tick; not together with stopLossPercent" }),
    takeProfitItems: z
      .array(
        z.object({
          quantity,
          percent: percent.meta({ description: "Percent above the fill price; not together with price" }),
          price: price.meta({ description: "A multiple of its tick; not together with percent" }),
        }),
      )
      .max(10_000),
    dueDate: z.string().max(64).nullish().meta({ description: "Expiry of the group, ISO 8601; without an offset UTC" }),
    notes: z.string().max(10_000).nullish().meta({ description: "Free text, at most 500 characters" }),
  })
  .meta({ id: "RegisterPendingOco" });
export type RegisterSetupBody = z.infer<typeof registerSetupBody>;

export const setupIdSchema = z.number().int().meta({ description: "setupId" });
