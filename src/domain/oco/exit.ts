/**
 * How a fired stop-loss is sold until its last lot is sold (behaviour 14).
 *
 * Owns: when the next order leaves and with how many lots, the row's message until then, how the exit ends.
 * Does not own: the end of one order (`order/sell-end.ts`), the first order (`oco.ts`), sending and cancelling.
 *
 * Invariants:
 * 1. An order of the exit leaves only while no other order of the stop-loss is unanswered, open or in doubt.
 * 2. Each order has a number of its own; a number is used once.
 * 3. An order sells the rest: the lots of the stop-loss without the lots that ended orders have sold, late fills
 *    included, and with the oversell guard without the lots of the take-profits.
 * 4. Once an exit was stopped, no order of it leaves.
 * 5. A calendar can be wrong: it delays an order by a quarter of an hour at most, and ends nothing.
 */

import { CLOSED_PAUSE_MS, type Market, marketDayOf, opensAtMs } from "../market/calendar.ts";
import type { HeldLots } from "../order/sell-ledger.ts";
import { priceToNumber } from "../price/price.ts";
import {
  ACTIVE,
  changeRows,
  type Exit,
  exitPolicyOf,
  isActive,
  isFlattening,
  isOpen,
  type OcoGroup,
  type OcoRow,
  type Pursuit,
  STOP_LOSS,
  stopLossOf,
  TRIGGER_FAILED,
} from "./group.ts";
import {
  type Decision,
  endWith,
  failStopLoss,
  fireStopLoss,
  isStopLossSelling,
  isStopLossUnsold,
  leftOfStopLoss,
  type Notice,
  unchanged,
} from "./oco.ts";
import { numberedSellName } from "./sell-name.ts";
import { soldText } from "./sold-text.ts";

/** Orders of one exit on one day of the exchange (behaviour 14.2). */
const EXIT_ORDERS_A_DAY_MAX = 100;
/** The pauses before the second order and those after it; the last one repeats. */
const PAUSES_MS = [0, 1_000, 5_000, 30_000, 60_000];
/** How often an exit checks again while even stop-losses are halted. */
const HALTED_PAUSE_MS = 60_000;
/** A cancel that had no effect yet is asked for again. */
const RECALL_AGAIN_MS = 10_000;
const STOPPED_BY_OWNER = "stopped by its owner";
const NOTHING_HELD = "the account was just known to hold no more";

interface Moment {
  readonly timeMs: number;
  /** Whether no other group has taken this one's place since; absent: not known. */
  readonly mayReclaim?: boolean | undefined;
  /** True: no order may leave, as even stop-losses are halted (behaviour 18.3). */
  readonly isHalted?: boolean | undefined;
  /** Where the next order is sent; absent: not known. */
  readonly market?: Market | undefined;
}

/**
 * Sells the stop-loss immediately, at any price, and pursues it from its first order on: an order that is not filled is
 * followed by the next (behaviour 18.5). Undefined for a group that `flatten` did not make, or that has fired.
 */
export function sellNow(group: OcoGroup, timeMs: number): Decision | undefined {
  if (!isFlattening(group) || !isOpen(stopLossOf(group))) return undefined;
  const fired = fireStopLoss(group, { price: null, timeMs });
  return { ...fired, group: change(fired.group, {}) };
}

/** Pursues the stop-loss after an order of it ended with a rest. */
export function pursue(group: OcoGroup): OcoGroup {
  return change(group, {});
}

/**
 * Its owner cancelled an order of the stop-loss by hand: no further order leaves, also not for a take-profit's rest.
 */
export function leaveToOwner(group: OcoGroup): OcoGroup {
  const stopLoss = exitPolicyOf(group);
  return stopLoss === "once" ? group : { ...group, exit: { stopLoss, ...group.exit, isStopped: true } };
}

/** Cancels an order that sells more than is left now; the exit continues with the rest. */
export function recallExcess(group: OcoGroup): OcoGroup {
  if (group.exit?.pursuit === undefined || !isStopLossSelling(group)) return group;
  return change(group, { isRecalled: true, nextAtMs: null });
}

/**
 * Whether a failed stop-loss can be Active again: all of its orders are settled, so that nothing of it can be sold any
 * more, and a take-profit is Active still (behaviour 15.7).
 */
