/**
 * Lists, page by page, as the bytes that the edge passes on; stored rows as they are stored.
 *
 * Reads of the store see only what is durable, and never stand in the way of a trigger: the scan runs on LevelDB's own
 * threads.
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
 * One page of the rows under a view prefix (that ends in a slash), of about `bytesMax`; at least one row if any. At once
 * where the store holds the list in memory.
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

/** All rows as one page, where it is not longer than `bytesMax`. */
function pageOfHeld(rows: readonly (readonly [string, Uint8Array])[], bytesMax: number): Uint8Array | undefined {
  const known = heldPages.get(rows);
  if (known !== undefined) return known.byteLength <= bytesMax ? known : undefined;
  const parts = rows.flatMap(([, value], index) => (index === 0 ? [value] : [COMMA, value]));
  const page = render({ ok: true, next: null }, parts);
  heldPages.set(rows, page);
  return page.byteLength <= bytesMax ? page : undefined;
}

async function scanPage(store: Store, prefix: string, from: string | null, bytesMax: number): Promise<Uint8Array> {
  const range = under(viewKey(prefix));
  const start = from === null ? range.gte : viewKey(prefix) + from;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const page of store.scan({ gte: start, lt: range.lt })) {
    for (const [key, value] of page) {
      if (parts.length > 0 && bytes + value.byteLength > bytesMax) {
        return render({ ok: true, next: key.slice(viewKey(prefix).length) }, parts);
      }
      if (parts.length > 0) parts.push(COMMA);
      parts.push(value);
      bytes += value.byteLength + 1;
    }
  }
  return render({ ok: true, next: null }, parts);
}

/** Entries that one page looks through: a filter that few rows pass must not hold one question up for long. */
const ENTRIES_PER_PAGE_MAX = 2_000;
const anyRows = z.array(z.unknown());
const POSITION = /^(\d{1,16})\.(\d{1,16})$/;

/** Which rows of a list are asked for, and how many at most. */
interface Part<T> {
  readonly prefix: string;
  /** What is read of a row; the page has all of it. */
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
  if (from !== null && entry === "") return refuse("INVALID", "cursor is not one that this list gave");
  const range = under(viewKey(prefix));
  const start = { entry: padded(Number(entry)), id: Number(id) };
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let count = 0;
  let entries = 0;
  for await (const page of store.scan({ gte: viewKey(prefix) + start.entry, lt: range.lt })) {
    for (const [key, value] of page) {
      const name = key.slice(viewKey(prefix).length);
      if (entries === ENTRIES_PER_PAGE_MAX) return render({ ok: true, next: `${Number(name)}.0` }, parts);
      entries += 1;
      const rows = anyRows
        .parse(JSON.parse(`[${textOf(value)}]`))
        .map((stored) => ({ stored, row: schema.parse(stored) }));
      rows.sort((one, other) => idOf(one.row) - idOf(other.row));
      for (const { stored, row } of rows) {
        if ((name === start.entry && idOf(row) < start.id) || !isMatch(row)) continue;
        const json = Buffer.from(JSON.stringify(stored));
        if (count === limit || (count > 0 && bytes + json.byteLength > bytesMax)) {
          return render({ ok: true, next: `${Number(name)}.${idOf(row)}` }, parts);
        }
        if (count > 0) parts.push(COMMA);
        parts.push(json);
        bytes += json.byteLength + 1;
        count += 1;
      }
    }
  }
  return render({ ok: true, next: null }, parts);
}

/**
 * One page of records that are in memory, in the form of {@link pageOfRows}. `from` is a page's `next`: how many records
 * came before.
 */
export function pageOfRecords(records: readonly object[], from: string | null, bytesMax: number): Uint8Array {
  const start = from === null ? 0 : Math.max(0, Number.parseInt(from, 10) || 0);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let index = start; index < records.length; index += 1) {
    const row = Buffer.from(JSON.stringify(records[index]));
    if (parts.length > 0 && bytes + row.byteLength > bytesMax) return render({ ok: true, next: String(index) }, parts);
    if (parts.length > 0) parts.push(COMMA);
    parts.push(row);
    bytes += row.byteLength + 1;
  }
  return render({ ok: true, next: null }, parts);
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
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let count = 0;
  let last = "";
  for (const { record, key } of keyed) {
    if (from !== null && key < from) continue;
    const row = Buffer.from(JSON.stringify(record));
    const isFull = count >= limit || bytes + row.byteLength > bytesMax;
    if (isFull && count > 0 && key !== last) return render({ ok: true, next: key }, parts);
    if (count > 0) parts.push(COMMA);
    parts.push(row);
    bytes += row.byteLength + 1;
    count += 1;
    last = key;
  }
  return render({ ok: true, next: null }, parts);
}

/** One page of records that are in memory; `next` is where the caller's next page starts. */
export function pageOf(records: readonly object[], next: string | null): Uint8Array {
  return render({ ok: true, next }, [Buffer.from(records.map((record) => JSON.stringify(record)).join(","))]);
}

function render(header: PageHeader, parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]);
}
