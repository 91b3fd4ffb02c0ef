/**
 * What the life of its buy order changes for a pending OCO setup (behaviour 5.2 to 5.8, 24.3 to 24.6).
 *
 * Owns: conversion, removal, late fills, a lost order, the due date. Does not own: judging what the brokerage reports
 * (`order/execution.ts`), the levels of the group (`setup.ts`).
 *
 * Invariants:
 * 1. Only an order that was completed converts; a part fill changes nothing. An entry's order converts at its end, with
 *    what it filled, and once.
 * 2. Levels follow from the average price of all that was filled, never from a guess.
 * 3. The first filled part makes the group of an entry that protects parts. Each step that changes the total bought
 *    passes the total to the group (`setup-protect.ts`).
 * 4. How a setup ended changes in one case only: its order had ended with nothing bought, or with less than all of a
 *    registered one, and was filled after that.
 */
import { type Market, marketDayOf } from "./market/calendar.ts";
import { type Adjustment, actionText } from "./market/corporate-action.ts";
import { type Renaming, renamingText } from "./market/rename.ts";
import type { Fact } from "./order/evidence.ts";
import { apply, type ExecutionStep } from "./order/execution.ts";
import { ORDER_COMPLETED } from "./order/order.ts";
import { hear, isMeantFor, type OrderNews, type OrderPlaced, type OrderRefused } from "./order/order-news.ts";
import { averagePriceOf, filledQuantityOf, isAbout } from "./order/order-number.ts";
import {
  DUE_DATE_PASSED,
  isAfterEnd,
  isConverting,
  isDue,
  isRegistered,
  isRemovedByEnd,
  lostText,
  type PendingSetup,
  type SetupOutcome,
} from "./setup.ts";
import { adjustSetup } from "./setup-adjust.ts";
import { type ChangedPlan, changeSetup } from "./setup-change.ts";
import type { SetupDecision, SetupNotice } from "./setup-decision.ts";
import {
  canCancel,
  endAgain,
  endEntry,
  endWaiting,
  forget,
  isAnswerToEntry,
  isUnanswered,
  passedMoment,
  placeEntry,
  refuseEntry,
} from "./setup-entry.ts";
import { converting, isBuyingPart, NO_PRICE, planGroup, unprotected, withGroup } from "./setup-protect.ts";
import { renameSetup } from "./setup-rename.ts";

interface Moment {
  readonly timeMs: number;
  /** False if another setup is registered for the number by now. */
  readonly mayReclaim: boolean;
  /** Absent: not known. */
  readonly market?: Market | undefined;
}

/** Applies news of the order; undefined if nothing changes and nothing must be reported. */
export function hearOfBuy(
  setup: PendingSetup,
  news: OrderNews & { readonly mayReclaim?: boolean; readonly market?: Market | undefined },
): SetupDecision | undefined {
  if (!isFollowing(setup) || isUnanswered(setup) || !isMeantFor(setup.buy, news)) return undefined;
  const moment = { timeMs: news.timeMs, mayReclaim: news.mayReclaim === true, market: news.market };
  // A look-up that finds another order under the number did not find this one.
  const isOther = news.type === "orderUpdated" && news.look !== undefined && !isAbout(setup.buy, news.record);
  if (!isOther) return onStep(setup, hear(setup.buy, news), moment);
  const missed = apply(setup.buy, { type: "notFound", timeMs: news.timeMs });
  const ignored: Fact = { type: "ignored", orderNo: news.record.orderNo };
  return onStep(setup, { ...missed, facts: [ignored, ...missed.facts] }, moment);
}

/**
 * Handles a deadline of the setup: its due date (behaviour 5.4), its expiry (24.12), or the next question about its
 * order.
 */
export function passDeadline(setup: PendingSetup, timeMs: number): SetupDecision | undefined {
  if (setup.entry !== undefined) {
    const by = passedMoment(setup, timeMs);
    const waiting = by && endWaiting(setup, false, timeMs);
    if (waiting !== undefined) return waiting;
    const due = by && endEntry(setup, by, timeMs);
    const recalled = due ?? endAgain(setup, timeMs);
    if (recalled !== undefined) return recalling(recalled);
  } else if (isRegistered(setup) && isDue(setup, timeMs)) {
    return ended(setup, { type: "conversionFailed", reason: DUE_DATE_PASSED, timeMs });
  }
  const { askAtMs } = setup.buy;
  if (!isFollowing(setup) || askAtMs === null || askAtMs > timeMs) return undefined;
  return onStep(setup, apply(setup.buy, { type: "waited", timeMs }), { timeMs, mayReclaim: false });
}

