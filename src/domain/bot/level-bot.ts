/**
 * The level bot: buys when a price has fallen by a gap from an anchor, and sells each buy higher (behaviour 8).
 *
 * Owns: the effects of a price, an answer of the brokerage, the end of a wait and an update. Does not own: which prices
 * the bot waits for (`level-bot-levels.ts`), the orders of a pair (`pair.ts`), valid requests (`level-bot-plan.ts`).
 *
 * Invariants:
 * 1. A price acts only if the present levels allow it: a level that is reached twice, late, or after it was changed
 *    does nothing.
 * 2. A buy moves the anchor to its price in the same step, so that no level is bought at twice.
 * 3. Nothing is ordered while the bot is inactive, nor outside the price limits.
 * 4. `realisedProfit` is the exact sum of the profits of the detail's sold pairs.
 */
import { assert } from "../../assert.ts";
import { NO_AMOUNT, plus } from "../price/amount.ts";
import { countedPrice, firstPrint, isSamePrint } from "../price/confirm.ts";
import { levelBotSellLevel } from "../price/percent.ts";
import {
  type Hundredths,
  type LivePrice,
  type LiveTick,
  livePrice,
  PRICE_MAX,
  PRICE_MIN,
  priceToNumber,
  type StreamSequence,
} from "../price/price.ts";
import { isAtEntrance, placeOf } from "../price/price-range.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import {
  type BotDecision,
  type BotOwner,
  mergeDetails,
  newBot,
  numberPair,
  openPairs,
  ownersChange,
  replaceDetail,
  replacePair,
} from "./bot.ts";
import { askForOrders, type OrderRules, stepOrders } from "./bot-orders.ts";
import {
  anchorWatch,
  buyEntrance,
  buyRange,
  DETAIL_SLOTS,
  freeSlot,
  hasReachedProfit,
  type LevelBot,
  type LevelDetail,
  type LevelPair,
  mayBuy,
  OPEN_PAIRS_MAX,
  purposesOf,
  sellEntrance,
  sellRange,
  type WatchPurposes,
} from "./level-bot-levels.ts";
import type { LevelBotPlan, LevelTerms } from "./level-bot-plan.ts";
import {
  buyOrder,
  type OrderEvent,
  openPair,
  type PairOrder,
  type PairStep,
  type PairSubmit,
  pairProfit,
  sellOrder,
  startSell,
} from "./pair.ts";

/** A failed sell is tried again at the earliest after this (behaviour 8.3). */
const SELL_RETRY_MS = 60_000;

/** A price that reached watched levels, as the index reports it. */
interface LevelsReached {
  readonly watches: readonly number[];
  readonly price: number;
  readonly timeMs: number;
  readonly stored?: StreamSequence | undefined;
  readonly ownTimeMs?: LiveTick["ownTimeMs"];
}

/** The changed detail, and the orders that follow. */
interface DetailStep {
  readonly bot: LevelBot;
  readonly detail: LevelDetail;
  readonly orders: readonly PairSubmit[];
}

/** The bot of a plan: without anchors, without pairs. */
export function createLevelBot(plan: LevelBotPlan, owner: BotOwner, nowMs: number): LevelBot {
  return {
    ...newBot(plan, owner, nowMs),
    levelsChangedAtMs: nowMs,
    levelsChangedBy: null,
    details: mergeTerms([], plan.details),
  };
}

/** `isRunning`: the bot is active, and has something left to buy or to sell (behaviour 8.4). */
export function isLevelBotRunning(bot: LevelBot): boolean {
  return bot.isActive && bot.details.some((detail) => detail.pairs.length > 0 || mayBuy(bot, detail));
}

/** Refuses (INVALID) an update after which more details than can be watched would have open pairs. */
export function checkLevelBotUpdate(bot: LevelBot, plan: LevelBotPlan): Result<void> {
  const symbols = new Set(plan.details.map(({ symbol }) => symbol));
  const left = bot.details.filter(({ pairs, symbol }) => pairs.length > 0 && !symbols.has(symbol));
  if (symbols.size + left.length <= DETAIL_SLOTS) return accept(undefined);
  return refuse("INVALID", `levelBotDetails leaves out too many symbols that still have open pairs (${left.length})`);
}

