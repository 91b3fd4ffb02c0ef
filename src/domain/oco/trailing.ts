/**
 * A stop-loss that follows the price up (behaviour 19).
 *
 * Owns: which terms are valid, which price raises the stop-loss and to where, the walk of a group through ticks. Does
 * not own: the effects of a fired stop-loss (`oco.ts`), which ticks come and in which order (the engine).
 *
 * Invariants:
 * 1. A tick never lowers the stop-loss; only a change by its owner does.
 * 2. A tick raises the stop-loss or fires it, never both.
 * 3. A walk through ticks ends in the same state for every division of the same ticks into walks.
 */
import { countedPrice, firstPrint, isSamePrint } from "../price/confirm.ts";
import { formatPrice, type Hundredths, type LiveTick, PRICE_MAX, PRICE_MIN, parsePrice } from "../price/price.ts";
import { nextUp, parseGridPrice, roundDownToGrid, type TickTable } from "../price/tick-table.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import {
  armStopLoss,
  changeRows,
  isDue,
  isHeldByAction,
  isOpen,
  type OcoGroup,
  STOP_LOSS,
  stopLossOf,
  type Trailing,
  type TrailingTerms,
} from "./group.ts";
import { type Decision, fireStopLoss, type Notice } from "./oco.ts";

/** A client's request, already of the right shape. */
export interface TrailingRequest {
  readonly distance?: number | undefined;
  readonly distancePercent?: number | undefined;
  readonly activationPrice?: number | undefined;
  readonly step?: number | undefined;
  /** 1 or 2. */
  readonly confirmTicks?: number | undefined;
}

/** A hundredth of a percent, the finest distance in percent. */
const BASIS_POINTS = 10_000;
/** Its owner is notified of a raise at most this often. */
const TOLD_EVERY_MS = 60_000;
/** A level that every price reaches. */
const ANY_PRICE: Hundredths = PRICE_MIN;

/**
 * Checks the terms (behaviour 19.1); `table` is the symbol's tick table. A refusal is INVALID and names field and rule.
 */
export function planTrailing(request: TrailingRequest, table: TickTable): Result<TrailingTerms> {
  const { distance, distancePercent, activationPrice, step, confirmTicks = 2 } = request;
  if ((distance === undefined) === (distancePercent === undefined)) {
    return refuse("INVALID", "stopLossTrailing must have either distance or distancePercent");
  }
  const given = distance === undefined ? accept(null) : parsePrice(distance, "stopLossTrailing.distance");
  if (!given.ok) return given;
  const percent = distancePercent === undefined ? accept(null) : parseBasisPoints(distancePercent);
  if (!percent.ok) return percent;
  const activation =
    activationPrice === undefined
      ? accept(null)
      : parseGridPrice(activationPrice, "stopLossTrailing.activationPrice", table);
  if (!activation.ok) return activation;
  const stepped = step === undefined ? accept(null) : parsePrice(step, "stopLossTrailing.step");
  if (!stepped.ok) return stepped;
  return accept({
    ...{ distance: given.value, distanceBasisPoints: percent.value },
    ...{ activationPrice: activation.value, step: stepped.value, tickTable: table },
    confirmTicks: confirmTicks === 1 ? 1 : 2,
  });
}

function parseBasisPoints(percent: number): Result<number> {
  const points = Math.round(percent * 100);
  if (points >= 1 && points < BASIS_POINTS && points / 100 === percent) return accept(points);
  return refuse(
    "INVALID",
    `stopLossTrailing.distancePercent ${percent} is not a percent from 0.01 to 99.99 with at most two decimals`,
  );
}

/** The terms alone, in one order of fields. */
export function termsOf(terms: TrailingTerms): TrailingTerms {
  const { distance, distanceBasisPoints, activationPrice, step, confirmTicks, tickTable } = terms;
  return { distance, distanceBasisPoints, activationPrice, step, confirmTicks, tickTable };
}

/** The terms as a client gives them. */
export function requestedTrailing(terms: TrailingTerms) {
  const { distance, distanceBasisPoints, activationPrice, step, confirmTicks } = terms;
  return {
    ...(distance !== null && { distance: distance / 100 }),
    ...(distanceBasisPoints !== null && { distancePercent: distanceBasisPoints / 100 }),
    ...(activationPrice !== null && { activationPrice: activationPrice / 100 }),
    ...(step !== null && { step: step / 100 }),
    confirmTicks,
  };
}

