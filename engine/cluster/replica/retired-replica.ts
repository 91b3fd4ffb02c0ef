/**
 * A copy that this engine no longer keeps is set aside. No code takes it for a current copy, and it saves most of the
 * transfer if this engine needs a copy again.
 */
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../src/runtime/sync-folder.ts";
import { STORE_FOLDER } from "../../store/backup/backup.ts";

const LEFT_FOLDER = "store.left";

/** Whether a partition's folder holds a copy that was not set aside. */
export function hasReplica(folder: string): boolean {
  return existsSync(join(folder, STORE_FOLDER));
}

/** Sets a closed copy aside. False: no copy exists. */
export async function retireReplica(folder: string): Promise<boolean> {
  if (!hasReplica(folder)) return false;
  await rm(join(folder, LEFT_FOLDER), { recursive: true, force: true });
  await rename(join(folder, STORE_FOLDER), join(folder, LEFT_FOLDER));
  await syncFolder(folder);
  return true;
}

/** Restores the copy that was set aside. */
export async function restoreRetiredReplica(folder: string): Promise<void> {
  if (hasReplica(folder) || !existsSync(join(folder, LEFT_FOLDER))) return;
  await rename(join(folder, LEFT_FOLDER), join(folder, STORE_FOLDER));
  await syncFolder(folder);
}
