/**
 * The views and decisions of operators: orders in progress, stuck items and their causes, releases, figures
 * (behaviour 11.7).
 */
import { z } from "zod";
import { body, lots, text } from "../fields.ts";
import { resendSchema } from "../trading/order.ts";
import { clusterStandingSchema } from "./cluster.ts";
import { publisherStatsSchema } from "./feed-status.ts";

/** Each partition answers these for itself. */
export const OPERATOR_COMMANDS = { release: "operator.release", backup: "operator.backup" } as const;
/** The first two are answered as pages of rows, the others as replies; the last by each engine for all partitions. */
export const OPERATOR_QUERIES = {
  listOutbox: "operator.outbox",
  listQuarantine: "operator.quarantine",
  readStats: "operator.stats",
  readCluster: "operator.cluster",
} as const;

const partition = z.number().int().nonnegative();
const count = z.number().int().nonnegative();
const reason = z.string().meta({ description: "Empty if there is nothing to report" });
const since = z.string().meta({ description: "Since when it is so" });

const orderFields = {
  type: z.literal("order"),
  partition,
  sequence: count.meta({ description: "Place in the partition's order of commits" }),
  clientOrderId: z.string(),
  userId: z.number().int(),
  brokerageCode: z.string(),
  accountNumber: z.string(),
  symbol: z.string(),
  state: z.enum(["queued", "sending", "retrying", "settling", "quarantined"]),
  attempt: count.meta({ description: "How often it was tried, as far as the process knows" }),
  since,
  reason,
};

/** An order that has no outcome yet. */
export const outboxOrderSchema = z
  .object({
    id: z.string().meta({ description: "Under which it can be released" }),
    ...orderFields,
  })
  .meta({ id: "OutboxOrder" });
export type OutboxOrderView = z.infer<typeof outboxOrderSchema>;

/** A group, setup, bot or token family that a fault of the service stopped. */
const quarantinedActorSchema = z
  .object({
    id: z.string().meta({ description: "Under which it can be released" }),
    type: z.literal("actor"),
    partition,
    actorId: z.number().int(),
    since,
    reason,
    heldEventCount: count.meta({ description: "What came since and is given to it at its release" }),
  })
  .meta({ id: "QuarantinedActor" });
export type QuarantinedActorView = z.infer<typeof quarantinedActorSchema>;

/** An order that its brokerage took and does not know any more (behaviour 13.6). */
const doubtfulOrderSchema = z
  .object({
    id: z.string().meta({ description: "Under which it can be released; orders of one group or bot have one id" }),
    type: z.literal("doubt"),
    partition,
    actorId: z.number().int().meta({ description: "The group, bot or order of a client that it is of" }),
    orderNo: z.string(),
    clientOrderId: z.string().nullable(),
    userId: z.number().int(),
    brokerageCode: z.string(),
    accountNumber: z.string(),
    symbol: z.string(),
    buySell: z.union([z.literal(1), z.literal(2)]),
    quantity: count.meta({ description: "Lots ordered" }),
    filledQuantity: count.meta({ description: "Lots known as filled" }),
    since,
    reason,
  })
  .meta({ id: "DoubtfulOrder" });
export type DoubtfulOrderView = z.infer<typeof doubtfulOrderSchema>;

export const quarantinedSchema = z.union([outboxOrderSchema, quarantinedActorSchema, doubtfulOrderSchema]);

/** Body of `operator.outbox` and `operator.quarantine`. */
export const listOperatorBody = z.object({ from: z.string().nullish() });

// ---------------------------------------------------------------------------------------------------------- releases

/** An order of the outbox by its sequence, an actor by its id, or the orders in doubt of an actor by its id. */
interface Quarantined {
  readonly type: "order" | "actor" | "doubt";
  readonly partition: number;
  readonly number: number;
}

const QUARANTINE_ID = /^(order|actor|doubt)-(0|[1-9][0-9]{0,3})-(0|[1-9][0-9]{0,15})$/;

/** The id under which something can be released: `order-0-17`, `actor-1-42`, `doubt-0-42`. */
export function quarantineId({ type, partition, number }: Quarantined): string {
  return `${type}-${partition}-${number}`;
}