export function canRearm(group: OcoGroup): boolean {
  const { status } = stopLossOf(group);
  const isSettled = group.stopLossOrdersOpen === 0 && group.followed.every(({ row }) => row !== STOP_LOSS);
  return status === TRIGGER_FAILED && isSettled && group.exit?.pursuit === undefined && isActive(group);
}

/**
 * A failed stop-loss is Active again at `timeMs`, as if it had not fired. Its next order has the next number. What was
 * armed when it failed keeps that moment.
 */
export function rearmStopLoss(group: OcoGroup, timeMs: number): OcoGroup {
  const { updatedAtMs } = stopLossOf(group);
  const failedAtMs = Math.max(group.createdAtMs, updatedAtMs ?? 0);
  const active = group.rows.flatMap((row, index) => (index !== STOP_LOSS && row.status === ACTIVE ? [index] : []));
  const own = new Map(group.armings ?? []);
  const armings = active.map((index) => [index, Math.max(failedAtMs, own.get(index) ?? 0)] as const);
  const rearmed = changeRow(group, {
    ...{ status: ACTIVE, isInFlight: false, triggeredPrice: null, triggeredAtMs: null },
    ...{ triggerErrorMessage: null, unsoldQuantity: 0, updatedAtMs: timeMs },
  });
  const exit = { stopLoss: exitPolicyOf(group), orderCount: orderCountOf(group) + 1 };
  return { ...rearmed, exit, armings: [...armings, [STOP_LOSS, timeMs]] };
}

/** Whether the stop-loss has fired, and more of it may be sold (behaviour 14.4). */
export function isExiting(group: OcoGroup): boolean {
  return stopLossOf(group).triggeredAtMs !== null && (group.exit?.pursuit !== undefined || isStopLossSelling(group));
}

/** Its owner ends the exit: an open order is cancelled, and no other one leaves (behaviour 14.4). */
export function stopExit(group: OcoGroup): Decision | undefined {
  if (!isExiting(group) || group.exit?.pursuit?.stop?.isByOwner === true) return undefined;
  const stopped = change(group, { stop: { reason: STOPPED_BY_OWNER, isByOwner: true }, nextAtMs: null });
  return unchanged(stopped);
}

/**
 * Decides the exit's next step after any event of the group: it waits for the order in progress, sends the next one, or
 * ends. Returns the same decision for a group whose stop-loss is not pursued.
 */
export function carryOn(decision: Decision, moment: Moment): Decision {
  const { group } = decision;
  const pursuit = group.exit?.pursuit;
  if (pursuit === undefined) return decision;
  const { nextAtMs, stop, isRecalled } = pursuit;
  const { timeMs } = moment;
  const isDue = nextAtMs === null || nextAtMs <= timeMs;
  if (isStopLossSelling(group)) {
    if (stop?.isByOwner === true || isRecalled) return isDue ? recall(decision, timeMs) : decision;
    return nextAtMs === null ? decision : { ...decision, group: change(group, { nextAtMs: null }) };
  }
  if (leftOfStopLoss(group) <= 0) return finish(decision, timeMs);
  if (stop !== null) return end(decision, stop.reason, moment);
  if (nextAtMs === null || isRecalled) {
    const pauseMs =
      isRecalled || isSliceSold(group) ? 0 : (PAUSES_MS[Math.min(orderCountOf(group), PAUSES_MS.length) - 1] ?? 0);
    const waiting = { ...decision, group: change(group, { isRecalled: false }) };
    const openMs = opensAtMs(moment.market, timeMs) ?? opensAtMs(moment.market, timeMs + pauseMs);
    if (openMs !== undefined) return waitForSession(waiting, openMs, timeMs);
    const scheduled = change(waiting.group, { nextAtMs: timeMs + pauseMs });
    return pauseMs === 0
      ? sendNext({ ...decision, group: scheduled }, moment)
      : { ...decision, group: noteProgress(scheduled, timeMs) };
  }
  return isDue ? sendNext(decision, moment) : decision;
}

