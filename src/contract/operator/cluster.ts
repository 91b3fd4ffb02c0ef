/** The state of partitions that engines share (REPLICATION=on): the leader, the copies, the servers of the log. */
import { z } from "zod";

const count = z.number().int().nonnegative();

const copySchema = z.object({
  engine: z.string(),
  lagRecords: count
    .nullable()
    .meta({ description: "Records that its leader has more; null: the log does not answer it" }),
});

const sharedPartitionSchema = z.object({
  partition: count,
  leader: z.string().nullable().meta({ description: "The engine that answers for it; null: none now" }),
  epoch: count.nullable().meta({ description: "Higher with every leader; null while none leads" }),
  copies: z.array(copySchema).meta({ description: "The engines that read along" }),
});

const sharingEngineSchema = z.object({
  engine: z.string(),
  leads: count.meta({ description: "How many partitions it leads" }),
  isEnding: z.boolean().meta({ description: "It hands over what it leads, and takes nothing" }),
  isClockRight: z
    .boolean()
    .optional()
    .meta({ description: "Whether its clock is within 2 s of the tick stream's; absent: it is not known" }),
  takeovers: z.array(z.object({ partition: count, count })).meta({
    description: "How often it took a partition over since it started, as the leader before had fallen silent",
  }),
});

const logServerSchema = z.object({
  url: z.string().meta({ description: "Where it is asked, of NATS_MONITOR_URLS" }),
  name: z.string().nullable().meta({ description: "Null, as all that follows: it does not answer" }),
  version: z.string().nullable(),
  isSynced: z.boolean().nullable().meta({ description: "Whether what it acknowledges is on its disk" }),
});

const replicatedStreamSchema = z.object({
  stream: z.string().meta({ description: "The log of a partition, or the stream of ticks" }),
  currentReplicas: count.meta({
    description: "How many nats-servers hold all of it, its leader included; 3 are needed",
  }),
});

/** As one engine sees it: reports of others are up to a second old. */
export const clusterSchema = z
  .object({
    partitions: z.array(sharedPartitionSchema),
    engines: z.array(sharingEngineSchema),
    servers: z.array(logServerSchema).meta({ description: "The nats-servers, as they were last asked" }),
    streams: z
      .array(replicatedStreamSchema)
      .meta({ description: "The logs and the stream of ticks, as they were last asked about" }),
    faults: z
      .array(z.string())
      .meta({ description: "Why the servers cannot be trusted with the log; empty: they can" }),
  })
  .meta({ id: "Cluster" });
export type ClusterView = z.infer<typeof clusterSchema>;
export type LogServerView = z.infer<typeof logServerSchema>;

/** A summary of the same, for traders. */
export const clusterStandingSchema = z.object({
  partitionCount: count,
  ledCount: count.meta({ description: "Partitions that an engine leads" }),
  copiedCount: count.meta({ description: "Partitions of which another engine has a copy that reads along" }),
  lagRecordsMax: count.meta({ description: "Of the best copy of each partition, that which is furthest behind" }),
  areServersTrusted: z.boolean().meta({ description: "Whether the servers of the log keep what they acknowledge" }),
});
export type ClusterStanding = z.infer<typeof clusterStandingSchema>;
