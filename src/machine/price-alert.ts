/**
 * The chart of a price alert: watching until a price reaches it, or until its owner removes it (behaviour 29).
 *
 * Owns: the order of that life and the event of a reached price. Does not own: the rules (`domain/price-alert.ts`).
 *
 * Invariants:
 * 1. `over` is final.
 * 2. A reached price emits one event; a removal emits none.
 */
import { unreachable } from "../assert.ts";
import { adjustAlert, endAlert, type PriceAlert, renameAlert } from "../domain/price-alert.ts";
import { chartSetup, type Verdict } from "./chart.ts";
import type { Facts } from "./effect.ts";
import type { CorporateActionEvent, PriceReachedEvent, SymbolRenamedEvent } from "./wake-event.ts";

export type PriceAlertEvent =
  | PriceReachedEvent
  | CorporateActionEvent
  | SymbolRenamedEvent
  | { readonly type: "remove" };

/** The type of the event that notifies the owner of a reached price. */
export const PRICE_REACHED = "price.reached";

const ACT = { actions: "act" } as const;

function verdictOn(alert: PriceAlert, event: PriceAlertEvent): Verdict<PriceAlert> | undefined {
  switch (event.type) {
    case "priceReached": {
      const data = { reachedPrice: event.price };
      return { context: endAlert(alert), effects: [{ type: "emit", event: PRICE_REACHED, data }] };
    }
    case "corporateAction": {
      const adjusted = adjustAlert(alert, event.adjustment, event.timeMs);
      return adjusted && { context: adjusted, effects: [] };
    }
    case "symbolRenamed": {
      const renamed = renameAlert(alert, event.renaming, event.timeMs);
      return renamed && { context: renamed, effects: [] };
    }
    case "remove":
      return { context: endAlert(alert), effects: [] };
    default:
      return unreachable(event);
  }
}

const base = chartSetup(verdictOn).extend({ guards: { isOver: ({ context }) => context.isOver } });

/** The chart of one alert. Its context is the alert. */
export const priceAlertMachine = base.createMachine({
  id: "priceAlert",
  context: ({ input }) => input,
  initial: "watching",
  states: {
    watching: {
      always: [{ guard: "isOver", target: "over" }],
      on: { priceReached: ACT, corporateAction: ACT, symbolRenamed: ACT, remove: ACT },
    },
    over: { type: "final" },
  },
});

/** The claim of an alert's place among the alerts of its owner. */
export function alertClaim({ userId, slot }: Pick<PriceAlert, "userId" | "slot">): string {
  return `priceAlert/${userId}/${slot}`;
}

/** What the engine must keep for an alert: its level, and its place among the alerts of its owner. */
export function priceAlertFacts(alert: PriceAlert): Facts {
  const { symbol, side, price: level, armedSinceMs, isOver } = alert;
  return {
    watches: isOver ? [] : [{ watch: 0, symbol, side, level }],
    armedSinceMs,
    deadlineMs: null,
    claims: isOver ? [] : [alertClaim(alert)],
    follows: [],
  };
}
