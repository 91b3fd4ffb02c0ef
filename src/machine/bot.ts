/**
 * What the charts of both bots share: the switch, and the way from a decision to effects.
 *
 * Owns: the two states. Active, a bot hears what it trades on; inactive, it only hears how its orders end, and its
 * owner. Does not own: the rules (`domain/level-bot.ts`, `domain/webhook-bot.ts`), watching, storing, sending.
 *
 * Invariants:
 * 1. The state follows `isActive`; a bot never ends.
 * 2. An inactive bot asks for no order.
 * 3. An event that does not fit the state changes nothing.
 */
import { assign, type EventObject, type MachineContext, setup } from "xstate";
import { type Bot, type BotDecision, followedOrders } from "../domain/bot.ts";
import type { OrderEvent } from "../domain/pair.ts";
import type { EmitEffect, FollowedOrder, KeepEffect, SubmitEffect } from "./effect.ts";

/** The owner changed the bot: the whole new plan. */
export interface UpdateEvent<P> {
  readonly type: "update";
  readonly plan: P;
  readonly timeMs: number;
}

/** Every bot hears these, active or not. */
export type SharedBotEvent<P> = OrderEvent | UpdateEvent<P>;

/**
 * The chart of one bot; its context is the bot. `decide` says what the bot makes of an event, undefined where nothing.
 * `keepsHistory`: a pair that ended is kept as a row.
 */
export function botChart<B extends Bot & MachineContext, P, T extends EventObject>(options: {
  readonly id: string;
  readonly decide: (bot: B, event: SharedBotEvent<P> | T) => BotDecision<B> | undefined;
  readonly keepsHistory: boolean;
}) {
  const base = setup({
    types: { context: {} as B, events: {} as SharedBotEvent<P> | T, input: {} as B },
    guards: { isActive: ({ context }) => context.isActive, isInactive: ({ context }) => !context.isActive },
    actions: {
      submit: (_, _order: Omit<SubmitEffect, "type">) => undefined,
      emit: (_, _event: Omit<EmitEffect, "type">) => undefined,
      keep: (_, _row: Omit<KeepEffect, "type">) => undefined,
    },
  });
  const act = base.enqueueActions(({ context, event, enqueue }) => {
    const decision = options.decide(context, event);
    if (decision === undefined) return;
    enqueue(assign(decision.bot));
    for (const order of decision.orders) enqueue({ type: "submit", params: { ...order, urgency: "triggered" } });
    for (const { type, ...data } of decision.notices) enqueue({ type: "emit", params: { event: type, data } });
    if (!options.keepsHistory) return;
    for (const pair of decision.closed) enqueue({ type: "keep", params: { data: { ...pair } } });
  });
  const shared = {
    orderPlaced: { actions: act },
    orderRefused: { actions: act },
    orderUpdated: { actions: act },
    update: { actions: act },
  } as const;
  return base.createMachine({
    id: options.id,
    context: ({ input }) => input,
    initial: "active",
    states: {
      active: {
        always: { guard: "isInactive", target: "inactive" },
        on: { "*": { actions: act } },
      },
      inactive: {
        always: { guard: "isActive", target: "active" },
        on: shared,
      },
    },
  });
}

/** The orders that a bot waits for, as the engine follows them. */
export function botFollows(bot: Bot): FollowedOrder[] {
  const { userId, brokerageCode, accountNumber } = bot;
  return followedOrders(bot).map((orderNo) => ({ userId, brokerageCode, accountNumber, orderNo }));
}
