/**
 * The witness: a small file next to the store that records how far the store has come, so that a store that lost its
 * newest batches, or an old copy put in its place, is recognised.
 *
 * Invariant: the witness never claims more than is durable in the store.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { writeDurableFile } from "../../../src/runtime/durable-file.ts";
import { isMissingFile } from "../../../src/runtime/missing-file.ts";
import { diskRefusal } from "../disk-refused.ts";
import { StoreRefused } from "../refused.ts";

const witnessSchema = z.strictObject({
  installation: z.string(),
  batch: z.number().int().nonnegative(),
  tickPosition: z.number().int().nonnegative().nullable(),
});
export type Witness = z.infer<typeof witnessSchema>;

/** The content of the witness; undefined without one. Throws {@link StoreRefused} when it cannot be read. */
export function readWitness(file: string): Witness | undefined {
  try {
    return witnessSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    if (isMissingFile(cause)) return undefined;
    throw diskRefusal(file, cause) ?? new StoreRefused(`${file} is damaged: restore it from a backup`, { cause });
  }
}

/** Replaces the witness: the old one or the new one is on disk at every instant. */
export function writeWitness(file: string, witness: Witness): Promise<void> {
  return writeDurableFile(file, JSON.stringify(witness));
}
