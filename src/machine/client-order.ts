/**
 * The chart of an order that a client placed: followed until it is settled, and forgotten a day later.
 *
 * Owns: the order of that life. Does not own: the rules (`domain/order/client-order.ts`), placing the order.
 *
 * Invariant: nothing follows from what is learnt but reports: the client decides about its orders itself.
 */
import { unreachable } from "../assert.ts";
import * as rules from "../domain/order/client-order.ts";
import { chartSetup, type Verdict } from "./chart.ts";
import { type Facts, followedOrders } from "./effect.ts";
import type { DeadlineEvent, OrderNewsEvent, SymbolRenamedEvent } from "./wake-event.ts";

export type ClientOrderEvent = OrderNewsEvent | DeadlineEvent | SymbolRenamedEvent;

function decide(order: rules.ClientOrder, event: ClientOrderEvent): rules.ClientOrderDecision | undefined {
  switch (event.type) {
    case "orderUpdated":
    case "orderMissing":
    case "orderDecided":
      return rules.hearOfClientOrder(order, event);
    case "symbolRenamed":
      return rules.renameClientOrder(order, event.renaming);
    case "deadline":
      return rules.passMoment(order, event.timeMs);
    default:
      return unreachable(event);
  }
}

function verdictOn(before: rules.ClientOrder, event: ClientOrderEvent): Verdict<rules.ClientOrder> | undefined {
  const decision = decide(before, event);
  if (decision === undefined) return undefined;
  const { order, told } = decision;
  return { context: order, effects: told.facts.length === 0 ? [] : [{ type: "tell", ...told }] };
}

const ACT = { actions: "act" } as const;

const base = chartSetup(verdictOn).extend({ guards: { isOver: ({ context }) => context.isOver } });

/** The chart of one order. Its context is the order. */
export const clientOrderMachine = base.createMachine({
  id: "clientOrder",
  context: ({ input }) => input,
  initial: "followed",
  states: {
    followed: {
      always: [{ guard: "isOver", target: "forgotten" }],
      on: { orderUpdated: ACT, orderMissing: ACT, orderDecided: ACT, symbolRenamed: ACT, deadline: ACT },
    },
    forgotten: { type: "final" },
  },
});

/** What the engine must keep for an order: its numbers, and its next moment. */
export function clientOrderFacts(order: rules.ClientOrder): Facts {
  const isSettled = rules.isSettled(order);
  const follows = followedOrders(order, order.execution).map((one) => (isSettled ? { ...one, isSettled } : one));
  return {
    watches: [],
    armedSinceMs: order.placedAtMs,
    deadlineMs: rules.nextMomentOf(order),
    claims: [],
    follows: order.isOver ? [] : follows,
  };
}
