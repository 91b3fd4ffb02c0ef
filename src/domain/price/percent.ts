/**
 * Levels derived from a fill price: percent stop-losses and take-profits, and the level bot's sell level.
 *
 * Owns the exact arithmetic from a fill price and a percent to a price on the tick table (behaviour 4.10, 8.2). Does
 * not own the order of levels within a group, nor when a level is computed.
 *
 * Invariants:
 * 1. Every number counts with its shortest decimal text, and every step before the one rounding is exact.
 * 2. A stop-loss level is on the grid and under the fill price; a take-profit level is on the grid and over it.
 * 3. A level that would not be a price is refused, never clamped into range.
 */

import { assert } from "../../assert.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import { type Fraction, fractionOf, type Hundredths, livePrice, numberText, refusePriceRange } from "./price.ts";
import { nextDown, nextUp, roundToGrid, roundUpToGrid, type TickTable } from "./tick-table.ts";

/** Which way a percent is applied: under the fill price or over it. */
export type PercentKind = "stopLoss" | "takeProfit";

/** A stop-loss percent is under this: 100 percent below the fill price is not a price. */
export const STOP_LOSS_PERCENT_LIMIT = 100;

/** The highest take-profit percent. The specification leaves a bound open; this one is a hundredfold gain. */
export const TAKE_PROFIT_PERCENT_MAX = 10_000;

/** The name of the fill price in a caller's message. */
const FILL_FIELD = "averagePrice";

/**
 * Checks a percent (3 means 3 percent): over 0, and below 100 for a stop-loss or at most 10,000 for a take-profit. Any
 * number of decimals. Refusals are INVALID.
 */
export function parsePercent(value: number, field: string, kind: PercentKind): Result<number> {
  if (!(value > 0)) return refuse("INVALID", `${field} ${numberText(value)} is not a percent greater than 0`);
  if (kind === "stopLoss" && value >= STOP_LOSS_PERCENT_LIMIT) {
    return refuse("INVALID", `${field} ${numberText(value)} is not below ${STOP_LOSS_PERCENT_LIMIT}`);
  }
  if (kind === "takeProfit" && value > TAKE_PROFIT_PERCENT_MAX) {
    return refuse("INVALID", `${field} ${numberText(value)} is over ${TAKE_PROFIT_PERCENT_MAX}`);
  }
  return accept(value);
}

/**
 * Returns the stop-loss price `percent` percent under a fill price in currency units: rounded to the nearest price on
 * the grid, a tie down, and at least one grid price under the fill. Refuses (INVALID) a fill that is not a price, a
 * percent out of range, and a level for which no grid price lies under the fill.
 */
export function stopLossLevel(fillPrice: number, percent: number, table: TickTable = "BIST"): Result<Hundredths> {
  return percentLevel(fillPrice, percent, "stopLoss", table);
}

/**
 * Returns the take-profit price `percent` percent over a fill price in currency units: rounded to the nearest price on
 * the grid, a tie up, and at least one grid price over the fill. Refuses (INVALID) a fill that is not a price, a
 * percent out of range, and a level over 9,999,999.
 */
export function takeProfitLevel(fillPrice: number, percent: number, table: TickTable = "BIST"): Result<Hundredths> {
  return percentLevel(fillPrice, percent, "takeProfit", table);
}

function percentLevel(fillPrice: number, percent: number, kind: PercentKind, table: TickTable): Result<Hundredths> {
  const isStopLoss = kind === "stopLoss";
  const field = isStopLoss ? "stopLossPercent" : "takeProfitPercent";
  const checked = parsePercent(percent, field, kind);
  if (!checked.ok) return checked;
  const fill = livePrice(fillPrice);
  if (fill === undefined) return refusePriceRange(fillPrice, FILL_FIELD);

  const exact = changedByPercent(exactly(fillPrice), exactly(percent), isStopLoss ? -1n : 1n);
  const nearest = roundToGrid(exact, isStopLoss ? "down" : "up", table);
  // Measured from the far side of an off-grid fill, so that the whole hundredths just short of it count as well.
  const adjacent = isStopLoss ? nextDown(fill.ceil, table) : nextUp(fill.floor, table);
  if (nearest === undefined || adjacent === undefined) {
    const given = `${field} ${numberText(percent)} from ${FILL_FIELD} ${numberText(fillPrice)}`;
    return refuse("INVALID", `${given} gives no price on the tick table`);
  }
  return accept(isStopLoss ? Math.min(nearest, adjacent) : Math.max(nearest, adjacent));
}

/**
 * Returns the level bot's sell level for a pair bought at `buyFill`: the greater of `buyFill + sellGap` and `buyFill`
 * raised by `targetProfitPercent` percent, rounded up to the grid (behaviour 8.2). `buyFill` and `sellGap` are in
 * currency units; a gap or profit of 0 asks for nothing. Refuses (INVALID) a fill that is not a price, and a gap or
 * profit that is negative or not finite. Also refuses if no price on the grid is that high.
 */
export function levelBotSellLevel(
  buyFill: number,
  sellGap: number,
  targetProfitPercent: number,
  table: TickTable = "BIST",
): Result<Hundredths> {
  if (livePrice(buyFill) === undefined) return refusePriceRange(buyFill, FILL_FIELD);
  for (const [field, value] of [
    ["sellGap", sellGap],
    ["targetProfit", targetProfitPercent],
  ] as const) {
    if (!(value >= 0 && Number.isFinite(value))) {
      return refuse("INVALID", `${field} ${numberText(value)} is not a number of at least 0`);
    }
  }
  const fill = exactly(buyFill);
  const byGap = hundredthsOf(sum(fill, exactly(sellGap)));
  const byProfit = changedByPercent(fill, exactly(targetProfitPercent), 1n);
  const level = roundUpToGrid(isLess(byGap, byProfit) ? byProfit : byGap, table);
  if (level !== undefined) return accept(level);
  const given = `sellGap ${numberText(sellGap)} and targetProfit ${numberText(targetProfitPercent)}`;
  return refuse("INVALID", `${given} from ${FILL_FIELD} ${numberText(buyFill)} give no price on the tick table`);
}

/** The exact value of a number that was found finite before. */
function exactly(value: number): Fraction {
  const fraction = fractionOf(value);
  assert(fraction !== undefined, `not a finite number: ${value}`);
  return fraction;
}

/** `amount` in currency units changed by `percent` percent, in hundredths: amount x 100 x (100 ± percent) / 100. */
function changedByPercent(amount: Fraction, percent: Fraction, sign: 1n | -1n): Fraction {
  return {
    numerator: amount.numerator * (100n * percent.denominator + sign * percent.numerator),
    denominator: amount.denominator * percent.denominator,
  };
}

/** An amount in currency units as hundredths. */
function hundredthsOf(amount: Fraction): Fraction {
  return { numerator: amount.numerator * 100n, denominator: amount.denominator };
}

function sum(left: Fraction, right: Fraction): Fraction {
  return {
    numerator: left.numerator * right.denominator + right.numerator * left.denominator,
    denominator: left.denominator * right.denominator,
  };
}

function isLess(left: Fraction, right: Fraction): boolean {
  return left.numerator * right.denominator < right.numerator * left.denominator;
}
