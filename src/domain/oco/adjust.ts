/**
 * The effect of a corporate action on a group (behaviour 28).
 *
 * Owns: levels and quantities of the rows that follow, trailing and ladder, actions that wait, groups that are held.
 * Does not own: the arithmetic (`market/corporate-action.ts`), when an action counts (the engine).
 *
 * Invariants:
 * 1. An action counts once: the group keeps its id.
 * 2. The quantity of a row that has fired does not change. While the stop-loss is being sold the action waits.
 * 3. The rows together sell at most the lots that they could sell before, times the new shares of one share.
 */
import {
  type Adjustment,
  actionText,
  adjustedDistance,
  adjustedDown,
  adjustedQuantity,
  adjustedStop,
  adjustedTakeProfits,
  adjustedValue,
  type CorporateAction,
  floorOf,
  lessCash,
  needsClose,
} from "../market/corporate-action.ts";
import { formatPrice, type Hundredths, PRICE_MAX, PRICE_MIN, priceToNumber } from "../price/price.ts";
import { QUANTITY_MAX } from "../price/quantity.ts";
import type { TickTable } from "../price/tick-table.ts";
import { withoutTiers } from "./change.ts";
import {
  CANCELLED,
  type Corporate,
  isActive,
  isFlattening,
  isHeldByAction,
  isOpen,
  isStopping,
  type Ladder,
  type OcoGroup,
  type OcoRow,
  STOP_LOSS,
  stopLossOf,
  TRIGGER_FAILED,
  TRIGGERED,
  type Trailing,
  type TrailingTerms,
} from "./group.ts";
import { type Decision, isStopLossSelling, type Notice, soldQuantityOf, unchanged } from "./oco.ts";

/** Applies an action to a group; undefined if it counted before. */
export function adjustGroup(group: OcoGroup, adjustment: Adjustment, timeMs: number): Decision | undefined {
  const { action, sinceMs } = adjustment;
  const { corporate = {} } = group;
  const { counted = [], waiting = [] } = corporate;
  const isKnown = counted.includes(action.actionId) || waiting.some((one) => one.action.actionId === action.actionId);
  if (isKnown) return undefined;
  if (isSelling(group)) return wait(group, adjustment);
  if (!isActive(group)) return unchanged(counting(group, action));
  if (isOnNewBase(group, sinceMs)) {
    return isReachedBy(group, adjustment)
      ? held(group, action, "its levels were set on that day and the new price reaches them")
      : unchanged(counting(group, action));
  }
  if (corporate.policy === "hold") return held(group, action, "its owner wants it so");
  if (isHeldByAction(group)) return held(group, action, "an earlier action holds it");
  return adjusted(group, adjustment, timeMs);
}

/** Adds the actions that waited for the end of the stop-loss's sells; the same decision while they wait. */
export function adjustWaiting(decision: Decision, timeMs: number): Decision {
  const { group } = decision;
  const waiting = group.corporate?.waiting;
  if (waiting === undefined || isSelling(group)) return decision;
  const { waiting: _, ...corporate } = group.corporate ?? {};
  let now: OcoGroup = { ...group, corporate };
  const notices: Notice[] = [...decision.notices];
  for (const adjustment of waiting) {
    const step = adjustGroup(now, adjustment, timeMs);
    if (step === undefined) continue;
    now = step.group;
    notices.push(...step.notices);
  }
  return { ...decision, group: now, notices };
}

/** The owner of a held group lets its levels fire as they are; undefined if it is not held. */
export function releaseGroup(group: OcoGroup, timeMs: number): Decision | undefined {
  if (!isHeldByAction(group)) return undefined;
  const { isHeld: _, ...corporate } = group.corporate ?? {};
  const open = group.rows.flatMap((row, index) => (isOpen(row) ? [index] : []));
  return unchanged(armed({ ...group, corporate }, open, timeMs));
}

/** Whether the stop-loss has fired and more of it can be sold, or its sell can still turn out to have sold nothing. */
function isSelling(group: OcoGroup): boolean {
  return isStopping(group) || group.exit?.pursuit !== undefined || isStopLossSelling(group);
}

function wait(group: OcoGroup, adjustment: Adjustment): Decision {
  const { corporate = {} } = group;
  const waiting = [...(corporate.waiting ?? []), adjustment];
  const note = `${actionText(adjustment.action)}: the stop-loss is being sold, and continues with the lots it had`;
  const notices: Notice[] = [{ type: "oco.adjusted", row: STOP_LOSS, message: note }];
  return { ...unchanged({ ...group, corporate: { ...corporate, note, waiting } }), notices };
}

