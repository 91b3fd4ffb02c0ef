/**
 * Corporate actions of a pending OCO, as its group takes them over (behaviour 28.5).
 *
 * Owns: the terms of the group at the fill. Does not own: the effect of an action on the setup (`setup-adjust.ts`).
 *
 * Invariant: a group of lots that seem to have been bought before an action is held, as their number and their price are of
 * the base before.
 */
import { type BaseMove, isOnOldBase } from "./market/corporate-action.ts";
import type { Corporate } from "./oco/group.ts";

/** Corporate actions of a setup: its group takes the policy and the counted actions over. */
export interface SetupCorporate extends Corporate {
  /** The prices around the last action; absent: not known. */
  readonly move?: BaseMove;
}

/** The terms of the group that a setup makes at a fill price in currency units. */
export function groupCorporate(
  { corporate }: { readonly corporate?: SetupCorporate },
  fillPrice: number,
): { readonly corporate?: Corporate } {
  if (corporate === undefined) return {};
  const { move, ...kept } = corporate;
  if (move === undefined || !isOnOldBase(fillPrice, move))
    return Object.keys(kept).length === 0 ? {} : { corporate: kept };
  const note = `the fill at ${fillPrice} seems to be from before a corporate action: no level fires until you release the group`;
  return { corporate: { ...kept, note, isHeld: true } };
}
