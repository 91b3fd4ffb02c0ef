/**
 * Files that hold a secret: readable by their owner only, and on disk whole or not at all.
 */

import { chmod, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissingFile } from "../../src/runtime/missing-file.ts";
import type { Log } from "../../src/runtime/ports.ts";
import { syncFolder } from "../../src/runtime/sync-folder.ts";

const OWNER_ONLY = 0o600;
const ANYONE_ELSE = 0o077;

/** Writes the file in place of what was there. Resolves once it is on disk; a crash leaves the old one or the new one. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`;
  await rm(unfinished, { force: true });
  const file = await open(unfinished, "wx", OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await syncFolder(dirname(path));
}

/**
 * The file's text; undefined when there is none. A file that others may read is closed to them where it is ours, with a
 * warning; Windows has no such modes.
 */
export async function readPrivateFile(path: string, log: Log): Promise<string | undefined> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== "win32" && (mode & ANYONE_ELSE) !== 0) {
      const isClosed = await closeToOthers(path);
      const said = isClosed
        ? "was open to other users and is now closed"
        : "is open to other users, and not ours to close";
      log.warn({ path, mode: (mode & 0o777).toString(8) }, `a secret file ${said}`);
    }
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

/** False for a file of another owner or on a read-only file system, as secrets of a container are. */
async function closeToOthers(path: string): Promise<boolean> {
  try {
    await chmod(path, OWNER_ONLY);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPERM" || code === "EROFS" || code === "EACCES") return false;
    throw error;
  }
}
