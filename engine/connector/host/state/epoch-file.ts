/**
 * The highest epoch of each partition, in a file next to a connector's state: a past leader must not get through after
 * connector and leader died together.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { isMissingFile } from "../../../../src/runtime/missing-file.ts";
import { syncFolderNow } from "../../../../src/runtime/sync-folder.ts";
import type { EpochStore } from "../fence.ts";

const fileSchema = z.strictObject({
  version: z.literal(1),
  epochs: z.array(z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()])),
});

/** Opens the file, which can be missing. Throws if it cannot be read: a lost epoch would admit a past leader. */
export function openEpochFile(path: string): EpochStore {
  const epochs = new Map(readEpochs(path));
  return {
    epochs,
    keep: (partition, epoch) => {
      epochs.set(partition, epoch);
      writeDurably(path, JSON.stringify({ version: 1, epochs: [...epochs] }));
    },
  };
}

function readEpochs(path: string): readonly (readonly [number, number])[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if (isMissingFile(cause)) return [];
    throw cause;
  }
  try {
    return fileSchema.parse(JSON.parse(text)).epochs;
  } catch (cause) {
    throw new Error(`${path} holds no epochs: put back a copy, or remove it once no old engine runs`, { cause });
  }
}

function writeDurably(path: string, text: string): void {
  const next = `${path}.next`;
  const file = openSync(next, "w", 0o600);
  writeSync(file, text);
  syncAndClose(file);
  renameSync(next, path);
  syncFolderNow(dirname(path));
}

function syncAndClose(file: number): void {
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
