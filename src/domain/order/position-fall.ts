/**
 * Falls of a position that no own order explains (behaviour 26.4).
 *
 * Owns: which falls are believed. Does not own: reading positions, what follows from a fall.
 *
 * Invariant: readings of two bases are never compared: after a corporate action a position is unknown, and a brokerage
 * that shows the new number of shares earlier or later shows no sell (behaviour 28.9).
 */
import { adjustedQuantity, type CorporateAction } from "../market/corporate-action.ts";
import { BUY, type BuySell } from "./order.ts";

/** The position of a symbol as the readings and own fills so far show it. */
export interface KnownPosition {
  /** Lots that are held if only own orders have traded; null: not known yet. */
  readonly expected: number | null;
  /** Another reading, which the next one may confirm; null: there was none since the last own fill. */
  readonly suspected: number | null;
  /** The action whose base the readings are on; null: none is known. */
  readonly actionId: string | null;
  /** Actions that have explained a fall; each explains one. */
  readonly explained: readonly string[];
}

export const UNKNOWN_POSITION: KnownPosition = { expected: null, suspected: null, actionId: null, explained: [] };

/** The corporate actions that change the number of shares of a symbol, as they are at a moment. */
export interface ShareBase {
  /** True: an action counts, and no price of the new base has come: what changes now was not sold. */
  readonly isChanging: boolean;
  /** The last action that the levels have followed; null: none is known. */
  readonly actionId: string | null;
  /** The actions of the days around, in the order in which they apply. */
  readonly near: readonly CorporateAction[];
}

export const SAME_BASE: ShareBase = { isChanging: false, actionId: null, near: [] };

/** Whether readings of the one moment can be compared with readings of the other. */
export function isSameBase(before: ShareBase, now: ShareBase): boolean {
  return !before.isChanging && !now.isChanging && before.actionId === now.actionId;
}

/** Returns the position after own fills. A buy can have several followers here, so it makes the position unknown. */
export function afterFill(before: KnownPosition, buySell: BuySell, quantity: number): KnownPosition {
  const { expected } = before;
  return { ...before, expected: buySell === BUY || expected === null ? null : expected - quantity, suspected: null };
}

/**
 * Returns the position after a reading, and the lots by which it fell. Only two equal readings in a row are believed: a
 * brokerage can report a fill before its positions show it.
 */
export function afterReading(
  before: KnownPosition,
  held: number,
  base: ShareBase = SAME_BASE,
): { readonly position: KnownPosition; readonly fell: number } {
  const { actionId, isChanging, near } = base;
  const unknown = { ...before, expected: null, suspected: null, actionId };
  if (isChanging) return { position: unknown, fell: 0 };
  const known = before.actionId === actionId ? before : unknown;
  const { expected, suspected, explained } = known;
  if (held === expected) return { position: { ...known, suspected: null }, fell: 0 };
  if (held !== suspected) return { position: { ...known, suspected: held }, fell: 0 };
  const position = { ...known, expected: held, suspected: null };
  if (expected === null || held >= expected) return { position, fell: 0 };
  const reasons = explainedBy(
    near.filter((action) => !explained.includes(action.actionId)),
    expected,
    held,
  );
  if (reasons.length === 0) return { position, fell: expected - held };
  return { position: { ...position, explained: [...explained, ...reasons] }, fell: 0 };
}

/**
 * Returns the ids of the actions that make `held` of the lots before; none if no actions in a row do. Brokerages round
 * fractions of a share up or down.
 */
function explainedBy(actions: readonly CorporateAction[], before: number, held: number): readonly string[] {
  for (const [first] of actions.entries()) {
    let lots = before;
    for (const [place, action] of actions.entries()) {
      if (place < first) continue;
      lots = adjustedQuantity(lots, action);
      if (held === lots || held === lots + 1) return actions.slice(first, place + 1).map(({ actionId }) => actionId);
    }
  }
  return [];
}
