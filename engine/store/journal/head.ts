/**
 * The head record: written with every batch, it states what the rest of the store must contain.
 */
import { z } from "zod";
import { SetHash } from "./set-hash.ts";

const hash = z.string().regex(/^[0-9a-f]{16}$/);

/** Of all that is stored. A folder of another one is refused. */
export const FORMAT = 6;

export const headSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** Random, made with the data folder: part of every `clientOrderId`, so that two installations never share one. */
  installation: z.string().regex(/^[a-z0-9]{10}$/),
  partition: z.number().int().nonnegative(),
  partitions: z.number().int().positive(),
  /** The number of batches written; the log holds the newest under these numbers. */
  batch: z.number().int().nonnegative(),
  /** The last number given out for events and outbox entries. */
  sequence: z.number().int().nonnegative(),
  /** How many ids have been given out. */
  ids: z.number().int().nonnegative(),
  liveHash: hash,
  archiveHash: hash,
  /** The last position of the tick stream that has certainly been applied. */
  tickPosition: z.number().int().nonnegative().nullable(),
  /** The stream that the position speaks of, as its server names the moment of its making; null: not known. */
  tickStream: z.string().nullable().default(null),
  /** Since when that stream took no ticks, so that some are missing in it; null: it took them. */
  ticksRefusedSinceMs: z.number().nullable().default(null),
  writtenAtMs: z.number(),
  /** Only in a backup that no engine has opened yet: when it was made. */
  copiedAtMs: z.number().optional(),
  /** Only where a backup was restored: how many ids had been given out when it was made (restored.ts). */
  restoredIds: z.number().int().nonnegative().optional(),
});

export type Head = z.infer<typeof headSchema>;

/** The format that a value names; undefined if it is not a head record of any version. */
export function formatOf(record: unknown): number | undefined {
  const found = z.looseObject({ format: z.number() }).safeParse(record);
  return found.success ? found.data.format : undefined;
}

const NO_ROWS_HASH = new SetHash().toString();

/** The head of a store that holds nothing yet. */
export function firstHead(installation: string, place: Pick<Head, "partition" | "partitions">, nowMs: number): Head {
  return {
    format: FORMAT,
    installation,
    partition: place.partition,
    partitions: place.partitions,
    batch: 0,
    sequence: 0,
    ids: 0,
    liveHash: NO_ROWS_HASH,
    archiveHash: NO_ROWS_HASH,
    tickPosition: null,
    tickStream: null,
    ticksRefusedSinceMs: null,
    writtenAtMs: nowMs,
  };
}
