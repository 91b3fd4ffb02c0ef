/**
 * Sells of an OCO group after the brokerage took them: the effects of an execution's facts on the rows
 * (behaviour 4.5a).
 *
 * Owns: the rows after an end with a rest, a late fill and a doubt. Does not own: judging the brokerage's reports
 * (`execution.ts`), the rows' life until a sell is taken (`oco.ts`).
 *
 * Invariants:
 * 1. Take-profits come back under watch only if nothing of the stop-loss was sold and nothing of it can be any more.
 * 2. With the oversell guard, the rest of a take-profit's sell after the stop-loss fired follows as an extra sell.
 * 3. Lots that the stop-loss sold after its end are taken from the take-profits that were armed again, the highest
 *    price first.
 */

import { leaveToOwner, noteProgress, pursue, recallExcess } from "../oco/exit.ts";
import {
  ACTIVE,
  CANCELLED,
  changeRows,
  exitPolicyOf,
  type FollowedSell,
  isOpen,
  listedRows,
  type OcoGroup,
  rowAt,
  STOP_LOSS,
  stopLossOf,
  TRIGGER_FAILED,
  TRIGGERED,
} from "../oco/group.ts";
import {
  askForRest,
  closeSoldOut,
  countSold,
  type Decision,
  endWith,
  failStopLoss,
  isExitStopped,
  isStopLossUnsold,
  leftOfStopLoss,
  type Notice,
  noteUnsold,
  sendReduced,
  type Unsold,
  unchanged,
} from "../oco/oco.ts";
import { soldText } from "../oco/sold-text.ts";
import type { Fact } from "./evidence.ts";
import { apply, doubtText, type Execution, type ExecutionStep } from "./execution.ts";
import { ORDER_REJECTED } from "./order.ts";
import { executionMeant, hear, type OrderNews } from "./order-news.ts";
import { filledQuantityOf } from "./order-number.ts";

type Ended = Extract<Fact, { type: "ended" }>;

/** The moment of the facts, and the conditions known then. */
interface Moment {
  readonly timeMs: number;
  /** Whether no other group has taken this one's place since. */
  readonly mayReclaim: boolean;
}

/** Applies news of an order; returns undefined if it changes nothing and reports nothing. */
export function hearOfSell(group: OcoGroup, news: OrderNews & { readonly mayReclaim?: boolean }): Decision | undefined {
  const executions = group.followed.map(({ execution }) => execution);
  const meant = executionMeant(executions, news);
  const sell = group.followed.find(({ execution }) => execution === meant);
  if (sell === undefined) return undefined;
  const moment = { timeMs: news.timeMs, mayReclaim: news.mayReclaim === true };
  return follow(group, sell, hear(sell.execution, news), moment);
}

/** Handles the waits that are over by now; returns undefined if none is. */
export function askAgain(group: OcoGroup, timeMs: number): Decision | undefined {
  let decision: Decision | undefined;
  for (const { execution } of group.followed) {
    if (execution.askAtMs === null || execution.askAtMs > timeMs) continue;
    const now: OcoGroup = decision?.group ?? group;
    const sell = now.followed.find((other) => other.execution === execution);
    if (sell === undefined) continue;
    const step = follow(now, sell, apply(execution, { type: "waited", timeMs }), { timeMs, mayReclaim: false });
    if (step !== undefined) decision = decision === undefined ? step : joined(decision, step);
  }
  return decision;
}

/** Two decisions, one after the other. */
export function joined(first: Decision, second: Decision): Decision {
  return {
    group: second.group,
    sells: [...first.sells, ...second.sells],
    notices: [...first.notices, ...second.notices],
    told: [...(first.told ?? []), ...(second.told ?? [])],
  };
}

function follow(group: OcoGroup, sell: FollowedSell, step: ExecutionStep, moment: Moment): Decision | undefined {
  const { execution, facts } = step;
  if (execution === sell.execution && facts.length === 0) return undefined;
  const now = { row: sell.row, execution };
  const followed = group.followed.flatMap((other) => {
    if (other !== sell) return [other];
    return execution.phase === "settled" ? [] : [now];
  });
  let decision = unchanged(endDoubt({ ...group, followed }, sell, execution));
  for (const fact of facts) decision = joined(decision, onFact(decision.group, now, fact, moment));
  const { sells, notices } = decision;
  return facts.length === 0 ? decision : { group: decision.group, sells, notices, told: [step] };
}

