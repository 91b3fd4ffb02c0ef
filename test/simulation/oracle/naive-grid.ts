/**
 * The tick table under 1000 and the levels on it, the plain way: in thousandths, sharing nothing with the engine's
 * rules.
 */

/** Increments, each with the price under which it counts. */
const INCREMENTS = [
  [20_000, 10],
  [50_000, 20],
  [100_000, 50],
  [250_000, 100],
  [500_000, 250],
] as const;
const HIGHEST_INCREMENT = 500;

/** The grid's increment at a price in thousandths of a unit times `scale`. */
function incrementAt(price: number, scale: number): number {
  const band = INCREMENTS.find(([under]) => price < under * scale);
  return (band?.[1] ?? HIGHEST_INCREMENT) * scale;
}

/** The greatest grid price at or under `price`. */
export function gridDown(price: number, scale = 1): number {
  const increment = incrementAt(price, scale);
  return Math.floor(price / increment) * increment;
}

/** The smallest grid price at or over `price`. */
export function gridUp(price: number, scale = 1): number {
  const increment = incrementAt(price, scale);
  return Math.ceil(price / increment) * increment;
}

/** A stop-loss so many tenths of a percent under the fill: the nearest grid price, a tie down, under the fill. */
export function stopLossMilli(fillMilli: number, percentTenths: number): number {
  // Exact in millionths of a unit.
  const exact = fillMilli * (1000 - percentTenths);
  const [below, above] = [gridDown(exact, 1000), gridUp(exact, 1000)];
  const nearest = above - exact < exact - below ? above : below;
  return Math.min(nearest, gridDown(fillMilli * 1000 - 1, 1000)) / 1000;
}

/** A take-profit so many tenths of a percent over the fill: the nearest grid price, a tie up, over the fill. */
export function takeProfitMilli(fillMilli: number, percentTenths: number): number {
  const exact = fillMilli * (1000 + percentTenths);
  const [below, above] = [gridDown(exact, 1000), gridUp(exact, 1000)];
  const nearest = exact - below < above - exact ? below : above;
  return Math.max(nearest, gridUp(fillMilli * 1000 + 1, 1000)) / 1000;
}

/** Where a level bot's pair sells: over the fill by the gap and by the profit, rounded up to the grid. */
export function pairSellMilli(fillMilli: number, gapMilli: number, profitTenths: number): number {
  const byGap = (fillMilli + gapMilli) * 1000;
  const byProfit = fillMilli * (1000 + profitTenths);
  return gridUp(Math.max(byGap, byProfit), 1000) / 1000;
}
