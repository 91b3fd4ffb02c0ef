/**
 * The limits of an account: the loss of a day, orders in a minute, the value of an order (behaviour 27).
 *
 * Owns: what own fills have lost, which orders the limits refuse. Does not own: where limits are stored, what a reached
 * loss leads to.
 *
 * Invariants:
 * 1. A fill without a price and lots without a known cost neither gain nor lose.
 * 2. Days only move forward: an exchange of another zone does not bring a day back.
 */
import { adjustedQuantity, adjustedValue, type CorporateAction, changesShares } from "../market/corporate-action.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { BUY, type BuySell } from "./order.ts";

/** Null: no limit. Amounts are in the currency of the account. */
export interface Limits {
  readonly maxDailyLoss: number | null;
  readonly maxOrdersPerMinute: number | null;
  readonly maxOrderValue: number | null;
}

export const NO_LIMITS: Limits = { maxDailyLoss: null, maxOrdersPerMinute: null, maxOrderValue: null };

/** Lots of a symbol whose cost is known. */
export interface CostedLots {
  readonly symbol: string;
  readonly lots: number;
  readonly cost: number;
}

/** What own fills have realised on a day, and the lots that later sells are compared with. */
export interface DayResult {
  /** In days since the epoch, in the zone of the exchange. */
  readonly day: number;
  /** Negative: a loss. */
  readonly realised: number;
  readonly positions: readonly CostedLots[];
}

export interface CountedFill {
  readonly symbol: string;
  readonly buySell: BuySell;
  readonly quantity: number;
  /** What was paid or received for all of it; null: not known. */
  readonly amount: number | null;
}

/** Hundred-thousandths: sums of binary fractions are rounded to what prices can express. */
const AMOUNT_STEP = 100_000;

/** Counts a fill of an own order on `day`. */
export function countFill(before: DayResult, fill: CountedFill, day: number): DayResult {
  const today = onDay(before, day);
  const { symbol, buySell, quantity, amount } = fill;
  if (amount === null) return today;
  const others = today.positions.filter((position) => position.symbol !== symbol);
  const { lots, cost } = today.positions.find((position) => position.symbol === symbol) ?? { lots: 0, cost: 0 };
  if (buySell === BUY) {
    return { ...today, positions: [...others, { symbol, lots: lots + quantity, cost: rounded(cost + amount) }] };
  }
  const sold = Math.min(quantity, lots);
  if (sold === 0) return today;
  const soldCost = (cost * sold) / lots;
  const realised = rounded(today.realised + (amount * sold) / quantity - soldCost);
  const rest = { symbol, lots: lots - sold, cost: rounded(cost - soldCost) };
  return { ...today, realised, positions: rest.lots === 0 ? others : [...others, rest] };
}

/**
 * Returns the lots with their cost on the new base (behaviour 28.9): shares that an action gave cost nothing, and a rights
 * issue lowers the cost like the price. If the action was entered late (`isLate`), lots can have been bought on either
 * base, so that their cost is not known.
 */
export function costsAfter(
  positions: readonly CostedLots[],
  action: CorporateAction,
  isLate: boolean,
): readonly CostedLots[] {
  if (action.type === "dividend") return positions;
  return positions.flatMap((position) => {
    if (position.symbol !== action.symbol) return [position];
    if (isLate || (action.type === "rights" && action.closePrice === null)) return [];
    const { lots, cost } = position;
    if (!changesShares(action)) return [{ ...position, cost: rounded(adjustedValue(cost, action)) }];
    const adjusted = adjustedQuantity(lots, action);
    return adjusted === 0 ? [] : [{ ...position, lots: adjusted }];
  });
}

/** Lots under the new name of a symbol, together with lots that are there already. */
export function renameLots(positions: readonly CostedLots[], from: string, to: string): readonly CostedLots[] {
  const [moved, others] = [
    positions.filter(({ symbol }) => symbol === from || symbol === to),
    positions.filter(({ symbol }) => symbol !== from && symbol !== to),
  ];
  const lots = moved.reduce((sum, position) => sum + position.lots, 0);
  const cost = rounded(moved.reduce((sum, position) => sum + position.cost, 0));
  return lots === 0 ? others : [...others, { symbol: to, lots, cost }];
}

/** Returns the result as it is on `day`: a new day begins with nothing realised. */
export function onDay(result: DayResult, day: number): DayResult {
  return day > result.day ? { ...result, day, realised: 0 } : result;
}

/** Whether the realised loss has reached `maxDailyLoss`. */
export function isLossReached({ maxDailyLoss }: Limits, { realised }: DayResult): boolean {
  return maxDailyLoss !== null && realised <= -maxDailyLoss;
}

/** An order that a client or a bot wants to send; `price`: of one lot, undefined if it is not known. */
interface LimitedOrder {
  readonly quantity: number;
  readonly price: number | undefined;
}

/** Returns why the limits refuse an order; `ordersLastMinute`: without this one. A value that is not known is not judged. */
export function refuseByLimits(
  { maxOrdersPerMinute, maxOrderValue }: Limits,
  { quantity, price }: LimitedOrder,
  ordersLastMinute: number,
): Refusal | undefined {
  const value = price === undefined ? 0 : rounded(quantity * price);
  if (maxOrderValue !== null && value > maxOrderValue) {
    return refuse(
      "ACCOUNT_LIMIT",
      `quantity ${quantity} makes an order of ${value}, above maxOrderValue ${maxOrderValue} of the account`,
    );
  }
  if (maxOrdersPerMinute === null || ordersLastMinute < maxOrdersPerMinute) return undefined;
  return refuse(
    "ACCOUNT_LIMIT",
    `the account has sent ${ordersLastMinute} orders in the last minute, and maxOrdersPerMinute is ${maxOrdersPerMinute}`,
  );
}

function rounded(amount: number): number {
  return Math.round(amount * AMOUNT_STEP) / AMOUNT_STEP;
}
