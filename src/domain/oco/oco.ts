/**
 * The life of a synthetic OCO group: one stop-loss row, one or more take-profit rows, sold at market when reached.
 *
 * Owns: which rows a price fires, the effect of an answer of the brokerage, a cancel or the due date on the rows.
 * Does not own: a group's shape (`group.ts`), valid requests (`oco-plan.ts`), watching, storing, sending, ids.
 *
 * Invariants:
 * 1. `rows[0]` is the stop-loss; take-profits follow, a row keeps its index for life (`change.ts`). The stop-loss's id
 *    is the group's id.
 * 2. A row leaves `Active` once. Only a take-profit that the stop-loss cancelled comes back, if the brokerage sold
 *    nothing of the stop-loss (`sell-end.ts`). A row in flight is Active, fires nothing and cannot be cancelled.
 * 3. A row fires at most once: only an Active row that is not in flight can, and firing puts it in flight.
 * 4. Once the stop-loss has fired, no take-profit fires unless the stop-loss was refused.
 */
import { assert } from "../../assert.ts";
import { beginExecution, type ExecutionStep, isUnderWay } from "../order/execution.ts";
import { SELL } from "../order/order.ts";
import { priceToNumber } from "../price/price.ts";
import {
  ACTIVE,
  CANCELLED,
  changeRows,
  type Exit,
  isBuying,
  isDue,
  isOpen,
  isStopping,
  type OcoGroup,
  type OcoRow,
  type Pursuit,
  rowAt,
  STOP_LOSS,
  stopLossOf,
  TRIGGER_FAILED,
  TRIGGERED,
} from "./group.ts";
import { extraSellName, numberedSellName, sellName } from "./sell-name.ts";
import { countedText, soldText } from "./sold-text.ts";

/** A price that reached some rows, as the index reports it. */
export interface PriceReached {
  readonly watches: readonly number[];
  readonly price: number;
  readonly timeMs: number;
}

/** The cause of firing; without a price it was the clock. */
interface Reached {
  readonly price: number | null;
  readonly timeMs: number;
}

/** The brokerage's answer to one sell. */
interface SellAnswer {
  readonly name: string;
  /** Null when the brokerage took the order; else why no order exists. */
  readonly refusal: string | null;
  /** True: the brokerage was not reached, or not with a login; it refused nothing. */
  readonly isUnreached?: boolean | undefined;
  /** Lots that were asked for; absent: not known. */
  readonly quantity?: number | undefined;
  readonly timeMs: number;
  /** The order that the brokerage made from it; it is followed. */
  readonly placed?: PlacedSell;
  /** Whether no other group has taken this one's place since. */
  readonly mayReclaim?: boolean | undefined;
}

interface PlacedSell {
  readonly orderNo: string;
  readonly clientOrderId?: string | undefined;
  readonly orderStatus: number;
  readonly quantity: number;
}

/** Lots of a row that were not sold, and how many were by then. */
export interface Unsold {
  readonly quantity: number;
  readonly soldQuantity: number;
  readonly reason: string;
}

/** A sell that must leave, at market unless `isAtFloor` is set. */
export interface Sell {
  readonly name: string;
  readonly row: number;
  readonly quantity: number;
  /** True: at the day's floor if that is known, so that it meets any bid and else waits in the book. */
  readonly isAtFloor?: boolean;
}

type NoticeType =
  | "oco.adjusted"
  | "oco.changed"
  | "oco.lateFill"
  | "oco.stopRaised"
  | "oco.trailingActivated"
  | "oco.triggered"
  | "oco.triggerFailed"
  | "oco.cancelled"
  | "oco.sellIncomplete"
  | "oco.rearmed"
  | "oco.reduced"
  | "oco.sentReduced"
  | "oco.exitContinues"
  | "oco.exitCompleted"
  | "oco.exitStopped"
  | "oco.waitsForSession"
  | "alarm.exitStopped";

/** A message about one row for a user. */
export interface Notice {
  readonly type: NoticeType;
  readonly row: number;
  /** Set if the row does not carry the reason itself. */
  readonly message?: string;
  /** When the market opens, for `oco.waitsForSession`. */
  readonly untilMs?: number;
}

export interface Decision {
  readonly group: OcoGroup;
  readonly sells: readonly Sell[];
  readonly notices: readonly Notice[];
  /** What became known of orders. */
  readonly told?: readonly ExecutionStep[];
  /** True: the orders of the stop-loss are to be taken back or cancelled, as far as they can be. */
  readonly isRecalling?: boolean;
  /** True: rows changed by their terms, and the version does not change. */
  readonly keepsVersion?: true;
}

