/**
 * A store in memory that can crash: what was written is durable only once its write has resolved, and a crash may tear
 * off what was not.
 */
import type { Delete, Put, ScanRange, Store, Timers } from "../../engine/ports.ts";

export interface MemoryStoreOptions {
  readonly timers: Pick<Timers, "after">;
  /** How long the next write takes; 0 by default. */
  readonly writeMs?: () => number;
  /** True: the next write fails, as on a full disk. */
  readonly failsNow?: () => boolean;
}

/** The disk itself: it outlives the process that wrote to it. */
export class MemoryDisk {
  readonly entries = new Map<string, Uint8Array>();
  /** Batches that were on their way when the process died: each became durable or not. */
  readonly #open = new Set<readonly (Put | Delete)[]>();
  writeCount = 0;

  open(options: MemoryStoreOptions): MemoryStore {
    return new MemoryStore(this, options);
  }

  begin(batch: readonly (Put | Delete)[]): void {
    this.#open.add(batch);
  }

  commit(batch: readonly (Put | Delete)[]): void {
    if (!this.#open.delete(batch)) return;
    this.#apply(batch);
  }

  /** The process dies: each open batch is on disk whole or not at all, as `isKept` says. */
  crash(isKept: () => boolean): void {
    for (const batch of this.#open) if (isKept()) this.#apply(batch);
    this.#open.clear();
  }

  #apply(batch: readonly (Put | Delete)[]): void {
    this.writeCount += 1;
    for (const operation of batch) {
      if (operation.type === "put") this.entries.set(operation.key, Uint8Array.from(operation.value));
      else this.entries.delete(operation.key);
    }
  }
}

export class MemoryStore implements Store {
  readonly #disk: MemoryDisk;
  readonly #options: MemoryStoreOptions;

  constructor(disk: MemoryDisk, options: MemoryStoreOptions) {
    this.#disk = disk;
    this.#options = options;
  }

  read(key: string): Uint8Array | undefined {
    return this.#disk.entries.get(key);
  }

  write(operations: readonly (Put | Delete)[]): Promise<void> {
    if (this.#options.failsNow?.() === true) return Promise.reject(new Error("no space left on device"));
    this.#disk.begin(operations);
    return new Promise((resolve) => {
      this.#options.timers.after(this.#options.writeMs?.() ?? 0, () => {
        this.#disk.commit(operations);
        resolve();
      });
    });
  }

  scan(range: ScanRange): AsyncIterable<readonly (readonly [string, Uint8Array])[]> {
    const entries = [...this.#disk.entries]
      .filter(([key]) => key >= range.gte && key < range.lt)
      .sort(([left], [right]) => (left < right ? -1 : 1));
    if (range.reverse === true) entries.reverse();
    return pagesOf(range.limit === undefined ? entries : entries.slice(0, range.limit));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const PAGE_ENTRIES = 100;

async function* pagesOf(
  entries: readonly (readonly [string, Uint8Array])[],
): AsyncIterable<readonly (readonly [string, Uint8Array])[]> {
  for (let start = 0; start < entries.length; start += PAGE_ENTRIES) yield entries.slice(start, start + PAGE_ENTRIES);
}
