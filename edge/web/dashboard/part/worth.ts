/**
 * What lots are worth: of positions, and at the levels of a group. Amounts are in units of the account's currency.
 *
 * Invariant: undefined is not known, which is never zero.
 */
import { ACTIVE, type OcoRow, type Position, TRIGGERED } from "../state/model.ts";

/** The value of a position at its last price. */
export function marketValueOf({ quantity, lastPrice }: Position): number | undefined {
  return lastPrice === null ? undefined : quantity * lastPrice;
}

/** The profit of a position as a share of what it was bought for. */
export function profitShareOf({ quantity, averagePrice, profit }: Position): number | undefined {
  const cost = quantity * averagePrice;
  return profit === null || cost <= 0 ? undefined : profit / cost;
}

/** The sum of what is known of `items`, and how many are left out because it is not. */
export function sumOf<T>(
  items: readonly T[],
  amountOf: (item: T) => number | undefined,
): { readonly sum: number; readonly missing: number } {
  let sum = 0;
  let missing = 0;
  for (const item of items) {
    const amount = amountOf(item);
    if (amount === undefined) missing += 1;
    else sum += amount;
  }
  return { sum, missing };
}

export interface LevelWorth {
  /** What the lots bring if they are sold at that price. */
  readonly value: number;
  /** What this is more than the lots were bought for; with the share of that. */
  readonly profit: number | undefined;
  readonly profitShare: number | undefined;
}

/**
 * The worth of a row of a group: at its level while it is under watch, at the price that fired it afterwards. Undefined
 * for a row that sold nothing. `averagePrice`: what a lot of the position was bought for, if that is known.
 */
export function worthOfRow(
  row: Pick<OcoRow, "status" | "price" | "triggeredPrice" | "quantity">,
  averagePrice: number | undefined,
): LevelWorth | undefined {
  const price = row.status === ACTIVE ? row.price : row.status === TRIGGERED ? row.triggeredPrice : null;
  if (price === null) return undefined;
  return worthOfLots(row.quantity, price, averagePrice);
}

/** The worth of lots at a price. `averagePrice`: what one of them was bought for, if that is known. */
export function worthOfLots(quantity: number, price: number, averagePrice: number | undefined): LevelWorth {
  const value = price * quantity;
  if (averagePrice === undefined || averagePrice <= 0) return { value, profit: undefined, profitShare: undefined };
  return { value, profit: (price - averagePrice) * quantity, profitShare: price / averagePrice - 1 };
}
