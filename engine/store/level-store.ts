/**
 * Rows on disk: LevelDB, one folder a partition.
 *
 * Invariants:
 * 1. Every write is one atomic batch. `write` syncs it before it is acknowledged; behind a log `writeUnsynced` and `sync`
 *    do the two apart.
 * 2. A store is created once. If a witness shows that one was, `createIfMissing` is false: LevelDB would otherwise open
 *    an empty or half-empty store "ok". `repair()` is never called: it drops rows without a report.
 */
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Iterator, Level } from "level";
import { isMissingFile } from "../../src/runtime/missing-file.ts";
import { syncFolder } from "../../src/runtime/sync-folder.ts";
import type { RowStore } from "../ports/log.ts";
import type { Delete, Put, ScanRange, Store } from "../ports/storage.ts";
import { diskRefusal } from "./disk-refused.ts";
import { StoreInUse, StoreRefused } from "./refused.ts";

const CACHE_BYTES = 64 * 1024 * 1024;
/**
 * The size at which LevelDB makes a table of written rows. It frees the file of its own log under the lock that every
 * read needs, which takes about half a millisecond per megabyte; twice as much may be in memory at that time.
 */
export const WRITE_BUFFER_BYTES = 32 * 1024 * 1024;
const PAGE_ENTRIES = 1_000;
/** By default a page ends at 16 KiB, and a start that reads a gigabyte makes a trip to a thread for each. */
const PAGE_BYTES = 512 * 1024;

/** For a store that is written once or only looked at: its log stays short, so that it takes the room of its rows. */
export const SMALL_WRITE_BUFFER_BYTES = 4 * 1024 * 1024;

/** Opens the store in `folder`. Throws {@link StoreRefused} with a readable reason. */
export async function openLevelStore(
  folder: string,
  mayCreate: boolean,
  writeBufferBytes = WRITE_BUFFER_BYTES,
  cacheBytes = CACHE_BYTES,
): Promise<Store & RowStore> {
  const level = new Level<string, Uint8Array>(folder, {
    keyEncoding: "utf8",
    valueEncoding: "view",
    createIfMissing: mayCreate,
    cacheSize: cacheBytes,
    writeBufferSize: writeBufferBytes,
  });
  try {
    await level.open();
  } catch (cause) {
    throw refusalOf(folder, cause);
  }
  return new LevelStore(folder, level);
}

/** Why LevelDB could not open or read a folder, as a readable message. */
function refusalOf(folder: string, cause: unknown): StoreRefused {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = inner instanceof Error && "code" in inner ? String(inner.code) : "";
  if (code === "LEVEL_LOCKED") return new StoreInUse(folder, cause);
  const detail = inner instanceof Error ? inner.message : String(inner);
  const refusal = `${folder} cannot be opened (${detail}). Nothing was changed. If it is damaged, restore a backup`;
  return diskRefusal(folder, cause) ?? new StoreRefused(refusal, { cause });
}

/** Why a read failed, e.g. on a damaged file, as a readable message. */
function unreadable(folder: string, cause: unknown): StoreRefused {
  const detail = cause instanceof Error ? cause.message : String(cause);
  const refusal = `${folder} cannot be read (${detail}): it is damaged, restore a backup`;
  return diskRefusal(folder, cause) ?? new StoreRefused(refusal, { cause });
}

/** The files to which LevelDB writes before it makes tables, which it syncs itself. */
const LEVEL_LOG = /\.log$/;

class LevelStore implements Store, RowStore {
  readonly #folder: string;
  readonly #level: Level<string, Uint8Array>;

  constructor(folder: string, level: Level<string, Uint8Array>) {
    this.#folder = folder;
    this.#level = level;
  }

  read(key: string): Uint8Array | undefined {
    try {
      return this.#level.getSync(key);
    } catch (cause) {
      throw unreadable(this.#folder, cause);
    }
  }

  write(operations: readonly (Put | Delete)[]): Promise<void> {
    return this.#write(operations, true);
  }

  writeUnsynced(operations: readonly (Put | Delete)[]): Promise<void> {
    return this.#write(operations, false);
  }

  /**
   * By the files: LevelDB syncs only the newest of its logs with a synced write, and the end of the log before it would be
   * on no disk until its table is.
   */
  async sync(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (LEVEL_LOG.test(name)) await syncFile(join(this.#folder, name));
    }
    await syncFolder(this.#folder);
  }

  #write(operations: readonly (Put | Delete)[], sync: boolean): Promise<void> {
    // A chained batch costs a third of an array of operations, each of which would be copied and checked again.
    const batch = this.#level.batch();
    for (const operation of operations) {
      if (operation.type === "put") batch.put(operation.key, operation.value);
      else batch.del(operation.key);
    }
    return batch.write({ sync });
  }

  scan(range: ScanRange): AsyncIterable<readonly (readonly [string, Uint8Array])[]> {
    return pagesOf(this.#folder, this.#level.iterator(optionsOf(range)));
  }

  scanTexts(range: ScanRange): AsyncIterable<readonly (readonly [string, string])[]> {
    const options = { ...optionsOf(range), valueEncoding: "utf8" };
    return pagesOf(this.#folder, this.#level.iterator<string, string>(options));
  }

  close(): Promise<void> {
    return this.#level.close();
  }
}

/** A file that is gone was made into a table, and that is on disk. */
async function syncFile(path: string): Promise<void> {
  try {
    const file = await open(path, "r");
    await file.datasync().finally(() => file.close());
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
}

function optionsOf({ keysOnly = false, limit = -1, ...bounds }: ScanRange) {
  return { ...bounds, values: !keysOnly, limit, highWaterMarkBytes: PAGE_BYTES };
}

async function* pagesOf<V>(
  folder: string,
  iterator: Iterator<Level<string, Uint8Array>, string, V>,
): AsyncIterable<readonly (readonly [string, V])[]> {
  /** LevelDB's thread reads the next page while the one before is used. A failure is thrown when its page is asked for. */
  const readOn = (): Promise<[string, V][]> => {
    const page = nextPage(folder, iterator);
    page.catch(() => undefined);
    return page;
  };
  let coming = readOn();
  try {
    for (;;) {
      const page = await coming;
      if (page.length === 0) return;
      coming = readOn();
      yield page;
    }
  } finally {
    // Of a reader that wants no more pages, the next one may have failed.
    await coming.catch(() => undefined);
    await iterator.close();
  }
}

async function nextPage<V>(
  folder: string,
  iterator: Iterator<Level<string, Uint8Array>, string, V>,
): Promise<[string, V][]> {
  try {
    return await iterator.nextv(PAGE_ENTRIES);
  } catch (cause) {
    throw unreadable(folder, cause);
  }
}
