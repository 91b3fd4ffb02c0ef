/**
 * The shape of a level bot, and the live prices that it waits for (behaviour 8.1, 8.2).
 *
 * Owns: the shape of the bot, its levels as a function of it, and the numbers of its watches. Does not own: the effect
 * of a reached level (`level-bot.ts`).
 *
 * Invariants:
 * 1. Levels follow from the bot alone; an inactive bot has no levels.
 * 2. A watch number contains detail, purpose and pair, and remains while these do: slot of the detail x 128, then 0 for
 *    the anchor, 1 for the buy, 2 and up for the pairs by their slots. Numbers are under 65,536.
 * 3. A price that can change nothing wakes no bot. Under the buy limits the bot waits for the lower limit from below,
 *    over the sell limits for the upper one from above. If the limits leave no price it waits for none.
 */
import { type Amount, isAtLeast } from "../price/amount.ts";
import type { ConfirmTicks, FirstPrint } from "../price/confirm.ts";
import { type Hundredths, PRICE_MAX, PRICE_MIN, type StreamSequence } from "../price/price.ts";
import { type Approach, type Entrance, entranceOf, type PriceRange } from "../price/price-range.ts";
import { nextDown, type TickTable } from "../price/tick-table.ts";
import { type Bot, type BotDetail, buyLimits, canNumberPair, sellLimits } from "./bot.ts";
import { canSell, type PairOrder } from "./pair.ts";

/** Most open pairs of one symbol (behaviour 8.3). */
export const OPEN_PAIRS_MAX = 100;
/** The most details at a time, including removed details that still have open pairs. */
export const DETAIL_SLOTS = 512;

const SLOT_WATCHES = 128;
const ANCHOR_PURPOSE = 0;
const BUY_PURPOSE = 1;
const PAIR_PURPOSE = 2;

export interface LevelPair extends PairOrder {
  /** Its place among the pairs of its detail, 0 to 99; free again once the pair is closed. */
  readonly slot: number;
  /** Null until the buy is completed, and if no price on the grid is that high. */
  readonly sellLevel: Hundredths | null;
  readonly sellApproach: Approach;
  /** After a failed sell: not to be sold again before this moment. */
  readonly retryAtMs: number | null;
}

export interface LevelDetail extends BotDetail<LevelPair> {
  /** Its place among the details of the bot, 0 to 511. */
  readonly slot: number;
  readonly buyGap: Hundredths;
  readonly sellGap: Hundredths;
  readonly targetProfit: number;
  readonly profit: number;
  /** The tick table of its symbol when the detail was last written. */
  readonly tickTable: TickTable;
  /**
   * The price that buys are measured from, null before the first tick. In whole hundredths, rounded down: gaps are
   * whole hundredths and buy levels are rounded down, so that the rest could not change a level.
   */
  readonly anchor: Hundredths | null;
  /** How many prices in a row the anchor takes to follow the price. */
  readonly confirmTicks: ConfirmTicks;
  /** A price that moves the anchor if the next one confirms it. */
  readonly before: FirstPrint | null;
  readonly buyApproach: Approach;
  readonly realisedProfit: Amount;
}

export interface LevelBot extends Bot<LevelDetail> {
  /** When the levels last changed: ticks from before that moment mean nothing to them. */
  readonly levelsChangedAtMs: number;
  /** The tick that was read back and changed them; null if something else changed them. */
  readonly levelsChangedBy: StreamSequence | null;
}

/** A level under watch. */
export interface LevelWatch extends Entrance {
  readonly watch: number;
  readonly symbol: string;
  /** True: only ticks from after the arming count. */
  readonly onlyNewTicks?: boolean;
}

/** Every level that the bot waits for now. */
export function levelWatches(bot: LevelBot): LevelWatch[] {
  const watches: LevelWatch[] = [];
  for (const detail of bot.details) {
    const { symbol, slot } = detail;
    const anchor = anchorWatch(bot, detail);
    if (anchor !== undefined) watches.push(anchor);
    const buy = buyEntrance(bot, detail);
    if (buy !== undefined) watches.push({ watch: watchOf(slot, BUY_PURPOSE), symbol, ...buy });
    for (const pair of detail.pairs) {
      const sell = sellEntrance(bot, detail, pair);
      if (sell !== undefined) watches.push({ watch: watchOf(slot, PAIR_PURPOSE + pair.slot), symbol, ...sell });
    }
  }
  return watches;
}

/** The purpose of a watch number, within the detail that has the slot. */
export interface WatchPurposes {
  readonly isAnchor: boolean;
  readonly isBuy: boolean;
  /** Slots of pairs. */
  readonly pairs: readonly number[];
}

