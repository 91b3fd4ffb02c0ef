/** Files that are on disk whole or not at all. */
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.ts";

/**
 * Writes the file in place of what was there, readable by its owner only. Resolves once it is on disk; a crash leaves
 * the old one or the new one.
 */
export async function writeDurableFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`;
  await rm(unfinished, { force: true });
  const file = await open(unfinished, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await syncFolder(dirname(path));
}
