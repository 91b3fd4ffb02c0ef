/**
 * Reading a store back: the only way in which a partition starts.
 *
 * Owns: the checks that a store is whole before anything of it is armed. Does not own: what the rows mean.
 *
 * Invariants:
 * 1. Every live pair is read and hashed before any is armed; a difference from the head record refuses the start.
 * 2. The archive is checked after arming, page by page; a difference there is as fatal, only later.
 */

import { parseJson } from "../../src/runtime/json.ts";
import type { ScanRange, Store } from "../ports/storage.ts";
import { ALL_KEYS, ARCHIVE_RANGES, HEAD_KEY, LIVE_RANGES } from "../table/keys.ts";
import type { Witness } from "./folder/witness.ts";
import { FORMAT, formatOf, type Head, headSchema } from "./journal/head.ts";
import { hashOfPair, SetHash } from "./journal/set-hash.ts";
import { StoreRefused } from "./refused.ts";
import { scanTextOf } from "./scan-text.ts";

export interface RowLocation {
  readonly partition: number;
  readonly partitions: number;
}

/** The head of a store, checked against where it is opened and against its witness. Undefined for an empty store. */
export async function readHead(
  store: Store,
  place: RowLocation,
  witness: Witness | undefined,
): Promise<Head | undefined> {
  const bytes = store.read(HEAD_KEY);
  if (bytes === undefined) {
    for await (const _page of store.scan({ ...ALL_KEYS, limit: 1 })) {
      throw new StoreRefused("the store has rows but no head record: it is damaged, restore a backup");
    }
    if (witness !== undefined) throw new StoreRefused("the store is empty but was not before: restore a backup");
    return undefined;
  }
  const head = parseHead(bytes);
  if (head.partition !== place.partition || head.partitions !== place.partitions) {
    throw new StoreRefused(
      `the data folder was made for partition ${head.partition} of ${head.partitions}, not ${place.partition} of ${place.partitions}: PARTITIONS is fixed when the data folder is made`,
    );
  }
  if (witness !== undefined) compareWithWitness(head, witness);
  return head;
}

/** A stored head record. Throws {@link StoreRefused} if this version does not know it. */
export function parseHead(bytes: Uint8Array): Head {
  const record = parseJson(bytes);
  const parsed = headSchema.safeParse(record);
  if (parsed.success) return parsed.data;
  const format = formatOf(record);
  if (format !== undefined && format !== FORMAT) {
    throw new StoreRefused(
      `the data folder has format ${format} and this version reads format ${FORMAT}: use the version that wrote it`,
    );
  }
  throw new StoreRefused("the head record cannot be read: restore a backup");
}

/** Throws {@link StoreRefused} where the witness knows another store, or a later state of this one. */
export function compareWithWitness(head: Head, witness: Witness): void {
  if (witness.installation !== head.installation) throw new StoreRefused("the witness belongs to another store");
  if (head.batch >= witness.batch) return;
  throw new StoreRefused(
    `the store ends at batch ${head.batch} but had reached ${witness.batch}: it is an old copy or has lost its newest rows`,
  );
}

/**
 * Reads every live pair in key order, then compares the hash; `onRows` receives how many more were read. Throws
 * {@link StoreRefused} on a difference.
 */
export async function readLive(
  store: Pick<Store, "scan" | "scanTexts">,
  head: Head,
  onPair: (key: string, value: string) => void,
  onRows: (rowCount: number) => void = () => undefined,
): Promise<void> {
  const found = await hashPairs(openScans(store, LIVE_RANGES), onPair, onRows);
  if (found !== head.liveHash) {
    throw new StoreRefused("the store has lost or changed rows (live hash differs): refusing to arm, restore a backup");
  }
}

/** The hash of the archive as it is at the moment of the call, to be compared with the head of that moment. */
export function archiveHash(store: Pick<Store, "scan" | "scanTexts">): Promise<string> {
  return hashPairs(openScans(store, ARCHIVE_RANGES), () => undefined);
}

type Scan = ReturnType<typeof scanTextOf>;

/** Opens all iterators together: each reads the store as it is now, despite writes before its pages are read. */
function openScans(store: Pick<Store, "scan" | "scanTexts">, ranges: readonly ScanRange[]): Scan[] {
  return ranges.map((range) => scanTextOf(store, range));
}

async function hashPairs(
  scans: readonly Scan[],
  onPair: (key: string, value: string) => void,
  onRows: (rowCount: number) => void = () => undefined,
): Promise<string> {
  const hash = new SetHash();
  for (const pages of scans) {
    for await (const page of pages) {
      for (const [key, value] of page) {
        if (key === HEAD_KEY) continue;
        hash.add(hashOfPair(key, value));
        onPair(key, value);
      }
      onRows(page.length);
    }
  }
  return hash.toString();
}
