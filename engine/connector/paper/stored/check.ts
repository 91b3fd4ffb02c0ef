/** Checks a paper brokerage's store: every row can be read, and everything that its head counts exists. */
import { assert } from "../../../../src/assert.ts";
import type { Store } from "../../../ports/storage.ts";
import { ALL_KEYS } from "../../../table/keys.ts";
import * as codec from "./codec.ts";

const ORDERS_PREFIX = codec.orderKey("");
const CLIENTS_PREFIX = "client!";

/** Describes the book's content in a line. Throws if it is not whole. */
export async function checkPaperStore(store: Store): Promise<string> {
  const counts = { accounts: 0, orders: 0, live: 0 };
  for await (const page of store.scan(ALL_KEYS)) {
    for (const [key, value] of page) {
      try {
        checkRow(store, key, value, counts);
      } catch (cause) {
        throw new Error(`${key}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      }
    }
  }
  const bytes = store.read(codec.HEAD_KEY);
  const head = bytes === undefined ? undefined : codec.decodeHead(bytes);
  assert(counts.accounts === (head?.accountCount ?? 0), "the book lacks accounts");
  assert(counts.live === (head?.liveCount ?? 0), "the book lacks live orders");
  return `${counts.accounts} accounts, ${counts.orders} orders, ${counts.live} of them live`;
}

function checkRow(
  store: Store,
  key: string,
  value: Uint8Array,
  counts: { accounts: number; orders: number; live: number },
): void {
  const isThere = (orderNo: string): boolean => store.read(codec.orderKey(orderNo)) !== undefined;
  if (key.startsWith(codec.ACCOUNTS_PREFIX)) {
    codec.decodeAccount(value);
    counts.accounts += 1;
  } else if (key.startsWith(ORDERS_PREFIX)) {
    const { orderNo } = codec.decodeOrder(value);
    assert(key === codec.orderKey(orderNo), "the order lies under its number");
    counts.orders += 1;
  } else if (key.startsWith(codec.LIVE_PREFIX)) {
    assert(isThere(key.slice(codec.LIVE_PREFIX.length)), "a live order is there");
    counts.live += 1;
  } else if (key.startsWith(CLIENTS_PREFIX)) {
    assert(isThere(codec.decodeText(value)), "a named order is there");
  } else if (key.startsWith(codec.PRICES_PREFIX)) codec.decodePrice(value);
  else if (key.startsWith(codec.ACTIONS_PREFIX)) codec.decodeFollowed(value);
}
