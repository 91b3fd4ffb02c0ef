/**
 * The head record: written with every batch, it says what the rest of the store must hold.
 */
import { z } from "zod";
import { SetHash } from "./set-hash.ts";

const hash = z.string().regex(/^[0-9a-f]{16}$/);

/**
 * What this version writes. A program of an earlier one would set aside every actor whose snapshot has a `viewMark` (1)
 * or is packed (1, 2), and could not read several events in a row (1, 2), events that are not rendered, or packed orders
 * (1 to 3). What is read as such becomes this with its first batch, and is refused by such a program from then on.
 */
export const FORMAT = 4;

export const headSchema = z.strictObject({
  format: z.literal([1, 2, 3, FORMAT]).transform(() => FORMAT),
  /** Random, made with the data folder: part of every `clientOrderId`, so that two installations never share one. */
  installation: z.string().regex(/^[a-z0-9]{10}$/),
  partition: z.number().int().nonnegative(),
  partitions: z.number().int().positive(),
  /** The number of batches written. */
  batch: z.number().int().nonnegative(),
  /** The last number given out for events and outbox entries. */
  sequence: z.number().int().nonnegative(),
  /** How many ids have been given out. */
  ids: z.number().int().nonnegative(),
  liveHash: hash,
  archiveHash: hash,
  /** The last position of the tick stream that has certainly been applied. */
  tickPosition: z.number().int().nonnegative().nullable(),
  writtenAtMs: z.number(),
  /** Only in a backup that no engine has opened yet: when it was made. */
  copiedAtMs: z.number().optional(),
  /** Only where a backup was restored: how many ids had been given out when it was made (restored.ts). */
  restoredIds: z.number().int().nonnegative().optional(),
});

export type Head = z.infer<typeof headSchema>;

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
    writtenAtMs: nowMs,
  };
}
