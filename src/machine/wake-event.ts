/**
 * What wakes an actor: the levels, deadlines and orders that its facts name, and the answers to what it asked for.
 *
 * Owns: the events that the engine addresses by an actor's id alone, of any kind. Does not own: further events of a
 * kind (its chart), what an event changes (its rules).
 */
import type { Adjustment } from "../domain/market/corporate-action.ts";
import type { Renaming } from "../domain/market/rename.ts";
import type { OrderNews, OrderPlaced, OrderRefused } from "../domain/order/order-news.ts";
import type { LiveTick } from "../domain/price/price.ts";

/** A live price, in currency units, that reached levels of the actor. */
export interface PriceReachedEvent {
  readonly type: "priceReached";
  readonly watches: readonly number[];
  readonly price: number;
  readonly timeMs: number;
}

/** Every tick after the last tick that the actor received, oldest first, of symbols that it watches or not. */
export interface TicksPassedEvent {
  readonly type: "ticksPassed";
  readonly ticks: readonly LiveTick[];
}

/** The moment that the facts name has come. `timeMs` is that moment. */
export interface DeadlineEvent {
  readonly type: "deadline";
  readonly timeMs: number;
}

export type OrderRefusedEvent = OrderRefused & {
  /** As in {@link OrderNewsEvent}. */
  readonly mayReclaim?: boolean;
};

/** News of an order that the actor follows. */
export type OrderNewsEvent = OrderNews & {
  /** Whether the claim that the actor gave up is free; false if that was not checked. */
  readonly mayReclaim?: boolean;
};

/** The base of a symbol's prices changed (behaviour 28). `timeMs`: prices from then on are on the new one. */
export interface CorporateActionEvent {
  readonly type: "corporateAction";
  readonly adjustment: Adjustment;
  readonly timeMs: number;
}

/** Its exchange renamed a symbol (behaviour 30). `timeMs`: prices under the new name count from then on. */
export interface SymbolRenamedEvent {
  readonly type: "symbolRenamed";
  readonly renaming: Renaming;
  readonly timeMs: number;
}

export type WakeEvent =
  | PriceReachedEvent
  | SymbolRenamedEvent
  | CorporateActionEvent
  | TicksPassedEvent
  | DeadlineEvent
  | OrderPlaced
  | OrderRefusedEvent
  | OrderNewsEvent;
