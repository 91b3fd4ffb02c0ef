/**
 * The chart of a pending OCO setup.
 *
 * Owns: the order of a setup's life (registered, converting, order ended, one of three ends) and which effects each event
 * asks for. Does not own: the rules (`domain/setup.ts`, `domain/setup-end.ts`), looking the order up, opening the group.
 *
 * Invariants:
 * 1. A group is asked for once. The engine answers in the same turn, so that no stored setup is `converting`.
 * 2. Each outcome is reported by one event: `setup.converted`, `setup.conversionFailed`, `setup.removed`.
 * 3. A setup whose order ended is `orderEnded` until that end is settled: a fill until then counts (behaviour 5.7).
 * 4. The plan of a registered setup alone can be changed.
 * 5. An entry is over for its owner with its outcome, and `orderEnded` until the end of its buy is settled.
 * 6. An event that does not fit the state changes nothing.
 */
import { unreachable } from "../assert.ts";
import type { Market } from "../domain/market/calendar.ts";
import { underPresentName } from "../domain/market/rename.ts";
import { BUY } from "../domain/order/order.ts";
import type { OrderPlaced } from "../domain/order/order-news.ts";
import { nameOf, orderNoOf } from "../domain/order/order-number.ts";
import { isAfterEnd, isConverting, isRegistered, type PendingSetup } from "../domain/setup.ts";
import type { ChangedPlan } from "../domain/setup-change.ts";
import type { SetupDecision } from "../domain/setup-decision.ts";
import * as rules from "../domain/setup-end.ts";
import { cancelAtMs, entryName, isUnanswered, refuseCancel } from "../domain/setup-entry.ts";
import { protect } from "../domain/setup-protect.ts";
import { reachTrigger, waitingTrigger } from "../domain/setup-trigger.ts";
import { chartSetup, type Verdict } from "./chart.ts";
import { type Effect, earlier, type Facts, followedOrders } from "./effect.ts";
import type {
  CorporateActionEvent,
  DeadlineEvent,
  OrderNewsEvent,
  OrderRefusedEvent,
  PriceReachedEvent,
  SymbolRenamedEvent,
} from "./wake-event.ts";

/** `market`: where the buy order is; absent: not known. */
export type SetupEvent = SetupHappening & { readonly market?: Market };

type SetupHappening =
  /** The brokerage's answers to the buy of an entry. */
  | OrderPlaced
  | OrderRefusedEvent
  | OrderNewsEvent
  | DeadlineEvent
  | CorporateActionEvent
  | SymbolRenamedEvent
  | { readonly type: "remove"; readonly timeMs: number }
  /** The owner gives it another plan. */
  | { readonly type: "changePlan"; readonly plan: ChangedPlan; readonly timeMs: number }
  | { readonly type: "groupOpened"; readonly groupId: number; readonly timeMs: number }
  | { readonly type: "groupRefused"; readonly message: string; readonly timeMs: number }
  /** The stop-loss of its group is over. */
  | { readonly type: "endEntry"; readonly timeMs: number }
  /** The brokerage refused to cancel the buy of an entry. */
  | { readonly type: "cancelRefused"; readonly message: string; readonly timeMs: number }
  | PriceReachedEvent;

/** What a setup decides on `event`; undefined where the event means nothing to it. */
function decide(pending: PendingSetup, event: SetupEvent): SetupDecision | undefined {
  switch (event.type) {
    case "orderPlaced":
    case "orderRefused":
      return rules.answerEntry(pending, event);
    case "orderUpdated":
    case "orderMissing":
    case "orderDecided":
      return rules.hearOfBuy(pending, underPresentName(event, pending));
    case "deadline":
      return rules.passDeadline(pending, event.timeMs);
    case "corporateAction":
      return rules.followAction(pending, event.adjustment, event.timeMs);
    case "symbolRenamed":
      return rules.followRename(pending, event.renaming, event.timeMs);
    case "remove":
      return rules.removeSetup(pending, event.timeMs, event.market);
    case "changePlan":
      return rules.replacePlan(pending, event.plan);
    case "groupOpened":
      return rules.endConverted(pending, event.groupId, event.timeMs);
    case "groupRefused":
      return rules.endRefused(pending, event.message, event.timeMs);
    case "endEntry":
      return rules.endForGroup(pending, event.timeMs);
    case "cancelRefused":
      return refuseCancel(pending, event.message);
    case "priceReached":
      return reachTrigger(pending, event.price);
    default:
      return unreachable(event);
  }
}

function verdictOn(pending: PendingSetup, event: SetupEvent): Verdict<PendingSetup> | undefined {
  const decided = decide(pending, event);
  if (decided === undefined) return undefined;
  const { setup: next, group, notices, told, growth, isBuying, isRecalling } = protect(decided, event);
  const effects: Effect[] = [];
  for (const { execution, facts } of told) effects.push({ type: "tell", execution, facts });
  for (const { type, message } of notices) {
    effects.push({ type: "emit", event: type, data: message === null ? {} : { message } });
  }
  if (isBuying === true) effects.push(submitBuy(next));
  if (isRecalling === true) effects.push(recall(next));
  if (growth !== undefined) effects.push({ type: "growGroup", ...growth });
  if (group !== null) effects.push({ type: "openGroup", symbol: next.symbol, plan: group });
  if (next.outcome !== null && next.outcome !== pending.outcome) {
    const { type, ...data } = next.outcome;
    effects.push({ type: "emit", event: `setup.${type}`, data });
  }
  return { context: next, effects };
}

