/**
 * A scan of the store with what waits to be written laid over it.
 *
 * Owns: the merge. Does not own: either side. Both are as they are at the moment of the call, whatever is written later.
 */
import type { ScanRange, Store } from "../../ports/storage.ts";

type Entry = readonly [string, Uint8Array];
type Page = readonly Entry[];
/** In key order; null for a row that was removed. */
type Changes = readonly (readonly [string, Uint8Array | null])[];

/** Pages of what the range holds once `changes` are written. */
export function scanWith(store: Pick<Store, "scan">, range: ScanRange, changes: Changes): AsyncIterable<Page> {
  if (changes.length === 0) return store.scan(range);
  const { limit, ...bounds } = range;
  // Each change may hide a row of the store.
  const pages = store.scan(limit === undefined ? bounds : { ...bounds, limit: limit + changes.length });
  const merged = merge(pages, range.reverse === true ? changes.toReversed() : changes, range.reverse === true);
  return limit === undefined ? merged : firstOf(merged, limit);
}

async function* merge(pages: AsyncIterable<Page>, changes: Changes, isReverse: boolean): AsyncIterable<Page> {
  const changed = new Set(changes.map(([key]) => key));
  let next = 0;
  for await (const page of pages) {
    const merged: Entry[] = [];
    for (const entry of page) {
      const [key] = entry;
      for (let change = changes[next]; change !== undefined; change = changes[next]) {
        if (isReverse ? change[0] < key : change[0] > key) break;
        push(merged, change);
        next += 1;
      }
      if (!changed.has(key)) merged.push(entry);
    }
    if (merged.length > 0) yield merged;
  }
  const rest: Entry[] = [];
  for (const change of changes.slice(next)) push(rest, change);
  if (rest.length > 0) yield rest;
}

function push(entries: Entry[], [key, value]: Changes[number]): void {
  if (value !== null) entries.push([key, value]);
}

async function* firstOf(pages: AsyncIterable<Page>, limit: number): AsyncIterable<Page> {
  let left = limit;
  for await (const page of pages) {
    const cut = page.slice(0, left);
    left -= cut.length;
    if (cut.length > 0) yield cut;
    if (left === 0) return;
  }
}