/** Whether the open stop-loss is among the reached rows. */
export function firesStopLoss(group: OcoGroup, reached: PriceReached): boolean {
  return !isDue(group, reached.timeMs) && reached.watches.includes(STOP_LOSS) && isReachedAt(group, STOP_LOSS, reached);
}

/** Whether an open take-profit is among the reached rows, and the stop-loss has not fired. */
export function firesTakeProfit(group: OcoGroup, reached: PriceReached): boolean {
  return firedTakeProfits(group, reached).length > 0;
}

function firedTakeProfits(group: OcoGroup, reached: PriceReached): number[] {
  if (isDue(group, reached.timeMs) || isStopping(group)) return [];
  return reached.watches
    .filter((watch) => watch !== STOP_LOSS && isReachedAt(group, watch, reached))
    .sort((a, b) => a - b);
}

/** Whether an open row's present level is reached: it can have been changed after the price reached the old one. */
function isReachedAt(group: OcoGroup, watch: number, { price }: PriceReached): boolean {
  const row = group.rows[watch];
  if (!isOpen(row)) return false;
  const level = priceToNumber(row.price);
  return watch === STOP_LOSS ? price <= level : price >= level;
}

/** Rule 5: each reached take-profit sells its own quantity; the others remain under watch. */
export function fireTakeProfits(group: OcoGroup, reached: PriceReached): Decision {
  const fired = firedTakeProfits(group, reached);
  const sells = fired.map((row): Sell => {
    const { id, quantity } = rowAt(group, row);
    return { name: sellName(id), row, quantity };
  });
  return { group: putInFlight(group, fired, reached), sells, notices: [] };
}

/**
 * Rule 6: the stop-loss sells its own quantity. With the oversell guard it sells the lots that the take-profits have
 * neither sold nor in progress; lots that a take-profit in progress then fails to sell follow as an extra sell
 * (behaviour 4.3).
 */
export function fireStopLoss(group: OcoGroup, reached: Reached): Decision {
  const { quantity } = stopLossOf(group);
  const left = group.hasOversellGuard ? leftToSell(group, quantity) : quantity;
  const fired = putInFlight(group, [STOP_LOSS], reached);
  if (left <= 0) return { group: fired, sells: [], notices: [] };
  const sell = { name: orderName(group), row: STOP_LOSS, quantity: left };
  return { group: { ...fired, stopLossOrdersOpen: 1 }, sells: [sell], notices: [] };
}

/** True when `name` is a sell of this group that waits for its answer. */
export function awaitsAnswer(group: OcoGroup, name: string): boolean {
  return rowThatAwaits(group, name) !== undefined;
}

/** True while any sell waits for its answer. */
export function awaitsAnswers(group: OcoGroup): boolean {
  return group.stopLossOrdersOpen > 0 || group.rows.some((row) => row.isInFlight);
}

/** Applies the brokerage's answer to one sell (behaviour 4.4). */
export function settle(group: OcoGroup, answer: SellAnswer): Decision {
  const row = rowThatAwaits(group, answer.name);
  assert(row !== undefined, () => `sell ${answer.name} of group ${group.groupId} waits for an answer`);
  const begun = answer.placed === undefined ? undefined : follow(group, row, answer.placed, answer.timeMs);
  const noted = begun?.group ?? group;
  const settled = row === STOP_LOSS ? settleStopLoss(noted, answer) : settleTakeProfit(noted, row, answer);
  return begun === undefined || begun.step.facts.length === 0 ? settled : { ...settled, told: [begun.step] };
}

/** A sell that was taken is followed to its end. */
function follow(group: OcoGroup, row: number, placed: PlacedSell, timeMs: number) {
  const { clientOrderId = null, orderNo, orderStatus, quantity } = placed;
  const { symbol } = group;
  const step = beginExecution(
    { clientOrderId, symbol, buySell: SELL, quantity, limitPrice: null, needsPrice: false, createdDate: null },
    orderNo,
    orderStatus,
    timeMs,
  );
  const followed = [...group.followed, { row, execution: step.execution }];
  const { exit } = group;
  if (row !== STOP_LOSS || exit?.pursuit === undefined) return { step, group: { ...group, followed } };
  // An order that is to be cancelled has its number now.
  return { step, group: { ...group, followed, exit: { ...exit, pursuit: { ...exit.pursuit, nextAtMs: null } } } };
}