/**
 * Applies an owner's update. A symbol that remains keeps pairs, profit and, unless its buying starts over, its anchor;
 * the levels of open pairs follow the new gaps. When the bot is switched on, every symbol waits for its first tick.
 */
export function updateLevelBot(bot: LevelBot, plan: LevelBotPlan, timeMs: number): BotDecision<LevelBot> {
  const merged = mergeTerms(bot.details, plan.details);
  assert(merged.length <= DETAIL_SLOTS, "an update was checked before");
  const isSwitchedOn = plan.isActive && !bot.isActive;
  const details = isSwitchedOn ? merged.map(withoutAnchor) : merged;
  const changed = { ...bot, name: plan.name, isActive: plan.isActive, details, ...ownersChange(bot, timeMs) };
  return decided(levelsChanged(changed, timeMs));
}

/** Applies a price that reached levels; returns undefined if it changes nothing. */
export function reachLevels(bot: LevelBot, reached: LevelsReached): BotDecision<LevelBot> | undefined {
  const price = livePrice(reached.price);
  if (!bot.isActive || price === undefined) return undefined;
  let next = bot;
  const orders: PairSubmit[] = [];
  for (const was of bot.details) {
    const purposes = purposesOf(reached.watches, was.slot);
    if (purposes === undefined) continue;
    const step = reachDetail(next, was, purposes, price, reached);
    if (step.detail === was) continue;
    next = { ...step.bot, details: replaceDetail(step.bot.details, was, step.detail) };
    orders.push(...step.orders);
  }
  return next === bot ? undefined : { ...decided(levelsChanged(next, reached.timeMs, reached.stored)), orders };
}

/** Applies an answer or news of an order, also while the bot is inactive; returns undefined if nothing changes. */
export function settleLevelOrder(bot: LevelBot, event: OrderEvent): BotDecision<LevelBot> | undefined {
  return afterOrders(stepOrders(bot, event, orderRules(event.timeMs)), event.timeMs);
}

/**
 * Handles what is due by now: questions about orders, and waits of sells that failed. Returns undefined if nothing is
 * due.
 */
export function passDeadline(bot: LevelBot, timeMs: number): BotDecision<LevelBot> | undefined {
  const asked = afterOrders(askForOrders(bot, orderRules(timeMs)), timeMs);
  const waited = endRetryWaits(asked?.bot ?? bot, timeMs);
  return asked === undefined || waited === undefined ? (asked ?? waited) : { ...asked, bot: waited.bot };
}

/** Levels follow from the held lots: they change with them, and not with facts that are only reported. */
function afterOrders(decision: BotDecision<LevelBot> | undefined, timeMs: number): BotDecision<LevelBot> | undefined {
  if (decision === undefined || (decision.notices.length === 0 && decision.closed.length === 0)) return decision;
  return { ...decision, bot: levelsChanged(decision.bot, timeMs) };
}

/** When the wait of a failed sell ends; null if no wait runs, or the bot is inactive. */
export function nextRetryMs(bot: LevelBot): number | null {
  if (!bot.isActive) return null;
  const waits = openPairs(bot).flatMap(({ pair }) => (pair.retryAtMs === null ? [] : [pair.retryAtMs]));
  return waits.length === 0 ? null : waits.reduce((left, right) => Math.min(left, right));
}

/** Puts pairs whose wait is over back under watch; returns undefined if no wait is over. */
function endRetryWaits(bot: LevelBot, timeMs: number): BotDecision<LevelBot> | undefined {
  const isOver = (pair: LevelPair): boolean => pair.retryAtMs !== null && pair.retryAtMs <= timeMs;
  if (!bot.isActive || !bot.details.some(({ pairs }) => pairs.some(isOver))) return undefined;
  const details = bot.details.map((detail) => ({
    ...detail,
    pairs: detail.pairs.map((pair) => (isOver(pair) ? { ...pair, retryAtMs: null } : pair)),
  }));
  return decided(levelsChanged({ ...bot, details }, timeMs));
}

