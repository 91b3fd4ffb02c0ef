/**
 * Whether prices and orders flow, as clients see it.
 */
import { z } from "zod";
import { clusterStandingSchema } from "../operator/cluster.ts";
import { holdSchema } from "../operator/hold.ts";
import { brokerageStatsSchema, feedStatsSchema } from "../operator/operator.ts";

const { state, silentMs, publishers } = feedStatsSchema.shape;

export const conditionsSchema = z
  .object({
    feed: z
      .object({ state, silentMs, publishers })
      .nullable()
      .meta({ description: "Of the feed that your rows are watched by; null without a feed" }),
    brokerages: z
      .array(
        brokerageStatsSchema.extend({
          name: z.string(),
          canReset: z
            .boolean()
            .optional()
            .meta({ description: "True: a paper brokerage, whose accounts can be set back (behaviour 11.1b)" }),
        }),
      )
      .meta({ description: "The way to each brokerage. One in the service's own process is always up" }),
    heldSymbols: z
      .array(holdSchema.extend({ symbol: z.string() }).meta({ id: "HeldSymbolCondition" }))
      .meta({ description: "Symbols of which no level fires, each until it is released" }),
    cluster: clusterStandingSchema
      .nullable()
      .meta({ description: "Of the partitions that engines share; null where they share none" }),
  })
  .meta({ id: "Conditions" });
export type ConditionsView = z.infer<typeof conditionsSchema>;
