/**
 * The witness: a small file beside the store that remembers how far the store has come, so that a store that lost its
 * newest batches, or an old copy put in its place, is recognised.
 *
 * Invariant: the witness never says more than what is durable in the store.
 */
import { existsSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { syncFolder } from "../../../src/runtime/sync-folder.ts";
import { StoreRefused } from "../refused.ts";

const witnessSchema = z.strictObject({
  installation: z.string(),
  batch: z.number().int().nonnegative(),
  tickPosition: z.number().int().nonnegative().nullable(),
});
export type Witness = z.infer<typeof witnessSchema>;

/** What the witness says; undefined where there is none. Throws {@link StoreRefused} when it cannot be read. */
export function readWitness(file: string): Witness | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return witnessSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new StoreRefused(`${file} is damaged: restore it from a backup`, { cause });
  }
}

/** Replaces the witness: the old one or the new one is on disk at every instant. */
export async function writeWitness(file: string, witness: Witness): Promise<void> {
  const draft = `${file}.new`;
  const handle = await open(draft, "w", 0o600);
  try {
    await handle.writeFile(JSON.stringify(witness));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  await syncFolder(dirname(file));
}
