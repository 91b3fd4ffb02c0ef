/**
 * Makes folders one level at a time.
 *
 * `mkdir` with `recursive` never ends if a parent takes no folders, as `/proc`: it makes the parent, which exists, and
 * tries again, forever.
 */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Makes the folder and its missing parents, readable by their owner only. Returns whether any was made. */
export async function makeFolders(folder: string): Promise<boolean> {
  const path = resolve(folder);
  if (existsSync(path)) {
    // Also of a file, which it refuses with EEXIST.
    await mkdir(path, { recursive: true });
    return false;
  }
  await makeFolders(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    // Another process may have been quicker.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  });
  return true;
}
