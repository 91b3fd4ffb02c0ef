/**
 * The level bot's rules once more, the plain way (behaviour 8): what one price must do to one stored bot. It looks at
 * every price and knows no watches.
 */
import { buyName, sellName } from "./bot-model.ts";
import { gridDown, pairSellMilli } from "./naive-grid.ts";
import type { PlainBot, PlainDetail, PlainLevelDetail, PlainPair } from "./plain-rows.ts";

const PAIRS_MAX = 100;

/** What a price does to one detail. */
export interface ExpectedStep {
  /** Names of the orders that must be asked for. */
  readonly orders: readonly string[];
  /** In hundredths. */
  readonly anchor: number | null;
}

/** A pair that is bought, is not being sold and does not wait after a sell that failed. */
function isHeld({ buy, sell, retryAtMs }: PlainPair): boolean {
  return buy.completedAtMs !== null && sell.sentAtMs === null && (retryAtMs ?? null) === null;
}

/** What a tick must do to an active bot's detail of its symbol. */
export function expectedStep(bot: PlainBot, detail: PlainDetail, milli: number): ExpectedStep {
  const terms = detail as PlainLevelDetail;
  const { minSellPrice, maxSellPrice, minBuyPrice, maxBuyPrice } = detail.limits;
  if (!bot.isActive) return { orders: [], anchor: terms.anchor };
  const orders: string[] = [];
  for (const pair of detail.pairs) {
    const isAt = isHeld(pair) && milli >= sellLevel(terms, pair);
    if (!isAt || !isBetween(milli, minSellPrice, maxSellPrice)) continue;
    orders.push(sellName({ pairId: pair.pairId, sellAttempts: pair.sellAttempts + 1 }));
  }
  if (!mayBuy(terms)) return { orders, anchor: terms.anchor };
  const floor = Math.floor(milli / 10);
  const first = terms.before?.price ?? 0;
  const counted = terms.confirmTicks === 2 ? Math.min(first, floor) : floor;
  const isFollowing = terms.anchor === null || detail.pairs.length === 0;
  const anchor = isFollowing && counted > (terms.anchor ?? 0) ? counted : terms.anchor;
  if (anchor === null) return { orders, anchor };
  const isAt = milli <= gridDown((anchor - terms.buyGap) * 10);
  if (!isAt || !isBetween(milli, minBuyPrice, maxBuyPrice)) return { orders, anchor };
  return { orders: [...orders, buyName({ pairId: bot.botId * 1_000_000 + bot.lastPairNumber + 1 })], anchor: floor };
}

function sellLevel({ sellGap, targetProfit }: PlainLevelDetail, { buy }: PlainPair): number {
  const fillMilli = Math.round((buy.averagePrice ?? 0) * 1000);
  return pairSellMilli(fillMilli, sellGap * 10, Math.round(targetProfit * 10));
}

function mayBuy({ isRemoved, pairs, profit, realisedProfit }: PlainLevelDetail): boolean {
  return !isRemoved && pairs.length < PAIRS_MAX && (profit === 0 || Number(realisedProfit) < profit);
}

function isBetween(milli: number, low: number | null, high: number | null): boolean {
  return (low === null || milli >= low * 10) && (high === null || milli <= high * 10);
}