/** Whether the outcome of some sell, of the row if one is given, is not known yet. */
export function hasOpenSells({ followed }: OcoGroup, row?: number): boolean {
  return followed.some((sell) => (row === undefined || sell.row === row) && isUnderWay(sell.execution));
}

/** Whether an order of the stop-loss is unanswered, open or in doubt. */
export function isStopLossSelling(group: OcoGroup): boolean {
  return group.stopLossOrdersOpen > 0 || hasOpenSells(group, STOP_LOSS);
}

/**
 * Lots of the stop-loss that ended orders have not sold. With the oversell guard the take-profits' lots are not its
 * own.
 */
export function leftOfStopLoss(group: OcoGroup): number {
  const { quantity } = stopLossOf(group);
  return (group.hasOversellGuard ? leftToSell(group, quantity) : quantity) - group.stopLossSoldQuantity;
}

/** Counts more sold lots of the stop-loss: its row's message about an earlier sell includes them. */
export function countSold(group: OcoGroup, quantity: number): OcoGroup {
  const soldQuantity = group.stopLossSoldQuantity + quantity;
  return changeRows({ ...group, stopLossSoldQuantity: soldQuantity }, [STOP_LOSS], (row) => ({
    ...row,
    triggerErrorMessage: countedText(row.triggerErrorMessage, soldQuantity, row.unsoldQuantity),
  }));
}

/** Notes in a row that more of it was not sold: how much is sold, and why no more (behaviour 4.5a). */
export function noteUnsold(group: OcoGroup, index: number, unsold: Unsold, timeMs: number): OcoGroup {
  return changeRows(group, [index], (row) => {
    const unsoldQuantity = Math.max(0, row.unsoldQuantity) + unsold.quantity;
    const triggerErrorMessage = `${soldText(unsold.soldQuantity, unsoldQuantity)}: ${unsold.reason}`;
    return { ...row, unsoldQuantity, triggerErrorMessage, updatedAtMs: timeMs };
  });
}

function settleTakeProfit(group: OcoGroup, row: number, answer: SellAnswer): Decision {
  const status = answer.refusal === null ? TRIGGERED : TRIGGER_FAILED;
  const settled = changeRows(group, [row], (was) => ({
    ...was,
    status,
    isInFlight: false,
    triggerErrorMessage: answer.refusal,
    updatedAtMs: answer.timeMs,
  }));
  const notices: Notice[] = [{ type: answer.refusal === null ? "oco.triggered" : "oco.triggerFailed", row }];
  const rest = answer.refusal === null ? undefined : askForRest(settled, row, rowAt(settled, row).quantity);
  if (rest !== undefined) return { ...rest, notices };
  const closed = closeSoldOut(settled, answer.timeMs);
  if (closed !== settled) notices.push({ type: "oco.cancelled", row: STOP_LOSS });
  return { group: closed, sells: [], notices };
}

/** With the oversell guard, once the stop-loss has fired: an extra order sells the rest of a take-profit. */
export function askForRest(group: OcoGroup, row: number, quantity: number): Omit<Decision, "notices"> | undefined {
  const { triggeredAtMs, status } = stopLossOf(group);
  if (!group.hasOversellGuard || triggeredAtMs === null || status === TRIGGER_FAILED) return undefined;
  if (isExitStopped(group)) return undefined;
  const extra = { name: extraSellName(group.groupId, rowAt(group, row).id), row: STOP_LOSS, quantity };
  return { group: { ...group, stopLossOrdersOpen: group.stopLossOrdersOpen + 1 }, sells: [extra] };
}

/** Whether the exit was ended with a rest, or ends once its order does. */
export function isExitStopped({ exit }: OcoGroup): boolean {
  return exit?.isStopped === true || (exit?.pursuit?.stop ?? null) !== null;
}

/** Ends the group's exit with `reason` as soon as no order of it is in progress. */
export function endWith(group: OcoGroup, reason: string): OcoGroup {
  const { exit } = group;
  if (exit?.pursuit === undefined || exit.pursuit.stop !== null) return group;
  return { ...group, exit: { ...exit, pursuit: { ...exit.pursuit, stop: { reason, isByOwner: false } } } };
}

/** A decision that changes nothing more. */
export function unchanged(group: OcoGroup): Decision {
  return { group, sells: [], notices: [] };
}

