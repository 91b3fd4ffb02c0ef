/**
 * What the charts of both bots share: the switch, and the way from a decision to effects.
 *
 * Owns: the two states. An active bot receives the events that it trades on; an inactive bot receives only events of
 * its orders and of its owner. Does not own: the rules (`domain/bot/level-bot.ts`, `domain/bot/webhook-bot.ts`),
 * watching, storing, sending.
 *
 * Invariants:
 * 1. The state follows `isActive`; a bot ends when its owner deletes it, and only without open pairs.
 * 2. An inactive bot asks for no order.
 * 3. An event that does not fit the state changes nothing.
 */
import type { EventObject, MachineContext } from "xstate";
import { type Bot, type BotDecision, executionsOf } from "../domain/bot/bot.ts";
import type { OrderEvent } from "../domain/bot/pair.ts";
import type { Renaming } from "../domain/market/rename.ts";
import { chartSetup } from "./chart.ts";
import { type Effect, type FollowedOrder, followedOrders } from "./effect.ts";
import type { CorporateActionEvent, DeadlineEvent, SymbolRenamedEvent } from "./wake-event.ts";

/** The owner changed the bot: the whole new plan. */
interface UpdateEvent<P> {
  readonly type: "update";
  readonly plan: P;
  readonly timeMs: number;
}

/** The owner deletes the bot. It changes nothing while a pair is open. */
interface DeleteEvent {
  readonly type: "delete";
  readonly timeMs: number;
}

/** The events that every bot receives, active or not. */
export type SharedBotEvent<P> =
  | OrderEvent
  | DeadlineEvent
  | CorporateActionEvent
  | SymbolRenamedEvent
  | UpdateEvent<P>
  | DeleteEvent;

/**
 * The chart of one bot; its context is the bot. `decide` returns the bot's decision on an event, undefined if it
 * changes nothing. A pair that ended is kept as a row.
 */
export function botChart<B extends Bot & MachineContext, P, T extends EventObject>(options: {
  readonly id: string;
  readonly decide: (bot: B, event: SharedBotEvent<P> | T) => BotDecision<B> | undefined;
  /** Events of this kind alone that an inactive bot receives, too. */
  readonly alwaysHears: readonly T["type"][];
}) {
  const base = chartSetup((bot: B, event: SharedBotEvent<P> | T) => {
    const decision = options.decide(bot, event);
    return decision && { context: decision.bot, effects: effectsOfDecision(decision) };
  }).extend({
    guards: {
      isActive: ({ context }) => context.isActive,
      isInactive: ({ context }) => !context.isActive,
      isDeleted: ({ context }) => context.deletedAtMs !== null,
    },
  });
  const shared = {
    orderPlaced: { actions: "act" },
    orderRefused: { actions: "act" },
    orderUpdated: { actions: "act" },
    orderMissing: { actions: "act" },
    orderDecided: { actions: "act" },
    deadline: { actions: "act" },
    corporateAction: { actions: "act" },
    symbolRenamed: { actions: "act" },
    update: { actions: "act" },
    delete: { actions: "act" },
    ...Object.fromEntries(options.alwaysHears.map((type) => [type, { actions: "act" as const }])),
  } as const;
  return base.createMachine({
    id: options.id,
    context: ({ input }) => input,
    initial: "active",
    states: {
      active: {
        always: [
          { guard: "isDeleted", target: "deleted" },
          { guard: "isInactive", target: "inactive" },
        ],
        on: { "*": { actions: "act" } },
      },
      inactive: {
        always: [
          { guard: "isDeleted", target: "deleted" },
          { guard: "isActive", target: "active" },
        ],
        on: shared,
      },
      deleted: { type: "final" },
    },
  });
}

function effectsOfDecision<B>({ orders, notices, closed, told = [] }: BotDecision<B>): Effect[] {
  const effects: Effect[] = [];
  for (const { name, symbol, buySell, quantity } of orders) {
    effects.push({ type: "submit", name, urgency: "triggered", symbol, buySell, quantity });
  }
  for (const { type, ...data } of notices) effects.push({ type: "emit", event: type, data });
  for (const pair of closed) effects.push({ type: "keep", data: { ...pair } });
  for (const { execution, facts } of told) effects.push({ type: "tell", execution, facts });
  return effects;
}

/** The decision of a bot that a corporate action changed: nothing else changes. */
export function becomes<B>(bot: B | undefined): BotDecision<B> | undefined {
  return bot && { bot, orders: [], notices: [], closed: [] };
}

/** The decision of a bot that follows a rename: its owner gets the bot as it is now. */
export function becomesRenamed<B>(bot: B | undefined, { to }: Renaming): BotDecision<B> | undefined {
  return bot && { bot, orders: [], notices: [{ type: "bot.updated", symbol: to }], closed: [] };
}

/** The orders that a bot waits for, as the engine follows them. */
export function botFollows(bot: Bot): FollowedOrder[] {
  return executionsOf(bot).flatMap((execution) => followedOrders(bot, execution));
}
