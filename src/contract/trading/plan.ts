/**
 * The plan of a group: its rows, how its stop-loss is sold, and every order that it has sent (behaviour 14.5).
 */
import { z } from "zod";
import { ACTION_POLICIES } from "../../domain/market/corporate-action.ts";
import { EXIT_REASONS, EXIT_STATES } from "../../domain/oco/exit.ts";
import { EXIT_POLICIES } from "../../domain/oco/group.ts";
import { bandSchema } from "../operator/band.ts";
import { holdSchema } from "../operator/hold.ts";
import { effectsSchema } from "../operator/reference.ts";
import { ocoRowSchema } from "./oco.ts";
import { orderReceipt } from "./receipt.ts";

const exit = z
  .object({
    stopLoss: z.enum(EXIT_POLICIES).meta({
      description:
        "untilSold: further orders sell what an ended order left; once: one order, regardless of what it leaves",
    }),
    state: z.enum(EXIT_STATES).meta({
      description:
        "none: the stop-loss has not fired; selling: an order is on its way or open; waiting: the next order leaves at nextOrderDate; stopping: its owner stopped it and the order is being cancelled; sold: all is sold; ended: a rest is not sold",
    }),
    reason: z.enum(EXIT_REASONS).nullable().meta({
      description: "What fired the stop-loss: its price, at or beforeCloseMinutes, or flatten; null: nothing yet",
    }),
    at: z.string().nullable().meta({ description: "The stop-loss sells at this moment, regardless of the price" }),
    beforeCloseMinutes: z.number().int().nullable(),
    sellDate: z.string().nullable().meta({
      description:
        "When the stop-loss sells by the clock; null: never, or no calendar contains the close, or it has fired",
    }),
    soldQuantity: z.number().int().meta({ description: "Lots that ended orders of the stop-loss have sold" }),
    leftQuantity: z
      .number()
      .int()
      .meta({ description: "Lots that are still to be sold; open orders count as not sold" }),
    orderCount: z.number().int().meta({ description: "Orders of the stop-loss so far, by their numbers" }),
    nextOrderDate: z.string().nullable(),
    waitsForSession: z.boolean().meta({
      description:
        "True: the market does not take the order now, and it is sent when the market opens at nextOrderDate",
    }),
  })
  .meta({ id: "OcoExit" });

export const groupHoldSchema = holdSchema
  .extend({ isReleased: z.boolean().meta({ description: "True: its owner released the group, so its levels fire" }) })
  .meta({ id: "GroupHold" })
  .nullable()
  .meta({ description: "Why no level of the group's symbol fires; null: they fire" });

export const groupBandSchema = bandSchema
  .nullable()
  .meta({ description: "Today's band of the symbol; null: not known" });

export const groupRestrictionSchema = z.object({
  restrictionType: z.number().int(),
  restrictionTypeName: z.string(),
  effects: effectsSchema,
});

export const planSchema = z
  .object({
    groupId: z.number().int(),
    version: z.number().int().meta({ description: "1 for a new group; it rises with every change of the group" }),
    rows: z.array(ocoRowSchema).meta({ description: "The stop-loss first, take-profits by price" }),
    exit,
    trailing: z
      .object({
        distance: z.number().nullable(),
        distancePercent: z.number().nullable(),
        activationPrice: z.number().nullable(),
        step: z.number().nullable(),
        confirmTicks: z.union([z.literal(1), z.literal(2)]),
        high: z.number().nullable().meta({ description: "The highest price that counted; null: none did yet" }),
        isActivated: z.boolean().meta({ description: "True: prices count" }),
      })
      .meta({ id: "OcoTrailing" })
      .nullable()
      .meta({ description: "How the stop-loss follows the price; null: it stays where it is" }),
    ladder: z
      .object({
        rungs: z.array(
          z.object({
            afterTakeProfits: z.number().int(),
            to: z.enum(["entry", "previousTakeProfit"]),
            offset: z.number(),
          }),
        ),
        entryPrice: z.number().nullable(),
        climbed: z.number().int().meta({ description: "How many sold take-profits have counted" }),
      })
      .meta({ id: "OcoLadder" })
      .nullable()
      .meta({ description: "How the stop-loss rises as take-profits are sold; null: it does not" }),
    followPosition: z.boolean().meta({ description: "True: the quantities shrink if lots are sold elsewhere" }),
    hold: groupHoldSchema,
    corporateActions: z
      .object({
        policy: z.enum(ACTION_POLICIES),
        message: z.string().nullable().meta({ description: "The change by the last corporate action; null: none" }),
        isHeld: z.boolean().meta({ description: "True: no level fires until the group is released" }),
        isWaiting: z
          .boolean()
          .meta({ description: "True: an action counts once the stop-loss is no longer being sold" }),
      })
      .meta({ id: "GroupCorporateActions" }),
    band: groupBandSchema,
    restrictions: z
      .array(groupRestrictionSchema.meta({ id: "GroupRestriction" }))
      .meta({ description: "Measures of the exchange on the symbol, and what they do to orders" }),
    orders: z
      .array(orderReceipt.extend({ rowId: z.number().int() }).meta({ id: "OcoOrder" }))
      .meta({ description: "Orders of all rows that the brokerage answered, the oldest first" }),
  })
  .meta({ id: "OcoPlan" });
export type PlanView = z.infer<typeof planSchema>;
