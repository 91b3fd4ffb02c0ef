/**
 * A copy that is followed, together with its partition's memory: the next leader does not need to read it first.
 *
 * Owns: when the copy is read, and that no record is missed during the read. Does not own: the rows
 * (replica-folder.ts), the memory built from them (partition-index.ts).
 *
 * Invariants:
 * 1. The copy is read once it has reached the end of the log at the time when following began. Before that, the disk
 *    can hold rows of later records. Records that arrive during the read wait.
 * 2. Memory that could differ from the rows is discarded: the rows are then read when the partition is led.
 */
import type { Clock, Log } from "../../../src/runtime/ports.ts";
import { PartitionIndex } from "../../partition/partition-index.ts";
import type { LogRecord } from "../../ports/log.ts";
import type { Delete, Put } from "../../ports/storage.ts";
import type { Head } from "../../store/journal/head.ts";
import type { ReplicaFolder } from "./replica-folder.ts";

interface ReadyCopyOptions {
  readonly partition: number;
  readonly copy: ReplicaFolder;
  readonly steadyClock: Clock;
  readonly log: Log;
}

export class WarmStandby {
  readonly #options: ReadyCopyOptions;
  #memory: PartitionIndex | undefined;
  #reading: Promise<void> | undefined;
  #isRead = false;

  constructor(options: ReadyCopyOptions) {
    this.#options = options;
  }

  /** True while records wait for the copy to be read. */
  get isReading(): boolean {
    return this.#reading !== undefined;
  }

  /** True once it was read: it can be led without another read. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Applies the next record; see `ReplicaFolder`. */
  follow(record: LogRecord): Promise<void> | undefined {
    const follow = (): Promise<void> | undefined =>
      this.#options.copy.follow(record, (operations) => this.#remember(operations));
    return this.#reading === undefined ? follow() : this.#reading.then(follow);
  }

  /**
   * To be called once the copy has reached the end of the log. Rejects with `StoreRefused` if the copy is not whole.
   */
  read(): Promise<void> {
    const reading = this.#read();
    const done = (): void => {
      this.#reading = undefined;
    };
    this.#reading = reading.then(done, done);
    return reading;
  }

  /** Returns the memory of the copy that ends with this head, once; undefined: the copy must be read. */
  async take(head: Head): Promise<PartitionIndex | undefined> {
    await this.#reading;
    const memory = this.#memory;
    this.#memory = undefined;
    if (memory === undefined || memory.liveHash === head.liveHash) return memory;
    const { partition, log } = this.#options;
    const { batch } = head;
    log.error(
      { event: "replica.memoryDiffers", partition, batch },
      "what is remembered of the copy is not what it holds: it is read again",
    );
    return undefined;
  }

  async #read(): Promise<void> {
    const { partition, copy, steadyClock, log } = this.#options;
    const { head, rows: store } = copy;
    const startedMs = steadyClock.nowMs();
    this.#memory =
      head === undefined ? PartitionIndex.empty() : await PartitionIndex.read({ store, head, steadyClock, log });
    this.#isRead = true;
    const tookMs = Math.round(steadyClock.nowMs() - startedMs);
    log.info(
      { event: "replica.ready", partition, batch: head?.batch, tookMs },
      "the copy of the partition is ready to be led",
    );
  }

  #remember(operations: readonly (Put | Delete)[]): void {
    try {
      this.#memory?.follow(operations, (key) => this.#options.copy.rows.read(key));
    } catch (err) {
      this.#memory = undefined;
      const { partition, log } = this.#options;
      log.error(
        { event: "replica.memoryFailed", partition, err },
        "a record could not be remembered: the copy will be read when it leads",
      );
    }
  }
}
