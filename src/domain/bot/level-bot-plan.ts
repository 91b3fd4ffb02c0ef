/**
 * Valid level bots (behaviour 8).
 *
 * Owns: the checks of a create or update request. Does not own: the bot's behaviour (`level-bot.ts`).
 */

import type { ConfirmTicks } from "../price/confirm.ts";
import { TAKE_PROFIT_PERCENT_MAX } from "../price/percent.ts";
import { type Hundredths, numberText, parsePrice } from "../price/price.ts";
import type { TickTable } from "../price/tick-table.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import {
  type BotPlan,
  type DetailRequest,
  type DetailTerms,
  parseAtLeastZero,
  planBot,
  planTerms,
  type TableOf,
} from "./bot-plan.ts";

/** One element of `levelBotDetails` as a client sends it, already of the right shape. */
export interface LevelDetailRequest extends DetailRequest {
  readonly buyGap: number;
  readonly sellGap?: number | null | undefined;
  readonly targetProfit?: number | null | undefined;
  readonly profit?: number | null | undefined;
  /** 1 or 2. */
  readonly confirmTicks?: number | undefined;
}

/** A client's request to create or update a level bot. */
export interface LevelBotRequest {
  readonly name: string;
  readonly isActive: boolean;
  readonly levelBotDetails: readonly LevelDetailRequest[];
}

/** A valid detail. */
export interface LevelTerms extends DetailTerms {
  /** How far under the anchor the bot buys; greater than zero. */
  readonly buyGap: Hundredths;
  /** How far over its buy price a pair sells, at least. */
  readonly sellGap: Hundredths;
  /** How many percent over its buy price a pair sells, at least. */
  readonly targetProfit: number;
  /** The realised profit in currency units at which the symbol buys no more; 0 = none. */
  readonly profit: number;
  /** How many prices in a row the anchor takes to follow the price. */
  readonly confirmTicks: ConfirmTicks;
  /** The steps that its levels are on. */
  readonly tickTable: TickTable;
}

export type LevelBotPlan = BotPlan<LevelTerms>;

/** Checks a request; a symbol may be there once. Refusals are INVALID and name the field and the rule. */
export function planLevelBot(request: LevelBotRequest, tableOf: TableOf = () => "BIST"): Result<LevelBotPlan> {
  return planBot(request, request.levelBotDetails, {
    field: "levelBotDetails",
    keyFields: "symbol",
    keyOf: ({ symbol }) => symbol,
    plan: (detail, field) => planLevelTerms(detail, field, tableOf(detail.symbol)),
  });
}

function planLevelTerms(detail: LevelDetailRequest, field: string, tickTable: TickTable): Result<LevelTerms> {
  const terms = planTerms(detail, field, tickTable);
  if (!terms.ok) return terms;
  const buyGap = parseGap(detail.buyGap, `${field}.buyGap`);
  if (!buyGap.ok) return buyGap;
  if (buyGap.value === 0) return refuse("INVALID", `${field}.buyGap must be greater than 0`);
  const sellGap = parseGap(detail.sellGap, `${field}.sellGap`);
  if (!sellGap.ok) return sellGap;
  const targetProfit = parseAtLeastZero(detail.targetProfit, `${field}.targetProfit`);
  if (!targetProfit.ok) return targetProfit;
  if (targetProfit.value > TAKE_PROFIT_PERCENT_MAX) {
    const given = numberText(targetProfit.value);
    return refuse("INVALID", `${field}.targetProfit ${given} is over ${TAKE_PROFIT_PERCENT_MAX}`);
  }
  const profit = parseAtLeastZero(detail.profit, `${field}.profit`);
  if (!profit.ok) return profit;
  return accept({
    ...terms.value,
    buyGap: buyGap.value,
    sellGap: sellGap.value,
    targetProfit: targetProfit.value,
    profit: profit.value,
    confirmTicks: detail.confirmTicks === 2 ? 2 : 1,
    tickTable,
  });
}

/** A gap between prices: 0, null or absent for none, else whole hundredths. */
function parseGap(value: number | null | undefined, field: string): Result<Hundredths> {
  const given = parseAtLeastZero(value, field);
  return given.ok && given.value !== 0 ? parsePrice(given.value, field) : given;
}
