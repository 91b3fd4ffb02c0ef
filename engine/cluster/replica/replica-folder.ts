/**
 * The data folder of a partition whose log is on several servers: a copy that follows that log, and becomes the store
 * when this engine leads.
 *
 * Owns: which log a folder is allowed to follow, and from where. Does not own: the log, which engine leads.
 *
 * Invariants:
 * 1. A copy never holds rows that the log does not: it takes records of the log, or writes behind its own appends.
 * 2. A folder of another installation, or with a log of its own, is refused.
 * 3. Data from a life before a restore is set aside, and the copy begins empty.
 * 4. The leader's copy is at the log's last record, and the log still reaches as far as it once did here.
 */
import { join } from "node:path";
import type { CommitLog, LogRecord, RowStore } from "../../ports/log.ts";
import type { Store } from "../../ports/storage.ts";
import { LOG_FOLDER, STORE_FOLDER, WITNESS_FILE } from "../../store/backup/backup.ts";
import {
  asDataFolder,
  type DataFolder,
  type FolderOptions,
  hasFiles,
  hasRemains,
  makeFolder,
} from "../../store/folder/data-folder.ts";
import { enterLife, markAsReplica } from "../../store/folder/life.ts";
import { readWitness, type Witness } from "../../store/folder/witness.ts";
import { firstHead, type Head } from "../../store/journal/head.ts";
import { openLevelStore } from "../../store/level-store.ts";
import { decodeRecord } from "../../store/log/log-record.ts";
import { LoggedStore, type OnOperations } from "../../store/log/logged-store.ts";
import { TimedLog } from "../../store/log/timed-log.ts";
import { parseHead, readHead } from "../../store/recovery.ts";
import { StoreRefused } from "../../store/refused.ts";
import { HEAD_KEY } from "../../table/keys.ts";
import { cleanSeeding } from "../seed/seeded-store.ts";

interface ReplicaFolderOptions extends FolderOptions {
  /** The installation of the log. */
  readonly installation: string;
  /** The life of the installation, as the log names it. */
  readonly life: number;
}

export class ReplicaFolder {
  readonly #options: ReplicaFolderOptions;
  readonly #store: LoggedStore;
  readonly #witness: Witness | undefined;

  private constructor(options: ReplicaFolderOptions, store: LoggedStore, witness: Witness | undefined) {
    this.#options = options;
    this.#store = store;
    this.#witness = witness;
  }

  /** Opens the folder, or makes an empty one. Throws {@link StoreRefused} if it cannot follow the log. */
  static async open(options: ReplicaFolderOptions): Promise<ReplicaFolder> {
    const { folder } = options;
    await makeFolder(folder);
    await cleanSeeding(folder);
    const aside = await enterLife(folder, options.life);
    if (aside !== undefined)
      options.log.warn(
        { event: "replica.setAside", folder, aside },
        "the copy is of the life before a restore: set aside",
      );
    if (hasFiles(join(folder, LOG_FOLDER))) {
      throw new StoreRefused(
        `${folder} has a log of its own, as REPLICATION=off keeps it: begin with an empty DATA_DIR, or with a backup in its place`,
      );
    }
    await markAsReplica(folder, options.life);
    const witness = readWitness(join(folder, WITNESS_FILE));
    const store = join(folder, STORE_FOLDER);
    const rows = await openLevelStore(store, !hasRemains(store));
    try {
      return new ReplicaFolder(options, openCopy(options, rows, witness), witness);
    } catch (error) {
      await rows.close();
      throw error;
    }
  }

  /** The last record that the copy holds; undefined while it holds none. */
  get position(): number | undefined {
    return this.#store.standsAt;
  }

  /** The record up to which everything is certainly on this disk; undefined while that is not known. */
  get syncedTo(): number | undefined {
    return this.#store.syncedTo;
  }

