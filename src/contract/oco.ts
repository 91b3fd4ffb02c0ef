/**
 * Synthetic OCO orders as clients see them (specification, "OCO orders").
 */
import { z } from "zod";

/** A symbol code (decisions 3.5). */
export const symbolCode = z.string().regex(/^[A-Z0-9_]{1,16}$/, "must be 1 to 16 of A-Z, 0-9 and _");
export const brokerageCode = z.string().min(1, "must not be empty").max(32);
export const accountNumber = z.string().min(1, "must not be empty").max(100);
const jsonNumber = z.number();

export const createGroupBody = z
  .object({
    brokerageCode,
    accountNumber,
    symbol: symbolCode,
    stopLossPrice: jsonNumber.meta({ description: "Lower than every take-profit price; a multiple of its tick" }),
    stopLossQuantity: jsonNumber.meta({ description: "Lots that the stop-loss sells" }),
    takeProfitItems: z.array(z.object({ price: jsonNumber, quantity: jsonNumber })).max(10_000),
    dueDate: z.string().max(64).nullish().meta({ description: "Expiry, ISO 8601; without an offset it is UTC" }),
    notes: z.string().max(10_000).nullish().meta({ description: "Free text, at most 500 characters" }),
  })
  .meta({ id: "CreateOcoGroup" });
export type CreateGroupBody = z.infer<typeof createGroupBody>;

/** One row of a group as it is shown (specification, "OCO order row"). */
export const ocoRowSchema = z
  .object({
    id: z.number().int(),
    groupId: z.number().int(),
    userId: z.number().int(),
    accountNumber: z.string(),
    symbol: z.string(),
    orderType: z.union([z.literal(1), z.literal(2)]).meta({ description: "1 = TakeProfit, 2 = StopLoss" }),
    quantity: z.number().int(),
    price: z.number(),
    status: z
      .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
      .meta({ description: "1 = Active, 2 = Triggered, 3 = TriggerFailed, 4 = Cancelled" }),
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
