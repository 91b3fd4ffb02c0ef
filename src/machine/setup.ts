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
 * 5. An event that does not fit the state changes nothing.
 */
import { unreachable } from "../assert.ts";
import type { Market } from "../domain/market/calendar.ts";
import { isAfterEnd, isConverting, isRegistered, type PendingSetup, type SetupPlan } from "../domain/setup.ts";
import type { SetupDecision } from "../domain/setup-end.ts";
import * as rules from "../domain/setup-end.ts";
import { chartSetup, type Verdict } from "./chart.ts";
import { type Effect, earlier, type Facts, followedOrders } from "./effect.ts";
import type { DeadlineEvent, OrderNewsEvent } from "./wake-event.ts";

/** `market`: where the buy order is; absent: not known. */
export type SetupEvent = SetupHappening & { readonly market?: Market };

type SetupHappening =
  | OrderNewsEvent
  | DeadlineEvent
  | { readonly type: "remove"; readonly timeMs: number }
  /** The owner gives it another plan. */
  | { readonly type: "changePlan"; readonly plan: SetupPlan; readonly timeMs: number }
  | { readonly type: "groupOpened"; readonly groupId: number; readonly timeMs: number }
  | { readonly type: "groupRefused"; readonly message: string; readonly timeMs: number };

/** What a setup decides on `event`; undefined where the event means nothing to it. */
function decide(pending: PendingSetup, event: SetupEvent): SetupDecision | undefined {
  switch (event.type) {
    case "orderUpdated":
    case "orderMissing":
    case "orderDecided":
      return rules.hearOfBuy(pending, event);
    case "deadline":
      return rules.passDeadline(pending, event.timeMs);
    case "remove":
      return rules.removeSetup(pending, event.timeMs);
    case "changePlan":
      return rules.replacePlan(pending, event.plan);
    case "groupOpened":
      return rules.endConverted(pending, event.groupId, event.timeMs);
    case "groupRefused":
      return rules.endRefused(pending, event.message, event.timeMs);
    default:
      return unreachable(event);
  }
}

function verdictOn(pending: PendingSetup, event: SetupEvent): Verdict<PendingSetup> | undefined {
  const decision = decide(pending, event);
  if (decision === undefined) return undefined;
  const { setup: next, group, notices, told } = decision;
  const effects: Effect[] = [];
  for (const { execution, facts } of told) effects.push({ type: "tell", execution, facts });
  for (const { type, message } of notices) {
    effects.push({ type: "emit", event: type, data: message === null ? {} : { message } });
  }
  if (group !== null) effects.push({ type: "openGroup", symbol: next.symbol, plan: group });
  if (next.outcome !== null && next.outcome !== pending.outcome) {
    const { type, ...data } = next.outcome;
    effects.push({ type: "emit", event: `setup.${type}`, data });
  }
  return { context: next, effects };
}

const base = chartSetup(verdictOn).extend({
  guards: {
    isConverting: ({ context }) => isConverting(context),
    isAfterEnd: ({ context }) => isAfterEnd(context),
    isConverted: ({ context }) => context.outcome?.type === "converted",
    isConversionFailed: ({ context }) => context.outcome?.type === "conversionFailed",
    isRemoved: ({ context }) => context.outcome?.type === "removed",
    isOver: ({ context }) => context.outcome?.type === "removed" && !isAfterEnd(context),
  },
});

const ACT = { actions: "act" } as const;
const NEWS = { orderUpdated: ACT, orderMissing: ACT, orderDecided: ACT, deadline: ACT, remove: ACT };

/** The chart of one setup. Its context is the setup. */
export const setupMachine = base.createMachine({
  id: "setup",
  context: ({ input }) => input,
  initial: "registered",
  states: {
    registered: {
      always: [
        { guard: "isConverting", target: "converting" },
        { guard: "isConversionFailed", target: "conversionFailed" },
        { guard: "isAfterEnd", target: "orderEnded" },
        { guard: "isRemoved", target: "removed" },
      ],
      on: { ...NEWS, changePlan: ACT },
    },
    orderEnded: {
      always: [
        { guard: "isConverting", target: "converting" },
        { guard: "isConversionFailed", target: "conversionFailed" },
        { guard: "isOver", target: "removed" },
      ],
      on: NEWS,
    },
    converting: {
      always: [
        { guard: "isConverted", target: "converted" },
        { guard: "isConversionFailed", target: "conversionFailed" },
      ],
      on: { groupOpened: { actions: "act" }, groupRefused: { actions: "act" } },
    },
    converted: { type: "final" },
    conversionFailed: { type: "final" },
    removed: { type: "final" },
  },
});

/** What the engine must keep for a setup: no levels, only its order, its claim and its moments. */
export function setupFacts(pending: PendingSetup): Facts {
  const { createdAtMs, dueAtMs, buy, outcome } = pending;
  const isFollowing = isRegistered(pending) || isAfterEnd(pending);
  return {
    watches: [],
    armedSinceMs: createdAtMs,
    deadlineMs: isFollowing ? earlier(outcome === null ? dueAtMs : null, buy.askAtMs) : null,
    claims: outcome === null ? [setupClaim(pending)] : [],
    follows: isFollowing || isConverting(pending) ? followsOf(pending) : [],
  };
}

/** A lost order is its owner's to decide about, not an operator's: it is asked for like any other. */
function followsOf(pending: PendingSetup): Facts["follows"] {
  return followedOrders(pending, pending.buy).map(({ isInDoubt: _, ...order }) => order);
}

/** The claim that keeps a second setup for the same order away (behaviour 5.3). */
export function setupClaim(pending: Pick<PendingSetup, "userId" | "brokerageCode" | "brokerOrderNo">): string {
  return `setup/${pending.userId}/${pending.brokerageCode}/${pending.brokerOrderNo}`;
}
