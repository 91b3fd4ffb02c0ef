/**
 * What a copy lacks that the log cannot give it any more: it is made again from its leader's rows.
 *
 * Owns: what is lacking, and from which record on the copy needs the log then. Does not own: reading and writing rows
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

  /** The record at which the leader's rows are or were taken, until the copy is closed. */
  get seededTo(): number | undefined {
    return this.#seededTo;
  }

  /** The copy is to be made again before it is opened next. */
  note(behind: CopyBehind): void {
    this.#behind = behind;
  }

  /** The copy is closed, or left: nothing is known of what it lacks, and it holds no log from being cut. */
  forget(): void {
    this.#behind = undefined;
    this.#seededTo = undefined;
  }

  /** Whether the copy is to be kept: else rows that are on their way to it are not waited for. */
  keep(isKept: boolean): void {
    if (isKept) this.#wanted = new AbortController();
    else this.#wanted.abort();
  }

  /** Makes the closed copy again where it lacks something. Rejects where the leader's rows cannot be had, or are wanted no longer. */
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