function settleStopLoss(group: OcoGroup, answer: SellAnswer): Decision {
  const { refusal, timeMs } = answer;
  const answered = { ...group, stopLossOrdersOpen: group.stopLossOrdersOpen - 1 };
  if (refusal !== null) {
    const { exit } = answered;
    const pursuit = exit?.pursuit;
    // The exit decides the rest (`exit.ts`).
    if (isExitStopped(answered)) return unchanged(answered);
    // An order that is tried while the market should be closed can be refused just for that.
    if (pursuit?.isForSession === true) return unchanged(answered);
    if (exit !== undefined && pursuit !== undefined && answer.isUnreached === true) {
      return goOnUnreached(answered, exit, pursuit, refusal);
    }
    const reduced = sendReduced(answered, refusal, timeMs);
    if (reduced !== undefined) return reduced;
    if (pursuit !== undefined) return unchanged(endWith(answered, refusal));
    if (isStopLossUnsold(answered)) return failStopLoss(answered, refusal, timeMs, answer.mayReclaim === true);
    // Another part was sold or can still be: the row states the unsold quantity, and its owner receives a notice.
    const rest = { soldQuantity: answered.stopLossSoldQuantity, quantity: answer.quantity ?? 0, reason: refusal };
    const noted = noteUnsold(answered, STOP_LOSS, rest, timeMs);
    return { group: noted, sells: [], notices: [{ type: "oco.triggerFailed", row: STOP_LOSS, message: refusal }] };
  }
  if (stopLossOf(group).status === TRIGGERED) return { group: answered, sells: [], notices: [] };
  const sold = changeRows(answered, [STOP_LOSS], (row) => ({
    ...row,
    status: TRIGGERED,
    isInFlight: false,
    updatedAtMs: answer.timeMs,
  }));
  const cancelled = cancelOpen(sold, answer.timeMs);
  const isSure = sold.stopLossSoldQuantity > 0 || !hasOpenSells(sold);
  const cancelledByStopLoss = isSure ? [] : cancelled.notices.map(({ row }) => row);
  return {
    group: { ...cancelled.group, cancelledByStopLoss },
    sells: [],
    notices: [{ type: "oco.triggered", row: STOP_LOSS }, ...cancelled.notices],
  };
}

/**
 * An order of a pursued stop-loss did not reach the brokerage: the next one follows, and it does not count towards the
 * day's orders. Its owner is notified if it was the first one.
 */
function goOnUnreached(group: OcoGroup, exit: Exit, pursuit: Pursuit, message: string): Decision {
  const ordersToday = Math.max(0, pursuit.ordersToday - 1);
  const goingOn = unchanged({ ...group, exit: { ...exit, pursuit: { ...pursuit, ordersToday } } });
  const isFirst = exit.orderCount === undefined;
  return isFirst ? { ...goingOn, notices: [{ type: "oco.exitContinues", row: STOP_LOSS, message }] } : goingOn;
}

/**
 * Sends a refused stop-loss once more with the lots that the take-profits leave of it, as an account can be unable to
 * sell more than it holds (behaviour 4.5b). From then on the group sells as with the oversell guard. Undefined if the
 * guard is on already, or if the take-profits leave all of it or nothing.
 */
export function sendReduced(group: OcoGroup, refusal: string, timeMs: number): Decision | undefined {
  const { quantity } = stopLossOf(group);
  const soldQuantity = group.stopLossSoldQuantity;
  const left = leftToSell(group, quantity) - soldQuantity;
  if (group.hasOversellGuard || left <= 0 || left >= quantity - soldQuantity) return undefined;
  const told = changeRows(group, [STOP_LOSS], (row) => ({
    ...row,
    triggerErrorMessage: `sent once more with ${left} of ${quantity} lots: ${refusal}`,
    updatedAtMs: timeMs,
  }));
  return {
    group: { ...told, hasOversellGuard: true, stopLossOrdersOpen: group.stopLossOrdersOpen + 1 },
    sells: [{ name: extraSellName(group.groupId, group.groupId), row: STOP_LOSS, quantity: left }],
    notices: [{ type: "oco.sentReduced", row: STOP_LOSS, message: refusal }],
  };
}

/** Whether nothing of the stop-loss was sold, and nothing of it can be any more. */
export function isStopLossUnsold(group: OcoGroup): boolean {
  return group.stopLossSoldQuantity === 0 && group.stopLossOrdersOpen === 0 && !hasOpenSells(group, STOP_LOSS);
}

/**
 * Fails a stop-loss of which nothing was sold: the take-profits that it cancelled are watched again if that is allowed.
 */
