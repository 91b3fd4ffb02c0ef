/**
 * Short lists of view rows, remembered while nothing changes them: clients ask for the same list again and again, and
 * a scan takes a trip to LevelDB's threads each time.
 *
 * Owns: which lists are remembered and when they are forgotten. Does not own: rows, keys, who may read them.
 *
 * Invariants:
 * 1. A remembered list is what the disk would return. A write forgets every list that it touches before it begins, and a
 *    scan during a write is not remembered.
 * 2. Bounded: recently read lists remain (`src/runtime/lru-cache.ts`), and a long one is never remembered.
 * 3. Only whole lists under one view prefix are remembered; every other read goes to the store as it is.
 */
import { LruCache } from "../../src/runtime/lru-cache.ts";
import type { Delete, Put, ScanRange, Store } from "../ports/storage.ts";
import { viewKey } from "../table/keys.ts";
import { under } from "../table/tables.ts";
import { scanTextOf } from "./scan-text.ts";

type Rows = readonly (readonly [string, Uint8Array])[];

interface RememberedListsLimits {
  /** Of one list, at most half of all; a longer one is read from the disk each time. */
  readonly listBytesMax: number;
  /** Of all lists together. What readers make of them (a page, an answer) is kept as long, and may be twice as much. */
  readonly bytesMax: number;
}

const LIMITS: RememberedListsLimits = { listBytesMax: 32 * 1024, bytesMax: 32 * 1024 * 1024 };
/** The cost of an entry in addition to its rows. */
const ENTRY_BYTES = 512;
const VIEWS = viewKey("");

interface Remembered {
  readonly rows: Rows;
  readonly bytes: number;
}

/** The same store, whose short lists of views are remembered. All writes must go through what this returns. */
export function rememberLists(store: Store, limits: RememberedListsLimits = LIMITS): Store {
  return new RememberingStore(store, limits);
}

class RememberingStore implements Store {
  readonly #store: Store;
  readonly #limits: RememberedListsLimits;
  /** By prefix. */
  readonly #lists: LruCache<string, Remembered>;
  /** Grows when a write begins and when it ends: odd while one is under way (the journal has one at a time). */
  #writeSteps = 0;

  constructor(store: Store, limits: RememberedListsLimits) {
    this.#store = store;
    this.#limits = limits;
    this.#lists = new LruCache(limits.bytesMax, ({ bytes }) => bytes);
  }

  read(key: string): Uint8Array | undefined {
    return this.#store.read(key);
  }

  write(operations: readonly (Put | Delete)[]): Promise<void> {
    this.#writeSteps += 1;
    for (const { key } of operations) this.#forgetListsOf(key);
    const written = this.#store.write(operations);
    // Before any other listener. A failed write ends the process; until then nothing is remembered.
    written.then(
      () => {
        this.#writeSteps += 1;
      },
      () => undefined,
    );
    return written;
  }

  scan(range: ScanRange): AsyncIterable<Rows> {
    if (!isWholeList(range)) return this.#store.scan(range);
    const rows = this.held(range.gte);
    if (rows !== undefined) return onePage(rows);
    return this.#scanAndRemember(range.gte, this.#store.scan(range), this.#writeSteps);
  }

  scanTexts(range: ScanRange): AsyncIterable<readonly (readonly [string, string])[]> {
    return scanTextOf(this.#store, range);
  }

  held(prefix: string): Rows | undefined {
    return this.#lists.get(prefix)?.rows;
  }

  keep(key: string, value: Uint8Array | string): void {
    this.#store.keep?.(key, value);
  }

  whenFewWait(bytesMax: number, withinMs: number): Promise<boolean> {
    return this.#store.whenFewWait?.(bytesMax, withinMs) ?? Promise.resolve(true);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async *#scanAndRemember(prefix: string, pages: AsyncIterable<Rows>, stepsBefore: number): AsyncIterable<Rows> {
    const rows: (readonly [string, Uint8Array])[] = [];
    let bytes = ENTRY_BYTES;
    for await (const page of pages) {
      for (const row of page) bytes += row[0].length + row[1].byteLength;
      if (bytes <= this.#limits.listBytesMax) rows.push(...page);
      yield page;
    }
    const isQuiet = stepsBefore % 2 === 0 && stepsBefore === this.#writeSteps;
    if (isQuiet && bytes <= this.#limits.listBytesMax) this.#lists.set(prefix, { rows, bytes });
  }

  /** Every list that `key` is part of: one for each of its slashes. */
  #forgetListsOf(key: string): void {
    if (this.#lists.size === 0 || !key.startsWith(VIEWS)) return;
    for (let slash = key.indexOf("/"); slash >= 0; slash = key.indexOf("/", slash + 1)) {
      this.#lists.delete(key.slice(0, slash + 1));
    }
  }
}

/** Whether the range is everything under a view prefix, in key order and with values. */
function isWholeList({ gte, lt, reverse, limit, keysOnly }: ScanRange): boolean {
  if (reverse === true || limit !== undefined || keysOnly === true) return false;
  return gte.startsWith(VIEWS) && gte.endsWith("/") && lt === under(gte).lt;
}

async function* onePage(rows: Rows): AsyncIterable<Rows> {
  if (rows.length > 0) yield rows;
}
