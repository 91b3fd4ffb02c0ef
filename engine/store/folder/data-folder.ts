/**
 * The data folder of one partition: its store, its log, its witness, and whether they may be made.
 *
 * | name | holds |
 * |---|---|
 * | `store` | all rows, some moments behind the log |
 * | `log` | the newest batches |
 * | `witness.json` | how far the log had come |
 *
 * Invariants:
 * 1. Each is made once: the store, then the log with its first record, then the witness. A start that dies between two of
 *    them continues there. So a store with history has a witness; one without may be an old copy, and is refused.
 * 2. A log is made only for a new store and for a store restored from a backup.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert } from "../../../src/assert.ts";
import { makeFolders } from "../../../src/runtime/make-folder.ts";
import type { Clock, Fatal, Log, Timers } from "../../../src/runtime/ports.ts";
import { syncFolder } from "../../../src/runtime/sync-folder.ts";
import type { CommitLog, RowStore } from "../../ports/log.ts";
import type { Store } from "../../ports/storage.ts";
import { ALL_KEYS, HEAD_KEY } from "../../table/keys.ts";
import { LOG_FOLDER, STORE_FOLDER, WITNESS_FILE } from "../backup/backup.ts";
import { asRestored } from "../backup/restored.ts";
import { diskRefusal } from "../disk-refused.ts";
import { firstHead, type Head } from "../journal/head.ts";
import { openLevelStore } from "../level-store.ts";
import { openFileLog } from "../log/file-log.ts";
import { LoggedStore } from "../log/logged-store.ts";
import { TimedLog } from "../log/timed-log.ts";
import { archiveHash, parseHead, type RowLocation, readHead } from "../recovery.ts";
import { StoreRefused, WitnessMissing } from "../refused.ts";
import { rememberLists } from "../remembered-lists.ts";
import { isReplicaFolder, replicaWithoutLog } from "./life.ts";
import { readWitness, type Witness, writeWitness } from "./witness.ts";

const WITNESS_EVERY_MS = 1_000;

export interface FolderOptions {
  readonly folder: string;
  readonly place: RowLocation;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly fatal: Fatal;
}

interface DataFolderOptions extends FolderOptions {
  /** A new installation's name: ten of a-z and 0-9. */
  readonly installation: () => string;
}

