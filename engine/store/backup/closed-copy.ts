/**
 * Opens a closed store for reading without changing it: LevelDB writes when it opens, and turns a damaged log into a
 * table that no longer shows the damage.
 *
 * Owns: a copy of the store next to it, of linked tables (LevelDB never changes one) and copied small files.
 *
 * Invariant: a store that an engine has open is not read: the lock is linked, too, and a lock belongs to the file. If it
 * cannot be linked (another user's file, another file system) a copy of it locks nothing: then only a store is read
 * that no engine opens.
 */
import { copyFile, link, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { StoreLockUnknown } from "../refused.ts";

const TABLE = /\.(ldb|sst)$/;
const LOCK = "LOCK";
/** Not needed, and not small. */
const LEFT_OUT = /^LOG(\.old)?$/;

/**
 * Hands `look` the store in `folder`, opened from a copy by `openStore`. Errors name the store, not the copy. `isClosed`:
 * whether certainly no engine has the store open, regardless of its lock. Throws {@link StoreLockUnknown}.
 */
export async function lookAt<S extends { close(): Promise<void> }, T>(
  folder: string,
  openStore: (folder: string) => Promise<S>,
  look: (store: S) => Promise<T>,
  isClosed: (store: S) => boolean,
): Promise<T> {
  const copy = await makeFolder(dirname(folder));
  try {
    const unlocked = await takeAll(folder, copy);
    const store = await openStore(copy).catch((error: unknown) => {
      // What is being written may look damaged.
      throw unlocked === undefined ? error : new StoreLockUnknown(folder, error);
    });
    try {
      if (unlocked !== undefined && !isClosed(store)) throw new StoreLockUnknown(folder, unlocked);
      return await look(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(copy, folder);
    throw error;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Next to the store, where its files can be linked; elsewhere if that folder cannot be written. */
async function makeFolder(beside: string): Promise<string> {
  try {
    return await mkdtemp(join(beside, ".check-"));
  } catch {
    return mkdtemp(join(tmpdir(), "check-"));
  }
}

/** Gives why the lock of the store could not be taken; undefined where it was. */
async function takeAll(folder: string, copy: string): Promise<unknown> {
  let unlocked: unknown;
  for (const name of await readdir(folder)) {
    const [from, to] = [join(folder, name), join(copy, name)];
    if (name === LOCK) {
      unlocked = await link(from, to).then(
        () => undefined,
        (error: unknown) => error,
      );
    } else if (TABLE.test(name)) await link(from, to).catch(() => copyFile(from, to));
    else if (!LEFT_OUT.test(name)) await copyFile(from, to);
  }
  return unlocked;
}
