/**
 * The number under which the watchbook holds the next price that raises a stop-loss: it says how far under its high the
 * stop-loss lies, so that nobody must look at the group itself to know what a price did to it.
 *
 * Invariant: numbers of raises lie above those of all other watches.
 */
import { RAISE, type TrailingTerms } from "../../src/domain/oco/group.ts";
import type { Watch } from "../../src/machine/effect.ts";

/** What a number says of its stop-loss. */
export interface StopDistance {
  readonly isPercent: boolean;
  /** In hundredths, or in hundredths of a percent. Never more than the real one. */
  readonly distance: number;
  /** True: a high is the lower one of two prices in a row. */
  readonly isConfirmed: boolean;
}

const IS_RAISE = 2 ** 31;
const IS_CONFIRMED = 2 ** 30;
const IS_PERCENT = 2 ** 29;

/** The number of a watch in the watchbook. */
export function numberOf({ watch, trails }: Watch): number {
  return trails === undefined ? watch : raiseNumber(trails);
}

function raiseNumber({ distance, distanceBasisPoints, confirmTicks }: TrailingTerms): number {
  const [amount, kind] = distanceBasisPoints === null ? [distance ?? 0, 0] : [distanceBasisPoints, IS_PERCENT];
  const confirmed = confirmTicks === 2 ? IS_CONFIRMED : 0;
  // A distance that has no room is taken for a smaller one: its stop-loss is looked at sooner than it must be.
  return IS_RAISE + confirmed + kind + Math.min(amount, IS_PERCENT - 1);
}

/** Whether a number is that of a raise. */
export function isRaiseNumber(number: number): boolean {
  return number >= IS_RAISE;
}

/** The watch that a number of the watchbook stands for. */
export function watchOf(number: number): number {
  return isRaiseNumber(number) ? RAISE : number;
}

/** What the number of a raise says. */
export function distanceOf(number: number): StopDistance {
  const rest = number - IS_RAISE;
  const isConfirmed = rest >= IS_CONFIRMED;
  const amount = isConfirmed ? rest - IS_CONFIRMED : rest;
  const isPercent = amount >= IS_PERCENT;
  return { isPercent, isConfirmed, distance: isPercent ? amount - IS_PERCENT : amount };
}
