/**
 * A copy that this engine keeps no longer lies aside: nobody takes it for one that is current, and it saves most of the
 * way where this engine is to have one again.
 */
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../src/runtime/sync-folder.ts";
import { STORE_FOLDER } from "../../store/backup/backup.ts";

const LEFT_FOLDER = "store.left";

/** Whether a partition's folder holds a copy that was kept to the last. */
export function hasReplica(folder: string): boolean {
  return existsSync(join(folder, STORE_FOLDER));
}

/** Puts a closed copy aside. False: there is none. */
export async function retireReplica(folder: string): Promise<boolean> {
  if (!hasReplica(folder)) return false;
  await rm(join(folder, LEFT_FOLDER), { recursive: true, force: true });
  await rename(join(folder, STORE_FOLDER), join(folder, LEFT_FOLDER));
  await syncFolder(folder);
  return true;
}

/** Takes up again what was put aside. */
export async function restoreRetiredReplica(folder: string): Promise<void> {
  if (hasReplica(folder) || !existsSync(join(folder, LEFT_FOLDER))) return;
  await rename(join(folder, LEFT_FOLDER), join(folder, STORE_FOLDER));
  await syncFolder(folder);
}
