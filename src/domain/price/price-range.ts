/**
 * A range of prices for an action, and the one level that must be watched to notice it.
 *
 * Owns: where a price lies, and through which end the price will come in. Does not own: the action inside.
 *
 * A price that is known to lie over the range can only come in through its high end, a price under it only through its
 * low end. Watching that end alone means that ticks outside the range, which could change nothing, wake no actor.
 */
import type { Hundredths, LivePrice } from "./price.ts";

/** Both ends belong to the range; null = no end on that side. */
export interface PriceRange {
  readonly low: Hundredths | null;
  readonly high: Hundredths | null;
}

export type Side = "under" | "inside" | "over";

/** Where the price was last seen, as far as it is outside: the end through which it will come. */
export type Approach = "under" | "over";

/** The level to be watched: `above` is reached at price >= level, `below` at price <= level. */
export interface Entrance {
  readonly side: "above" | "below";
  readonly level: Hundredths;
}

/** Returns where an exact live price lies. An empty range has no inside, whichever side this returns. */
export function placeOf(price: LivePrice, range: PriceRange): Side {
  if (range.high !== null && price.ceil > range.high) return "over";
  return range.low !== null && price.floor < range.low ? "under" : "inside";
}

/** The end to be watched; undefined when no price lies inside, or every price does. */
export function entranceOf(range: PriceRange, approach: Approach): Entrance | undefined {
  const { low, high } = range;
  if (low !== null && high !== null && low > high) return undefined;
  // A range can have lost the end through which the price was expected: then it can only be at the other one.
  if (high !== null && (approach === "over" || low === null)) return { side: "below", level: high };
  return low === null ? undefined : { side: "above", level: low };
}

/** Whether a price has come to the entrance. */
export function isAtEntrance(price: LivePrice, { side, level }: Entrance): boolean {
  return side === "above" ? price.floor >= level : price.ceil <= level;
}