function onFact(group: OcoGroup, sell: FollowedSell, fact: Fact, moment: Moment): Decision {
  switch (fact.type) {
    case "ended":
      return sell.row === STOP_LOSS ? endStopLoss(group, fact, moment) : endTakeProfit(group, sell, fact, moment);
    case "filledAfterEnd":
      return sell.row === STOP_LOSS
        ? countLateStopLoss(group, fact.quantity, moment.timeMs)
        : countLateTakeProfit(group, sell, moment.timeMs);
    default:
      return unchanged(group);
  }
}

/** A row with an order in doubt keeps its message about it, also if more becomes known of the row (behaviour 13.6). */
export function noteDoubts(group: OcoGroup): OcoGroup {
  let noted = group;
  for (const [index, { row, execution }] of group.followed.entries()) {
    const text = doubtText(execution);
    if (text === null || rowAt(noted, row).triggerErrorMessage === text) continue;
    if (group.followed.slice(index + 1).some((later) => later.row === row && doubtText(later.execution) !== null))
      continue;
    noted = changeRows(noted, [row], (was) => ({ ...was, triggerErrorMessage: text }));
  }
  return noted;
}

/**
 * Ends the doubt of an order that is known again, or that a person decided about: its row gets its earlier message
 * back.
 */
function endDoubt(group: OcoGroup, { row, execution: before }: FollowedSell, after: Execution): OcoGroup {
  if (before.phase !== "inDoubt" || after.phase === "inDoubt") return group;
  return changeRows(group, [row], (was) => ({
    ...was,
    // Other orders can have left a rest of a stop-loss.
    triggerErrorMessage: was.unsoldQuantity > 0 ? soldText(group.stopLossSoldQuantity, was.unsoldQuantity) : null,
  }));
}

function endTakeProfit(group: OcoGroup, sell: FollowedSell, fact: Ended, moment: Moment): Decision {
  const { row } = sell;
  const notices: Notice[] = [];
  let ended = group;
  if (fact.rest > 0) {
    const isFailed = fact.filled === 0;
    ended = isFailed
      ? fail(group, row, fact, moment)
      : noteUnsold(group, row, unsoldOf(group, row, fact), moment.timeMs);
    notices.push({ type: isFailed ? "oco.triggerFailed" : "oco.sellIncomplete", row });
    const rest = askForRest(ended, row, fact.rest);
    if (rest !== undefined) return { ...rest, notices };
  } else ended = noteOversold(group, sell, fact);
  const closed = closeSoldOut(ended, moment.timeMs);
  if (closed !== ended) notices.push({ type: "oco.cancelled", row: STOP_LOSS });
  return { group: closed, sells: [], notices };
}

function endStopLoss(group: OcoGroup, fact: Ended, moment: Moment): Decision {
  const ended = countSold(group, fact.filled);
  if (fact.rest === 0) return unchanged({ ...ended, cancelledByStopLoss: [] });
  if ((ended.exit?.pursuit?.stop ?? null) !== null) return unchanged(ended);
  const isPursued = ended.exit?.pursuit !== undefined;
  if (goesOn(ended, fact)) {
    const isNews = !isPursued || fact.filled > 0;
    return { group: pursue(ended), sells: [], notices: isNews ? [{ type: "oco.exitContinues", row: STOP_LOSS }] : [] };
  }
  if (isPursued || isStopLossUnsold(ended)) {
    const isRejected = fact.orderStatus === ORDER_REJECTED;
    const reduced = isRejected ? sendReduced(ended, reasonOf(fact), moment.timeMs) : undefined;
    if (isPursued) return reduced ?? unchanged(endWith(ended, reasonOf(fact)));
    return reduced ?? failStopLoss(ended, reasonOf(fact), moment.timeMs, moment.mayReclaim);
  }
  const left = fact.by === "owner" ? leaveToOwner(ended) : ended;
  const noted = noteUnsold(left, STOP_LOSS, unsoldOf(left, STOP_LOSS, fact), moment.timeMs);
  return { group: noted, sells: [], notices: [{ type: "oco.sellIncomplete", row: STOP_LOSS }] };
}

/** Whether the exit sells the rest of an order after this end (behaviour 14.1). */
function goesOn(group: OcoGroup, { by, orderStatus }: Ended): boolean {
  if (exitPolicyOf(group) === "once" || isExitStopped(group)) return false;
  if (group.exit?.pursuit?.isRecalled === true) return true;
  // An order that is tried while the market should be closed can be rejected just for that.
  if (by !== "owner" && group.exit?.pursuit?.isForSession === true) return true;
  return by !== "owner" && (orderStatus !== ORDER_REJECTED || by === "exchange");
}