/** Terms that have seen no price yet. */
export function beginTrailing(terms: TrailingTerms): Trailing {
  return { ...terms, high: null, before: null, movedBy: null, toldAtMs: null };
}

/** Whether ticks of the group count one by one: its stop-loss trails and can still fire. */
export function isTrailing(group: OcoGroup): group is OcoGroup & { readonly trailing: Trailing } {
  return group.trailing !== undefined && isOpen(stopLossOf(group)) && !isHeldByAction(group);
}

/** Returns the stop-loss level for a high; undefined if no price of the tick table lies there. */
export function stopAt(terms: TrailingTerms, high: Hundredths): Hundredths | undefined {
  const { distance, distanceBasisPoints, tickTable } = terms;
  const exact =
    distanceBasisPoints === null
      ? { numerator: BigInt(high - (distance ?? 0)), denominator: 1n }
      : { numerator: BigInt(high * (BASIS_POINTS - distanceBasisPoints)), denominator: BigInt(BASIS_POINTS) };
  return roundDownToGrid(exact, tickTable);
}

/** The lowest price that matters to the stop-loss at `stop`; undefined if no price does. */
export function nextPriceOf(trailing: Trailing, stop: Hundredths): Hundredths | undefined {
  return trailing.before === null ? nextHighOf(trailing, stop) : ANY_PRICE;
}

/** The lowest price that counts as a new high; undefined if none can. */
function nextHighOf(trailing: Trailing, stop: Hundredths): Hundredths | undefined {
  const { high, activationPrice, step, distance, distanceBasisPoints, tickTable } = trailing;
  if (high === null && activationPrice !== null) return activationPrice;
  if (step !== null) return high === null ? ANY_PRICE : inRange(high + step);
  const target = nextUp(stop, tickTable);
  if (target === undefined) return undefined;
  if (distanceBasisPoints === null) return inRange(target + (distance ?? 0));
  return inRange(Math.ceil((target * BASIS_POINTS) / (BASIS_POINTS - distanceBasisPoints)));
}

function inRange(price: number): Hundredths | undefined {
  return price <= PRICE_MAX ? price : undefined;
}

/** Applies a tick that does not fire the stop-loss; returns undefined if nothing changes. */
function follow(group: OcoGroup, trailing: Trailing, tick: LiveTick): Decision | undefined {
  const price = tick.price.floor;
  const print = { price, ownTimeMs: tick.ownTimeMs };
  const stop = stopLossOf(group).price;
  if (isSamePrint(trailing.before, print)) return undefined;
  const counted = countedPrice(trailing.confirmTicks, trailing.before, print);
  const nextHigh = nextHighOf(trailing, stop);
  const isHigh = counted !== null && nextHigh !== undefined && counted >= nextHigh;
  const high = isHigh ? wholeSteps(trailing, counted) : trailing.high;
  const raisedTo = isHigh && high !== null ? Math.max(stop, stopAt(trailing, high) ?? stop) : stop;
  const raised: Trailing = { ...trailing, high };
  const next = nextHighOf(raised, raisedTo);
  const isFirst = trailing.confirmTicks === 2 && next !== undefined && price >= next;
  const before = isFirst ? firstPrint(print) : null;
  if (high === trailing.high && raisedTo === stop && before === null && trailing.before === null) return undefined;
  return moved(group, { ...raised, before }, raisedTo, tick);
}

/** With a step a high is a whole number of steps above the first one. */
function wholeSteps({ high, step }: Trailing, price: Hundredths): Hundredths {
  return step === null || high === null ? price : high + Math.floor((price - high) / step) * step;
}

function moved(group: OcoGroup, trailing: Trailing, stop: Hundredths, tick: LiveTick): Decision {
  const { timeMs, isCaughtUp, stored } = tick;
  const was = group.trailing;
  const isActivated = was?.high === null && trailing.high !== null && trailing.activationPrice !== null;
  const isRaised = stop !== stopLossOf(group).price;
  const isTold = isRaised && (trailing.toldAtMs === null || timeMs - trailing.toldAtMs >= TOLD_EVERY_MS);
  const notices: Notice[] = [];
  if (isActivated) notices.push({ type: "oco.trailingActivated", row: STOP_LOSS });
  if (isTold) notices.push({ type: "oco.stopRaised", row: STOP_LOSS });
  const rows = isRaised
    ? changeRows(group, [STOP_LOSS], (row) => ({ ...row, price: stop, updatedAtMs: timeMs })).rows
    : group.rows;
  // For a live tick the engine knows the position of the stream, so the arming defines which earlier ones do not count.
  const armed = isCaughtUp ? group : armStopLoss(group, timeMs);
  const movedBy = isCaughtUp ? { timeMs, stored: stored === undefined ? null : sequenceOf(stored) } : trailing.movedBy;
  const { movedFrom: _, ...moving } = trailing;
  const movedFrom = movedFromAt(group, timeMs);
  const after: OcoGroup = {
    ...armed,
    rows,
    trailing: { ...moving, movedBy, ...(movedFrom && { movedFrom }), ...(isTold && { toldAtMs: timeMs }) },
  };
  return { group: after, sells: [], notices, keepsVersion: true };
}

