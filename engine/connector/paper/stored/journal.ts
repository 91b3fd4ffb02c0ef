/**
 * Group commit for the paper brokerage.
 *
 * Owns the batch of this turn of the loop and the batch that is being written. Does not own rows.
 *
 * Invariants:
 * 1. At most one batch is being written; rows put in that time are in the next one.
 * 2. Callbacks that wait for durability run after their batch is on disk, in the order of their calls. They never run
 *    if that write failed: then the process ends.
 */

import type { Fatal, Timers } from "../../../../src/runtime/ports.ts";
import type { Delete, Put, Store } from "../../../ports/storage.ts";

interface JournalPorts {
  readonly store: Store;
  readonly timers: Timers;
  readonly fatal: Fatal;
  /** Puts the rows that are written once a batch, for any number of changes. Called just before a batch is written. */
  readonly beforeWrite: () => void;
}

interface Batch {
  readonly operations: Map<string, Put | Delete>;
  readonly whenDurable: (() => void)[];
}

export class PaperJournal {
  readonly #ports: JournalPorts;
  readonly #encoder = new TextEncoder();
  #building = newBatch();
  #onItsWay: Batch | undefined;
  /** True from the first row of a batch until nothing remains to write; forever once a write failed. */
  #isBusy = false;
  /** Keys to remove with the next batch that is written anyway. */
  #removals = new Set<string>();

  constructor(ports: JournalPorts) {
    this.#ports = ports;
  }

  /** The value of a key, including batches being written. */
  read(key: string): Uint8Array | undefined {
    const operation = this.#building.operations.get(key) ?? this.#onItsWay?.operations.get(key);
    if (operation === undefined) return this.#ports.store.read(key);
    return operation.type === "put" ? operation.value : undefined;
  }

  put(key: string, text: string): void {
    this.#add({ type: "put", key, value: this.#encoder.encode(text) });
  }

  remove(key: string): void {
    this.#add({ type: "del", key });
  }

  /** Removes `key` with some later batch, unless it is put again before. Causes no write of its own. */
  removeSometime(key: string): void {
    this.#removals.add(key);
  }

  /** Runs once everything put so far is durable; immediately if it is. */
  afterDurable(act: () => void): void {
    if (this.#building.operations.size > 0) this.#building.whenDurable.push(act);
    else if (this.#onItsWay !== undefined) this.#onItsWay.whenDurable.push(act);
    else act();
  }

  /** Resolves once everything put so far is durable. */
  durable(): Promise<void> {
    return new Promise((resolve) => this.afterDurable(resolve));
  }

  /** Resolves once nothing remains to write, including postponed removals. For the end only. */
  async drain(): Promise<void> {
    await this.durable();
    for (const key of this.#removals) this.remove(key);
    await this.durable();
  }

  #add(operation: Put | Delete): void {
    this.#building.operations.set(operation.key, operation);
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#ports.timers.soon(() => void this.#write());
  }

  async #write(): Promise<void> {
    while (this.#building.operations.size > 0) {
      this.#ports.beforeWrite();
      const batch = this.#building;
      for (const key of this.#removals) {
        if (!batch.operations.has(key)) batch.operations.set(key, { type: "del", key });
      }
      this.#removals = new Set();
      this.#building = newBatch();
      this.#onItsWay = batch;
      const isWritten = await this.#ports.store.write([...batch.operations.values()]).then(
        () => true,
        (cause: unknown) => this.#ports.fatal("the paper brokerage could not write", cause),
      );
      if (!isWritten) return;
      this.#onItsWay = undefined;
      for (const act of batch.whenDurable) act();
    }
    this.#isBusy = false;
  }
}

function newBatch(): Batch {
  return { operations: new Map(), whenDurable: [] };
}
