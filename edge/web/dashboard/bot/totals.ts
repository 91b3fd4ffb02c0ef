/** What bots brought and hold, as the service sums it, in units of the account's currency (behaviour 8.6). */
import { say } from "../language/say.ts";
import { quantityText } from "../part/words.ts";
import { sumOf } from "../part/worth.ts";
import type { Bot, LevelBotDetail, WebhookBotDetail } from "../state/model.ts";

export interface BotTotals {
  readonly systemId: number;
  readonly closedCount: number;
  readonly buyFailedCount: number;
  readonly winCount: number;
  readonly lossCount: number;
  /** The profit of all closed trades. */
  readonly profit: number;
  readonly grossProfit: number;
  /** 0 or more. */
  readonly grossLoss: number;
  /** The largest fall of the running profit of the closed trades; 0 or more. */
  readonly largestDrawdown: number;
  /** The highest running profit of the closed trades; 0 or more. Absent: from a service of the release before. */
  readonly highestProfit?: number;
  readonly openCount: number;
  /** The open trades whose buy price is known. */
  readonly open: readonly OpenLots[];
  /** The next levels of a level bot. Absent: of a deleted bot, or from a service of the release before. */
  readonly next?: readonly NextLevels[];
}

/** The live prices at which a level bot buys and sells next; null: at none for now. */
export interface NextLevels {
  readonly symbol: string;
  readonly buyPrice: number | null;
  readonly sellPrice: number | null;
}

interface OpenLots {
  readonly symbol: string;
  readonly quantity: number;
  readonly cost: number;
  readonly pairCount: number;
}

export interface ClosedTotals
  extends Pick<BotTotals, "closedCount" | "buyFailedCount" | "winCount" | "profit" | "grossProfit" | "grossLoss"> {
  /** Undefined: several bots have closed trades, and no one states their order. */
  readonly largestDrawdown: number | undefined;
}

/** The sums of several bots. */
export function closedTotalsOf(totals: readonly BotTotals[]): ClosedTotals {
  const sum = (field: "closedCount" | "buyFailedCount" | "winCount" | "profit" | "grossProfit" | "grossLoss") =>
    totals.reduce((before, bot) => before + bot[field], 0);
  const [first, ...others] = totals.filter(({ closedCount }) => closedCount > 0);
  return {
    ...{ closedCount: sum("closedCount"), buyFailedCount: sum("buyFailedCount"), winCount: sum("winCount") },
    ...{ profit: sum("profit"), grossProfit: sum("grossProfit"), grossLoss: sum("grossLoss") },
    largestDrawdown: others.length > 0 ? undefined : (first?.largestDrawdown ?? 0),
  };
}

/** Gains for each unit lost; undefined while nothing was lost. */
export function profitFactorOf({ grossProfit, grossLoss }: ClosedTotals): number | undefined {
  return grossLoss > 0 ? grossProfit / grossLoss : undefined;
}

/**
 * The side of the signal that a webhook bot waits for in a detail: a sell while its trade is open. Undefined: not known
 * yet. "either": several details have the symbol, or the buy price of an open trade is missing.
 */
export function nextSignalOf(
  details: readonly Pick<WebhookBotDetail, "symbol">[],
  { symbol }: Pick<WebhookBotDetail, "symbol">,
  totals: Pick<BotTotals, "openCount" | "open"> | undefined,
): "buy" | "sell" | "either" | undefined {
  if (totals === undefined) return undefined;
  const known = totals.open.reduce((count, { pairCount }) => count + pairCount, 0);
  if (details.filter((detail) => detail.symbol === symbol).length > 1 || known < totals.openCount) return "either";
  return totals.open.some((lots) => lots.symbol === symbol) ? "sell" : "buy";
}

/**
 * Whether the last price has reached the price of the next buy and of the next sale of a level bot, within the price
 * limits of the symbol; 0: no limit.
 */