function reachDetail(
  bot: LevelBot,
  was: LevelDetail,
  purposes: WatchPurposes,
  price: LivePrice,
  { timeMs, ownTimeMs }: LevelsReached,
): DetailStep {
  const sold = reachSells(bot, was, purposes.pairs, price, timeMs);
  const followed = purposes.isAnchor ? followAnchor(bot, sold.detail, price, ownTimeMs) : sold.detail;
  if (!purposes.isBuy) return { bot, detail: followed, orders: sold.orders };
  const bought = reachBuy(bot, followed, price, timeMs);
  return { ...bought, orders: [...sold.orders, ...bought.orders] };
}

/** Sells each pair whose sell range the price has entered; a price beyond it is noted. */
function reachSells(
  bot: LevelBot,
  was: LevelDetail,
  slots: readonly number[],
  price: LivePrice,
  timeMs: number,
): DetailStep {
  let detail = was;
  const orders: PairSubmit[] = [];
  for (const pair of was.pairs) {
    if (!slots.includes(pair.slot)) continue;
    const range = sellRange(bot, was, pair);
    const entrance = sellEntrance(bot, was, pair);
    if (range === null || entrance === undefined || !isAtEntrance(price, entrance)) continue;
    const place = placeOf(price, range);
    const changed = place === "inside" ? startSell(pair, timeMs) : { ...pair, sellApproach: place };
    if (place === "inside") orders.push(sellOrder(changed, was.symbol));
    detail = { ...detail, pairs: replacePair(detail.pairs, changed) };
  }
  return { bot, detail, orders };
}

/** The first price that counts is the anchor; while no pair is open it follows the price up. */
function followAnchor(
  bot: LevelBot,
  detail: LevelDetail,
  live: LivePrice,
  ownTimeMs: LevelsReached["ownTimeMs"],
): LevelDetail {
  const watch = anchorWatch(bot, detail);
  const print = { price: anchorAt(live), ownTimeMs };
  if (watch === undefined || !isAtEntrance(live, watch) || isSamePrint(detail.before, print)) return detail;
  const counted = countedPrice(detail.confirmTicks, detail.before, print);
  const anchor = counted === null || counted < (detail.anchor ?? PRICE_MIN) ? detail.anchor : counted;
  const isNext = anchor === null || (detail.pairs.length === 0 && print.price > anchor);
  return { ...detail, anchor, before: detail.confirmTicks === 2 && isNext ? firstPrint(print) : null };
}

/** The detail that waits for its first price. */
function withoutAnchor(detail: LevelDetail): LevelDetail {
  return { ...detail, anchor: null, before: null };
}

/** A price in the buy range opens a pair and becomes the anchor; a price beyond the range is noted. */
function reachBuy(bot: LevelBot, detail: LevelDetail, price: LivePrice, timeMs: number): DetailStep {
  const range = buyRange(bot, detail);
  const entrance = buyEntrance(bot, detail);
  if (range === null || entrance === undefined || !isAtEntrance(price, entrance)) return { bot, detail, orders: [] };
  const place = placeOf(price, range);
  if (place !== "inside") return { bot, detail: { ...detail, buyApproach: place }, orders: [] };
  const numbered = numberPair(bot, (pairId) => openPair(pairId, detail.quantity, timeMs, anchorAt(price)));
  const pair = inSlot(detail, numbered.pair);
  return {
    bot: numbered.bot,
    detail: { ...detail, anchor: anchorAt(price), before: null, buyApproach: "over", pairs: [...detail.pairs, pair] },
    orders: [buyOrder(pair, detail.symbol)],
  };
}

/** A live price under 0.01 or over 9,999,999 is legal; an anchor is a price of the table. */
function anchorAt(price: LivePrice): Hundredths {
  return Math.min(Math.max(PRICE_MIN, price.floor), PRICE_MAX);
}

function orderRules(timeMs: number): OrderRules<LevelPair, LevelDetail, LevelBot> {
  return {
    timeMs,
    keyOf: ({ symbol }) => symbol,
    isSellKept: () => false,
    react: (_bot, detail, step) => ({ detail: afterOrder(detail, step, timeMs), orders: [] }),
    hold: (_bot, detail, pair) => {
      if (detail.pairs.length >= OPEN_PAIRS_MAX) return undefined;
      const held = withSellLevel(detail, inSlot(detail, pair));
      return { detail: { ...detail, pairs: [...detail.pairs, held] }, orders: [] };
    },
  };
}