/** Levels that were made or changed after the change of base are on the new one, if the action came late. */
function isOnNewBase({ createdAtMs, armings = [] }: OcoGroup, sinceMs: number | null): boolean {
  if (sinceMs === null) return false;
  return createdAtMs >= sinceMs || armings.some(([, armedAtMs]) => armedAtMs >= sinceMs);
}

/** Whether the expected price of the new base reaches a level: it was set for the base before. */
function isReachedBy(group: OcoGroup, { move }: Adjustment): boolean {
  if (move === null) return false;
  return group.rows.some((row, index) => {
    if (!isOpen(row)) return false;
    const level = priceToNumber(row.price);
    return index === STOP_LOSS ? !isFlattening(group) && level >= move.to : level <= move.to;
  });
}

function counting(group: OcoGroup, { actionId }: CorporateAction, more: Corporate = {}): OcoGroup {
  const { corporate = {} } = group;
  return { ...group, corporate: { ...corporate, counted: [...(corporate.counted ?? []), actionId], ...more } };
}

function held(group: OcoGroup, action: CorporateAction, why: string): Decision {
  const note = `${actionText(action)}: no level fires until you release the group, as ${why}`;
  const notices: Notice[] = [{ type: "oco.adjusted", row: STOP_LOSS, message: note }];
  return { ...unchanged(counting(group, action, { note, isHeld: true })), notices };
}

/** New levels and quantities by the index of their row. */
interface Adjusted {
  readonly prices: ReadonlyMap<number, Hundredths>;
  readonly quantities: ReadonlyMap<number, number>;
}

function adjusted(group: OcoGroup, { action, tickTable }: Adjustment, timeMs: number): Decision {
  if (needsClose(action)) return held(group, action, "the last close before it is not known");
  const prices = pricesAfter(group, action, tickTable);
  if (prices === undefined) return held(group, action, "a level would lie above every price");
  const quantities = quantitiesAfter(group, action);
  if (quantities === undefined) return held(group, action, "a quantity would be above the greatest one");
  const rows = group.rows.map((row, index) => rowAfter(row, index, { prices, quantities }, timeMs));
  const moved = rows.flatMap((row, index) => (isOpen(row) && row.price !== group.rows[index]?.price ? [index] : []));
  const { trailing, ladder, growth } = group;
  const after: OcoGroup = {
    ...group,
    rows,
    ...(trailing !== undefined && { trailing: trailingAfter(trailing, action, tickTable) }),
    ...(ladder !== undefined && { ladder: ladderAfter(ladder, action, tickTable) }),
    ...(growth !== undefined && { growth: withoutTiers(growth) }),
  };
  const note = `${actionText(action)}: ${changeText(group, after)}`;
  const notices: Notice[] = [{ type: "oco.adjusted", row: STOP_LOSS, message: note }];
  for (const [index, row] of rows.entries()) {
    if (row.status === CANCELLED && isOpen(group.rows[index])) notices.push({ type: "oco.cancelled", row: index });
  }
  return { group: armed(counting(after, action, { note }), moved, timeMs), sells: [], notices };
}

function armed(group: OcoGroup, rows: readonly number[], timeMs: number): OcoGroup {
  if (rows.length === 0) return group;
  const kept = (group.armings ?? []).filter(([row]) => !rows.includes(row) && isOpen(group.rows[row]));
  return { ...group, armings: [...kept, ...rows.map((row) => [row, timeMs] as const)] };
}

/** The stop-loss can still be sold: it is open, or failed while a take-profit is Active. */
function isStopAlive(group: OcoGroup): boolean {
  return isOpen(stopLossOf(group)) || stopLossOf(group).status === TRIGGER_FAILED;
}

/** New levels; with a ladder also of sold take-profits, as a rung leads to their levels. */
function pricesAfter(
  group: OcoGroup,
  action: CorporateAction,
  table: TickTable,
): ReadonlyMap<number, Hundredths> | undefined {
  const prices = new Map<number, Hundredths>();
  const stop = stopLossOf(group);
  const stopAfter = isStopAlive(group) ? adjustedStop(stop.price, action, table) : PRICE_MIN;
  if (stopAfter === undefined) return undefined;
  if (isStopAlive(group)) prices.set(STOP_LOSS, stopAfter);
  if (action.type === "dividend") return prices;
  const follows = (row: OcoRow): boolean =>
    group.ladder === undefined ? isOpen(row) : row.status !== CANCELLED && row.status !== TRIGGER_FAILED;
  const followers = group.rows
    .flatMap((row, index) => (index !== STOP_LOSS && follows(row) ? [{ index, price: row.price }] : []))
    .sort((left, right) => left.price - right.price);
  const levels = adjustedTakeProfits(
    followers.map(({ price }) => price),
    stopAfter,
    action,
    table,
  );
  if (levels === undefined) return undefined;
  for (const [place, { index }] of followers.entries()) prices.set(index, levels[place] ?? PRICE_MAX);
  return prices;
}

