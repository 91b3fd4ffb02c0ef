/**
 * The data folder of one partition: its store, its witness, and whether it may be created.
 */
import { existsSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { HEAD_KEY } from "../keys.ts";
import type { Clock, Fatal, Log, Store, Timers } from "../ports.ts";
import { firstHead, type Head } from "./head.ts";
import { openLevelStore, StoreRefused } from "./level-store.ts";
import { archiveHash, type Place, readHead } from "./recovery.ts";
import { asRestored } from "./restored.ts";
import { freeLeftovers, SpaceKeeper } from "./space-keeper.ts";
import { readWitness, type Witness, writeWitness } from "./witness.ts";

const WITNESS_EVERY_MS = 1_000;

export interface DataFolderOptions {
  readonly folder: string;
  readonly place: Place;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly fatal: Fatal;
  /** A new installation's name: ten of a-z and 0-9. */
  readonly installation: () => string;
}

/** An opened data folder. */
export interface DataFolder {
  readonly store: Store;
  readonly head: Head;
  /** Where this partition's paper brokerages keep their books. */
  readonly folder: string;
  /** To be told of every durable batch: the witness follows, never ahead of the store. */
  readonly onDurable: (batch: number, tickPosition: number | null) => void;
  /** Reads the whole archive in the background; a difference from the head is fatal. */
  readonly checkArchive: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a partition's folder, or makes it on the very first start. Throws `StoreRefused` where it is not whole. */
export async function openDataFolder(options: DataFolderOptions): Promise<DataFolder> {
  const { folder, place, fatal } = options;
  await makeFolder(folder);
  const witnessFile = join(folder, "witness.json");
  const witness = readWitness(witnessFile);
  const storeFolder = join(folder, "store");
  const secondNames = join(folder, "removed");
  await freeLeftovers(secondNames);
  const store = await openLevelStore(storeFolder, witness === undefined && !hasRemains(storeFolder));
  try {
    const found = await readHead(store, place, witness);
    const head =
      found === undefined
        ? firstHead(options.installation(), options.place, options.clock.nowMs())
        : (asRestored(found, options.clock.nowMs()) ?? found);
    if (head !== found) {
      // Before the witness: a store that is not empty is what the witness vouches for.
      await store.write([{ type: "put", key: HEAD_KEY, value: Buffer.from(JSON.stringify(head)) }]);
      if (found === undefined) options.log.info({ folder }, "a new data folder");
      else tellOfLoss(options, found);
    }
    const archive = archiveHash(store);
    archive.catch(() => undefined);
    const keeper = new WitnessKeeper(witnessFile, head.installation, options);
    if (witness === undefined) await writeWitness(witnessFile, witnessOf(head));
    const spaceKeeper = new SpaceKeeper({ ...options, storeFolder, secondNames });
    await spaceKeeper.start();
    return {
      store,
      head,
      folder,
      onDurable: (batch, tickPosition) => keeper.follow(batch, tickPosition),
      checkArchive: async () => {
        if ((await archive) !== head.archiveHash) {
          fatal("the archive has lost or changed rows: restore a backup", new Error("archive hash differs"));
        }
      },
      close: async () => {
        await keeper.close();
        await spaceKeeper.stop();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new StoreRefused(`DATA_DIR: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function tellOfLoss({ log, folder }: DataFolderOptions, { copiedAtMs = 0 }: Head): void {
  const of = new Date(copiedAtMs).toISOString();
  log.warn({ folder, of }, "restored from a backup: what was created, cancelled or sold after it is not known here");
}

/** Rows without the file that says which of them count: LevelDB would make a new store and delete them. */
function hasRemains(storeFolder: string): boolean {
  if (!existsSync(storeFolder)) return false;
  const names = readdirSync(storeFolder);
  return !names.includes("CURRENT") && names.some((name) => name.endsWith(".ldb") || name.endsWith(".log"));
}

function witnessOf(head: Head): Witness {
  return { installation: head.installation, batch: 0, tickPosition: null };
}

/** Writes the witness behind the store, at most once a second. */
class WitnessKeeper {
  readonly #file: string;
  readonly #installation: string;
  readonly #options: DataFolderOptions;
  #latest: { readonly batch: number; readonly tickPosition: number | null } | undefined;
  #isWaiting = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, installation: string, options: DataFolderOptions) {
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
