/**
 * Orders that the service follows for a user, as clients see them.
 */
import { z } from "zod";
import { named } from "../fields.ts";
import { accountNumber, brokerageCode } from "./oco.ts";
import { dailyOrderSchema, SIDES } from "./trading.ts";

export const FOLLOWED_STATES = ["unanswered", "open", "unclear", "ending", "ended", "inDoubt", "settled"] as const;

/** Body of `orders.list`. `part` is absent if the whole list is asked for (behaviour 11.8). */
export const listOrdersBody = z.object({
  brokerageCode,
  accountNumber,
  from: z.string().max(450).nullish(),
  part: z
    .object({
      states: z.array(z.enum(FOLLOWED_STATES)).exactOptional(),
      symbol: z.string().exactOptional(),
      sinceMs: z.number().int().exactOptional(),
      limit: z.number().int().positive().exactOptional(),
    })
    .exactOptional(),
});

/**
 * An order of a group, a pending OCO or a bot until nothing more can change about it; a client's order for a day more
 * (behaviour 13).
 */
export const followedOrderSchema = z
  .object({
    orderNo: z
      .string()
      .nullable()
      .meta({ description: "The number under which the brokerage has it now; null: it did not answer yet" }),
    orderNumbers: z
      .array(z.string())
      .meta({ description: "All its numbers, the newest last: a replaced order has several" }),
    clientOrderId: z.string().nullable(),
    symbol: z.string(),
    buySell: z.number().int().meta(named(SIDES)),
    quantity: z.number().int().meta({ description: "Lots asked for; 0: not known" }),
    filledQuantity: z.number().int(),
    averagePrice: z.number().nullable().meta({ description: "Of what was filled; null: nothing, or not known" }),
    state: z.enum(FOLLOWED_STATES).meta({
      description:
        "unanswered: it has its name and the brokerage did not answer yet; open: the brokerage works it; unclear: its report contradicts itself and is asked for again; ending: an end is " +
        "reported and not confirmed; ended: confirmed, a late fill still counts; inDoubt: the brokerage does not know it; " +
        "settled: nothing more is asked (a client's order is kept for 24 h then)",
    }),
    since: z.string().meta({ description: "When it came into this state" }),
    message: z.string().nullable().meta({ description: "What is wrong with it; null: nothing" }),
    owner: z.object({
      type: z.enum(["group", "pendingOco", "bot", "client"]),
      id: z
        .number()
        .int()
        .meta({ description: "groupId, setupId or systemId; of a client's order a number of its own" }),
    }),
  })
  .meta({ id: "FollowedOrder" });
export type FollowedOrderView = z.infer<typeof followedOrderSchema>;

/** Answer of `orders.read`. */
export const orderSchema = dailyOrderSchema
  .extend({
    followed: followedOrderSchema.nullable().meta({
      description: "What the service knows of the order; null for an order that it does not follow",
    }),
  })
  .meta({ id: "Order" });