/** Returns the item that an id names; undefined if it is not such an id. */
export function parseQuarantineId(id: string): Quarantined | undefined {
  const [, type, partition, number] = QUARANTINE_ID.exec(id) ?? [];
  if ((type !== "order" && type !== "actor" && type !== "doubt") || !Number.isSafeInteger(Number(number)))
    return undefined;
  return { type, partition: Number(partition), number: Number(number) };
}

/** A person's decision about a stuck item. */
export const releaseBody = z
  .discriminatedUnion("action", [
    body({
      action: z.literal("resend").meta({ description: "No order exists: send it as if for the first time" }),
    }),
    body({
      action: z.literal("placed").meta({ description: "The order exists" }),
      orderNo: text(1, 100).meta({ description: "Its number at the brokerage" }),
    }),
    body({
      action: z.literal("refused").meta({ description: "No order exists and none shall" }),
      message: text(1, 500).meta({ description: "The message that its owner receives" }),
    }),
    body({ action: z.literal("retry").meta({ description: "An actor: let it try again" }) }),
    body({
      action: z.literal("filled").meta({ description: "An order in doubt: so much of it was filled in all" }),
      orderNo: text(1, 100),
      quantity: lots,
      price: z.number().positive().meta({ description: "Average price of all that was filled, in currency units" }),
    }),
    body({
      action: z.literal("notFilled").meta({
        description: "An order in doubt: nothing was filled beyond what is known as filled",
      }),
      orderNo: text(1, 100),
    }),
  ])
  .meta({ id: "Release" });
export type ReleaseBody = z.infer<typeof releaseBody>;
/** The possible decisions about an order without an outcome. */
export type OrderDecision = Extract<ReleaseBody, { action: "resend" | "placed" | "refused" }>;
/** The possible decisions about an order in doubt. */
export type DoubtDecision = Extract<ReleaseBody, { action: "filled" | "notFilled" }>;

/** Body of `operator.release`. An actor needs no decision. */
export const releaseCommandBody = z.object({ id: z.string().max(64), decision: releaseBody.nullish() });

// ----------------------------------------------------------------------------------------------------------- backups

/** Body of `operator.backup`. */
export const backupBody = body({
  folder: text(1, 1_000).meta({
    description: "Absolute path on the engine's machine, below its BACKUP_DIR; must not exist",
  }),
});

/** The state of a partition's backup. */
export const backupSchema = z.object({
  partition,
  folder: z.string(),
  state: z.enum(["running", "done"]),
  rowCount: count,
  byteCount: count,
  batch: count.nullable().meta({ description: "The last batch in it; null while it is being made" }),
});
export type BackupView = z.infer<typeof backupSchema>;

// ----------------------------------------------------------------------------------------------------------- figures

/** A process's counts of its ticks, by their outcome. */
const tickCountsSchema = z.object({
  accepted: count,
  malformed: count,
  invalidPrice: count,
  unknownSymbol: count,
  stale: count,
  future: count,
  tooOld: count,
  outlier: count,
  coalesced: count,
});

/** Holes of the tick stream, by why their ticks are lost to the process. */
const holeCountsSchema = z.object({
  missing: count,
  tooOld: count,
  recreated: count,
  unreadable: count,
  refused: count,
});

/** The state of the feed in the process that runs the partition. */
export const feedStatsSchema = z.object({
  state: z.enum(["live", "catchingUp", "disconnected"]),
  ticks: tickCountsSchema,
  lastTickMs: z.number().nullable().meta({ description: "When the last accepted tick was seen, epoch ms" }),
  silentMs: count
    .nullable()
    .meta({ description: "How long ago that was, by the engine's clock; null before the first" }),
  waitingCount: count,
  holes: holeCountsSchema,
  /** The tick stream: how far its clock is ahead of the engine's, and since when it takes no ticks. */
  stream: z.object({
    clockAheadMs: z.number().nullable(),
    refusedSinceMs: z.number().nullable(),
    unheardCount: z.number(),
  }),
  publishers: z.array(publisherStatsSchema).meta({
    description: "Processes that publish a venue's prices, as each reports itself; gone: it no longer reports",
  }),
});
export type FeedStats = z.infer<typeof feedStatsSchema>;