/** An opened data folder. */
export interface DataFolder {
  readonly store: Store;
  readonly head: Head;
  /** Where this partition's paper brokerages keep their stores. */
  readonly folder: string;
  /** Receives every durable batch: the witness follows, never ahead of the log. */
  readonly onDurable: (batch: number, tickPosition: number | null) => void;
  /** Receives the duration of each append to the log, in ms. One listener. */
  readonly onAppended: (listener: (durationMs: number) => void) => void;
  /** Reads the whole archive as it is by then, in the background, once few rows wait; a difference from the head is fatal. */
  readonly checkArchive: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens a partition's folder, or makes it on the very first start. Throws `StoreRefused` where it is not whole, and
 * `DiskRefused` where the system does not let it be used.
 */
export async function openDataFolder(options: DataFolderOptions): Promise<DataFolder> {
  try {
    return await openParts(options);
  } catch (error) {
    throw diskRefusal(options.folder, error) ?? error;
  }
}

async function openParts(options: DataFolderOptions): Promise<DataFolder> {
  const { folder } = options;
  await makeFolder(folder);
  const witness = readWitness(join(folder, WITNESS_FILE));
  const rows = await openRows(folder, witness);
  let log: CommitLog | undefined;
  try {
    const files = await openLog(folder, rows);
    log = files;
    await files.settle();
    return await openWhole(options, rows, log, witness);
  } catch (error) {
    await log?.close();
    await rows.close();
    throw error;
  }
}

/** Makes the folder if it is missing. Throws {@link StoreRefused} if it cannot. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    if (await makeFolders(folder)) await syncFolder(dirname(folder));
  } catch (cause) {
    const refusal = `DATA_DIR: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw diskRefusal(folder, cause) ?? new StoreRefused(refusal, { cause });
  }
}

/** Whether nothing of a partition was ever stored in the folder, which need not exist. */
export function isNewFolder(folder: string): boolean {
  const [store, log, witness] = [join(folder, STORE_FOLDER), join(folder, LOG_FOLDER), join(folder, WITNESS_FILE)];
  return !hasFiles(store) && !hasFiles(log) && !existsSync(witness);
}

function openRows(folder: string, witness: Witness | undefined): Promise<Store & RowStore> {
  const [store, log] = [join(folder, STORE_FOLDER), join(folder, LOG_FOLDER)];
  const wasMade = witness !== undefined || hasRemains(store) || hasFiles(log);
  return openLevelStore(store, !wasMade);
}

async function openLog(folder: string, rows: Store): ReturnType<typeof openFileLog> {
  const log = join(folder, LOG_FOLDER);
  const bytes = rows.read(HEAD_KEY);
  const isMadeNow = bytes === undefined ? await isEmpty(rows) : parseHead(bytes).copiedAtMs !== undefined;
  if (!isMadeNow && !hasFiles(log) && isReplicaFolder(folder)) throw replicaWithoutLog(folder);
  return openFileLog(log, isMadeNow);
}

async function openWhole(
  options: DataFolderOptions,
  rows: RowStore,
  log: CommitLog,
  witness: Witness | undefined,
): Promise<DataFolder> {
  const { timers, fatal } = options;
  const timed = new TimedLog(log);
  const logged = await LoggedStore.open({ rows, log: timed, timers, fatal });
  const head = await headOf(options, logged, witness);
  return asDataFolder(options, { logged, log: timed }, head, witness);
}

/** A store that was found whole, with its witness. */
export async function asDataFolder(
  options: FolderOptions,
  { logged, log }: { readonly logged: LoggedStore; readonly log: TimedLog },
  head: Head,
  witness: Witness | undefined,
): Promise<DataFolder> {
  const { folder, fatal } = options;
  const keeper = new WitnessKeeper(join(folder, WITNESS_FILE), head.installation, options);
  if (witness === undefined) await writeWitness(join(folder, WITNESS_FILE), witnessOf(head));
  return {
    store: rememberLists(logged),
    head,
    folder,
    onDurable: (batch, tickPosition) => keeper.follow(batch, tickPosition),
    onAppended: (listener) => log.onAppended(listener),
    checkArchive: async () => {
      await logged.whenFewWait();
      // Both of one moment: a batch is in the store with its head, or not at all.
      const { archiveHash: expected } = headIn(logged);
      if ((await archiveHash(logged)) !== expected) {
        const refusal = "the archive has lost or changed rows (archive hash differs): restore a backup";
        fatal(refusal, new StoreRefused(refusal));
      }
    },
    close: async () => {
      try {
        await keeper.close();
      } finally {
        await logged.close();
      }
    },
  };
}

function headIn(store: Pick<Store, "read">): Head {
  const bytes = store.read(HEAD_KEY);
  assert(bytes !== undefined, "a store that was opened has a head");
  return parseHead(bytes);
}

/** The head with which the store continues; a new log begins with it. */
async function headOf(options: DataFolderOptions, store: LoggedStore, witness: Witness | undefined): Promise<Head> {
  const found = await readHead(store, options.place, witness);
  if (!store.isBegun) return beginLog(options, store, found);
  if (found !== undefined && found.batch === store.lastSequence) {
    if (witness === undefined && store.hasHistory) throw new WitnessMissing(options.folder, found);
    return found;
  }
  throw new StoreRefused(
    `the log ends at ${store.lastSequence} and the store at batch ${found?.batch}: restore a backup`,
  );
}

async function beginLog(options: DataFolderOptions, store: LoggedStore, found: Head | undefined): Promise<Head> {
  const { place, clock, log, folder } = options;
  const nowMs = clock.nowMs();
  const head = found === undefined ? firstHead(options.installation(), place, nowMs) : asRestored(found, nowMs);
  if (head === undefined) throw new StoreRefused("the log holds nothing but the store does: restore a backup");
  await store.begin(head.batch, [{ type: "put", key: HEAD_KEY, value: Buffer.from(JSON.stringify(head)) }]);
  if (found === undefined) log.info({ event: "folder.made", folder }, "a new data folder");
  else tellOfLoss(options, found);
  return head;
}

function tellOfLoss({ log, folder }: DataFolderOptions, { copiedAtMs = 0 }: Head): void {
  const of = new Date(copiedAtMs).toISOString();
  log.warn(
    { event: "folder.restored", folder, of },
    "restored from a backup: what was created, cancelled or sold after it is not known here",
  );
}

async function isEmpty(rows: Store): Promise<boolean> {
  for await (const _page of rows.scan({ ...ALL_KEYS, limit: 1 })) return false;
  return true;
}

/** Rows without the file that names the valid ones: LevelDB would make a new store and delete them. */
export function hasRemains(storeFolder: string): boolean {
  return hasFiles(storeFolder) && !readdirSync(storeFolder).includes("CURRENT");
}

/** Whether the folder holds anything of a store or of a log. */
export function hasFiles(storeFolder: string): boolean {
  if (!existsSync(storeFolder)) return false;
  return readdirSync(storeFolder).some((name) => name.endsWith(".ldb") || name.endsWith(".log"));
}

function witnessOf(head: Head): Witness {
  return { installation: head.installation, batch: 0, tickPosition: null };
}

/** Writes the witness behind the store, at most once a second. */
class WitnessKeeper {
  readonly #file: string;
  readonly #installation: string;
  readonly #options: FolderOptions;
  #latest: { readonly batch: number; readonly tickPosition: number | null } | undefined;
  #isWaiting = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, installation: string, options: FolderOptions) {
    this.#file = file;
    this.#installation = installation;
    this.#options = options;
  }

  follow(batch: number, tickPosition: number | null): void {
    this.#latest = { batch, tickPosition };
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#options.timers.after(WITNESS_EVERY_MS, () => {
      this.#isWaiting = false;
      this.#write();
    });
  }

  async close(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  #write(): void {
    const latest = this.#latest;
    if (latest === undefined) return;
    this.#latest = undefined;
    const witness = { installation: this.#installation, ...latest };
    this.#writing = this.#writing
      .then(() => writeWitness(this.#file, witness))
      .catch((cause: unknown) => this.#options.fatal("the witness cannot be written", cause));
  }
}
