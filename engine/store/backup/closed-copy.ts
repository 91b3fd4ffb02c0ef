/**
 * Opens a closed store for looking at it, so that looking changes nothing: LevelDB writes when it opens, and turns a
 * damaged log into a table that no longer tells of the damage.
 *
 * Owns: a copy of the store beside it, of linked tables (LevelDB never changes one) and copied small files.
 *
 * Invariant: a store that an engine has open is not looked at: the lock is linked, too, and a lock is the file's.
 */
import { copyFile, link, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const LINKED = /(\.ldb|\.sst|^LOCK)$/;
/** Not needed, and not small. */
const LEFT_OUT = /^LOG(\.old)?$/;

/** Hands `look` the store in `folder`, opened from a copy by `openStore`. Errors name the store, not the copy. */
export async function lookAt<S extends { close(): Promise<void> }, T>(
  folder: string,
  openStore: (folder: string) => Promise<S>,
  look: (store: S) => Promise<T>,
): Promise<T> {
  const copy = await makeFolder(dirname(folder));
  try {
    for (const name of await readdir(folder)) {
      if (!LEFT_OUT.test(name)) await take(join(folder, name), join(copy, name), LINKED.test(name));
    }
    const store = await openStore(copy);
    try {
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

/** Beside the store, where its files can be linked; elsewhere where nothing may be written there. */
async function makeFolder(beside: string): Promise<string> {
  try {
    return await mkdtemp(join(beside, ".check-"));
  } catch {
    return mkdtemp(join(tmpdir(), "check-"));
  }
}

async function take(from: string, to: string, isLinked: boolean): Promise<void> {
  if (isLinked) {
    const isDone = await link(from, to).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
  await copyFile(from, to);
}
