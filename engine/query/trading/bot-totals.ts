/**
 * What bots brought and hold: the sums of all their closed pairs, and their open pairs by symbol (behaviour 8.6).
 *
 * Invariants:
 * 1. Sums are exact: profits add up as decimal text. Ratios alone are rounded.
 * 2. A history of any length is read whole once. After that only its keys are counted, and rows before the newest known
 *    row are read. If the count of the known rows differs (a pair can close with an earlier date), all are read again.
 */
import { z } from "zod";
import type { BotTotalsView } from "../../../src/contract/trading/bot.ts";
import { type Amount, amountOf, largerOf, minus, NO_AMOUNT, plus } from "../../../src/domain/price/amount.ts";
import { textOf } from "../../../src/runtime/json.ts";
import { LruCache } from "../../../src/runtime/lru-cache.ts";
import type { ScanRange, Store } from "../../ports/storage.ts";
import { viewKey } from "../../table/keys.ts";
import { under } from "../../table/tables.ts";

/** Histories whose sums are remembered. */
const REMEMBERED_MAX = 1_000;

/** The sums of closed pairs in sequence. Each of the last three is 0 or more. */
interface ClosedTotals {
  readonly closedCount: number;
  readonly buyFailedCount: number;
  readonly winCount: number;
  readonly lossCount: number;
  readonly profit: Amount;
  readonly grossProfit: Amount;
  readonly grossLoss: Amount;
  /** The highest value of the running sum of profits, from 0 on. */
  readonly peak: Amount;
  /** The lowest value of the running sum, as its distance below 0. */
  readonly trough: Amount;
  /** The largest fall of the running sum from a value before it. */
  readonly drawdown: Amount;
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
  grossProfit: NO_AMOUNT,
  grossLoss: NO_AMOUNT,
  peak: NO_AMOUNT,
  trough: NO_AMOUNT,
  drawdown: NO_AMOUNT,
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
  const now = (known && (await continueFrom(store, range, known))) ?? (await sum(store, range));
  if (now !== undefined) histories.set(prefix, now);
  return now?.byBot ?? new Map();
}

/** Adds the rows before the known ones; undefined if the known ones are no longer all. */
async function continueFrom(store: TotalsStore, range: ScanRange, known: Known): Promise<Known | undefined> {
  const newer = await sum(store, { ...range, lt: known.key });
  let count = 0;
  for await (const page of store.scan({ ...range, gte: known.key, keysOnly: true })) count += page.length;
  if (count !== known.count) return undefined;
  if (newer === undefined) return known;
  const byBot = new Map(known.byBot);
  for (const [id, later] of newer.byBot) byBot.set(id, inSequence(byBot.get(id) ?? NOTHING_CLOSED, later));
  return { key: newer.key, count: newer.count + known.count, byBot };
}

/** Sums all rows of a range, which has the newest one first; undefined without any. */
async function sum(store: TotalsStore, range: ScanRange): Promise<Known | undefined> {
  const byBot = new Map<number, ClosedTotals>();
  let key: string | undefined;
  let count = 0;
  for await (const page of store.scan(range)) {
    key ??= page[0]?.[0];
    count += page.length;
    for (const [, bytes] of page) {
      const row = closedRow.parse(JSON.parse(textOf(bytes)));
      byBot.set(row.systemId, inSequence(totalsOfRow(row), byBot.get(row.systemId) ?? NOTHING_CLOSED));
    }
  }
  return key === undefined ? undefined : { key, count, byBot };
}

function totalsOfRow({ sellQuantity, profit: value }: z.infer<typeof closedRow>): ClosedTotals {
  const profit = amountOf(value, 1);
  const gain = largerOf(profit, NO_AMOUNT);
  const loss = minus(gain, profit);
  return {
    closedCount: 1,
    buyFailedCount: Number(sellQuantity === 0),
    winCount: Number(value > 0),
    lossCount: Number(value < 0),
    ...{ profit, grossProfit: gain, grossLoss: loss },
    ...{ peak: gain, trough: loss, drawdown: loss },
  };
}

/** The sums of the pairs of `earlier` and then the pairs of `later`. */
function inSequence(earlier: ClosedTotals, later: ClosedTotals): ClosedTotals {
  return {
    closedCount: earlier.closedCount + later.closedCount,
    buyFailedCount: earlier.buyFailedCount + later.buyFailedCount,
    winCount: earlier.winCount + later.winCount,
    lossCount: earlier.lossCount + later.lossCount,
    profit: plus(earlier.profit, later.profit),
    grossProfit: plus(earlier.grossProfit, later.grossProfit),
    grossLoss: plus(earlier.grossLoss, later.grossLoss),
    peak: largerOf(earlier.peak, plus(earlier.profit, later.peak)),
    trough: largerOf(earlier.trough, minus(later.trough, earlier.profit)),
    drawdown: largerOf(
      largerOf(earlier.drawdown, later.drawdown),
      minus(plus(earlier.peak, later.trough), earlier.profit),
    ),
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
  const { peak, trough: _, drawdown, ...totals } = closed ?? NOTHING_CLOSED;
  const grossProfit = Number(totals.grossProfit);
  const grossLoss = Number(totals.grossLoss);
  return {
    ...{ systemId, ...totals, profit: Number(totals.profit), grossProfit, grossLoss },
    profitFactor: ratioOf(grossProfit, grossLoss),
    winRate: ratioOf(totals.winCount, totals.closedCount - totals.buyFailedCount),
    largestDrawdown: Number(drawdown),
    highestProfit: Number(peak),
    ...open,
  };
}

/** A ratio to four decimals; null if it has no value. */
function ratioOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
