/** The uses of a brokerage, and its retirement: everything that can be cancelled is, and the rest is named. */
import { z } from "zod";

/** Each partition answers these for itself. */
export const RETIREMENT_COMMAND = "operator.retire";
export const BROKERAGE_USE_QUERY = "operator.brokerageUse";

const count = z.number().int().nonnegative();

/** Items that would wait without effect if the brokerage were missing. */
export const brokerageUseSchema = z
  .object({
    code: z.string(),
    groups: count.meta({ description: "OCO groups that have not ended" }),
    setups: count.meta({ description: "Registered pending OCOs" }),
    levelBots: count.meta({ description: "Level bots that are active or wait for an order" }),
    webhookBots: count.meta({ description: "Webhook bots that are active or wait for an order" }),
    orders: count.meta({ description: "Orders without an outcome" }),
    quarantined: count.meta({ description: "How many of the groups, pending OCOs and bots are in quarantine" }),
  })
  .meta({ id: "BrokerageUse" });
export type BrokerageUseView = z.infer<typeof brokerageUseSchema>;

export const brokerageUsesSchema = z.array(brokerageUseSchema);

/** Where a retirement continues in a partition: after this actor, or after this order. */
export const RETIREMENT_PLACE = /^(actors|orders)-(0|[1-9][0-9]{0,15})$/;

/** Body of `operator.retire`. */
export const retireBody = z.object({
  brokerageCode: z.string(),
  from: z.string().regex(RETIREMENT_PLACE).nullish(),
});

/** Something that could not be cancelled. */
export const leftSchema = z
  .object({
    type: z.enum(["group", "setup", "levelBot", "webhookBot", "clientOrder", "order"]),
    partition: count,
    id: z.string().meta({
      description:
        "The id of the group, pending OCO or bot; for an order and for an entry in quarantine, the id for its release",
    }),
    userId: z.number().int().nullable().meta({ description: "Null where it cannot be read" }),
    rowIds: z.array(z.number().int()).meta({ description: "Of a group: the rows whose sell is not done" }),
    pairIds: z.array(z.number().int()).meta({ description: "Of a bot: its open pairs" }),
    reason: z.string(),
    isBlocking: z.boolean().meta({ description: "True: an engine does not start over it without the brokerage" }),
  })
  .meta({ id: "LeftOfBrokerage" });
export type Left = z.infer<typeof leftSchema>;

/** How many were cancelled, by kind. */
export const retiredCountsSchema = z
  .object({
    groups: count.meta({ description: "OCO groups that were cancelled, also groups of which a sell continues" }),
    setups: count.meta({ description: "Pending OCOs that were removed" }),
    switchedOffBots: count.meta({ description: "Bots that were switched off and have open pairs" }),
    endedBots: count.meta({ description: "Bots without open pairs that were deleted" }),
  })
  .meta({ id: "RetiredCounts" });
export type RetiredCounts = z.infer<typeof retiredCountsSchema>;

/** The answer to one `operator.retire`. */
export const retirementSchema = z.object({
  retired: retiredCountsSchema,
  left: z.array(leftSchema),
  next: z.string().nullable(),
});
export type Retirement = z.infer<typeof retirementSchema>;
