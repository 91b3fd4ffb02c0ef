/** Orders on their way to a brokerage: what is asked for, and how it ended. Interfaces only. */

import type { StoredTradingState, TradingStateView } from "../../src/contract/trading/trading-state.ts";
import type { MeasureWait, SellTerms } from "../../src/domain/market/measure.ts";
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import type { TradingState } from "../../src/domain/order/trading-state.ts";
import type { Refusal, Result } from "../../src/domain/refusal.ts";
import type { AccountPlace } from "./brokerage.ts";

/** An order to be named, stored and sent. */
export interface OutboxOrder {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
  readonly clientOrderId: string;
  readonly urgency: "stopLoss" | "triggered" | "client";
  readonly symbol: string;
  readonly quantity: number;
  readonly buySell: 1 | 2;
  readonly orderType: 1 | 2;
  readonly price: number;
  readonly referenceOrderNo?: string;
  /** Who is told how it ended: an actor by its order's name, or a client's waiting command. */
  readonly origin: OrderOrigin;
}

export type OrderOrigin =
  | { readonly kind: "actor"; readonly actorId: number; readonly name: string }
  | { readonly kind: "command"; readonly commandId: string };

/** How an order ended. `refused` is said only when no order exists and none can come to exist. */
export type OrderOutcome =
  | { readonly type: "placed"; readonly orderNo: string; readonly orderStatus: number }
  | {
      readonly type: "refused";
      readonly code: "REJECTED" | "NOT_NOW" | "UNAUTHORIZED" | "UNAVAILABLE" | "NOT_FOUND";
      readonly message: string;
    };

/** How an order of an actor would be sent now (behaviour 25). */
export interface ForeseenOrder extends SellTerms {
  readonly quantity: number;
  /** Why a measure would keep it back; undefined: none would. */
  readonly wait: MeasureWait | undefined;
  /** When the market opens that is closed by its calendar; undefined: it is open, or unknown. */
  readonly opensAtMs: number | undefined;
}

/** What would happen if a price reached the level of a row now. */
interface ForeseenFire {
  /** True: the row would not fire, as its trading is halted (behaviour 18.3). */
  readonly isHalted: boolean;
  readonly orders: readonly ForeseenOrder[];
  /** The group as it would be afterwards. */
  readonly after: OcoGroup;
}

/** What the way of a sell would decide now; asking changes nothing. */
export interface Foresight {
  /** Undefined: the group has ended or is in quarantine. */
  ofRow(groupId: number, row: number): ForeseenFire | undefined;
}

/** The name by which a brokerage knows an order. */
export type OrderName = Pick<OutboxOrder, "brokerageCode" | "clientOrderId">;

/** Whose trading a state is about. */
export type StatePlace = Pick<StoredTradingState, "scope" | "userId" | "brokerageCode" | "accountNumber">;

export interface StateChange extends Pick<TradingState, "state" | "reason"> {
  readonly includingStops?: boolean | undefined;
  readonly confirm?: string | undefined;
}

/** Whether trading goes on (behaviour 18). */
export interface TradingStateTable {
  /** The strictest state that counts for an account; undefined where trading goes on. */
  of(place: AccountPlace): TradingState | undefined;
  /** In a turn. INVALID where the rules of changes say no. */
  setInTurn(place: StatePlace, change: StateChange): Result<true>;
  /** What counts for a user: the installation's, the user's own and those of accounts. */
  list(userId: number): readonly TradingStateView[];
}

/** Sends what was committed. */
export interface Outbox {
  /** Within a turn: stores the order in the batch; it leaves once that is durable. */
  submit(order: OutboxOrder): void;
  /**
   * Within a turn: takes an order back that certainly does not exist, and tells its owner in the same turn that it was
   * refused (UNAVAILABLE) with this message. False, and nothing is done, where it may exist or is no longer here.
   */
  withdraw(name: OrderName, message: string): boolean;
  /** As `withdraw`, for every order of an actor: those that may exist go on. */
  withdrawOf(actorId: number, message: string): void;
  /** As `withdraw`, for every order that a client asked for, and every buy, that is refused now. */
  withdrawRefused(refusalOf: (order: OutboxOrder) => Refusal | undefined): void;
}

/** The outbox's way back into the engine: called inside a turn, together with the removal of the order's entry. */
export type OnOutcome = (order: OutboxOrder, outcome: OrderOutcome) => void;
