/** The price of a lot with which a buy is held to the buying power: a brokerage refuses what the account may not pay. */
import { LIMIT, type MARKET } from "../../../../src/domain/order/order.ts";
import type { STOP_ENTRY } from "../../../../src/domain/setup.ts";

/** How far above the expected price a lot at market counts while the highest price of the day is not known: 1%. */
const MARKET_CUSHION = 0.01;

export interface CountedPrice {
  readonly price: number;
  /** The limit of the buy, the highest price of the day, or the expected price with a cushion of 1%. */
  readonly source: "limit" | "ceiling" | "cushion";
}

/**
 * Returns the most that a lot of a buy is counted with: at market it can fill above the expected price, up to the highest
 * price of the day. `expected`: the limit or the trigger, or the last price at market; undefined while it is not known.
 * `ceilingPrice`: of today; undefined if it is not known.
 */
export function countedPrice(
  kind: typeof MARKET | typeof LIMIT | typeof STOP_ENTRY,
  expected: number | undefined,
  ceilingPrice: number | undefined,
): CountedPrice | undefined {
  if (expected === undefined || expected <= 0) return undefined;
  if (kind === LIMIT) return { price: expected, source: "limit" };
  // A trigger above the highest price of today is for another day.
  if (ceilingPrice !== undefined && ceilingPrice >= expected) return { price: ceilingPrice, source: "ceiling" };
  return { price: expected * (1 + MARKET_CUSHION), source: "cushion" };
}
