/**
 * Quantities in lots.
 *
 * Owns what a quantity is (behaviour 1.4). Does not own the rules between the quantities of one group.
 */

import { accept, type Result, refuse } from "../refusal.ts";
import { numberText } from "./price.ts";

/** The lowest quantity of an order. */
export const QUANTITY_MIN = 1;

/** The highest quantity of an order. */
export const QUANTITY_MAX = 1_000_000_000;

/** Checks a quantity in lots: an integer from 1 to 1,000,000,000 (5.0 is 5). Refusals are INVALID. */
export function parseQuantity(value: number, field: string): Result<number> {
  if (Number.isInteger(value) && value >= QUANTITY_MIN && value <= QUANTITY_MAX) return accept(value);
  return refuse("INVALID", `${field} ${numberText(value)} is not an integer from ${QUANTITY_MIN} to ${QUANTITY_MAX}`);
}

/**
 * What is due of each quantity when `part` of `whole` lots was filled: rounded down, the rest to the last one. All of
 * them together are at least one lot, single ones may be none.
 */
export function prorate(quantities: readonly number[], part: number, whole: number): readonly number[] {
  const shareOf = (quantity: number): number => Number((BigInt(quantity) * BigInt(part)) / BigInt(whole));
  const total = Math.max(QUANTITY_MIN, shareOf(quantities.reduce((sum, quantity) => sum + quantity, 0)));
  const shares = quantities.map(shareOf);
  const others = shares.slice(0, -1).reduce((sum, share) => sum + share, 0);
  return [...shares.slice(0, -1), total - others];
}
