/**
 * The store of a paper brokerage: rows in a folder of their own, and the marker that a store was made there.
 *
 * Invariant: a store is made once. If the marker exists, a missing store or one without its first row is refused, never
 * a new and empty one. The marker is set once the first row is durable.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeDurableFile } from "../../src/runtime/durable-file.ts";
import { makeFolders } from "../../src/runtime/make-folder.ts";
import type { Store } from "../ports/storage.ts";
import { STORE_FOLDER } from "../store/backup/backup.ts";
import { openLevelStore, SMALL_WRITE_BUFFER_BYTES } from "../store/level-store.ts";
import { StoreRefused } from "../store/refused.ts";

const MARKER_FILE = "store-was-made";
/** The first row of every store. */
const MADE_KEY = "made";
const CACHE_BYTES = 8 * 1024 * 1024;

/** Opens the store in `folder`, and makes both if they are new. Rejects if the store is missing, torn or in use. */
export async function openPaperStore(folder: string): Promise<Store> {
  await makeFolders(folder);
  const marker = join(folder, MARKER_FILE);
  const wasMade = existsSync(marker);
  const store = await openLevelStore(join(folder, STORE_FOLDER), !wasMade, SMALL_WRITE_BUFFER_BYTES, CACHE_BYTES);
  if (!wasMade) {
    await store.write([{ type: "put", key: MADE_KEY, value: new Uint8Array() }]);
    await writeDurableFile(marker, "");
  }
  if (store.read(MADE_KEY) === undefined) {
    await store.close();
    throw new StoreRefused(`the store in ${folder} lost rows: restore a backup`);
  }
  return store;
}