export function reachedOf(
  { buyPrice, sellPrice }: Pick<NextLevels, "buyPrice" | "sellPrice">,
  price: number | undefined,
  { minBuyPrice, maxSellPrice }: Pick<LevelBotDetail, "minBuyPrice" | "maxSellPrice">,
): { readonly buy: boolean; readonly sale: boolean } {
  if (price === undefined) return { buy: false, sale: false };
  return {
    buy: buyPrice !== null && price <= buyPrice && price >= minBuyPrice,
    sale: sellPrice !== null && price >= sellPrice && (maxSellPrice === 0 || price <= maxSellPrice),
  };
}

interface OpenWorth {
  /** The profit of the open trades if all are sold at the last prices; undefined if that is known of none. */
  readonly profit: number | undefined;
  /** It as a share of what they cost. */
  readonly share: number | undefined;
  /** How many trades are left out, as a price is not known. */
  readonly missing: number;
}

/** What a bot's open trades would bring now. */
export function openWorthOf(
  { openCount, open }: Pick<BotTotals, "openCount" | "open">,
  priceOf: (symbol: string) => number | undefined,
): OpenWorth {
  const known = open.filter(({ symbol }) => priceOf(symbol) !== undefined);
  const missing = openCount - known.reduce((count, { pairCount }) => count + pairCount, 0);
  if (known.length === 0) return { profit: undefined, share: undefined, missing };
  const { sum: profit } = sumOf(known, ({ symbol, quantity, cost }) => (priceOf(symbol) ?? 0) * quantity - cost);
  const { sum: cost } = sumOf(known, (lots) => lots.cost);
  return { profit, share: cost > 0 ? profit / cost : undefined, missing };
}

/** What the open trades of a bot were bought for; undefined without any, or while a buy price is not known. */
export function inUseOf({ openCount, open }: Pick<BotTotals, "openCount" | "open">): number | undefined {
  const known = open.reduce((count, { pairCount }) => count + pairCount, 0);
  return openCount === 0 || known < openCount ? undefined : sumOf(open, ({ cost }) => cost).sum;
}

/** The profit of closed and open trades together; undefined while the profit of an open one is not known. */
export function netProfitOf(
  totals: Pick<BotTotals, "profit" | "openCount" | "open">,
  priceOf: (symbol: string) => number | undefined,
): number | undefined {
  if (totals.openCount === 0) return totals.profit;
  const { profit, missing } = openWorthOf(totals, priceOf);
  return profit === undefined || missing > 0 ? undefined : totals.profit + profit;
}

/**
 * The fall from the highest profit of the closed trades to the profit of now, in which open trades count at the last
 * prices; 0 or more. Undefined while the profit of an open trade is not known.
 */
export function drawdownNowOf(
  totals: Pick<BotTotals, "profit" | "highestProfit" | "openCount" | "open">,
  priceOf: (symbol: string) => number | undefined,
): number | undefined {
  const net = netProfitOf(totals, priceOf);
  const { highestProfit } = totals;
  return net === undefined || highestProfit === undefined ? undefined : Math.max(0, highestProfit - net);
}

/** The open trades of several bots together. */
export function allOpenOf(totals: readonly Pick<BotTotals, "openCount" | "open">[]) {
  return {
    openCount: totals.reduce((sum, { openCount }) => sum + openCount, 0),
    open: totals.flatMap(({ open }) => open),
  };
}

/** A number of trades as text. */
export function countText(count: number): string {
  return count === 1 ? say("1 trade") : say("{count} trades", { count: quantityText(count) });
}

/** The symbols that a bot trades. */
export function symbolsOf({ levelBotDetails, webhookBotDetails }: Bot): readonly string[] {
  return [...(levelBotDetails ?? []), ...(webhookBotDetails ?? [])].map(({ symbol }) => symbol);
}

/** The part of the trades that brought a gain, of those whose buy did not fail. */
export function winShareOf({ closedCount, buyFailedCount, winCount }: ClosedTotals): number | undefined {
  const traded = closedCount - buyFailedCount;
  return traded > 0 ? winCount / traded : undefined;
}
