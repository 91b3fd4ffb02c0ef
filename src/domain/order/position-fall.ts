/**
 * Falls of a position that no own order explains (behaviour 26.4).
 *
 * Owns: which falls are believed. Does not own: reading positions, what follows from a fall.
 */
import { BUY, type BuySell } from "./order.ts";

/** The position of a symbol as the readings and own fills so far show it. */
export interface KnownPosition {
  /** Lots that are held if only own orders have traded; null: not known yet. */
  readonly expected: number | null;
  /** Another reading, which the next one may confirm; null: there was none since the last own fill. */
  readonly suspected: number | null;
}

export const UNKNOWN_POSITION: KnownPosition = { expected: null, suspected: null };

/** Returns the position after own fills. A buy can have several followers here, so it makes the position unknown. */
export function afterFill({ expected }: KnownPosition, buySell: BuySell, quantity: number): KnownPosition {
  return buySell === BUY || expected === null ? UNKNOWN_POSITION : { expected: expected - quantity, suspected: null };
}

/**
 * Returns the position after a reading, and the lots by which it fell. Only two equal readings in a row are believed: a
 * brokerage can report a fill before its positions show it.
 */
export function afterReading(
  before: KnownPosition,
  held: number,
): { readonly position: KnownPosition; readonly fell: number } {
  const { expected, suspected } = before;
  if (held === expected) return { position: { expected, suspected: null }, fell: 0 };
  if (held !== suspected) return { position: { expected, suspected: held }, fell: 0 };
  return { position: { expected: held, suspected: null }, fell: Math.max(0, (expected ?? held) - held) };
}
