/**
 * A price alert: a price of a symbol of which its owner wants to be notified (behaviour 29).
 *
 * Owns: the level that an alert waits for, when it ends, and its price after a corporate action. Does not own: which tick
 * reaches a level (the engine), how its owner is notified.
 *
 * Invariants:
 * 1. An alert ends once: with the first price that reaches it unless it repeats, at its time, or by its owner.
 * 2. A repeating alert reports a price only if the last price that turned it was on the other side.
 * 3. A walk through ticks ends in the same state for every division of the same ticks into walks.
 * 4. A corporate action counts once.
 */
import { type Adjustment, adjustedPrice, needsClose } from "./market/corporate-action.ts";
import type { Renaming } from "./market/rename.ts";
import { type Hundredths, type LiveTick, livePrice, PRICE_MAX, PRICE_MIN, type StreamSequence } from "./price/price.ts";
import { type Entrance, isAtEntrance } from "./price/price-range.ts";
import { isFromBefore } from "./price/tick-time.ts";

/** The most alerts that a user can have at a time (behaviour 29.2). */
export const PRICE_ALERTS_MAX = 100;
/** In characters. */
export const ALERT_NOTE_LENGTH_MAX = 200;
/** How long an alert that ended remains in the list of ended alerts (behaviour 29.7). */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

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
  /** When its owner last set its price; absent: at its creation. */
  readonly pricedAtMs?: number;
  /** Prices from before this moment do not count. */
  readonly armedSinceMs: number;
  /** True: nothing of it is kept any more. */
  readonly isOver: boolean;
  /** Corporate actions that have counted. */
  readonly countedActions: readonly string[];
  /** Present: it remains under watch after it was reached. */
  readonly repeats?: true;
  /** Present: it was reached, and waits for a price on the other side. */
  readonly isAway?: true;
  /** The message of the price that turned it last, if that price was read back from the stream. */
  readonly turnedBy?: StreamSequence;
  /** The moment at which it ends; absent: none. */
  readonly untilMs?: number;
  readonly reached?: Reached;
  /** Present: it is over for its owner, and remains in the list of ended alerts. */
  readonly ended?: { readonly type: "reached" | "expired"; readonly timeMs: number };
}

/** The last price that reached an alert, in currency units, and how many did. */
interface Reached {
  readonly count: number;
  readonly price: number;
  readonly timeMs: number;
}

/** A price that can turn an alert. */
type Turn = Pick<LiveTick, "timeMs" | "stored"> & { readonly price: number };

/** The changes that an owner makes. Absent: unchanged; null: taken away. */
export interface AlertChange {
  readonly side?: AlertSide;
  readonly price?: Hundredths;
  readonly note?: string | null;
  readonly repeats?: boolean;
  readonly untilMs?: number | null;
}

/** Whether a price reaches the present level of an alert, which can have been changed after the price came. */
export function isReachedBy(alert: PriceAlert, value: number): boolean {
  const level = levelOf(alert);
  const price = livePrice(value);
  return level !== undefined && price !== undefined && isAtEntrance(price, level);
}

/** Whether an alert is under watch. */
export function isWatching({ isOver, ended }: PriceAlert): boolean {
  return !isOver && ended === undefined;
}

/** Removes an alert. */
export function removeAlert(alert: PriceAlert): PriceAlert {
  return { ...alert, isOver: true };
}

/**
 * The level that an alert waits for: its price, or the nearest hundredth on the other side of that. Undefined if no
 * price is possible there.
 */
export function levelOf({ side, price, isAway }: Pick<PriceAlert, "side" | "price" | "isAway">): Entrance | undefined {
  if (isAway !== true) return { side, level: price };
  if (side === "above") return price > PRICE_MIN ? { side: "below", level: price - 1 } : undefined;
  return price < PRICE_MAX ? { side: "above", level: price + 1 } : undefined;
}

/** Whether an alert must be given every tick in order: a short way to the other side and back counts for it. */
export function countsEveryTick(alert: PriceAlert): boolean {
  return isWatching(alert) && (alert.repeats === true || alert.isAway === true);
}

/** An alert after a price that reaches its level: it was reached, or is armed again. */
export function turnAlert(alert: PriceAlert, { price, timeMs, stored }: Turn): PriceAlert {
  const { isAway, turnedBy: _, ...rest } = alert;
  const turned = {
    ...rest,
    armedSinceMs: Math.max(alert.armedSinceMs, timeMs),
    ...(stored && { turnedBy: { stream: stored.stream, sequence: stored.sequence } }),
  };
  if (isAway === true) return turned;
  const reached = { count: (alert.reached?.count ?? 0) + 1, price, timeMs };
  if (alert.repeats === true) return { ...turned, isAway: true, reached };
  return { ...turned, reached, ended: { type: "reached", timeMs } };
}