/** The market is closed by its calendar: the next order leaves when it opens, or is tried before (behaviour 21.3). */
function waitForSession(decision: Decision, untilMs: number, timeMs: number): Decision {
  const nextAtMs = Math.min(untilMs, timeMs + CLOSED_PAUSE_MS);
  const group = noteProgress(change(decision.group, { nextAtMs, isForSession: true, opensAtMs: untilMs }), timeMs);
  return { ...decision, group, notices: noticesOfWait(decision, untilMs) };
}

/** The notices of a decision whose exit waits for the market to open: its owner is notified once for each wait. */
function noticesOfWait({ group, notices }: Decision, untilMs: number): Decision["notices"] {
  return isSessionWaitTold(group) ? notices : [...notices, { type: "oco.waitsForSession", row: STOP_LOSS, untilMs }];
}

/** Whether the owner of the group was notified that its exit waits for the market to open. */
export function isSessionWaitTold({ exit }: OcoGroup): boolean {
  return exit?.pursuit?.isForSession === true;
}

/** How far the exit of a stop-loss is (behaviour 14.5). */
export const EXIT_STATES = ["none", "selling", "waiting", "stopping", "sold", "ended"] as const;

/** The possible causes of a stop-loss's sale. */
export const EXIT_REASONS = ["price", "time", "flatten"] as const;

interface ExitView {
  readonly state: (typeof EXIT_STATES)[number];
  /** The cause of the stop-loss's sale; null: nothing yet. */
  readonly reason: (typeof EXIT_REASONS)[number] | null;
  readonly soldQuantity: number;
  readonly leftQuantity: number;
  /** Orders by their numbers so far. */
  readonly orderCount: number;
  /** When the next order leaves; null if no order waits. */
  readonly nextAtMs: number | null;
  /** True: that is when the market opens. */
  readonly waitsForSession: boolean;
}

/** Returns the present state of a group's exit. */
export function viewExit(group: OcoGroup): ExitView {
  const isFired = stopLossOf(group).triggeredAtMs !== null;
  const state = isFired ? firedStateOf(group) : "none";
  const waitsForSession = state === "waiting" && isSessionWaitTold(group);
  return {
    state,
    reason: exitReasonOf(group),
    soldQuantity: group.stopLossSoldQuantity,
    leftQuantity: Math.max(0, leftOfStopLoss(group)),
    // After the stop-loss was armed again its next order has its number already.
    orderCount: isFired ? orderCountOf(group) : (group.exit?.orderCount ?? 1) - 1,
    nextAtMs: state === "waiting" ? (waitsForSession ? opensAtMsOf(group) : exitDeadlineMs(group)) : null,
    waitsForSession,
  };
}

/** Returns the cause of the stop-loss's sale; null: nothing yet. */
export function exitReasonOf(group: OcoGroup): ExitView["reason"] {
  const { triggeredAtMs, triggeredPrice } = stopLossOf(group);
  if (triggeredAtMs === null) return null;
  if (isFlattening(group)) return "flatten";
  return triggeredPrice === null ? "time" : "price";
}

function firedStateOf(group: OcoGroup): ExitView["state"] {
  const pursuit = group.exit?.pursuit;
  if ((pursuit?.stop ?? null) !== null) return "stopping";
  if (isStopLossSelling(group)) return "selling";
  if (pursuit !== undefined) return "waiting";
  return leftOfStopLoss(group) <= 0 ? "sold" : "ended";
}

/** When the exit acts by itself; null if it waits for an order, or does not exist. */
export function exitDeadlineMs(group: OcoGroup): number | null {
  return group.exit?.pursuit?.nextAtMs ?? null;
}

/** An older edition stored the opening as the moment of the next order. */
function opensAtMsOf(group: OcoGroup): number | null {
  return group.exit?.pursuit?.opensAtMs ?? exitDeadlineMs(group);
}