/** Where the stop-loss was before a millisecond, if it was armed before it. */
function movedFromAt(group: OcoGroup, timeMs: number): Trailing["movedFrom"] {
  const known = group.trailing?.movedFrom;
  if (known?.timeMs === timeMs) return known;
  const armedMs = group.armings?.find(([row]) => row === STOP_LOSS)?.[1] ?? group.createdAtMs;
  return armedMs < timeMs ? { timeMs, stop: stopLossOf(group).price } : undefined;
}

/**
 * Whether a tick of the millisecond in which the stop-loss was moved last came after that: one at or under the
 * stop-loss of before would have fired it.
 */
export function cameAfterMove({ trailing }: OcoGroup, { timeMs, price }: LiveTick): boolean {
  const from = trailing?.movedFrom;
  return from?.timeMs === timeMs && price.ceil <= from.stop;
}

function sequenceOf({ stream, sequence }: NonNullable<LiveTick["stored"]>) {
  return { stream, sequence };
}

/**
 * A tick that was read back can have been given before: ticks up to the one which moved the stop-loss last do not
 * count.
 */
function isFromBefore({ movedBy }: Trailing, { isCaughtUp, timeMs, stored }: LiveTick): boolean {
  if (!isCaughtUp || movedBy === null) return false;
  if (stored === undefined || stored.stream !== movedBy.stored?.stream) return timeMs <= movedBy.timeMs;
  return stored.sequence <= movedBy.stored.sequence;
}

/**
 * Walks a group whose stop-loss trails through ticks, in their order; returns undefined if nothing changes. `mayFire`
 * false: its trading is halted, so that the stop-loss only rises.
 */
export function walkTicks(group: OcoGroup, ticks: readonly LiveTick[], mayFire: boolean): Decision | undefined {
  let now = group;
  const notices: Notice[] = [];
  for (const tick of ticks) {
    if (tick.symbol !== group.symbol || !isTrailing(now) || isDue(now, tick.timeMs)) continue;
    if (isFromBefore(now.trailing, tick) && !cameAfterMove(now, tick)) continue;
    if (tick.price.ceil <= stopLossOf(now).price) {
      if (!mayFire) continue;
      const { price, timeMs } = tick;
      const fired = fireStopLoss(now, { price: price.value, timeMs });
      return { ...fired, notices: [...notices, ...fired.notices] };
    }
    const followed = follow(now, now.trailing, tick);
    if (followed === undefined) continue;
    now = followed.group;
    notices.push(...followed.notices);
  }
  return now === group ? undefined : { group: now, sells: [], notices, keepsVersion: true };
}

/** The terms as a client gives them, and their present state, for the plan of a group (behaviour 19.7). */
export function viewTrailing({ trailing }: OcoGroup) {
  if (trailing === undefined) return null;
  const { distance, distanceBasisPoints, activationPrice, step, confirmTicks, high } = trailing;
  const inUnits = (price: Hundredths | null): number | null => (price === null ? null : price / 100);
  return {
    distance: inUnits(distance),
    distancePercent: inUnits(distanceBasisPoints),
    activationPrice: inUnits(activationPrice),
    step: inUnits(step),
    confirmTicks,
    high: inUnits(high),
    isActivated: high !== null || activationPrice === null,
  };
}

/** Refuses terms that no price could ever meet: the activation must lie above the stop-loss (behaviour 19.1). */
export function checkActivation(terms: TrailingTerms | undefined, stopLoss: Hundredths): Result<void> {
  const activation = terms?.activationPrice ?? null;
  if (activation === null || activation > stopLoss) return accept(undefined);
  return refuse(
    "INVALID",
    `stopLossTrailing.activationPrice ${formatPrice(activation)} must be higher than stopLossPrice ${formatPrice(stopLoss)}`,
  );
}
