/**
 * Lists, page by page, as the bytes that the edge passes on; stored rows as they are stored.
 *
 * Reads of the store return only durable data and never delay a trigger: the scan runs on LevelDB's own threads.
 */
import { z } from "zod";
import type { PageHeader } from "../../src/contract/command.ts";
import { type Refusal, refuse } from "../../src/domain/refusal.ts";
import { textOf } from "../../src/runtime/json.ts";
import type { Store } from "../ports/storage.ts";
import { viewKey } from "../table/keys.ts";
import { padded, under } from "../table/tables.ts";

const COMMA = Buffer.from(",");

/** The page of a list that the store holds, made once for as long as it does: the array is another once it changed. */
const heldPages = new WeakMap<object, Uint8Array>();

/**
 * One page of the rows under a view prefix (that ends in a slash), of about `bytesMax`; at least one row if any.
 * Returned without a promise if the store holds the list in memory.
 */
export function pageOfRows(
  store: Store,
  prefix: string,
  from: string | null,
  bytesMax: number,
): Uint8Array | Promise<Uint8Array> {
  const rows = from === null ? store.held?.(viewKey(prefix)) : undefined;
  const held = rows === undefined ? undefined : pageOfHeld(rows, bytesMax);
  return held ?? scanPage(store, prefix, from, bytesMax);
}

/** The rows of a page: at most `limit`, and about `bytesMax` bytes; one row always has room. */
class PageRows {
  readonly #bytesMax: number;
  readonly #limit: number;
  readonly #parts: Uint8Array[] = [];
  #bytes = 0;
  #count = 0;

  constructor(bytesMax: number, limit = Number.POSITIVE_INFINITY) {
    this.#bytesMax = bytesMax;
    this.#limit = limit;
  }

  hasRoomFor(row: Uint8Array): boolean {
    return this.#count === 0 || (this.#count < this.#limit && this.#bytes + row.byteLength <= this.#bytesMax);
  }

  add(row: Uint8Array): void {
    if (this.#count > 0) this.#parts.push(COMMA);
    this.#parts.push(row);
    this.#bytes += row.byteLength + 1;
    this.#count += 1;
  }

  /** Returns the page; `next` is the start of the page after it. */
  end(next: string | null): Uint8Array {
    return render({ ok: true, next }, this.#parts);
  }
}

/** All rows as one page, if it is not longer than `bytesMax`. */
function pageOfHeld(rows: readonly (readonly [string, Uint8Array])[], bytesMax: number): Uint8Array | undefined {
  const known = heldPages.get(rows);
  if (known !== undefined) return known.byteLength <= bytesMax ? known : undefined;
  const parts = rows.flatMap(([, value], index) => (index === 0 ? [value] : [COMMA, value]));
  const page = render({ ok: true, next: null }, parts);
  heldPages.set(rows, page);
  return page.byteLength <= bytesMax ? page : undefined;
}

async function scanPage(store: Store, prefix: string, from: string | null, bytesMax: number): Promise<Uint8Array> {
  const base = viewKey(prefix);
  const range = under(base);
  const rows = new PageRows(bytesMax);
  for await (const page of store.scan({ gte: from === null ? range.gte : base + from, lt: range.lt })) {
    for (const [key, value] of page) {
      if (!rows.hasRoomFor(value)) return rows.end(key.slice(base.length));
      rows.add(value);
    }
  }
  return rows.end(null);
}

/** Entries that one page looks through: a filter that few rows pass must not hold one question up for long. */
const ENTRIES_PER_PAGE_MAX = 2_000;
const anyRows = z.array(z.unknown());
const POSITION = /^(\d{1,16})\.(\d{1,16})$/;

/** Which rows of a list are asked for, and how many at most. */
interface Part<T> {
  readonly prefix: string;
  /** The fields that are read of a row; the page contains the whole row. */
  readonly schema: z.ZodType<T>;
  readonly idOf: (row: T) => number;
  readonly isMatch: (row: T) => boolean;
  readonly limit: number;
}

/**
 * One page of the rows under a view prefix that match, entry by entry and in an entry by id. `from` is a page's `next`,
 * or null: it names the row at which the page begins, so that no change of rows moves it. The page may be empty although
 * it has a `next`. INVALID for any other `from`.
 */
export async function pageOfPart<T>(
  store: Pick<Store, "scan">,
  { prefix, schema, idOf, isMatch, limit }: Part<T>,
  from: string | null,
  bytesMax: number,
): Promise<Uint8Array | Refusal> {
  const [, entry = "", id = ""] = from === null ? [] : (POSITION.exec(from) ?? []);
  if (from !== null && entry === "") return refuse("INVALID", "cursor is not a value that this list returned");
  const base = viewKey(prefix);
  const start = { entry: padded(Number(entry)), id: Number(id) };
  const shown = new PageRows(bytesMax, limit);
  let entries = 0;
  for await (const page of store.scan({ gte: base + start.entry, lt: under(base).lt })) {
    for (const [key, value] of page) {
      const name = key.slice(base.length);
      if (entries === ENTRIES_PER_PAGE_MAX) return shown.end(`${Number(name)}.0`);
      entries += 1;
      const rows = anyRows
        .parse(JSON.parse(`[${textOf(value)}]`))
        .map((stored) => ({ stored, row: schema.parse(stored) }));
      rows.sort((one, other) => idOf(one.row) - idOf(other.row));
      for (const { stored, row } of rows) {
        if ((name === start.entry && idOf(row) < start.id) || !isMatch(row)) continue;
        const json = Buffer.from(JSON.stringify(stored));
        if (!shown.hasRoomFor(json)) return shown.end(`${Number(name)}.${idOf(row)}`);
        shown.add(json);
      }
    }
  }
  return shown.end(null);
}

/**
 * One page of records that are in memory, in the form of {@link pageOfRows}. `from` is a page's `next`: how many records
 * came before.
 */
export function pageOfRecords(records: readonly object[], from: string | null, bytesMax: number): Uint8Array {
  const start = from === null ? 0 : Math.max(0, Number.parseInt(from, 10) || 0);
  const rows = new PageRows(bytesMax);
  for (let index = start; index < records.length; index += 1) {
    const row = Buffer.from(JSON.stringify(records[index]));
    if (!rows.hasRoomFor(row)) return rows.end(String(index));
    rows.add(row);
  }
  return rows.end(null);
}

/**
 * One page of records that are in memory and may change between two pages, sorted by `keyOf`. `from` is a page's `next`:
 * the key of its first record, whether that is still there or not. Records with one key are not parted.
 */
export function pageOfKeyed<T extends object>(
  records: readonly T[],
  keyOf: (record: T) => string,
  { from, limit, bytesMax }: { readonly from: string | null; readonly limit: number; readonly bytesMax: number },
): Uint8Array {
  const keyed = records.map((record) => ({ record, key: keyOf(record) }));
  keyed.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
  const rows = new PageRows(bytesMax, limit);
  let last = "";
  for (const { record, key } of keyed) {
    if (from !== null && key < from) continue;
    const row = Buffer.from(JSON.stringify(record));
    if (key !== last && !rows.hasRoomFor(row)) return rows.end(key);
    rows.add(row);
    last = key;
  }
  return rows.end(null);
}

/** One page of records that are in memory; `next` is the start of the caller's next page. */
export function pageOf(records: readonly object[], next: string | null): Uint8Array {
  return render({ ok: true, next }, [Buffer.from(records.map((record) => JSON.stringify(record)).join(","))]);
}

function render(header: PageHeader, parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]);
}
