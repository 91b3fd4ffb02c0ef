/**
 * What wakes an actor: the levels, deadlines and orders that its facts name, and the answers to what it asked for.
 *
 * Owns: the events that the engine addresses by an actor's id alone, whatever its kind. Does not own: what else a kind
 * hears (its chart), what an event changes (its rules).
 */
import type { OrderNews } from "../domain/order/order-news.ts";
import type { LiveTick } from "../domain/price/price.ts";

/** A live price, in currency units, that reached levels of the actor. */
export interface PriceReachedEvent {
  readonly type: "priceReached";
  readonly watches: readonly number[];
  readonly price: number;
  readonly timeMs: number;
}

/** Every tick since the last one that the actor was given, oldest first, of symbols that it watches or not. */
export interface TicksPassedEvent {
  readonly type: "ticksPassed";
  readonly ticks: readonly LiveTick[];
}

/** The moment that the facts name has come. `timeMs` is that moment. */
export interface DeadlineEvent {
  readonly type: "deadline";
  readonly timeMs: number;
}

/** The brokerage took an order that the actor asked for. */
export interface OrderPlacedEvent {
  readonly type: "orderPlaced";
  readonly name: string;
  /** The whole name at the brokerage. Absent in what an older edition stored. */
  readonly clientOrderId?: string;
  readonly orderNo: string;
  readonly orderStatus: number;
  /** Lots that it was asked for. */
  readonly quantity: number;
  readonly timeMs: number;
}

/** An order that the actor asked for does not exist and never will. */
export interface OrderRefusedEvent {
  readonly type: "orderRefused";
  readonly name: string;
  readonly message: string;
  readonly timeMs: number;
  /** True: the brokerage was not reached, or not with a login; it refused nothing. */
  readonly isUnreached?: boolean;
  /** As in {@link OrderNewsEvent}. */
  readonly mayReclaim?: boolean;
}

/** News of an order that the actor follows. */
export type OrderNewsEvent = OrderNews & {
  /** Whether the claim that the actor gave up is free; false where nobody looked. */
  readonly mayReclaim?: boolean;
};

export type WakeEvent =
  | PriceReachedEvent
  | TicksPassedEvent
  | DeadlineEvent
  | OrderPlacedEvent
  | OrderRefusedEvent
  | OrderNewsEvent;
