/**
 * The chart of a price alert: watching until a price reaches it, its time ends or its owner removes it, then a row of the
 * list of ended alerts (behaviour 29).
 *
 * Owns: the order of that life and its events. Does not own: the rules (`domain/price-alert.ts`).
 *
 * Invariants:
 * 1. `over` is final.
 * 2. Each reached price emits one event, and so does an end by time; a removal emits none.
 */
import { unreachable } from "../assert.ts";
import {
  type AlertChange,
  adjustAlert,
  alertDeadlineMs,
  changeAlert,
  countsEveryTick,
  isReachedBy,
  isWatching,
  levelOf,
  type PriceAlert,
  passAlertDeadline,
  removeAlert,
  renameAlert,
  turnAlert,
  walkAlert,
} from "../domain/price-alert.ts";
import { chartSetup, type Verdict } from "./chart.ts";
import type { EmitEffect, Facts } from "./effect.ts";
import type {
  CorporateActionEvent,
  DeadlineEvent,
  PriceReachedEvent,
  SymbolRenamedEvent,
  TicksPassedEvent,
} from "./wake-event.ts";

export type PriceAlertEvent =
  | PriceReachedEvent
  | TicksPassedEvent
  | DeadlineEvent
  | CorporateActionEvent
  | SymbolRenamedEvent
  | { readonly type: "changeTerms"; readonly change: AlertChange; readonly timeMs: number }
  | { readonly type: "remove" };

/** The type of the event that notifies the owner of a reached price. */
export const PRICE_REACHED = "price.reached";
/** The type of the event that notifies the owner of an end by time. */
export const PRICE_EXPIRED = "price.expired";

/** The watches of an armed alert, and of an alert that waits for a price on the other side. */
const [ARMED, AWAY] = [0, 1] as const;

function watchOf({ isAway }: PriceAlert): number {
  return isAway === true ? AWAY : ARMED;
}

const ACT = { actions: "act" } as const;

function verdictOn(alert: PriceAlert, event: PriceAlertEvent): Verdict<PriceAlert> | undefined {
  switch (event.type) {
    case "priceReached": {
      if (!event.watches.includes(watchOf(alert)) || !isReachedBy(alert, event.price)) return undefined;
      return { context: turnAlert(alert, event), effects: alert.isAway === true ? [] : [reached(event.price)] };
    }
    case "ticksPassed": {
      const walked = walkAlert(alert, event.ticks);
      if (walked.alert === alert) return undefined;
      return { context: walked.alert, effects: walked.reachedPrices.map(reached) };
    }
    case "deadline": {
      const passed = passAlertDeadline(alert, event.timeMs);
      const isExpired = passed?.ended !== undefined && alert.ended === undefined;
      return (
        passed && { context: passed, effects: isExpired ? [{ type: "emit", event: PRICE_EXPIRED, data: {} }] : [] }
      );
    }
    case "corporateAction":
      return silent(adjustAlert(alert, event.adjustment, event.timeMs));
    case "symbolRenamed":
      return silent(renameAlert(alert, event.renaming, event.timeMs));
    case "changeTerms":
      return silent(changeAlert(alert, event.change, event.timeMs));
    case "remove":
      return silent(removeAlert(alert));
    default:
      return unreachable(event);
  }
}

function reached(reachedPrice: number): EmitEffect {
  return { type: "emit", event: PRICE_REACHED, data: { reachedPrice } };
}

function silent(context: PriceAlert | undefined): Verdict<PriceAlert> | undefined {
  return context && { context, effects: [] };
}

const base = chartSetup(verdictOn).extend({
  guards: { isOver: ({ context }) => context.isOver, isEnded: ({ context }) => !isWatching(context) },
});

const OVER = { guard: "isOver", target: "over" } as const;

/** The chart of one alert. Its context is the alert. */
export const priceAlertMachine = base.createMachine({
  id: "priceAlert",
  context: ({ input }) => input,
  initial: "watching",
  states: {
    watching: {
      always: [OVER, { guard: "isEnded", target: "ended" }],
      on: {
        ...{ priceReached: ACT, ticksPassed: ACT, deadline: ACT, corporateAction: ACT, symbolRenamed: ACT },
        ...{ changeTerms: ACT, remove: ACT },
      },
    },
    ended: { always: [OVER], on: { deadline: ACT, remove: ACT } },
    over: { type: "final" },
  },
});

/** The claim of an alert's place among the alerts of its owner that are under watch. */
export function alertClaim({ userId, slot }: Pick<PriceAlert, "userId" | "slot">): string {
  return `priceAlert/${userId}/${slot}`;
}

/** The claim of the same place among the ended alerts of its owner. */
export function endedAlertClaim({ userId, slot }: Pick<PriceAlert, "userId" | "slot">): string {
  return `priceAlertEnded/${userId}/${slot}`;
}

/** What the engine must keep for an alert: its level, its moments, and its place among the alerts of its owner. */
export function priceAlertFacts(alert: PriceAlert): Facts {
  const { symbol, armedSinceMs } = alert;
  const level = levelOf(alert);
  const everyTick = countsEveryTick(alert) && { countsEveryTick: true };
  return {
    watches: isWatching(alert) && level ? [{ watch: watchOf(alert), symbol, ...level, ...everyTick }] : [],
    armedSinceMs,
    deadlineMs: alertDeadlineMs(alert),
    claims: alert.isOver ? [] : [isWatching(alert) ? alertClaim(alert) : endedAlertClaim(alert)],
    follows: [],
  };
}