/** Applies the brokerage's answer to the buy of an entry; undefined if no buy of that name waits for one. */
export function answerEntry(setup: PendingSetup, answer: OrderPlaced | OrderRefused): SetupDecision | undefined {
  if (!isAnswerToEntry(setup, answer)) return undefined;
  if (answer.type === "orderRefused") return { setup: refuseEntry(setup, answer), group: null, notices: [], told: [] };
  const placed = placeEntry(setup, answer);
  const told = placed.step.facts.length === 0 ? [] : [placed.step];
  const decision: SetupDecision = { setup: placed.setup, group: null, notices: [], told };
  return setup.entry?.ending === undefined ? decision : { ...decision, isRecalling: true };
}

/**
 * The owner removes a setup, or gives up the late fills of one whose order ended; undefined if it is over or converts. The
 * buy of an entry is cancelled, and the entry is over once its end is known (behaviour 24.3). `market`: absent: not known.
 */
export function removeSetup(setup: PendingSetup, timeMs: number, market?: Market): SetupDecision | undefined {
  if (!isFollowing(setup)) return undefined;
  if (setup.entry !== undefined) return removeEntry(setup, timeMs, market);
  const isPartFilled = filledQuantityOf(setup.buy) > 0;
  return ended(setup, { type: "removed", isPartFilled, isByOwner: true, timeMs });
}

function removeEntry(setup: PendingSetup, timeMs: number, market: Market | undefined): SetupDecision | undefined {
  if (setup.outcome !== null) return { setup: forget(setup), group: null, notices: [], told: [] };
  const waiting = endWaiting(setup, true, timeMs);
  if (waiting !== undefined) return waiting;
  if (setup.buy.phase !== "inDoubt") {
    const ending = endEntry(setup, "owner", timeMs);
    return ending === undefined ? undefined : recalling(ending);
  }
  // Its end will not become known: its known fills are protected, and it is no longer followed.
  const lost: SetupDecision = { setup: forget(setup), group: null, notices: [], told: [], isRecalling: true };
  if (filledQuantityOf(setup.buy) > 0) return convert(lost, { timeMs, market });
  return withOutcome(lost, { type: "removed", isPartFilled: false, isByOwner: true, timeMs });
}

/** The group of an entry sells, or watches nothing any more: no more lots are bought for it (behaviour 24.7). */
export function endForGroup(setup: PendingSetup, timeMs: number): SetupDecision | undefined {
  const ending = endEntry(setup, "group", timeMs);
  if (ending === undefined) return undefined;
  return canCancel(setup) ? recalling(ending) : unchanged(ending);
}

function recalling(setup: PendingSetup): SetupDecision {
  return { ...unchanged(setup), isRecalling: true };
}

function unchanged(setup: PendingSetup): SetupDecision {
  return { setup, group: null, notices: [], told: [] };
}

/** The owner changes the plan of a registered setup (behaviour 5.9); undefined if it is over or converts. */
export function replacePlan(setup: PendingSetup, plan: ChangedPlan): SetupDecision | undefined {
  const changed = changeSetup(setup, plan);
  if (changed === undefined) return undefined;
  return { setup: changed, group: null, notices: [{ type: "setup.changed", message: null }], told: [] };
}

/**
 * Applies a corporate action to the setup's levels (behaviour 28.5); undefined if it counted before, or the setup is over.
 * `timeMs`: from when prices are on the new base.
 */
export function followAction(setup: PendingSetup, adjustment: Adjustment, timeMs: number): SetupDecision | undefined {
  if (!isFollowing(setup)) return undefined;
  const adjusted = adjustSetup(setup, adjustment, timeMs);
  if (adjusted === undefined) return undefined;
  const isTold = adjusted.changes !== setup.changes || adjusted.corporate?.isHeld !== setup.corporate?.isHeld;
  const message = `${actionText(adjustment.action)}${adjusted.corporate?.isHeld ? ": its group will be held" : ""}`;
  const told = unchanged(adjusted);
  return isTold ? { ...told, notices: [{ type: "setup.changed", message }] } : told;
}

/** Follows a rename of its symbol; undefined if it has another one (behaviour 30.2). */
export function followRename(setup: PendingSetup, renaming: Renaming, timeMs: number): SetupDecision | undefined {
  const renamed = renameSetup(setup, renaming, timeMs);
  if (renamed === undefined) return undefined;
  const told = unchanged(renamed);
  if (!isRegistered(setup)) return told;
  return { ...told, notices: [{ type: "setup.changed", message: renamingText(renaming) }] };
}

/** Notes the opened group; undefined if none was asked for. The group of a part does not end its entry. */
export function endConverted(setup: PendingSetup, groupId: number, timeMs: number): SetupDecision | undefined {
  if (!isConverting(setup)) return undefined;
  const opened = withGroup(setup, groupId);
  if (isBuyingPart(setup)) return unchanged({ ...opened, fillPrice: null });
  return ended(opened, { type: "converted", groupId, timeMs });
}

/**
 * Handles a group that could not be opened, e.g. because one is active (behaviour 5.4); undefined if none was asked
 * for. An entry that still buys continues, and tries again with its next fill.
 */
