/**
 * Brings a folder's names to the disk: a file that was renamed into it is there after a loss of power only then. Windows
 * opens no folder, and its file systems journal names by themselves.
 */
import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

const CAN_OPEN_FOLDERS = process.platform !== "win32";

export async function syncFolder(path: string): Promise<void> {
  if (!CAN_OPEN_FOLDERS) return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** As {@link syncFolder}, before it returns. */
export function syncFolderNow(path: string): void {
  if (!CAN_OPEN_FOLDERS) return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
