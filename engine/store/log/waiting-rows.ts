/**
 * Rows that the log holds and the store does not hold yet, by key and in key order.
 *
 * Owns: the newest change of each such key, in the order in which they began to wait. Does not own: when they are written.
 *
 * Invariants:
 * 1. A change waits until the store contains it, or a newer one of the same key.
 * 2. A row that the store never contained and that was removed again is dropped: the store never receives it.
 * 3. The changes of the records up to `position` no longer wait.
 */
import type { Delete, Put, ScanRange } from "../../ports/storage.ts";
import { TABLES, type Table, tableOf } from "../../table/tables.ts";
import { KeyFolders } from "./key-folders.ts";
import { type Packed, PackedBytes } from "./packed-bytes.ts";

/** What is sorted in one call without holding the loop up: about ten milliseconds. */
export const SORTED_AT_ONCE_BYTES = 2 * 1024 * 1024;

interface Waiting {
  readonly key: string;
  /** Null: removed. */
  value: Packed | null;
  /** About what it takes. */
  byteCount: number;
  /** The first record whose change of this key waits. */
  readonly sinceSequence: number;
  readonly sinceRound: number;
  /** Whether the store may hold something under the key. */
  mayBeStored: boolean;
  isOnItsWay: boolean;
  isInFolder: boolean;
}

/** Rows on their way to the store, to be given back once they are there. */
interface Slice {
  readonly operations: readonly (Put | Delete)[];
  readonly waiting: readonly Waiting[];
}

export class WaitingRows {
  /** In the order in which they began to wait. */
  readonly #rows = new Map<string, Waiting>();
  /** All views, and of each other table the rows that waited when some of them were last asked for. */
  readonly #folders = new KeyFolders();
  /** Began to wait since, and some of them are gone again: few but views are asked for by their range. */
  readonly #unfiled = new Map<Table | undefined, Waiting[]>();
  #bytes = new PackedBytes();
  #byteCount = 0;
  #lastSequence = -1;

  /** Up to which record nothing waits; -1 before the first was taken. Not while a slice is on its way. */
  get position(): number {
    const [first] = this.#rows.values();
    return first === undefined ? this.#lastSequence : first.sinceSequence - 1;
  }

  /** The last record that was taken. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** About what they take. */
  get byteCount(): number {
    return this.#byteCount;
  }

  /** Null for a row that was removed, undefined where the store knows. */
  get(key: string): Uint8Array | null | undefined {
    return this.#valueOf(this.#rows.get(key));
  }

  /** Takes in what a durable record changed. */
  take(operations: readonly (Put | Delete)[], sequence: number, round: number): void {
    this.#lastSequence = sequence;
    for (const operation of operations) {
      const { key } = operation;
      const value = operation.type === "put" ? operation.value : null;
      const known = this.#rows.get(key);
      if (known !== undefined && !known.isOnItsWay) this.#change(known, value);
      else {
        // Behind what is on its way: the store holds that first.
        if (known !== undefined) this.#forget(known);
        const mayBeStored = known !== undefined || operation.type === "del" || operation.isNew !== true;
        if (value === null && !mayBeStored) continue;
        this.#add({
          key,
          value: value === null ? null : this.#bytes.pack(value),
          byteCount: sizeOf(key, value),
          sinceSequence: sequence,
          sinceRound: round,
          mayBeStored,
          isOnItsWay: false,
          isInFolder: false,
        });
      }
    }
  }

  /** The first that wait since `untilRound` or longer, of about so many bytes at most. Until `finish` no other is cut. */
  cut(untilRound: number, rowsMax: number, bytesMax: number): Slice {
    const waiting: Waiting[] = [];
    const operations: (Put | Delete)[] = [];
    let bytes = 0;
    for (const row of this.#rows.values()) {
      if (row.sinceRound > untilRound || waiting.length === rowsMax || bytes >= bytesMax) break;
      const { key } = row;
      const value = this.#valueOf(row) ?? null;
      row.isOnItsWay = true;
      waiting.push(row);
      operations.push(value === null ? { type: "del", key } : { type: "put", key, value });
      bytes += row.byteCount;
    }
    return { operations, waiting };
  }

  /** The store holds the slice. */
  finish({ waiting }: Slice): void {
    for (const row of waiting) if (this.#rows.get(row.key) === row) this.#forget(row);
  }

  /** The changes of the keys in a range, in key order. */
  within(range: ScanRange): readonly (readonly [string, Uint8Array | null])[] {
    for (const [table, rows] of this.#unfiled) {
      if (!mayHoldOf(range, table)) continue;
      this.#unfiled.delete(table);
      for (const row of rows) this.#file(row);
    }
    const keys = this.#folders.keysIn(range);
    return keys.sort().map((key) => [key, this.#valueOf(this.#rows.get(key)) ?? null] as const);
  }

  #valueOf(row: Waiting | undefined): Uint8Array | null | undefined {
    const value = row?.value;
    return value === null || value === undefined ? value : this.#bytes.read(value);
  }

  #add(row: Waiting): void {
    this.#rows.set(row.key, row);
    this.#byteCount += row.byteCount;
    const table = tableOf(row.key);
    if (table === TABLES.views) {
      this.#file(row);
      return;
    }
    const unfiled = this.#unfiled.get(table);
    if (unfiled === undefined) this.#unfiled.set(table, [row]);
    else if (unfiled.push(row) > UNFILED_MIN + 2 * this.#rows.size) {
      this.#unfiled.set(
        table,
        unfiled.filter((each) => this.#rows.get(each.key) === each),
      );
    }
  }

  #file(row: Waiting): void {
    if (this.#rows.get(row.key) !== row) return;
    row.isInFolder = true;
    this.#folders.add(row.key);
  }

  #forget(row: Waiting): void {
    this.#rows.delete(row.key);
    if (row.isInFolder) this.#folders.remove(row.key);
    if (row.value !== null) this.#bytes.drop(row.value);
    this.#byteCount -= row.byteCount;
    // What a burst needed is given back.
    if (this.#rows.size === 0 && this.#bytes.byteCount > PACKED_KEPT_BYTES) this.#bytes = new PackedBytes();
  }

  #change(row: Waiting, value: Uint8Array | null): void {
    if (value === null && !row.mayBeStored) {
      this.#forget(row);
      return;
    }
    if (row.value !== null) this.#bytes.drop(row.value);
    row.value = value === null ? null : this.#bytes.pack(value);
    this.#byteCount -= row.byteCount;
    row.byteCount = sizeOf(row.key, value);
    this.#byteCount += row.byteCount;
  }
}

/** Whether a row of the table may be in the range. One of no table may be in any. */
function mayHoldOf(range: ScanRange, table: Table | undefined): boolean {
  return table === undefined || (range.gte < table.range.lt && range.lt > table.range.gte);
}

/** So many that are gone again are kept in memory without need, and as many as wait. */
const UNFILED_MIN = 1_024;
/** So much is used again and again, in the usual run of things. */
const PACKED_KEPT_BYTES = 16 * 1024 * 1024;
/** The size of a row in addition to its bytes. */
const ROW_BYTES = 200;

function sizeOf(key: string, value: Uint8Array | null): number {
  return ROW_BYTES + key.length + (value?.byteLength ?? 0);
}