/** Walks an alert through ticks. Returns it with the prices that reached it, oldest first. */
export function walkAlert(
  alert: PriceAlert,
  ticks: readonly LiveTick[],
): { readonly alert: PriceAlert; readonly reachedPrices: readonly number[] } {
  let now = alert;
  const reachedPrices: number[] = [];
  for (const tick of ticks) {
    const level = levelOf(now);
    if (level === undefined || !isWatching(now) || tick.symbol !== now.symbol) continue;
    if (isFromBefore(tick, now.armedSinceMs, now.turnedBy) || !isAtEntrance(tick.price, level)) continue;
    if (now.isAway !== true) reachedPrices.push(tick.price.value);
    now = turnAlert(now, { ...tick, price: tick.price.value });
  }
  return { alert: now, reachedPrices };
}

/** The moment at which something of an alert ends: its time under watch, then its place in the list of ended alerts. */
export function alertDeadlineMs({ isOver, ended, untilMs }: PriceAlert): number | null {
  if (isOver) return null;
  return ended === undefined ? (untilMs ?? null) : ended.timeMs + KEPT_MS;
}

/** An alert whose deadline has passed; undefined if it is not due. */
export function passAlertDeadline(alert: PriceAlert, timeMs: number): PriceAlert | undefined {
  const dueMs = alertDeadlineMs(alert);
  if (dueMs === null || dueMs > timeMs) return undefined;
  return isWatching(alert) ? { ...alert, ended: { type: "expired", timeMs: dueMs } } : removeAlert(alert);
}

/**
 * A changed alert; undefined if nothing changes. With another price or direction it is armed at `timeMs`, whether it
 * was reached before or not.
 */
export function changeAlert(alert: PriceAlert, change: AlertChange, timeMs: number): PriceAlert | undefined {
  const { side = alert.side, price = alert.price, note = alert.note } = change;
  const { repeats = alert.repeats === true, untilMs = alert.untilMs ?? null } = change;
  const isMoved = side !== alert.side || price !== alert.price;
  const hasOtherTerms = repeats !== (alert.repeats === true) || untilMs !== (alert.untilMs ?? null);
  if (!isMoved && !hasOtherTerms && note === alert.note) return undefined;
  const { repeats: _, untilMs: __, isAway, turnedBy, ...rest } = alert;
  const place = { ...(isAway && { isAway }), ...(turnedBy && { turnedBy }) };
  return {
    ...{ ...rest, side, price, note, ...(repeats && { repeats }), ...(untilMs !== null && { untilMs }) },
    ...(isMoved ? { pricedAtMs: timeMs, armedSinceMs: Math.max(alert.armedSinceMs, timeMs) } : place),
  };
}

/** An alert under the new name of its symbol (behaviour 30.2); undefined if that has another one. */
export function renameAlert(alert: PriceAlert, { from, to }: Renaming, timeMs: number): PriceAlert | undefined {
  if (alert.symbol !== from) return undefined;
  return { ...rearmed(alert, timeMs), symbol: to };
}

/**
 * An alert after a corporate action of its symbol: the price follows a split, a bonus issue and a rights issue, and is
 * rounded away from the last price. Undefined if the action has counted before.
 */
export function adjustAlert(alert: PriceAlert, adjustment: Adjustment, timeMs: number): PriceAlert | undefined {
  const { action, sinceMs } = adjustment;
  if (alert.countedActions.includes(action.actionId)) return undefined;
  const counted = { ...alert, countedActions: [...alert.countedActions, action.actionId] };
  const isOnNewBase = sinceMs !== null && (alert.pricedAtMs ?? alert.createdAtMs) >= sinceMs;
  if (action.symbol !== alert.symbol || action.type === "dividend" || needsClose(action) || isOnNewBase) return counted;
  const { numerator, denominator } = adjustedPrice(alert.price, action);
  const roundingUp = alert.side === "above" ? denominator - 1n : 0n;
  const price = Number((numerator + roundingUp) / denominator);
  return { ...rearmed(counted, timeMs), price: Math.min(PRICE_MAX, Math.max(PRICE_MIN, price)) };
}

/** An alert for which no price from before `timeMs` counts, wherever that price is in the stream. */
function rearmed({ turnedBy: _, ...alert }: PriceAlert, timeMs: number): PriceAlert {
  return { ...alert, armedSinceMs: Math.max(alert.armedSinceMs, timeMs) };
}
