/**
 * The messages between engines about the partitions they run, on `engine.<partition>.owner`: a request before an engine
 * arms, then a message every half second while it runs.
 */
import { z } from "zod";

/**
 * `asking`: it has not acted yet, or no longer knows whether it can. `holding`: it acts. `ending`: it acts no more and
 * will end soon.
 */
export const ownershipStages = ["asking", "holding", "ending"] as const;

export const ownershipWordSchema = z.object({
  /** A random name of the process, made at its start. */
  engine: z.string().min(1).max(64),
  stage: z.enum(ownershipStages),
  /** Since when it asks or holds, by its own wall clock. */
  sinceMs: z.number(),
  partition: z.number().int().nonnegative(),
  partitions: z.number().int().positive(),
  /** Of the partition's data folder; null if it was not opened yet, or if the engine does not run the partition. */
  installation: z.string().max(64).nullable(),
  /** The random name of this start over the data folder; null as above. */
  life: z.string().max(64).nullable(),
  host: z.string().max(255),
  pid: z.number().int(),
});
export type OwnershipAnnouncement = z.infer<typeof ownershipWordSchema>;
