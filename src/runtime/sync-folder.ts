import { open } from "node:fs/promises";

/** Brings a folder's names to the disk: a file that was renamed into it is there after a loss of power only then. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
