/** The profit of closed pairs over time. */
import type { ClosedPair } from "../state/model.ts";

/** The running sum at the end of each pair, from what older pairs brought at the first buy to the profit of all. */
export function sumsOf(
  pairs: readonly ClosedPair[],
  total: number,
): { readonly timeMs: number; readonly value: number }[] {
  const closed = pairs
    .map(({ buyOrderDate, sellOrderDate, profit }) => ({
      boughtMs: Date.parse(buyOrderDate ?? ""),
      timeMs: Date.parse(sellOrderDate ?? buyOrderDate ?? ""),
      profit,
    }))
    .sort((left, right) => left.timeMs - right.timeMs);
  const listed = pairs.reduce((sum, { profit }) => sum + profit, 0);
  let rest = listed;
  const sums = closed.map(({ timeMs, profit }, index) => {
    rest -= profit;
    // The last value is exactly the total: the others may be rounded.
    return { timeMs, value: index === closed.length - 1 ? total : total - rest };
  });
  const [first] = closed;
  return first === undefined || !(first.boughtMs < first.timeMs)
    ? sums
    : [{ timeMs: first.boughtMs, value: total - listed }, ...sums];
}