export function endRefused(setup: PendingSetup, reason: string, timeMs: number): SetupDecision | undefined {
  if (!isConverting(setup)) return undefined;
  if (isBuyingPart(setup)) return unprotected(unchanged({ ...setup, fillPrice: null }), reason);
  return ended(setup, { type: "conversionFailed", reason, timeMs });
}

/** True while news of the order counts. */
function isFollowing(setup: PendingSetup): boolean {
  return isRegistered(setup) || isAfterEnd(setup);
}

function onStep(setup: PendingSetup, step: ExecutionStep, moment: Moment): SetupDecision | undefined {
  const { execution, facts } = step;
  if (execution === setup.buy && facts.length === 0) return undefined;
  let decision: SetupDecision = { setup: { ...setup, buy: execution }, group: null, notices: [], told: [] };
  for (const fact of facts) decision = onFact(decision, fact, moment);
  // A lost order has events of the setup: only the setup's owner can decide about it (behaviour 5.8).
  const told = facts.filter(({ type }) => type !== "inDoubt" && type !== "found");
  return told.length === 0 ? decision : { ...decision, told: [{ execution, facts: told }] };
}

function onFact(decision: SetupDecision, fact: Fact, moment: Moment): SetupDecision {
  const { setup } = decision;
  switch (fact.type) {
    case "ended":
      if (setup.entry !== undefined) return endBuy(decision, moment);
      if (fact.filled > 0 && (fact.rest === 0 || fact.orderStatus === ORDER_COMPLETED)) {
        return convert(decision, moment);
      }
      return withOutcome(decision, {
        type: "removed",
        isPartFilled: fact.filled > 0,
        isByOwner: false,
        timeMs: moment.timeMs,
      });
    case "filledAfterEnd":
      return setup.entry === undefined ? convertLate(decision, moment) : endBuy(decision, moment);
    case "inDoubt":
      return notify(decision, { type: "setup.orderLost", message: lostText(setup) });
    case "found":
      return notify(decision, { type: "setup.orderFound", message: null });
    default:
      return decision;
  }
}

/**
 * The buy of an entry ended, or was filled after that: what it bought becomes a group, once (behaviour 24.4, 24.5). What
 * comes after the group was made is reported alone.
 */
function endBuy(decision: SetupDecision, { timeMs, mayReclaim, market }: Moment): SetupDecision {
  const { setup } = decision;
  const { entry, outcome, buy } = setup;
  if (outcome !== null && outcome.type !== "removed") return decision;
  if (filledQuantityOf(buy) === 0) {
    if (outcome !== null) return decision;
    const isByOwner = entry?.ending?.by === "owner";
    return withOutcome(decision, { type: "removed", isPartFilled: false, isByOwner, timeMs });
  }
  if (outcome !== null && !mayReclaim) return fail(decision, "the order was filled after its end", timeMs);
  return convert({ ...decision, setup: { ...setup, outcome: null } }, { timeMs, market });
}

/** The order had ended and is filled after all (behaviour 5.7). A part of it is reported, and makes no group. */
function convertLate(decision: SetupDecision, { timeMs, mayReclaim, market }: Moment): SetupDecision {
  const { setup } = decision;
  if (!isRemovedByEnd(setup) || filledQuantityOf(setup.buy) < setup.buy.quantity) return decision;
  if (averagePriceOf(setup.buy) === null) return fail(decision, NO_PRICE, timeMs);
  const endedMs = setup.outcome?.timeMs ?? timeMs;
  if (!mayReclaim) return fail(decision, "the order was filled after its end, and is registered again", timeMs);
  if (marketDayOf(market, endedMs) !== marketDayOf(market, timeMs)) {
    return fail(decision, "the order was filled on a later day than it ended", timeMs);
  }
  return convert({ ...decision, setup: { ...setup, outcome: null } }, { timeMs, market });
}

function convert(decision: SetupDecision, { timeMs, market }: Omit<Moment, "mayReclaim">): SetupDecision {
  const { setup } = decision;
  const groupId = setup.entry?.protection?.groupId ?? null;
  // The group of an entry that protects parts exists, and takes over the last part.
  if (groupId !== null) return withOutcome(decision, { type: "converted", groupId, timeMs });
  const plan = planGroup(setup, { timeMs, market });
  return plan.ok ? converting(decision, plan.value, timeMs) : fail(decision, plan.message, timeMs);
}

function fail(decision: SetupDecision, reason: string, timeMs: number): SetupDecision {
  return withOutcome(decision, { type: "conversionFailed", reason, timeMs });
}

function withOutcome(decision: SetupDecision, outcome: SetupOutcome): SetupDecision {
  return { ...decision, setup: { ...decision.setup, outcome } };
}

function notify(decision: SetupDecision, notice: SetupNotice): SetupDecision {
  return { ...decision, notices: [...decision.notices, notice] };
}

function ended(setup: PendingSetup, outcome: SetupOutcome): SetupDecision {
  return { setup: { ...setup, outcome }, group: null, notices: [], told: [] };
}
