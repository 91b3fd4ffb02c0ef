/**
 * A store in memory that can crash: a write is durable only once it has resolved, and a crash may tear off an
 * unresolved write.
 */
import type { Delete, Put, ScanRange, Store } from "../../../engine/ports/storage.ts";
import type { Timers } from "../../../src/runtime/ports.ts";

interface MemoryStoreOptions {
  readonly timers: Pick<Timers, "after">;
  /** How long the next write takes; 0 by default. */
  readonly writeMs?: () => number;
  /** True: the next write fails, as on a full disk; only a crash decides whether it is on disk anyway. */
  readonly failsNow?: () => boolean;
}

/** Entries whose keys are sorted when asked for, and only when they changed. */
class SortedEntries extends Map<string, Uint8Array> {
  #sortedKeys: string[] | undefined;

  override set(key: string, value: Uint8Array): this {
    if (!this.has(key)) this.#sortedKeys = undefined;
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    const wasThere = super.delete(key);
    if (wasThere) this.#sortedKeys = undefined;
    return wasThere;
  }

  /** The keys of a range, in order. */
  keysIn({ gte, lt }: ScanRange): string[] {
    this.#sortedKeys ??= [...this.keys()].sort();
    return this.#sortedKeys.slice(firstAtOrAfter(this.#sortedKeys, gte), firstAtOrAfter(this.#sortedKeys, lt));
  }
}

/** The disk itself: it outlives the process that wrote to it. */
export class MemoryDisk {
  readonly entries = new SortedEntries();
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

  /** The process dies: each open batch is on disk whole or not at all, as `isKept` returns. */
  crash(isKept: () => boolean): void {
    for (const batch of this.#open) if (isKept()) this.#apply(batch);
    this.#open.clear();
  }

  #apply(batch: readonly (Put | Delete)[]): void {
    this.writeCount += 1;
    for (const operation of batch) {
      if (operation.type === "put") this.entries.set(operation.key, new Uint8Array(operation.value));
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
    this.#disk.begin(operations);
    if (this.#options.failsNow?.() === true) return Promise.reject(new Error("no space left on device"));
    return new Promise((resolve) => {
      this.#options.timers.after(this.#options.writeMs?.() ?? 0, () => {
        this.#disk.commit(operations);
        resolve();
      });
    });
  }

  scan(range: ScanRange): AsyncIterable<readonly (readonly [string, Uint8Array])[]> {
    const keys = this.#disk.entries.keysIn(range);
    if (range.reverse === true) keys.reverse();
    const wanted = range.limit === undefined ? keys : keys.slice(0, range.limit);
    return pagesOf(wanted.map((key) => [key, this.#disk.entries.get(key) ?? new Uint8Array()] as const));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const PAGE_ENTRIES = 100;

/** Returns the index of the first key at or after `bound` in sorted keys. */
function firstAtOrAfter(keys: readonly string[], bound: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? "") < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function* pagesOf(
  entries: readonly (readonly [string, Uint8Array])[],
): AsyncIterable<readonly (readonly [string, Uint8Array])[]> {
  for (let start = 0; start < entries.length; start += PAGE_ENTRIES) yield entries.slice(start, start + PAGE_ENTRIES);
}
