/**
 * The paper brokerage's own LevelDB.
 *
 * Owns the folder: its store and the marker that a store was made there. Does not own keys, rows or when to write.
 *
 * Invariants:
 * 1. Every write is synced, all or nothing.
 * 2. A store is made once: if the marker exists, a missing store or one without its first row is an error, never a new
 *    and empty one. The marker is set once the first row is durable.
 */
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Level } from "level";
import { makeFolders } from "../../../../src/runtime/make-folder.ts";
import { syncFolder } from "../../../../src/runtime/sync-folder.ts";
import { UserError } from "../../../../src/runtime/user-error.ts";
import type { Delete, Put, ScanRange, Store } from "../../../ports/storage.ts";

const MARKER_FILE = "store-was-made";
const STORE_FOLDER = "store";
/** The first row of every store. */
const MADE_KEY = "made";
const PAGE_ENTRIES = 500;

/** Opens the store in `folder`, making both if they are new. Rejects if the store is missing, torn or in use. */
export async function openLevelStore(folder: string): Promise<Store> {
  await makeFolders(folder);
  const marker = join(folder, MARKER_FILE);
  const wasMade = existsSync(marker);
  const level = new Level<string, Uint8Array>(join(folder, STORE_FOLDER), { valueEncoding: "view" });
  await level.open({ createIfMissing: !wasMade });
  if (!wasMade) {
    await level.put(MADE_KEY, new Uint8Array(), { sync: true });
    await writeMarker(marker, folder);
  }
  if (level.getSync(MADE_KEY) === undefined) {
    await level.close();
    throw new UserError(`the store in ${folder} lost rows: restore a backup`, { reason: "data" });
  }
  return new LevelStore(level);
}

async function writeMarker(marker: string, folder: string): Promise<void> {
  const file = await open(marker, "w");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(folder);
}

class LevelStore implements Store {
  readonly #level: Level<string, Uint8Array>;

  constructor(level: Level<string, Uint8Array>) {
    this.#level = level;
  }

  read(key: string): Uint8Array | undefined {
    return this.#level.getSync(key);
  }

  async write(operations: readonly (Put | Delete)[]): Promise<void> {
    await this.#level.batch([...operations], { sync: true });
  }

  async *scan(range: ScanRange): AsyncIterable<readonly (readonly [string, Uint8Array])[]> {
    const iterator = this.#level.iterator(range);
    try {
      for (;;) {
        const page = await iterator.nextv(PAGE_ENTRIES);
        if (page.length === 0) return;
        yield page;
      }
    } finally {
      await iterator.close();
    }
  }

  async close(): Promise<void> {
    await this.#level.close();
  }
}
