/**
 * A copy of a partition's data that is made while it runs.
 *
 * Owns: what is copied in which order, and that a copy is complete or absent. Does not own: where copies may go
 * (backup-folder.ts), who asks for one and when (backup-jobs.ts).
 *
 * Invariants:
 * 1. The rows are from one moment: one iterator reads all of them, the head record included, and their hashes must
 *    be the head's before the copy counts. A damaged store has no backup that looks intact.
 *    Rows that only the log holds are included: a copy needs no log, and begins one when it is opened.
 * 2. A copy has its name only once all of it is on disk: it is made as `<name>.unfinished`, its head written last.
 * 3. Its head marks it as a copy, with its time: ids given out since are skipped at its first opening (restored.ts).
 * 4. A paper brokerage's store is copied after the store: it may know more orders than the engine, never fewer.
 * 5. A failed backup affects nothing else: what was written of it is removed, and the engine continues.
 * 6. It begins when few rows wait for the disk, and fails if that moment does not come: it never blocks the loop for long.
 */

import { copyFile, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolders } from "../../../src/runtime/make-folder.ts";
import { isMissingFile } from "../../../src/runtime/missing-file.ts";
import { syncFolder } from "../../../src/runtime/sync-folder.ts";
import type { Put, Store } from "../../ports/storage.ts";
import { ALL_KEYS, HEAD_KEY } from "../../table/keys.ts";
import { writeWitness } from "../folder/witness.ts";
import type { Head } from "../journal/head.ts";
import { RowHashes } from "../journal/set-hash.ts";
import { openLevelStore, SMALL_WRITE_BUFFER_BYTES } from "../level-store.ts";
import { SORTED_AT_ONCE_BYTES } from "../log/waiting-rows.ts";
import { parseHead } from "../recovery.ts";
import { StoreRefused } from "../refused.ts";

const FEW_WITHIN_MS = 60_000;
export const UNFINISHED = ".unfinished";
export const STORE_FOLDER = "store";
export const LOG_FOLDER = "log";
export const WITNESS_FILE = "witness.json";

/** A further store next to the partition's own, e.g. a paper brokerage's. */
export interface SideStore {
  /** Its folder's name. */
  readonly name: string;
  readonly store: Pick<Store, "scan">;
  /** Makes an empty one in a folder. */
  readonly create: (folder: string) => Promise<Store>;
}

export interface BackupSource {
  readonly store: Pick<Store, "scan" | "whenFewWait">;
  /** The partition's folder: what is copied file by file lies there. */
  readonly folder: string;
  /** Names of files that are copied where they exist. */
  readonly files: readonly string[];
  readonly sideStores: readonly SideStore[];
}

/** How far a copy has come; grows while it is made. */
export interface BackupProgress {
  rowCount: number;
  byteCount: number;
}

/** A backup that cannot be made; the message is one line an operator understands. */
class BackupFailed extends Error {
  override readonly name = "BackupFailed";
}

/** Copies a partition to `target`, which must not exist. Gives the head of the copy. Rejects where it cannot be whole. */
export async function backUp(source: BackupSource, target: string, progress: BackupProgress): Promise<Head> {
  const unfinished = `${target}${UNFINISHED}`;
  await makeFolders(dirname(target));
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const head = await copyPartition(source, unfinished, progress);
    await rename(unfinished, target);
    await syncFolder(dirname(target));
    return head;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function copyPartition(source: BackupSource, target: string, progress: BackupProgress): Promise<Head> {
  const store = join(target, STORE_FOLDER);
  const head = await copyStore(source.store, store, progress);
  await syncFolder(store);
  for (const side of source.sideStores) await copySideStore(side, join(target, side.name), progress);
  for (const file of source.files) await copyPrivateFile(join(source.folder, file), join(target, file));
  const { installation, batch, tickPosition } = head;
  await writeWitness(join(target, WITNESS_FILE), { installation, batch, tickPosition });
  await syncFolder(target);
  return head;
}

async function copyStore(from: BackupSource["store"], folder: string, progress: BackupProgress): Promise<Head> {
  const to = await openLevelStore(folder, true, SMALL_WRITE_BUFFER_BYTES);
  try {
    const hashes = new RowHashes();
    let headBytes: Uint8Array | undefined;
    if ((await from.whenFewWait?.(SORTED_AT_ONCE_BYTES, FEW_WITHIN_MS)) === false) {
      throw new BackupFailed("the disk does not keep up with what is written: try again when there is less to do");
    }
    for await (const page of from.scan(ALL_KEYS)) {
      const rows: Put[] = [];
      for (const [key, value] of page) {
        if (key === HEAD_KEY) {
          headBytes = value;
          continue;
        }
        hashes.add(key, value);
        rows.push({ type: "put", key, value });
      }
      await writeRows(to, rows, progress);
    }
    if (headBytes === undefined) throw new StoreRefused("the store has no head record: it is damaged");
    const head = parseHead(headBytes);
    if (hashes.live !== head.liveHash || hashes.archive !== head.archiveHash) {
      throw new BackupFailed("the store has lost or changed rows: it must not be backed up, restore an earlier backup");
    }
    const copied = { ...head, copiedAtMs: head.writtenAtMs };
    await writeRows(to, [{ type: "put", key: HEAD_KEY, value: Buffer.from(JSON.stringify(copied)) }], progress);
    return copied;
  } finally {
    await to.close();
  }
}

async function copySideStore(side: SideStore, folder: string, progress: BackupProgress): Promise<void> {
  const to = await side.create(folder);
  try {
    for await (const page of side.store.scan(ALL_KEYS)) {
      await writeRows(
        to,
        page.map(([key, value]) => ({ type: "put", key, value })),
        progress,
      );
    }
  } finally {
    await to.close();
  }
}

async function writeRows(to: Store, rows: readonly Put[], progress: BackupProgress): Promise<void> {
  if (rows.length === 0) return;
  await to.write(rows);
  progress.rowCount += rows.length;
  for (const { key, value } of rows) progress.byteCount += key.length + value.length;
}

/** Copies a file with its mode, and to the disk; a file that does not exist is left out. */
async function copyPrivateFile(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    if (isMissingFile(error)) return;
    throw error;
  }
  const file = await open(to, "r+");
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}
