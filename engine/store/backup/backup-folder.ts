/**
 * Where a backup may go.
 *
 * Owns: the judgement of a folder that an operator named over the network. Does not own: copying.
 *
 * Invariants:
 * 1. Only below the folder that the engine's configuration allows, even if links lead elsewhere.
 * 2. Nothing that exists is written over.
 * 3. The engine's own disk is never filled: without ample room nothing is begun.
 */
import { lstat, readdir, realpath, stat, statfs } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import { accept, type Result, refuse } from "../../../src/domain/refusal.ts";
import { makeFolders } from "../../../src/runtime/make-folder.ts";
import { WRITE_BUFFER_BYTES } from "../level-store.ts";
import { UNFINISHED } from "./backup.ts";

const PARTITION_NAME = /^partition-\d+$/;
/** The engine itself may write this much during a backup: a whole log, its table, and a reserve. */
const SPARE_BYTES = 2 * WRITE_BUFFER_BYTES + 64 * 1024 * 1024;
const PATH_LENGTH_MAX = 1_000;

/**
 * The folder of a partition's copy in the backup `folder`. Refused: INVALID where the path may not be used, CONFLICT
 * where something is there already.
 */
export async function placeOfBackup(folder: string, partition: number, allowed: string): Promise<Result<string>> {
  const place = resolve(allowed);
  if (folder.length > PATH_LENGTH_MAX || folder.includes("\0")) return refuse("INVALID", "folder is not a path");
  if (!isAbsolute(folder)) return refuse("INVALID", "folder must be an absolute path on the engine's machine");
  const wanted = trimmed(normalize(folder));
  if (wanted !== trimmed(folder)) return refuse("INVALID", "folder must not have . or .. or empty parts");
  if (!isBelow(wanted, place)) return refuse("INVALID", `folder must be below ${place} (BACKUP_DIR)`);
  await makeFolders(place);
  // The deepest part that exists: a link there must not lead out of the allowed folder.
  const [truePlace, trueParent] = [await realpath(place), await realpath(await deepestExisting(wanted))];
  if (trueParent !== truePlace && !isBelow(trueParent, truePlace)) {
    return refuse("INVALID", `folder leads out of ${place} (BACKUP_DIR)`);
  }
  return freeFolder(wanted, partition);
}

/** The folder may hold the other partitions of the same backup, and nothing else. */
async function freeFolder(folder: string, partition: number): Promise<Result<string>> {
  const name = `partition-${partition}`;
  const names = await namesIn(folder);
  if (names === undefined) return refuse("CONFLICT", "folder exists and is not a directory");
  if (names.includes(name)) return refuse("CONFLICT", `folder holds a backup of partition ${partition} already`);
  if (names.includes(`${name}${UNFINISHED}`)) {
    return refuse(
      "CONFLICT",
      `folder holds an unfinished backup of partition ${partition}: remove ${name}${UNFINISHED}`,
    );
  }
  const isOwn = (one: string): boolean =>
    PARTITION_NAME.test(one.endsWith(UNFINISHED) ? one.slice(0, -UNFINISHED.length) : one);
  if (!names.every(isOwn)) return refuse("CONFLICT", "folder exists and holds something other than this backup");
  return accept(join(folder, name));
}

/** Whether the disk has room for a copy of these folders. Refused as UNAVAILABLE where it has not. */
export async function roomFor(sources: readonly string[], place: string): Promise<Result<true>> {
  let neededBytes = SPARE_BYTES;
  for (const source of sources) neededBytes += await sizeOf(source);
  const { bavail, bsize } = await statfs(await deepestExisting(place));
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return accept(true);
  return refuse("UNAVAILABLE", `the backup needs ${neededBytes} bytes and the disk has ${freeBytes} left`);
}

/** A file of two names takes its room once: `seen` holds what was counted. What has just been removed needs none. */
async function sizeOf(folder: string, seen = new Set<string>()): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      bytes += await sizeOf(path, seen).catch(() => 0);
      continue;
    }
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    const identity = `${found?.dev}/${found?.ino}`;
    if (found === undefined || seen.has(identity)) continue;
    seen.add(identity);
    bytes += Number(found.size);
  }
  return bytes;
}

/** The names in a folder; empty if it does not exist, undefined if it is not a folder. */
async function namesIn(folder: string): Promise<string[] | undefined> {
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined) return [];
  return found.isDirectory() ? readdir(folder) : undefined;
}

async function deepestExisting(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const isThere = await lstat(at).then(
      () => true,
      () => false,
    );
    if (isThere || at === dirname(at)) return at;
  }
}

/** Whether `path` lies within the folder `place`. */
export function isBelow(path: string, place: string): boolean {
  const way = relative(place, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
}
