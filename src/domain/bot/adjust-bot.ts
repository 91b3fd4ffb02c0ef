/**
 * The effect of a corporate action on a bot (behaviour 28.6).
 *
 * Owns: limits, lots, gaps, anchors and open pairs on the new base. Does not own: orders that are under way: their pairs
 * do not change.
 *
 * Invariants:
 * 1. An action counts once: the bot keeps its id. A dividend changes nothing.
 * 2. A pair sells at most its lots, times the new shares of one share.
 */
import {
  type Adjustment,
  actionText,
  adjustedDistance,
  adjustedDown,
  adjustedPrice,
  adjustedQuantity,
  type CorporateAction,
  needsClose,
} from "../market/corporate-action.ts";
import { type Hundredths, PRICE_MIN } from "../price/price.ts";
import { QUANTITY_MAX } from "../price/quantity.ts";
import { roundToGrid, type TickTable } from "../price/tick-table.ts";
import type { Bot, BotDetail, PriceLimits } from "./bot.ts";
import { levelsChanged, withSellLevel } from "./level-bot.ts";
import type { LevelBot, LevelDetail, LevelPair } from "./level-bot-levels.ts";
import { adjustPair } from "./pair.ts";
import type { WebhookBot, WebhookDetail } from "./webhook-bot.ts";

/** A level bot after an action; undefined if that counted before. */
export function adjustLevelBot(bot: LevelBot, adjustment: Adjustment, timeMs: number): LevelBot | undefined {
  const counted = countedBy(bot, adjustment);
  if (counted === undefined || !isMoving(bot, adjustment)) return counted;
  const details = bot.details.map((detail) =>
    detail.symbol === adjustment.action.symbol ? levelDetailAfter(detail, adjustment) : detail,
  );
  return levelsChanged({ ...counted, details }, timeMs);
}

/** As `adjustLevelBot`. */
export function adjustWebhookBot(bot: WebhookBot, adjustment: Adjustment): WebhookBot | undefined {
  const counted = countedBy(bot, adjustment);
  if (counted === undefined || !isMoving(bot, adjustment)) return counted;
  const { action, tickTable } = adjustment;
  const details = bot.details.map((detail): WebhookDetail => {
    if (detail.symbol !== action.symbol) return detail;
    const pairs = detail.pairs.map((pair) => adjustPair(pair, adjustment) ?? pair);
    return { ...detail, ...termsAfter(detail, action, tickTable), pairs };
  });
  return { ...counted, details };
}

function countedBy<B extends Bot>(bot: B, { action }: Adjustment): B | undefined {
  const { countedActions = [] } = bot;
  if (countedActions.includes(action.actionId)) return undefined;
  return { ...bot, countedActions: [...countedActions, action.actionId] };
}

function isMoving({ createdAtMs, updatedAtMs }: Bot, { action, sinceMs }: Adjustment): boolean {
  if (action.type === "dividend" || needsClose(action)) return false;
  return sinceMs === null || Math.max(createdAtMs, updatedAtMs ?? 0) < sinceMs;
}

function levelDetailAfter(detail: LevelDetail, adjustment: Adjustment): LevelDetail {
  const { action, tickTable } = adjustment;
  const { anchor, buyGap, sellGap } = detail;
  const after = {
    ...detail,
    ...termsAfter(detail, action, tickTable),
    tickTable,
    buyGap: adjustedDistance(buyGap, action),
    sellGap: adjustedDistance(sellGap, action),
    anchor: anchor === null ? null : Math.max(PRICE_MIN, adjustedDown(anchor, action)),
    before: null,
  };
  return { ...after, pairs: detail.pairs.map((pair) => levelPairAfter(after, pair, adjustment)) };
}

/** A pair without a lot has no level, so that it is not sold. */
function levelPairAfter(detail: LevelDetail, pair: LevelPair, adjustment: Adjustment): LevelPair {
  const after = adjustPair(pair, adjustment);
  if (after === undefined) {
    return { ...pair, sellLevel: null, description: `${actionText(adjustment.action)}: no lot is left to be sold` };
  }
  return after === pair ? pair : withSellLevel(detail, after);
}

function termsAfter({ quantity, limits }: BotDetail, action: CorporateAction, table: TickTable) {
  const priceAfter = (price: Hundredths | null): Hundredths | null =>
    price === null ? null : (roundToGrid(adjustedPrice(price, action), "down", table) ?? null);
  const after: PriceLimits = {
    minBuyPrice: priceAfter(limits.minBuyPrice),
    maxBuyPrice: priceAfter(limits.maxBuyPrice),
    minSellPrice: priceAfter(limits.minSellPrice),
    maxSellPrice: priceAfter(limits.maxSellPrice),
  };
  return { limits: after, quantity: Math.min(QUANTITY_MAX, Math.max(1, adjustedQuantity(quantity, action))) };
}