/** Nothing was sold: as if the brokerage had refused it (behaviour 4.4). */
function fail(group: OcoGroup, index: number, fact: Ended, { timeMs }: Moment): OcoGroup {
  return changeRows(group, [index], (row) => ({
    ...row,
    status: TRIGGER_FAILED,
    triggerErrorMessage: reasonOf(fact),
    updatedAtMs: timeMs,
  }));
}

/** The unsold lots of an order that ended. A stop-loss counts all its sells that ended. */
function unsoldOf(group: OcoGroup, row: number, fact: Ended): Unsold {
  const soldQuantity = row === STOP_LOSS ? group.stopLossSoldQuantity : fact.filled;
  return { quantity: fact.rest, soldQuantity, reason: reasonOf(fact) };
}

/** Lots sold beyond the ordered quantity count towards the lots that are still to be sold. */
function noteOversold(group: OcoGroup, { row, execution }: FollowedSell, { filled }: Ended): OcoGroup {
  const over = filled - execution.quantity;
  return over <= 0 ? group : changeRows(group, [row], (was) => ({ ...was, unsoldQuantity: -over }));
}

function countLateTakeProfit(group: OcoGroup, { row, execution }: FollowedSell, timeMs: number): Decision {
  const filled = filledQuantityOf(execution);
  const unsoldQuantity = execution.quantity - filled;
  const counted = changeRows(group, [row], (was) => ({
    ...was,
    status: TRIGGERED,
    unsoldQuantity,
    triggerErrorMessage: lateText(filled, unsoldQuantity),
    updatedAtMs: timeMs,
  }));
  const soldOut = closeSoldOut(counted, timeMs);
  // Without the guard the stop-loss sells its own quantity: the lots in progress are not too many.
  const closed = group.hasOversellGuard ? recallExcess(soldOut) : soldOut;
  return {
    group: closed,
    sells: [],
    notices: closed.rows === counted.rows ? [] : [{ type: "oco.cancelled", row: STOP_LOSS }],
  };
}

/** The row's moment stays: take-profits that were armed then are armed as they were. */
function countLateStopLoss(group: OcoGroup, quantity: number, timeMs: number): Decision {
  const counted = countSold(group, quantity);
  if (counted.exit?.pursuit !== undefined) {
    return unchanged(recallExcess(noteProgress({ ...counted, cancelledByStopLoss: [] }, timeMs)));
  }
  const { status, unsoldQuantity: was } = stopLossOf(counted);
  const unsoldQuantity = Math.max(0, status === TRIGGER_FAILED ? leftOfStopLoss(counted) : was - quantity);
  const noted = changeRows(counted, [STOP_LOSS], (row) => ({
    ...row,
    status: status === TRIGGER_FAILED ? TRIGGERED : status,
    unsoldQuantity,
    triggerErrorMessage: lateText(counted.stopLossSoldQuantity, unsoldQuantity),
  }));
  return reduceTakeProfits({ ...noted, cancelledByStopLoss: [] }, quantity, timeMs);
}

function lateText(soldQuantity: number, unsoldQuantity: number): string {
  return `${soldText(soldQuantity, Math.max(0, unsoldQuantity))}: a part was filled after the brokerage had reported the end`;
}

/** Takes lots from the open take-profits, the highest price first; a take-profit with no lots left is Cancelled. */
function reduceTakeProfits(group: OcoGroup, quantity: number, timeMs: number): Decision {
  const notices: Notice[] = [];
  let left = quantity;
  let reduced = group;
  for (const index of listedRows(group).slice(1).reverse()) {
    const row = rowAt(reduced, index);
    if (left === 0) break;
    if (!isOpen(row)) continue;
    const taken = Math.min(left, row.quantity);
    left -= taken;
    const isEmpty = taken === row.quantity;
    notices.push({ type: isEmpty ? "oco.cancelled" : "oco.reduced", row: index });
    reduced = changeRows(reduced, [index], (was) => ({
      ...was,
      status: isEmpty ? CANCELLED : ACTIVE,
      quantity: isEmpty ? was.quantity : was.quantity - taken,
      updatedAtMs: timeMs,
    }));
  }
  return { group: reduced, sells: [], notices };
}

function reasonOf({ message, orderStatus }: Ended): string {
  if (message) return message;
  return orderStatus === ORDER_REJECTED ? "rejected by the brokerage" : "cancelled by the brokerage";
}