/** The buy of a stop entry, at market. */
function submitBuy(pending: PendingSetup): Effect {
  const { symbol, stopLoss } = pending;
  const what = { symbol, buySell: BUY, quantity: stopLoss.quantity } as const;
  return { type: "submit", name: entryName(pending), urgency: "triggered", ...what };
}

/** A buy that was not sent is taken back, any other is cancelled at the brokerage. */
function recall(pending: PendingSetup): Effect {
  if (isUnanswered(pending)) {
    return { type: "withdraw", name: entryName(pending), message: "the entry was ended before it was sent" };
  }
  const { symbol, buy } = pending;
  return { type: "cancelOrder", symbol, orderNo: orderNoOf(buy), clientOrderId: nameOf(buy) };
}

/** How a setup ended of which no late fill counts any more. */
function endOf(pending: PendingSetup): NonNullable<PendingSetup["outcome"]>["type"] | undefined {
  return isAfterEnd(pending) ? undefined : pending.outcome?.type;
}

const base = chartSetup(verdictOn).extend({
  guards: {
    isRegistered: ({ context }) => isRegistered(context),
    isConverting: ({ context }) => isConverting(context),
    isAfterEnd: ({ context }) => isAfterEnd(context),
    isConverted: ({ context }) => endOf(context) === "converted",
    isConversionFailed: ({ context }) => endOf(context) === "conversionFailed",
    isEntryRefused: ({ context }) => endOf(context) === "entryRefused",
    isRemoved: ({ context }) => endOf(context) === "removed",
  },
});

const ACT = { actions: "act" } as const;
const ANSWERS = { orderPlaced: ACT, orderRefused: ACT };
const NEWS_OF_ORDER = { orderUpdated: ACT, orderMissing: ACT, orderDecided: ACT };
const NEWS = { ...NEWS_OF_ORDER, deadline: ACT, corporateAction: ACT, symbolRenamed: ACT, remove: ACT };

const ENDS = [
  { guard: "isConverted", target: "converted" },
  { guard: "isConversionFailed", target: "conversionFailed" },
  { guard: "isEntryRefused", target: "entryRefused" },
  { guard: "isRemoved", target: "removed" },
] as const;

/** The chart of one setup. Its context is the setup. */
export const setupMachine = base.createMachine({
  id: "setup",
  context: ({ input }) => input,
  initial: "registered",
  states: {
    registered: {
      always: [{ guard: "isConverting", target: "converting" }, { guard: "isAfterEnd", target: "orderEnded" }, ...ENDS],
      on: { ...NEWS, ...ANSWERS, changePlan: ACT, endEntry: ACT, cancelRefused: ACT, priceReached: ACT },
    },
    orderEnded: {
      always: [{ guard: "isConverting", target: "converting" }, ...ENDS],
      on: NEWS,
    },
    converting: {
      always: [{ guard: "isRegistered", target: "registered" }, { guard: "isAfterEnd", target: "orderEnded" }, ...ENDS],
      on: { groupOpened: ACT, groupRefused: ACT, endEntry: ACT },
    },
    converted: { type: "final" },
    conversionFailed: { type: "final" },
    entryRefused: { type: "final" },
    removed: { type: "final" },
  },
});

const TRIGGER = 0;

/** What the engine must keep for a setup: its order, its claim, its moments, and the trigger that a stop entry waits for. */
export function setupFacts(pending: PendingSetup): Facts {
  const { createdAtMs, buy, outcome, symbol, entry } = pending;
  const trigger = waitingTrigger(pending);
  const isFollowing = isRegistered(pending) || isAfterEnd(pending);
  const dueAtMs = entry === undefined ? pending.dueAtMs : cancelAtMs(pending);
  return {
    watches: trigger === undefined ? [] : [{ watch: TRIGGER, symbol, side: "above", level: trigger.level }],
    armedSinceMs: entry?.trigger?.armedAtMs ?? createdAtMs,
    deadlineMs: isFollowing ? earlier(outcome === null ? dueAtMs : null, buy.askAtMs) : null,
    claims: outcome === null ? [claimOf(pending)] : [],
    follows: isFollowing || isConverting(pending) ? followsOf(pending) : [],
  };
}

/** A lost order is its owner's to decide about, not an operator's: it is asked for like any other. */
function followsOf(pending: PendingSetup): Facts["follows"] {
  return followedOrders(pending, pending.buy).map(({ isInDoubt: _, ...order }) => order);
}

/** The claim of a setup while it is not over: an entry has its symbol, any other its order. */
export function claimOf(pending: PendingSetup): string {
  return pending.entry === undefined ? setupClaim(pending) : entryClaim(pending);
}

/** The claim that keeps a second entry of the same symbol away (behaviour 24.2). */
export function entryClaim(
  pending: Pick<PendingSetup, "userId" | "brokerageCode" | "accountNumber" | "symbol">,
): string {
  return `entry/${pending.userId}/${pending.brokerageCode}/${pending.accountNumber}/${pending.symbol}`;
}

/** The claim that keeps a second setup for the same order away (behaviour 5.3). */
export function setupClaim(pending: Pick<PendingSetup, "userId" | "brokerageCode" | "brokerOrderNo">): string {
  return `setup/${pending.userId}/${pending.brokerageCode}/${pending.brokerOrderNo}`;
}