/** Returns the purposes of the watches that belong to the detail in `slot`; undefined if no watch does. */
export function purposesOf(watches: readonly number[], slot: number): WatchPurposes | undefined {
  const purposes = watches.flatMap((watch) =>
    Math.floor(watch / SLOT_WATCHES) === slot ? [watch % SLOT_WATCHES] : [],
  );
  if (purposes.length === 0) return undefined;
  return {
    isAnchor: purposes.includes(ANCHOR_PURPOSE),
    isBuy: purposes.includes(BUY_PURPOSE),
    pairs: purposes.filter((purpose) => purpose >= PAIR_PURPOSE).map((purpose) => purpose - PAIR_PURPOSE),
  };
}

/** True once the realised profit has reached the target (behaviour 8.3). */
export function hasReachedProfit(detail: Pick<LevelDetail, "profit" | "realisedProfit">): boolean {
  return detail.profit > 0 && isAtLeast(detail.realisedProfit, detail.profit);
}

/** Whether the bot may open one more pair of the symbol, were the price right. */
export function mayBuy(bot: LevelBot, detail: LevelDetail): boolean {
  if (!bot.isActive || detail.isRemoved || !canNumberPair(bot)) return false;
  return detail.pairs.length < OPEN_PAIRS_MAX && !hasReachedProfit(detail);
}

/**
 * Returns the level that sets or moves the anchor: without an anchor any new tick, while no pair is open any price over
 * it. After such a price that must be confirmed it is any new tick. A detail that buys no more has no use for an anchor.
 */
export function anchorWatch(bot: LevelBot, detail: LevelDetail): LevelWatch | undefined {
  if (!mayBuy(bot, detail)) return undefined;
  const level = { watch: watchOf(detail.slot, ANCHOR_PURPOSE), symbol: detail.symbol, side: "above" } as const;
  const anyNew = { ...level, level: PRICE_MIN, onlyNewTicks: true };
  if (detail.anchor === null) return anyNew;
  if (detail.pairs.length > 0 || detail.anchor >= PRICE_MAX) return undefined;
  if (detail.before !== null) return anyNew;
  return { ...level, level: detail.anchor + 1 };
}

/** The prices at which the bot buys: at or under anchor - buyGap on the grid, inside the limits. Null: at no price. */
export function buyRange(bot: LevelBot, detail: LevelDetail): PriceRange | null {
  if (detail.anchor === null || !mayBuy(bot, detail)) return null;
  // The greatest grid price at or under the sum.
  const level = nextDown(detail.anchor - detail.buyGap + 1, detail.tickTable);
  if (level === undefined) return null;
  const { low, high } = buyLimits(detail);
  return { low, high: high === null ? level : Math.min(level, high) };
}

/** The prices at which a pair is sold: at or over its sell level, inside the limits. Null: at no price, for now. */
export function sellRange(bot: LevelBot, detail: LevelDetail, pair: LevelPair): PriceRange | null {
  if (!bot.isActive || !canSell(pair) || pair.sellLevel === null || pair.retryAtMs !== null) return null;
  const { low, high } = sellLimits(detail);
  return { low: low === null ? pair.sellLevel : Math.max(pair.sellLevel, low), high };
}

/**
 * Returns the lowest price at which a pair is sold, whether the bot is on or not: its sell level inside the limits. Null
 * until the buy has completed, and if the limits leave no price (behaviour 8.6a).
 */
export function sellTarget(detail: LevelDetail, { sellLevel }: Pick<LevelPair, "sellLevel">): Hundredths | null {
  if (sellLevel === null) return null;
  const { low, high } = sellLimits(detail);
  const target = low === null ? sellLevel : Math.max(sellLevel, low);
  return high === null || target <= high ? target : null;
}

/** Returns the highest price at which the bot buys next; null while it buys at no price (behaviour 8.6). */
export function buyTarget(bot: LevelBot, detail: LevelDetail): Hundredths | null {
  const range = buyRange(bot, detail);
  if (range === null || range.high === null) return null;
  return range.low === null || range.low <= range.high ? range.high : null;
}

/** Returns the lowest price at which one of the open pairs is sold next; null without such a pair (behaviour 8.6). */
export function nextSellTarget(detail: LevelDetail): Hundredths | null {
  const targets = detail.pairs.filter(canSell).flatMap((pair) => sellTarget(detail, pair) ?? []);
  return targets.length === 0 ? null : Math.min(...targets);
}

/** The end of the buy range that the price will come through. */
export function buyEntrance(bot: LevelBot, detail: LevelDetail): Entrance | undefined {
  const range = buyRange(bot, detail);
  return range === null ? undefined : entranceOf(range, detail.buyApproach);
}

/** The end of a pair's sell range that the price will come through. */
export function sellEntrance(bot: LevelBot, detail: LevelDetail, pair: LevelPair): Entrance | undefined {
  const range = sellRange(bot, detail, pair);
  return range === null ? undefined : entranceOf(range, pair.sellApproach);
}

/** The lowest number from 0 up that is not taken. */
export function freeSlot(taken: readonly { readonly slot: number }[]): number {
  const slots = new Set(taken.map(({ slot }) => slot));
  let free = 0;
  while (slots.has(free)) free += 1;
  return free;
}

function watchOf(slot: number, purpose: number): number {
  return slot * SLOT_WATCHES + purpose;
}