export function failStopLoss(group: OcoGroup, message: string, timeMs: number, mayReclaim: boolean): Decision {
  const failure = {
    status: TRIGGER_FAILED,
    isInFlight: false,
    triggerErrorMessage: message,
    updatedAtMs: timeMs,
  } as const;
  const failed = changeRows(group, [STOP_LOSS], (row) => ({ ...row, ...failure }));
  const back = mayReclaim && !isDue(group, timeMs) ? group.cancelledByStopLoss : [];
  const watched = changeRows(failed, back, (row) => ({ ...row, status: ACTIVE, updatedAtMs: timeMs }));
  const notices: Notice[] = [{ type: "oco.triggerFailed", row: STOP_LOSS }];
  for (const row of back) notices.push({ type: "oco.rearmed", row });
  return { group: { ...watched, cancelledByStopLoss: [] }, sells: [], notices };
}

/** Every open row becomes Cancelled: by a cancel, the due date, or a sold stop-loss. */
export function cancelOpen(group: OcoGroup, timeMs: number): Decision {
  const notices: Notice[] = [];
  const rows = group.rows.map((row, index): OcoRow => {
    if (!isOpen(row)) return row;
    notices.push({ type: "oco.cancelled", row: index });
    return { ...row, status: CANCELLED, updatedAtMs: timeMs };
  });
  return { group: notices.length === 0 ? group : { ...group, rows }, sells: [], notices };
}

/** With the oversell guard, cancels a stop-loss that has nothing left to sell, in progress or to be bought. */
export function closeSoldOut(group: OcoGroup, timeMs: number): OcoGroup {
  const stopLoss = stopLossOf(group);
  if (!group.hasOversellGuard || stopLoss.status !== ACTIVE || group.stopLossOrdersOpen > 0) return group;
  if (hasOpenSells(group) || isBuying(group)) return group;
  if (soldQuantityOf(group, (row) => row.status === TRIGGERED) < stopLoss.quantity) return group;
  return changeRows(group, [STOP_LOSS], (row) => ({
    ...row,
    status: CANCELLED,
    isInFlight: false,
    triggeredPrice: null,
    triggeredAtMs: null,
    updatedAtMs: timeMs,
  }));
}

/** The row of a sell that waits for its answer; undefined if no such sell does. */
function rowThatAwaits(group: OcoGroup, name: string): number | undefined {
  const row = rowOfSell(group, name);
  if (row === undefined) return undefined;
  const isWaiting = row === STOP_LOSS ? group.stopLossOrdersOpen > 0 : rowAt(group, row).isInFlight;
  return isWaiting ? row : undefined;
}

/** The names that an order of the stop-loss without an answer may have. */
export function stopLossSellNames(group: OcoGroup): readonly string[] {
  const { groupId, rows } = group;
  return [orderName(group), ...rows.map((row) => extraSellName(groupId, row.id))];
}

/** The name of the stop-loss's newest order, or of its first one to come. */
function orderName({ groupId, exit }: OcoGroup): string {
  const number = exit?.orderCount ?? 1;
  return number === 1 ? sellName(groupId) : numberedSellName(groupId, number);
}

/** The row that a sell's name belongs to; an extra sell is the stop-loss's. Undefined for another's name. */
export function rowOfSell(group: OcoGroup, name: string): number | undefined {
  if (name.startsWith(`${sellName(group.groupId)}-`)) return STOP_LOSS;
  const index = group.rows.findIndex((row) => name === sellName(row.id));
  return index === -1 ? undefined : index;
}

/** The lots that the counting take-profits sold, or are still to sell. */
export function soldQuantityOf(group: OcoGroup, counts: (row: OcoRow) => boolean): number {
  return group.rows.slice(1).reduce((sum, row) => (counts(row) ? sum + row.quantity - row.unsoldQuantity : sum), 0);
}

/** Of `quantity` lots, the part that the take-profits have neither sold nor in progress. */
function leftToSell(group: OcoGroup, quantity: number): number {
  return quantity - soldQuantityOf(group, (row) => row.status === TRIGGERED || row.isInFlight);
}

function putInFlight(group: OcoGroup, indexes: readonly number[], reached: Reached): OcoGroup {
  return changeRows(group, indexes, (row) => {
    assert(isOpen(row), () => `row ${row.id} fires once`);
    return { ...row, isInFlight: true, triggeredPrice: reached.price, triggeredAtMs: reached.timeMs };
  });
}
