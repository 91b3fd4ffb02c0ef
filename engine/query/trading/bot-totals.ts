/**
 * What bots brought and hold: the sums of all their closed pairs, and their open pairs by symbol (behaviour 8.6).
 *
 * Invariants:
 * 1. Sums are exact: profits add up as decimal text.
 * 2. A history of any length is read whole once. After that only its keys are counted, and rows before the newest known
 *    row are read. If the count of the known rows differs (a pair can close with an earlier date), all are read again.
 */
import { z } from "zod";
import type { BotTotalsView } from "../../../src/contract/trading/bot.ts";
import { type Amount, amountOf, NO_AMOUNT, plus } from "../../../src/domain/price/amount.ts";
import { textOf } from "../../../src/runtime/json.ts";
import { LruCache } from "../../../src/runtime/lru-cache.ts";
import type { ScanRange, Store } from "../../ports/storage.ts";
import { viewKey } from "../../table/keys.ts";
import { under } from "../../table/tables.ts";

/** Histories whose sums are remembered. */
const REMEMBERED_MAX = 1_000;

interface ClosedTotals {
  readonly closedCount: number;
  readonly buyFailedCount: number;
  readonly winCount: number;
  readonly lossCount: number;
  readonly profit: Amount;
}

type OpenTotals = Pick<BotTotalsView, "openCount" | "open">;
type ByBot = ReadonlyMap<number, ClosedTotals>;

/** The sums of a history from its row at `key` on, which is the newest one known. */
interface Known {
  readonly key: string;
  readonly count: number;
  readonly byBot: ByBot;
}

type TotalsStore = Pick<Store, "scan">;

const NOTHING_CLOSED: ClosedTotals = {
  closedCount: 0,
  buyFailedCount: 0,
  winCount: 0,
  lossCount: 0,
  profit: NO_AMOUNT,
};
const closedRow = z.object({ systemId: z.number(), sellQuantity: z.number(), profit: z.number() });
const openRow = z.object({ symbol: z.string(), buyQuantity: z.number(), buyPrice: z.number().nullable() });
const remembered = new WeakMap<TotalsStore, LruCache<string, Known>>();

/** Sums the closed pairs under a prefix of history, by bot. */
export async function closedTotalsOf(store: TotalsStore, prefix: string): Promise<ByBot> {
  const histories = remembered.get(store) ?? new LruCache<string, Known>(REMEMBERED_MAX);
  remembered.set(store, histories);
  const range = under(viewKey(prefix));
  const known = histories.get(prefix);
  const now = (known && (await continueFrom(store, range, known))) ?? (await sum(store, range, new Map()));
  if (now !== undefined) histories.set(prefix, now);
  return now?.byBot ?? new Map();
}

/** Adds the rows before the known ones; undefined if the known ones are no longer all. */
async function continueFrom(store: TotalsStore, range: ScanRange, known: Known): Promise<Known | undefined> {
  const newer = await sum(store, { ...range, lt: known.key }, known.byBot);
  let count = 0;
  for await (const page of store.scan({ ...range, gte: known.key, keysOnly: true })) count += page.length;
  if (count !== known.count) return undefined;
  return newer === undefined ? known : { ...newer, count: newer.count + known.count };
}

/** Adds all rows of a range to sums; undefined without any. */
async function sum(store: TotalsStore, range: ScanRange, before: ByBot): Promise<Known | undefined> {
  const byBot = new Map(before);
  let key: string | undefined;
  let count = 0;
  for await (const page of store.scan(range)) {
    key ??= page[0]?.[0];
    count += page.length;
    for (const [, bytes] of page) {
      const row = closedRow.parse(JSON.parse(textOf(bytes)));
      byBot.set(row.systemId, withClosed(byBot.get(row.systemId) ?? NOTHING_CLOSED, row));
    }
  }
  return key === undefined ? undefined : { key, count, byBot };
}

function withClosed(totals: ClosedTotals, { sellQuantity, profit }: z.infer<typeof closedRow>): ClosedTotals {
  return {
    closedCount: totals.closedCount + 1,
    buyFailedCount: totals.buyFailedCount + Number(sellQuantity === 0),
    winCount: totals.winCount + Number(profit > 0),
    lossCount: totals.lossCount + Number(profit < 0),
    profit: plus(totals.profit, amountOf(profit, 1)),
  };
}

/** Sums the open pairs under a prefix, by symbol in the order of their first pairs. */
export async function openTotalsOf(store: TotalsStore, prefix: string): Promise<OpenTotals> {
  const bySymbol = new Map<string, { quantity: number; cost: Amount; pairCount: number }>();
  let openCount = 0;
  for await (const page of store.scan(under(viewKey(prefix)))) {
    openCount += page.length;
    for (const [, bytes] of page) {
      const { symbol, buyQuantity, buyPrice } = openRow.parse(JSON.parse(textOf(bytes)));
      if (buyPrice === null) continue;
      const { quantity, cost, pairCount } = bySymbol.get(symbol) ?? { quantity: 0, cost: NO_AMOUNT, pairCount: 0 };
      bySymbol.set(symbol, {
        quantity: quantity + buyQuantity,
        cost: plus(cost, amountOf(buyPrice, buyQuantity)),
        pairCount: pairCount + 1,
      });
    }
  }
  const open = [...bySymbol].map(([symbol, { cost, ...counts }]) => ({ symbol, ...counts, cost: Number(cost) }));
  return { openCount, open };
}

/** The totals of a bot as clients see them. `closed` undefined: it has closed no pair. */
export function viewOfTotals(systemId: number, closed: ClosedTotals | undefined, open: OpenTotals): BotTotalsView {
  const totals = closed ?? NOTHING_CLOSED;
  return { systemId, ...totals, profit: Number(totals.profit), ...open };
}
