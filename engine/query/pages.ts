/**
 * Lists, page by page, as the bytes that the edge passes on; stored rows as they are stored.
 *
 * Reads of the store see only what is durable, and never stand in the way of a trigger: the scan runs on LevelDB's own
 * threads.
 */
import type { PageHeader } from "../../src/contract/command.ts";
import type { Store } from "../ports/storage.ts";
import { viewKey } from "../table/keys.ts";
import { under } from "../table/tables.ts";

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

/** One page of records that are in memory; `next` is where the caller's next page starts. */
export function pageOf(records: readonly object[], next: string | null): Uint8Array {
  return render({ ok: true, next }, [Buffer.from(records.map((record) => JSON.stringify(record)).join(","))]);
}

function render(header: PageHeader, parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]);
}
