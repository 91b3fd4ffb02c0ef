/**
 * The number of the watch for the next price that raises a stop-loss. It contains the stop-loss's distance from its high,
 * so that the effect of a price is known without its group.
 *
 * Invariant: numbers of raises are above the numbers of all other watches.
 */
import { RAISE, type TrailingTerms } from "../../src/domain/oco/group.ts";
import type { Watch } from "../../src/machine/effect.ts";

/** The distance of a stop-loss from its high. */
export interface StopDistance {
  readonly isPercent: boolean;
  /** In hundredths, or in hundredths of a percent. At most the real distance. */
  readonly distance: number;
  /** True: a high is the lower of two prices in a row. */
  readonly isConfirmed: boolean;
}

const IS_RAISE = 2 ** 31;
const IS_CONFIRMED = 2 ** 30;
const IS_PERCENT = 2 ** 29;

/** Returns the number of a watch in the watchbook. */
export function numberOf({ watch, trails }: Watch): number {
  return trails === undefined ? watch : raiseNumber(trails);
}

function raiseNumber({ distance, distanceBasisPoints, confirmTicks }: TrailingTerms): number {
  const [amount, kind] = distanceBasisPoints === null ? [distance ?? 0, 0] : [distanceBasisPoints, IS_PERCENT];
  const confirmed = confirmTicks === 2 ? IS_CONFIRMED : 0;
  // A distance that is too large for its bits becomes a smaller one: its group gets ticks earlier than needed.
  return IS_RAISE + confirmed + kind + Math.min(amount, IS_PERCENT - 1);
}

/** Whether a number is the number of a raise. */
export function isRaiseNumber(number: number): boolean {
  return number >= IS_RAISE;
}

/** Returns the watch of a number in the watchbook. */
export function watchOf(number: number): number {
  return isRaiseNumber(number) ? RAISE : number;
}

/** Returns the distance in the number of a raise. */
export function distanceOf(number: number): StopDistance {
  const rest = number - IS_RAISE;
  const isConfirmed = rest >= IS_CONFIRMED;
  const amount = isConfirmed ? rest - IS_CONFIRMED : rest;
  const isPercent = amount >= IS_PERCENT;
  return { isPercent, isConfirmed, distance: isPercent ? amount - IS_PERCENT : amount };
}
