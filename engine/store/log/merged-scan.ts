/**
 * A scan of the store with the waiting changes laid over it.
 *
 * Owns: the merge. Does not own: either side. Both are as they are at the moment of the call, despite later writes.
 */
import type { ScanRange } from "../../ports/storage.ts";

type Entry<V> = readonly [string, V];
type Page<V> = readonly Entry<V>[];
/** In key order; null for a row that was removed. */
type Changes<V> = readonly (readonly [string, V | null])[];

/** Pages of what the range holds once `changes` are written; `scan`: of what it holds now. */
export function scanWith<V>(
  scan: (range: ScanRange) => AsyncIterable<Page<V>>,
  range: ScanRange,
  changes: Changes<V>,
): AsyncIterable<Page<V>> {
  if (changes.length === 0) return scan(range);
  const { limit, ...bounds } = range;
  // Each change may hide a row of the store.
  const pages = scan(limit === undefined ? bounds : { ...bounds, limit: limit + changes.length });
  const merged = merge(pages, range.reverse === true ? changes.toReversed() : changes, range.reverse === true);
  return limit === undefined ? merged : firstOf(merged, limit);
}

async function* merge<V>(
  pages: AsyncIterable<Page<V>>,
  changes: Changes<V>,
  isReverse: boolean,
): AsyncIterable<Page<V>> {
  const changed = new Set(changes.map(([key]) => key));
  let next = 0;
  for await (const page of pages) {
    const merged: Entry<V>[] = [];
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
  const rest: Entry<V>[] = [];
  for (const change of changes.slice(next)) push(rest, change);
  if (rest.length > 0) yield rest;
}

function push<V>(entries: Entry<V>[], [key, value]: Changes<V>[number]): void {
  if (value !== null) entries.push([key, value]);
}

async function* firstOf<V>(pages: AsyncIterable<Page<V>>, limit: number): AsyncIterable<Page<V>> {
  let left = limit;
  for await (const page of pages) {
    const cut = page.slice(0, left);
    left -= cut.length;
    if (cut.length > 0) yield cut;
    if (left === 0) return;
  }
}