/**
 * Of the stop-loss only the lots grow that the take-profits have left. Lots that a take-profit is selling count as sold,
 * as they may be sold before or after. Take-profits that together would be above the stop-loss shrink, the highest first.
 */
function quantitiesAfter(group: OcoGroup, action: CorporateAction): ReadonlyMap<number, number> | undefined {
  const quantities = new Map<number, number>();
  const stop = stopLossOf(group);
  const isGone = (row: OcoRow): boolean => row.status === TRIGGERED || row.isInFlight;
  const inFlight = soldQuantityOf(group, ({ isInFlight }) => isInFlight);
  const sold = Math.min(stop.quantity, soldQuantityOf(group, isGone));
  const left = isStopAlive(group) ? adjustedQuantity(stop.quantity - sold, action) : Number.POSITIVE_INFINITY;
  if (isStopAlive(group)) quantities.set(STOP_LOSS, left === 0 && sold < stop.quantity ? 0 : sold + left);
  const open = group.rows
    .flatMap((row, index) => (index !== STOP_LOSS && isOpen(row) ? [{ index, row }] : []))
    .sort((one, other) => one.row.price - other.row.price);
  let room = isStopAlive(group) ? Math.max(0, sold + left - inFlight) : Number.POSITIVE_INFINITY;
  for (const { index, row } of open) {
    const quantity = Math.min(room, adjustedQuantity(row.quantity, action));
    room -= quantity;
    quantities.set(index, quantity);
  }
  return [...quantities.values()].some((quantity) => quantity > QUANTITY_MAX) ? undefined : quantities;
}

/** A row without lots is Cancelled. */
function rowAfter(row: OcoRow, index: number, { prices, quantities }: Adjusted, timeMs: number): OcoRow {
  const { price = row.price, quantity = row.quantity } = { price: prices.get(index), quantity: quantities.get(index) };
  if (price === row.price && quantity === row.quantity) return row;
  if (quantity > 0) return { ...row, price, quantity, updatedAtMs: timeMs };
  return { ...row, price, status: row.status === TRIGGER_FAILED ? row.status : CANCELLED, updatedAtMs: timeMs };
}

/** The terms of a stop-loss that trails, on the new base. */
export function trailingTermsAfter<T extends TrailingTerms>(
  terms: T,
  action: CorporateAction,
  tickTable: TickTable,
): T {
  if (action.type === "dividend") return terms;
  const { distance, activationPrice, step } = terms;
  const activation = activationPrice === null ? [] : adjustedTakeProfits([activationPrice], 0, action, tickTable);
  return {
    ...terms,
    tickTable,
    distance: distance === null ? null : adjustedDistance(distance, action),
    step: step === null ? null : adjustedDistance(step, action),
    activationPrice: activationPrice === null ? null : (activation?.[0] ?? PRICE_MAX),
  };
}

/** The rungs of a ladder on the new base; a dividend leaves them. */
export function ladderAfter(ladder: Ladder, action: CorporateAction, tickTable: TickTable): Ladder {
  if (action.type === "dividend") return ladder;
  return {
    ...ladder,
    rungs: ladder.rungs.map((rung) => ({ ...rung, offset: adjustedDown(rung.offset, action) })),
    entryPrice: ladder.entryPrice === null ? null : adjustedValue(ladder.entryPrice, action),
    tickTable,
  };
}

/** The high on the new base; a price that waits for the next one to confirm it no longer counts. */
function trailingAfter(trailing: Trailing, action: CorporateAction, table: TickTable): Trailing {
  const { movedFrom: _, ...moving } = trailing;
  const { high } = moving;
  const terms = trailingTermsAfter(moving, action, table);
  if (high === null) return { ...terms, before: null };
  const whole = action.type === "dividend" ? floorOf(lessCash(high, action.cash)) : adjustedDown(high, action);
  return { ...terms, high: Math.max(PRICE_MIN, whole), before: null };
}

function changeText(before: OcoGroup, after: OcoGroup): string {
  const [was, is] = [stopLossOf(before), stopLossOf(after)];
  const rows = after.rows.filter((row, index) => row !== before.rows[index]).length;
  const place = ({ price, quantity }: OcoRow): string => `${formatPrice(price)} for ${quantity} lots`;
  if (rows === 0) return "no level of the group changes";
  if (was === is) return `${rows} take-profits of the group follow`;
  if (is.status === CANCELLED) return "nothing is left to be sold";
  return `the stop-loss was at ${place(was)} and is at ${place(is)} now`;
}