function afterOrder(
  detail: LevelDetail,
  { pair, outcome }: Pick<PairStep<LevelPair>, "pair" | "outcome">,
  timeMs: number,
): LevelDetail {
  switch (outcome) {
    case "changed":
    case "buyFailed":
      return detail;
    case "bought": {
      // Late lots without a price leave the level that the others gave.
      const isLevelKept = pair.buy.averagePrice === null && pair.sellLevel !== null;
      const held = isLevelKept ? pair : withSellLevel(detail, pair);
      return { ...detail, pairs: replacePair(detail.pairs, held) };
    }
    case "sellFailed":
      return { ...detail, pairs: replacePair(detail.pairs, { ...pair, retryAtMs: timeMs + SELL_RETRY_MS }) };
    case "sold": {
      const sellPrice = pair.sell.averagePrice === null ? undefined : livePrice(pair.sell.averagePrice);
      const realisedProfit = plus(detail.realisedProfit, pairProfit(pair));
      // Without a price of the sale the next tick is the anchor.
      const anchor = sellPrice === undefined ? null : anchorAt(sellPrice);
      return { ...detail, anchor, before: null, buyApproach: "over", realisedProfit };
    }
  }
}

/** Gives the pair a free slot among the pairs of the detail. */
function inSlot(detail: LevelDetail, pair: PairOrder): LevelPair {
  return { ...pair, slot: freeSlot(detail.pairs), sellLevel: null, sellApproach: "under", retryAtMs: null };
}

/**
 * Gives the pair the sell level of the detail's gaps. If no price is that high, the pair contains a message and
 * remains. A buy whose price never came counts as bought at the price that caused it (behaviour 8.2a).
 */
export function withSellLevel(detail: LevelDetail, pair: LevelPair): LevelPair {
  const { completedAtMs, averagePrice } = pair.buy;
  if (completedAtMs === null) return pair;
  const assumed = pair.causePrice ?? detail.anchor;
  const price = averagePrice ?? (assumed === null ? null : priceToNumber(assumed));
  if (price === null) return { ...pair, description: "no sell level: no price of the buy is known" };
  const level = levelBotSellLevel(price, detail.sellGap / 100, detail.targetProfit, detail.tickTable);
  if (!level.ok) return { ...pair, sellLevel: null, description: `no sell level: ${level.message}` };
  const description = averagePrice === null ? `no price of the buy is known: it counts as ${price}` : pair.description;
  return { ...pair, sellLevel: level.value, description };
}

function mergeTerms(details: readonly LevelDetail[], plans: readonly LevelTerms[]): LevelDetail[] {
  const planned = new Set(plans.map(({ symbol }) => symbol));
  const taken = details.flatMap(({ slot, symbol, pairs }) =>
    pairs.length > 0 || planned.has(symbol) ? [{ slot }] : [],
  );
  return mergeDetails<LevelDetail, LevelTerms>(details, plans, {
    isSame: (detail, terms) => detail.symbol === terms.symbol,
    change: (was, terms) => {
      const detail = { ...was, ...terms, isRemoved: false };
      const isResumed = was.isRemoved || (hasReachedProfit(was) && !hasReachedProfit(detail));
      return {
        ...detail,
        // While nothing could be bought the anchor did not follow the price: it starts over.
        anchor: isResumed ? null : was.anchor,
        before: null,
        pairs: was.pairs.map((pair) => withSellLevel(detail, pair)),
      };
    },
    add: (terms) => {
      const slot = freeSlot(taken);
      taken.push({ slot });
      return {
        ...terms,
        slot,
        isRemoved: false,
        anchor: null,
        before: null,
        buyApproach: "over",
        realisedProfit: NO_AMOUNT,
        pairs: [],
      };
    },
    remove: (detail) => ({ ...detail, isRemoved: true }),
  });
}

function decided(bot: LevelBot): BotDecision<LevelBot> {
  return { bot, orders: [], notices: [], closed: [] };
}

/** Time never goes back: a tick that is caught up may be older than the last change. */
export function levelsChanged(bot: LevelBot, timeMs: number, by?: StreamSequence): LevelBot {
  const levelsChangedBy = by === undefined ? null : { stream: by.stream, sequence: by.sequence };
  return { ...bot, levelsChangedAtMs: Math.max(bot.levelsChangedAtMs, timeMs), levelsChangedBy };
}