function sendNext(decision: Decision, moment: Moment): Decision {
  const { timeMs } = moment;
  if (moment.isHalted === true) {
    // The message reports a rest: without it nothing would show that the exit still waits.
    const halted = noteProgress(change(decision.group, { nextAtMs: timeMs + HALTED_PAUSE_MS }), timeMs);
    return { ...decision, group: halted };
  }
  // A moment that passed while no engine ran may be of the night, and the order leaves now.
  const leavesAtMs = Math.max(timeMs, moment.market?.nowMs ?? timeMs);
  const openMs = opensAtMs(moment.market, leavesAtMs);
  const isClosed = openMs !== undefined;
  const group = change(decision.group, { isForSession: isClosed, ...(isClosed && { opensAtMs: openMs }) });
  const today = marketDayOf(moment.market, leavesAtMs);
  const { day, ordersToday } = pursuitOf(group);
  // The first order is not of this module: it left on the day of the trigger.
  const isFirstDay = orderCountOf(group) === 1 && marketDayOf(moment.market, triggeredAtMsOf(group)) === today;
  // An order that was capped and sold all of its lots made way: it does not count.
  const counted = isSliceSold(group) ? Math.max(0, ordersToday - 1) : ordersToday;
  const count = day === today || isFirstDay ? counted : 0;
  if (count >= EXIT_ORDERS_A_DAY_MAX && !isClosed) {
    return end(decision, `${EXIT_ORDERS_A_DAY_MAX} orders of one day did not sell it`, moment);
  }
  const orderCount = orderCountOf(group) + 1;
  const quantity = leftOfStopLoss(group);
  const sent = change(
    noteProgress(group, timeMs),
    { day: today, ordersToday: isClosed ? count : count + 1, nextAtMs: null, sliceEndsAt: null },
    { orderCount },
  );
  const name = numberedSellName(group.groupId, orderCount);
  return {
    ...decision,
    group: { ...sent, stopLossOrdersOpen: sent.stopLossOrdersOpen + 1 },
    // The floor of the day on which the market opens is not known before: an order at today's floor could rest above
    // the price.
    sells: [...decision.sells, { name, row: STOP_LOSS, quantity, isAtFloor: !isClosed }],
    notices: isClosed ? noticesOfWait(decision, openMs) : decision.notices,
  };
}

/**
 * Limits the decision's orders of the stop-loss to `lotsMax` lots. The next order leaves when the one before has ended,
 * for every policy of the exit (behaviour 23.5).
 */
export function sliceStopLoss(decision: Decision, lotsMax: number | undefined): Decision {
  const sells = decision.sells.filter(({ row }) => row === STOP_LOSS);
  if (lotsMax === undefined || sells.every(({ quantity }) => quantity <= lotsMax)) return decision;
  const sliced = decision.sells.map((sell) => {
    return sell.row === STOP_LOSS ? { ...sell, quantity: Math.min(sell.quantity, lotsMax) } : sell;
  });
  const sliceEndsAt = decision.group.stopLossSoldQuantity + lotsMax;
  return { ...decision, group: change(decision.group, { sliceEndsAt }), sells: sliced };
}

/**
 * Limits the decision's orders of the stop-loss to the lots that the account held before the fills that led to it. A fill
 * of an order that is older than the reading is not deducted, as the reading can contain it. Without a lot to sell, no
 * order leaves and the exit ends (behaviour 26.3).
 */
export function capAtHeld(decision: Decision, heldBefore: HeldLots, moment: Moment): Decision {
  const heldMax = heldBefore.lots - filledIn(decision, heldBefore);
  if (heldMax > 0) return sliceStopLoss(decision, heldMax);
  const sells = decision.sells.filter(({ row }) => row !== STOP_LOSS);
  const droppedCount = decision.sells.length - sells.length;
  if (droppedCount === 0) return decision;
  const stopLossOrdersOpen = decision.group.stopLossOrdersOpen - droppedCount;
  const group = endWith(change({ ...decision.group, stopLossOrdersOpen }, {}), NOTHING_HELD);
  return carryOn({ ...decision, group, sells }, moment);
}

function filledIn({ told = [] }: Decision, { ordersSince }: HeldLots): number {
  const isSince = (name: string | null): boolean => name !== null && ordersSince.has(name);
  const fills = told.flatMap(({ execution, facts }) => (isSince(execution.clientOrderId) ? facts : []));
  return fills.reduce((sum, fact) => {
    return fact.type === "filled" || fact.type === "filledAfterEnd" ? sum + fact.quantity : sum;
  }, 0);
}

/** The highest price that the rows of a group name, a level or what fired it, in currency units. */
export function highestPriceOf({ rows }: OcoGroup): number {
  return Math.max(...rows.map(({ price, triggeredPrice }) => Math.max(priceToNumber(price), triggeredPrice ?? 0)));
}

