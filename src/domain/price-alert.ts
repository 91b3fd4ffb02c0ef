/**
 * A price alert: a price of a symbol of which its owner wants to be notified once (behaviour 29).
 *
 * Owns: when an alert ends, and its price after a corporate action. Does not own: when a price reaches it (the engine),
 * how its owner is notified.
 *
 * Invariants:
 * 1. An alert ends once: with the first price that reaches it, or by its owner.
 * 2. A corporate action counts once.
 */
import { type Adjustment, adjustedPrice, needsClose } from "./market/corporate-action.ts";
import type { Renaming } from "./market/rename.ts";
import { type Hundredths, PRICE_MAX, PRICE_MIN } from "./price/price.ts";

/** The most alerts that a user can have at a time (behaviour 29.2). */
export const PRICE_ALERTS_MAX = 100;
/** In characters. */
export const ALERT_NOTE_LENGTH_MAX = 200;

/** `above` is reached by a price of at least the alert's price, `below` by one of at most that. */
type AlertSide = "above" | "below";

/** Moments are in epoch milliseconds. */
export interface PriceAlert {
  readonly version: 1;
  readonly alertId: number;
  readonly userId: number;
  readonly symbol: string;
  readonly side: AlertSide;
  readonly price: Hundredths;
  readonly note: string | null;
  /** Its place among the alerts of its owner, from 0 on: no other live alert has it. */
  readonly slot: number;
  readonly createdAtMs: number;
  /** Prices from before this moment do not count. */
  readonly armedSinceMs: number;
  readonly isOver: boolean;
  /** Corporate actions that have counted. */
  readonly countedActions: readonly string[];
}

/** Ends an alert. */
export function endAlert(alert: PriceAlert): PriceAlert {
  return { ...alert, isOver: true };
}

/** An alert under the new name of its symbol (behaviour 30.2); undefined if that has another one. */
export function renameAlert(alert: PriceAlert, { from, to }: Renaming, timeMs: number): PriceAlert | undefined {
  if (alert.symbol !== from) return undefined;
  return { ...alert, symbol: to, armedSinceMs: Math.max(alert.armedSinceMs, timeMs) };
}

/**
 * An alert after a corporate action of its symbol: the price follows a split, a bonus issue and a rights issue, and is
 * rounded away from the last price. Undefined if the action has counted before.
 */
export function adjustAlert(alert: PriceAlert, adjustment: Adjustment, timeMs: number): PriceAlert | undefined {
  const { action, sinceMs } = adjustment;
  if (alert.countedActions.includes(action.actionId)) return undefined;
  const counted = { ...alert, countedActions: [...alert.countedActions, action.actionId] };
  const isOnNewBase = sinceMs !== null && alert.createdAtMs >= sinceMs;
  if (action.symbol !== alert.symbol || action.type === "dividend" || needsClose(action) || isOnNewBase) return counted;
  const { numerator, denominator } = adjustedPrice(alert.price, action);
  const roundingUp = alert.side === "above" ? denominator - 1n : 0n;
  const price = Number((numerator + roundingUp) / denominator);
  return {
    ...counted,
    price: Math.min(PRICE_MAX, Math.max(PRICE_MIN, price)),
    armedSinceMs: Math.max(alert.armedSinceMs, timeMs),
  };
}
