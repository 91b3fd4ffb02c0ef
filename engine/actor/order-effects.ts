/**
 * Orders that an actor's chart asks for, withdraws or wants to cancel.
 *
 * Owns: the order's way from the effect to the outbox. Does not own: sending (the outbox), cancelling (the partition).
 */
import { BUY } from "../../src/domain/order/order.ts";
import { refuseOrder, type TradingState } from "../../src/domain/order/trading-state.ts";
import type { Refusal } from "../../src/domain/refusal.ts";
import type { ActorKindName } from "../../src/machine/actor-event.ts";
import type { CancelOrderEffect, SubmitEffect, WithdrawEffect } from "../../src/machine/effect.ts";
import type { ActorProfile } from "../ports/actor.ts";
import type { Outbox } from "../ports/order.ts";
import type { OrderNameOf } from "./kind.ts";

type OrderEffect = SubmitEffect | WithdrawEffect | CancelOrderEffect;

/** An order to be cancelled at the brokerage for its owner. */
export interface OrderToCancel extends ActorProfile {
  readonly actorId: number;
  readonly symbol: string;
  readonly orderNo: string;
  readonly clientOrderId: string | null;
}

export interface OrderEffectOptions {
  readonly outbox: Outbox;
  readonly orderName: OrderNameOf;
  /** The trading state of an account; undefined: trading is not limited. */
  readonly tradingStateOf: (owner: ActorProfile) => TradingState | undefined;
  /** The limit price of an order, in currency units; undefined: a market order. */
  readonly limitOf: (owner: ActorProfile, effect: SubmitEffect) => number | undefined;
  /** In a turn: why the limits of its account refuse a buy of a bot; undefined: they do not (behaviour 27). */
  readonly limitRefusalOf: (owner: ActorProfile, effect: SubmitEffect) => Refusal | undefined;
  /** Called in a turn: an order must be cancelled at the brokerage once that is durable. */
  readonly onCancelOrder: (order: OrderToCancel) => void;
}

/** Called in the turn of the step. `nameOrder`: from a name in the effect to a unique name among the actor's orders. */
export function carryOutOrder(
  { outbox, orderName, limitOf, limitRefusalOf, tradingStateOf, onCancelOrder }: OrderEffectOptions,
  id: number,
  { userId, brokerageCode, accountNumber }: ActorProfile,
  kind: ActorKindName,
  effect: OrderEffect,
  nameOrder: (name: string) => string,
): void {
  const owner = { userId, brokerageCode, accountNumber };
  if (effect.type === "cancelOrder") {
    const { symbol, orderNo, clientOrderId } = effect;
    onCancelOrder({ ...owner, actorId: id, symbol, orderNo, clientOrderId });
    return;
  }
  const clientOrderId = orderName(id, nameOrder(effect.name));
  if (effect.type === "withdraw") {
    outbox.withdraw({ brokerageCode, clientOrderId }, effect.message);
    return;
  }
  const limit = limitOf(owner, effect);
  outbox.submit({
    userId,
    brokerageCode,
    accountNumber,
    clientOrderId,
    urgency: effect.urgency,
    symbol: effect.symbol,
    quantity: effect.quantity,
    buySell: effect.buySell,
    orderType: limit === undefined ? 1 : 2,
    price: limit ?? 0,
    origin: { kind: "actor", actorId: id, name: effect.name },
  });
  const isOfBot = kind === "levelBot" || kind === "webhookBot";
  if (!isOfBot) return;
  const limited = effect.buySell === BUY ? limitRefusalOf(owner, effect) : undefined;
  const refusal = refuseOrder(tradingStateOf(owner), effect.buySell) ?? limited;
  if (refusal !== undefined) outbox.withdraw({ brokerageCode, clientOrderId }, refusal.message);
}