/** Whether the order before was smaller than the rest, by a cap, and sold all of its lots. */
function isSliceSold({ exit, stopLossSoldQuantity }: OcoGroup): boolean {
  const sliceEndsAt = exit?.pursuit?.sliceEndsAt ?? null;
  return sliceEndsAt !== null && stopLossSoldQuantity >= sliceEndsAt;
}

function recall(decision: Decision, timeMs: number): Decision {
  const group = change(decision.group, { nextAtMs: timeMs + RECALL_AGAIN_MS });
  return { ...decision, group, isRecalling: true };
}

/** All of it is sold. */
function finish(decision: Decision, timeMs: number): Decision {
  const { group } = decision;
  const count = orderCountOf(group);
  const sold = { triggerErrorMessage: null, unsoldQuantity: 0, updatedAtMs: timeMs };
  const notice: Notice = {
    type: "oco.exitCompleted",
    row: STOP_LOSS,
    message: `${group.stopLossSoldQuantity} lots sold with ${count} ${count === 1 ? "order" : "orders"}`,
  };
  const isStopped = pursuitOf(group).stop !== null;
  const finished = changeRow({ ...withoutPursuit(group, isStopped), cancelledByStopLoss: [] }, sold);
  return { ...decision, group: finished, notices: [...decision.notices, notice] };
}

/** Ends the exit with a rest. If nothing was sold the row has failed (behaviour 4.4). */
function end(decision: Decision, reason: string, { timeMs, mayReclaim = false }: Moment): Decision {
  const ended = withoutPursuit(decision.group, true);
  const isByOwner = pursuitOf(decision.group).stop?.isByOwner === true;
  const type = isByOwner ? "oco.exitStopped" : "alarm.exitStopped";
  const told: Notice[] = [...decision.notices, { type, row: STOP_LOSS, message: reason }];
  if (isStopLossUnsold(ended)) {
    const failed = failStopLoss(ended, reason, timeMs, mayReclaim);
    return { ...decision, group: failed.group, notices: [...told, ...failed.notices] };
  }
  const left = Math.max(0, leftOfStopLoss(ended));
  const text = `${soldText(ended.stopLossSoldQuantity, left)}: ${reason}`;
  const group = changeRow(ended, { unsoldQuantity: left, triggerErrorMessage: text, updatedAtMs: timeMs });
  return { ...decision, group, notices: told };
}

/** Notes in the row how much is sold, and that the rest is being sold. */
export function noteProgress(group: OcoGroup, timeMs: number): OcoGroup {
  const left = leftOfStopLoss(group);
  const text = `${soldText(group.stopLossSoldQuantity, left)}, selling the rest`;
  if (stopLossOf(group).triggerErrorMessage === text) return group;
  return changeRow(group, { unsoldQuantity: left, triggerErrorMessage: text, updatedAtMs: timeMs });
}

function changeRow(group: OcoGroup, fields: Partial<OcoRow>): OcoGroup {
  return changeRows(group, [STOP_LOSS], (row) => ({ ...row, ...fields }));
}

/** How many orders the exit has sent so far. */
function orderCountOf({ exit }: OcoGroup): number {
  return exit?.orderCount ?? 1;
}

function pursuitOf(group: OcoGroup): Pursuit {
  const begun = { day: marketDayOf(undefined, triggeredAtMsOf(group)), ordersToday: 1 };
  return group.exit?.pursuit ?? { ...begun, nextAtMs: null, stop: null, isRecalled: false };
}

function triggeredAtMsOf(group: OcoGroup): number {
  return stopLossOf(group).triggeredAtMs ?? 0;
}

function change(group: OcoGroup, fields: Partial<Pursuit>, exit: Partial<Exit> = {}): OcoGroup {
  const stopLoss = exitPolicyOf(group);
  return { ...group, exit: { stopLoss, ...group.exit, ...exit, pursuit: { ...pursuitOf(group), ...fields } } };
}

function withoutPursuit(group: OcoGroup, isStopped: boolean): OcoGroup {
  const exit = { stopLoss: exitPolicyOf(group), orderCount: orderCountOf(group) };
  const marks = { ...(isStopped && { isStopped }), ...(isFlattening(group) && { isFlatten: true as const }) };
  return { ...group, exit: { ...exit, ...marks } };
}
