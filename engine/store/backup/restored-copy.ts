/**
 * A partition's folder with which all engines of the partition continue, in a new life: a backup, or the copy of an
 * engine that was stopped cleanly.
 *
 * Owns: whether it is complete, and what is made of it. Does not own: the log that it begins
 * (engine/cluster/log/restore-cluster.ts).
 *
 * Invariants:
 * 1. Every row was read and compared with the head before anything is changed.
 * 2. Ids of the lost life are never given out again: the head continues as after every restored backup (restored.ts).
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { LogRecord, RowStore } from "../../ports/log.ts";
import type { Store } from "../../ports/storage.ts";
import { HEAD_KEY } from "../../table/keys.ts";
import { writeLife } from "../folder/life.ts";
import { writeWitness } from "../folder/witness.ts";
import type { Head } from "../journal/head.ts";
import { openLevelStore } from "../level-store.ts";
import { encodeRecord } from "../log/log-record.ts";
import { encodePosition, POSITION_KEY } from "../log/position.ts";
import { archiveHash, type RowLocation, readHead, readLive } from "../recovery.ts";
import { StoreRefused } from "../refused.ts";
import { LOG_FOLDER, STORE_FOLDER, WITNESS_FILE } from "./backup.ts";
import { asRestored } from "./restored.ts";

export class RestoredCopy {
  readonly head: Head;
  readonly #folder: string;
  readonly #rows: Store & RowStore;

  private constructor(folder: string, rows: Store & RowStore, head: Head) {
    this.#folder = folder;
    this.#rows = rows;
    this.head = head;
  }

  /** Reads all of it. Throws {@link StoreRefused} where it is not whole. */
  static async open(folder: string, place: RowLocation, nowMs: number): Promise<RestoredCopy> {
    if (!existsSync(join(folder, STORE_FOLDER))) {
      throw new StoreRefused(`${folder} holds no store: put the partition's folder of the backup there`);
    }
    if (existsSync(join(folder, LOG_FOLDER))) {
      throw new StoreRefused(`${folder} has a log of its own: make a backup of it, and restore that`);
    }
    const rows = await openLevelStore(join(folder, STORE_FOLDER), false);
    try {
      const found = await readHead(rows, place, undefined);
      if (found === undefined) throw new StoreRefused(`${folder} holds no rows`);
      await readLive(rows, found, () => undefined);
      if ((await archiveHash(rows)) !== found.archiveHash) {
        throw new StoreRefused(`${folder} has lost or changed rows of its archive: take another backup`);
      }
      const head = asRestored({ ...found, copiedAtMs: found.copiedAtMs ?? found.writtenAtMs }, nowMs);
      if (head === undefined) throw new StoreRefused(`${folder} cannot be restored`);
      return new RestoredCopy(folder, rows, head);
    } catch (error) {
      await rows.close();
      throw error;
    }
  }

  /** What the log of the new life begins with. It holds none of the rows: who has not this folder must be seeded. */
  get firstRecord(): LogRecord {
    const bytes = encodeRecord({
      isFirst: false,
      operations: [{ type: "put", key: HEAD_KEY, value: this.#headBytes }],
    });
    return { sequence: this.head.batch, bytes };
  }

  /** The folder is the copy of that life, once its log holds the first record. */
  async keep(life: number): Promise<void> {
    const { batch, installation, tickPosition } = this.head;
    await this.#rows.write([
      { type: "put", key: HEAD_KEY, value: this.#headBytes },
      { type: "put", key: POSITION_KEY, value: encodePosition(batch) },
    ]);
    await writeWitness(join(this.#folder, WITNESS_FILE), { installation, batch, tickPosition });
    await writeLife(this.#folder, life);
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  get #headBytes(): Uint8Array {
    return Buffer.from(JSON.stringify(this.head));
  }
}