  /** Whether the copy was made from this record, which has the number of the last record that it holds. */
  owns({ sequence, bytes }: LogRecord): boolean {
    const own = this.#store.read(HEAD_KEY);
    const [told] = decodeRecord(bytes).operations.filter(({ key }) => key === HEAD_KEY);
    if (own === undefined || told?.type !== "put") return false;
    // Rows of later records can be on disk already; the hash of all rows is compared before anything is armed.
    return parseHead(own).batch > sequence || Buffer.from(own).equals(told.value);
  }

  /** For reading only: it holds the rows of the log. */
  get rows(): Pick<Store, "read" | "scan" | "scanTexts" | "keep"> {
    return this.#store;
  }

  /** The head of the last record; undefined: no record. */
  get head(): Head | undefined {
    const bytes = this.#store.read(HEAD_KEY);
    return bytes === undefined ? undefined : parseHead(bytes);
  }

  /**
   * Applies the next record: see `LoggedStore`. Throws {@link StoreRefused}; `CopyBehind` if the copy must be seeded.
   */
  follow(record: LogRecord, before?: OnOperations): Promise<void> | undefined {
    return this.#store.follow(record, before);
  }

  /**
   * Makes the copy the leader's store: `log` receives all later records. Throws {@link StoreRefused} if copy and log do
   * not match.
   */
  async lead(log: CommitLog): Promise<DataFolder> {
    const { place, installation, clock } = this.#options;
    if (this.#witness !== undefined && this.#witness.batch > (log.lastSequence ?? 0)) {
      throw new StoreRefused(
        `the log ends at ${log.lastSequence} but had reached ${this.#witness.batch}: it has lost records, restore a backup`,
      );
    }
    const timed = new TimedLog(log);
    this.#store.lead(timed);
    if (!this.#store.isBegun) {
      if (this.#options.life > 0) {
        throw new StoreRefused(
          `the log of life ${this.#options.life} holds nothing: the restore that made it did not come to its end, run it again`,
        );
      }
      const head = firstHead(installation, place, clock.nowMs());
      await this.#store.begin(head.batch, [{ type: "put", key: HEAD_KEY, value: Buffer.from(JSON.stringify(head)) }]);
    }
    const found = await readHead(this.#store, place, undefined);
    if (found === undefined || found.batch !== this.#store.lastSequence) {
      throw new StoreRefused(`the log ends at ${this.#store.lastSequence} and the store at batch ${found?.batch}`);
    }
    const first = { installation, batch: 0, tickPosition: null };
    const logged = { logged: this.#store, log: timed };
    const data = await asDataFolder(this.#options, logged, withoutCopyMark(found), this.#witness ?? first);
    // A first witness is also written behind: a takeover does not wait for the disk.
    data.onDurable(found.batch, found.tickPosition);
    return data;
  }

  /** Only while this engine does not lead; a leader closes its data folder. */
  close(): Promise<void> {
    return this.#store.close();
  }
}

function openCopy(options: ReplicaFolderOptions, rows: Store & RowStore, witness: Witness | undefined): LoggedStore {
  const { folder, installation, place, timers, fatal } = options;
  const bytes = rows.read(HEAD_KEY);
  const head = bytes === undefined ? undefined : parseHead(bytes);
  const found = head?.installation ?? witness?.installation ?? installation;
  if (found !== installation) {
    throw new StoreRefused(`${folder} belongs to installation ${found}, and the log to ${installation}`);
  }
  if (head !== undefined && (head.partition !== place.partition || head.partitions !== place.partitions)) {
    throw new StoreRefused(
      `${folder} was made for partition ${head.partition} of ${head.partitions}, not ${place.partition} of ${place.partitions}`,
    );
  }
  // A backup holds all rows up to its last batch, and contains no other position.
  return LoggedStore.openCopy({ rows, timers, fatal }, head?.copiedAtMs === undefined ? undefined : head.batch);
}

function withoutCopyMark({ copiedAtMs: _copiedAtMs, ...head }: Head): Head {
  return head;
}
