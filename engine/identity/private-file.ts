/** Files that hold a secret are readable by their owner only. */
import { chmod, readFile, stat } from "node:fs/promises";
import { isMissingFile } from "../../src/runtime/missing-file.ts";
import type { Log } from "../../src/runtime/ports.ts";
import { decodeText } from "../../src/runtime/text-file.ts";

const OWNER_ONLY = 0o600;
const ANYONE_ELSE = 0o077;

/**
 * Returns the file's text; undefined if it is missing. If others can read our own file, their access is removed, with a
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
      log.warn({ event: "secret.wasOpen", path, mode: (mode & 0o777).toString(8) }, `a secret file ${said}`);
    }
    return decodeText(path, await readFile(path));
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
