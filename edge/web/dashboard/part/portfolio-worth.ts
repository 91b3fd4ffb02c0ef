/**
 * An account at the last prices: its positions, and whether the equity that the brokerage states is cash and positions.
 *
 * Invariant: an equity that cash and positions do not explain is never replaced by their sum.
 */
import type { Balance, Position } from "../state/model.ts";

/** Amounts are stated to the hundredth: each of them can be rounded by half of one. */
const ROUNDING = 0.015;

/** Returns the position at a newer price, which moves its profit. `price` undefined: no newer price is known. */
export function atPrice(position: Position, price: number | undefined): Position {
  const { quantity, averagePrice, lastPrice, profit } = position;
  if (price === undefined || price === lastPrice) return position;
  if (lastPrice !== null && profit !== null)
    return { ...position, lastPrice: price, profit: profit + quantity * (price - lastPrice) };
  return { ...position, lastPrice: price, profit: averagePrice > 0 ? quantity * (price - averagePrice) : null };
}

/**
 * Returns what the equity is more than cash and positions at their last prices; undefined if a position has no price. All
 * of them must be of one moment: a price that moved since then would count as a difference.
 */
export function equityBeyond({ cash, equity }: Balance, positions: readonly Position[]): number | undefined {
  let beyond = equity - cash;
  for (const { quantity, lastPrice } of positions) {
    if (quantity === 0) continue;
    if (lastPrice === null) return undefined;
    beyond -= quantity * lastPrice;
  }
  return beyond;
}

/**
 * Returns whether the equity is cash and positions at prices of the time between the answers. The brokerage answers for
 * positions and for money at two moments, and prices move between them. `pricesOf` returns the prices of that time.
 */
export function isCashAndPositions(
  { cash, equity }: Balance,
  positions: readonly Position[],
  pricesOf: (symbol: string) => readonly number[],
): boolean {
  let [least, most] = [cash - ROUNDING, cash + ROUNDING];
  for (const { symbol, quantity, lastPrice } of positions) {
    if (quantity === 0) continue;
    const prices = [...(lastPrice === null ? [] : [lastPrice]), ...pricesOf(symbol)];
    if (prices.length === 0) return false;
    const values = prices.map((price) => price * quantity);
    least += Math.min(...values);
    most += Math.max(...values);
  }
  return equity >= least && equity <= most;
}
