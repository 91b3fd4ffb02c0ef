/**
 * The rows that a copy lacks and the log no longer holds: the copy is made again from its leader's rows.
 *
 * Owns: what is missing, and from which record the copy then needs the log. Does not own: reading and writing rows
 * (`engine/cluster/seed`).
 */
import type { Log } from "../../../src/runtime/ports.ts";
import type { SharedServices } from "../../host/hosted-partition.ts";
import type { ReplicatedLog } from "../../ports/replica.ts";
import type { CopyBehind } from "../../store/refused.ts";
import { readSeed } from "../seed/seed-reader.ts";
import { writeSeed } from "../seed/seeded-store.ts";

interface MissingRowsOptions {
  readonly number: number;
  readonly folder: string;
  readonly world: SharedServices;
  readonly log: Log;
}

export class ReplicaSeeding {
  readonly #options: MissingRowsOptions;
  #behind: CopyBehind | undefined;
  #seededTo: number | undefined;
  #wanted = new AbortController();

  constructor(options: MissingRowsOptions) {
    this.#options = options;
  }

  /** The record at which the leader's rows are or were read, until the copy is closed. */
  get seededTo(): number | undefined {
    return this.#seededTo;
  }

  /** Notes that the copy must be made again before it is next opened. */
  note(behind: CopyBehind): void {
    this.#behind = behind;
  }

  /** Forgets what the copy lacks, once it is closed or left: it no longer prevents trimming of the log. */
  forget(): void {
    this.#behind = undefined;
    this.#seededTo = undefined;
  }

  /** Sets whether the copy is kept: if not, rows in transit are not waited for. */
  keep(isKept: boolean): void {
    if (isKept) this.#wanted = new AbortController();
    else this.#wanted.abort();
  }

  /**
   * Makes the closed copy again if it lacks rows. Rejects if the leader's rows are not available, or are no longer
   * wanted.
   */
  async fill({ installation, life }: ReplicatedLog, ending: AbortSignal): Promise<void> {
    if (this.#behind === undefined) return;
    const signal = AbortSignal.any([ending, this.#wanted.signal]);
    const { log, folder, world, number: partition } = this.#options;
    log.warn(
      { event: "replica.behind", partition, reason: this.#behind.message },
      "the copy of the partition cannot be filled from the log: asking the leader for its rows",
    );
    const rows = readSeed({
      ...{ partition, life, bus: world.bus, signal },
      onOffer: (batch) => {
        this.#seededTo = batch;
      },
    });
    const place = { partition, partitions: world.config.partitions };
    const { batch } = await writeSeed({ folder, place, installation }, rows).catch((error: unknown) => {
      this.#seededTo = undefined;
      throw error;
    });
    this.#behind = undefined;
    log.info({ event: "replica.seeded", partition, batch }, "the copy of the partition was seeded");
  }
}