/** The way to a brokerage behind the gateway, as its connector reports it. */
export const brokerageStatsSchema = z.object({
  code: z.string(),
  state: z.enum(["up", "down", "silent", "untold"]).meta({
    description: "silent: no connector answers; untold: a connector of the first edition, which reports no status",
  }),
  since: z.string().nullable(),
  needsLogin: z
    .boolean()
    .optional()
    .meta({ description: "True: the session comes back only after a login by the account's owner" }),
  resend: resendSchema.nullable().meta({ description: "What the connector promises of a repeated order" }),
  refusal: z.string().nullable().meta({ description: "Why no order is sent; null: orders are sent" }),
});

/** Upper bounds of the timings' buckets, in milliseconds. */
export const TIMING_BUCKETS_MS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000] as const;

/** Upper bounds of how many rows a batch changed. */
export const BATCH_SIZE_BUCKETS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000] as const;

const histogramOf = (bounds: readonly number[]) =>
  z.object({
    /** For each bound, how many lay at or below it and above the one before. */
    counts: z.array(count).length(bounds.length),
    sum: z.number(),
    count,
  });
const timingsSchema = histogramOf(TIMING_BUCKETS_MS);
export type Histogram = z.infer<typeof timingsSchema>;

const triggerTimingsSchema = z.object({ tickToDurable: timingsSchema, durableToSent: timingsSchema });
const allTimingsSchema = triggerTimingsSchema.extend({ logAppend: timingsSchema });
export type TriggerTimings = z.infer<typeof triggerTimingsSchema>;

/** A partition's counts since its process started, and its present state. */
export const partitionStatsSchema = z.object({
  partition,
  /** Undefined if the partition has no feed. */
  feed: feedStatsSchema.optional(),
  /** Undefined if engines share no partitions. */
  cluster: clusterStandingSchema.optional(),
  tickPosition: z.number().int().nullable().meta({ description: "Up to where of the tick stream all was applied" }),
  outbox: z.object({
    byState: z.object({ queued: count, sending: count, retrying: count, settling: count, quarantined: count }),
    laneCount: count,
    sendCount: count,
    lookUpCount: count,
    placedCount: count,
    refusedCount: count,
    unknownCount: count,
    quarantineCount: count,
    unreadableCount: count,
  }),
  brokerages: z.array(brokerageStatsSchema),
  armedCount: count.meta({ description: "Price levels under watch" }),
  armedPrices: z
    .object({
      silent: z.object({ refused: count, none: count, unconfirmed: count.default(0) }).meta({
        description:
          "Symbols under watch of which no price counts: all are refused, none comes, or the last one waits to be confirmed",
      }),
      oldestAgeMs: count.nullable().meta({ description: "The oldest last accepted price of them, by its age" }),
    })
    .optional(),
  heldSymbolCount: count.optional().meta({ description: "Symbols of which no level fires until they are released" }),
  memory: z
    .record(z.string(), count)
    .optional()
    .meta({ description: "Bytes of the engine's process by kind; all partitions of a process report the same" }),
  deadlineCount: count,
  quarantinedActorCount: count,
  inboxLength: count,
  eventsWaitingCount: count,
  unreadableEventRowCount: count,
  unsold: z.record(z.string(), count).meta({ description: "Events about lots that were not sold, by type" }),
  refusedReports: z
    .record(z.string(), count)
    .optional()
    .meta({ description: "Reports of orders that contradicted themselves or were of another order, by code" }),
  batch: count.meta({ description: "The last batch that was put together" }),
  batchSizes: histogramOf(BATCH_SIZE_BUCKETS).meta({ description: "How many rows each batch changed" }),
  /** How long triggers and appends to the log took, in milliseconds. */
  timings: allTimingsSchema,
  oldestOrderSinceMs: z
    .number()
    .nullable()
    .meta({ description: "Since when the oldest order without an outcome is in its state" }),
});
export type PartitionStats = z.infer<typeof partitionStatsSchema>;
export type BrokerageStats = z.infer<typeof brokerageStatsSchema>;
