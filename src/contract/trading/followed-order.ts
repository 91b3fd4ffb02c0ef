/**
 * Orders that the service follows for a user, as clients see them.
 */
import { z } from "zod";
import { accountNumber, brokerageCode } from "./oco.ts";

/** Query of `orders.list`. */
export const listOrdersBody = z.object({ brokerageCode, accountNumber, from: z.string().max(20).nullish() });

const FOLLOWED_STATES = ["open", "unclear", "ending", "ended", "inDoubt"] as const;

/** An order of a group, a pending OCO or a bot until nothing more can become of it (behaviour 13). */
export const followedOrderSchema = z
  .object({
    orderNo: z.string().meta({ description: "The number under which the brokerage has it now" }),
    orderNumbers: z
      .array(z.string())
      .meta({ description: "All its numbers, the newest last: a replaced order has several" }),
    clientOrderId: z.string().nullable(),
    symbol: z.string(),
    buySell: z.number().int().meta({ description: "1 = Buy, 2 = Sell" }),
    quantity: z.number().int().meta({ description: "Lots asked for; 0: not known" }),
    filledQuantity: z.number().int(),
    averagePrice: z.number().nullable().meta({ description: "Of what was filled; null: nothing, or not known" }),
    state: z.enum(FOLLOWED_STATES).meta({
      description:
        "open: the brokerage works it; unclear: its report contradicts itself and is asked for again; ending: an end is " +
        "reported and not confirmed; ended: confirmed, a late fill still counts; inDoubt: the brokerage does not know it",
    }),
    since: z.string().meta({ description: "When it came into this state" }),
    message: z.string().nullable().meta({ description: "What is wrong with it; null: nothing" }),
    owner: z.object({
      type: z.enum(["group", "pendingOco", "bot"]),
      id: z.number().int().meta({ description: "groupId, setupId or systemId" }),
    }),
  })
  .meta({ id: "FollowedOrder" });
export type FollowedOrderView = z.infer<typeof followedOrderSchema>;
