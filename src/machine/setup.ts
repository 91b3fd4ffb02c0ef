/**
 * The chart of a pending OCO setup.
 *
 * Owns: the order of a setup's life (registered, converting, one of three ends) and which effects each event asks for.
 * Does not own: the rules (`domain/setup.ts`), looking the order up, opening the group.
 *
 * Invariants:
 * 1. A group is asked for once. The engine answers in the same turn, so that no stored setup is `converting`.
 * 2. The three ends are final; each is told with one event: `setup.converted`, `setup.conversionFailed`,
 *    `setup.removed`.
 * 3. An event that does not fit the state changes nothing.
 */
import { unreachable } from "../assert.ts";
import type { OrderUpdated } from "../domain/order/order-news.ts";
import type { PendingSetup, SetupDecision } from "../domain/setup.ts";
import * as rules from "../domain/setup.ts";
import { chartSetup, type Verdict } from "./chart.ts";
import type { Effect, Facts } from "./effect.ts";
import type { DeadlineEvent } from "./wake-event.ts";

export type SetupEvent =
  | OrderUpdated
  | DeadlineEvent
  | { readonly type: "remove"; readonly timeMs: number }
  | { readonly type: "groupOpened"; readonly groupId: number; readonly timeMs: number }
  | { readonly type: "groupRefused"; readonly message: string; readonly timeMs: number };

/** What a setup decides on `event`; undefined where the event means nothing to it. */
function decide(pending: PendingSetup, event: SetupEvent): SetupDecision | undefined {
  switch (event.type) {
    case "orderUpdated":
      return rules.followOrder(pending, event.record, event.timeMs);
    case "deadline":
      return rules.endDue(pending, event.timeMs);
    case "remove":
      return rules.removeSetup(pending, event.timeMs);
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
  const { setup: next, group } = decision;
  const effects: Effect[] = [];
  if (group !== null) effects.push({ type: "openGroup", symbol: next.symbol, plan: group });
  if (next.outcome !== null) {
    const { type, ...data } = next.outcome;
    effects.push({ type: "emit", event: `setup.${type}`, data });
  }
  return { context: next, effects };
}

const base = chartSetup(verdictOn).extend({
  guards: {
    isConverting: ({ context }) => rules.isConverting(context),
    isConverted: ({ context }) => context.outcome?.type === "converted",
    isConversionFailed: ({ context }) => context.outcome?.type === "conversionFailed",
    isRemoved: ({ context }) => context.outcome?.type === "removed",
  },
});

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
        { guard: "isRemoved", target: "removed" },
      ],
      on: { orderUpdated: { actions: "act" }, deadline: { actions: "act" }, remove: { actions: "act" } },
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

/** What the engine must keep for a setup: no levels, only its order, its claim and its due date, until it ends. */
export function setupFacts(pending: PendingSetup): Facts {
  const { userId, brokerageCode, accountNumber, brokerOrderNo, createdAtMs, dueAtMs } = pending;
  const isOver = pending.outcome !== null;
  return {
    watches: [],
    armedSinceMs: createdAtMs,
    deadlineMs: isOver ? null : dueAtMs,
    claims: isOver ? [] : [setupClaim(pending)],
    follows: isOver ? [] : [{ userId, brokerageCode, accountNumber, orderNo: brokerOrderNo }],
  };
}

/** The claim that keeps a second setup for the same order away (behaviour 5.3). */
export function setupClaim(pending: Pick<PendingSetup, "userId" | "brokerageCode" | "brokerOrderNo">): string {
  return `setup/${pending.userId}/${pending.brokerageCode}/${pending.brokerOrderNo}`;
}
