/**
 * Makes a partition's store from another engine's rows.
 *
 * Owns: where they are written, the checks that they are whole, the replacement of the old store. Does not own: where
 * they come from (seed-reader.ts).
 *
 * Invariants:
 * 1. Rows become the store only when all are on disk, their hashes equal the head's, and the head is of this partition.
 *    Until then the old store remains in its place.
 * 2. After a crash half way the process begins again: partial rows are never opened as a store.
 */
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../src/runtime/sync-folder.ts";
import type { RowStore } from "../../ports/log.ts";
import type { Put } from "../../ports/storage.ts";
import { STORE_FOLDER } from "../../store/backup/backup.ts";
import type { Head } from "../../store/journal/head.ts";
import { RowHashes } from "../../store/journal/set-hash.ts";
import { openLevelStore, SMALL_WRITE_BUFFER_BYTES } from "../../store/level-store.ts";
import { encodePosition, POSITION_KEY } from "../../store/log/position.ts";
import { parseHead, type RowLocation } from "../../store/recovery.ts";
import { HEAD_KEY } from "../../table/keys.ts";

const SEEDING_FOLDER = `${STORE_FOLDER}.seeding`;
const OLD_FOLDER = `${STORE_FOLDER}.old`;

/** The store that the copy must be of. */
interface Wanted {
  readonly folder: string;
  readonly place: RowLocation;
  readonly installation: string;
}

/** Rows that do not belong to the requested store. */
class SeedRefused extends Error {
  override readonly name = "SeedRefused";
}

/**
 * Writes the rows, the head record last, and puts them in the store's place. Rejects, with the old store unchanged, if
 * they are not whole.
 */
export async function writeSeed(wanted: Wanted, pages: AsyncIterable<readonly Put[]>): Promise<Head> {
  const { folder } = wanted;
  const seeding = join(folder, SEEDING_FOLDER);
  await rm(seeding, { recursive: true, force: true });
  try {
    const head = await writeRows(wanted, seeding, pages);
    await takePlace(folder);
    return head;
  } catch (error) {
    await rm(seeding, { recursive: true, force: true });
    throw error;
  }
}

/** Cleans up a folder after a crash during seeding. To be called before its store is opened. */
export async function cleanSeeding(folder: string): Promise<void> {
  const [store, old] = [join(folder, STORE_FOLDER), join(folder, OLD_FOLDER)];
  if (existsSync(old) && !existsSync(store)) await rename(old, store);
  for (const rest of [join(folder, SEEDING_FOLDER), old]) await rm(rest, { recursive: true, force: true });
}

async function writeRows(wanted: Wanted, folder: string, pages: AsyncIterable<readonly Put[]>): Promise<Head> {
  const store = await openLevelStore(folder, true, SMALL_WRITE_BUFFER_BYTES);
  try {
    const hashes = new RowHashes();
    let head: Put | undefined;
    for await (const rows of pages) {
      for (const { key, value } of rows) hashes.add(key, value);
      head ??= rows.find(({ key }) => key === HEAD_KEY);
      await store.writeUnsynced(rows.filter(({ key }) => key !== HEAD_KEY));
    }
    if (head === undefined) throw new SeedRefused("the rows have no head record");
    return await finish(wanted, store, head, hashes);
  } finally {
    await store.close();
  }
}

async function finish({ place, installation }: Wanted, store: RowStore, row: Put, hashes: RowHashes): Promise<Head> {
  const head = parseHead(row.value);
  if (hashes.live !== head.liveHash || hashes.archive !== head.archiveHash) {
    throw new SeedRefused("the rows that were sent do not match their head record");
  }
  if (
    head.installation !== installation ||
    head.partition !== place.partition ||
    head.partitions !== place.partitions
  ) {
    throw new SeedRefused(
      `the rows that were sent are of partition ${head.partition} of ${head.partitions} of installation ${head.installation}`,
    );
  }
  await store.sync();
  await store.writeUnsynced([row, { type: "put", key: POSITION_KEY, value: encodePosition(head.batch) }]);
  await store.sync();
  return head;
}

async function takePlace(folder: string): Promise<void> {
  const [store, old] = [join(folder, STORE_FOLDER), join(folder, OLD_FOLDER)];
  await rm(old, { recursive: true, force: true });
  if (existsSync(store)) await rename(store, old);
  await rename(join(folder, SEEDING_FOLDER), store);
  await syncFolder(folder);
  await rm(old, { recursive: true, force: true });
}
