/** Orders on their way to a brokerage: the request and its outcome. Interfaces only. */

import type { LimitsView } from "../../src/contract/trading/limits.ts";
import type { StoredTradingState, TradingStateView } from "../../src/contract/trading/trading-state.ts";
import type { MeasureWait, SellTerms } from "../../src/domain/market/measure.ts";
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import type { CostedLots, Limits } from "../../src/domain/order/limits.ts";
import type { Fill } from "../../src/domain/order/order.ts";
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
  /** The receiver of the outcome: an actor by its order's name, or a client's waiting command. */
  readonly origin: OrderOrigin;
}

export type OrderOrigin =
  | { readonly kind: "actor"; readonly actorId: number; readonly name: string }
  | { readonly kind: "command"; readonly commandId: string };

/** The outcome of an order. `refused` is reported only if the order does not exist and cannot come to exist. */
export type OrderOutcome =
  | {
      readonly type: "placed";
      readonly orderNo: string;
      readonly orderStatus: number;
      /** What was filled, if the order is completed and its brokerage named it; absent otherwise. */
      readonly fill?: Fill;
    }
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

/** The place that a trading state is about. */
export type StatePlace = Pick<StoredTradingState, "scope" | "userId" | "brokerageCode" | "accountNumber">;

export interface StateChange extends Pick<TradingState, "state" | "reason"> {
  readonly includingStops?: boolean | undefined;
  readonly confirm?: string | undefined;
}

/** Whether trading is allowed (behaviour 18). */
export interface TradingStateTable {
  /** The strictest state that counts for an account; undefined if trading is not restricted. */
  of(place: AccountPlace): TradingState | undefined;
  /** Whether the state of this very place is not active. */
  isRestricted(place: StatePlace): boolean;
  /** In a turn. INVALID if the rules of changes refuse it. */
  setInTurn(place: StatePlace, change: StateChange): Result<true>;
  /** The states that count for a user: the installation's, the user's own and the accounts' states. */
  list(userId: number): readonly TradingStateView[];
}

/** An order that limits judge; `price` is 0 for a market order. */
export type LimitedOrder = Pick<OutboxOrder, "symbol" | "quantity" | "price">;

/** The limits of accounts (behaviour 27). */
export interface LimitTable {
  find(place: AccountPlace): LimitsView;
  /** In a turn. `held`: lots of before whose cost is known, for losses that are counted from now on. */
  setInTurn(place: AccountPlace, limits: Limits, held: readonly CostedLots[]): void;
  /** In a turn: returns why an order must not leave, or counts it. */
  refuseInTurn(place: AccountPlace, order: LimitedOrder): Refusal | undefined;
}

/** Sends committed orders. */
export interface Outbox {
  /** Within a turn: stores the order in the batch; it leaves once that is durable. */
  submit(order: OutboxOrder): void;
  /**
   * Within a turn: takes an order back that certainly does not exist. Its owner receives the refusal (UNAVAILABLE) with
   * this message in the same turn. Returns false, and does nothing, if the order can exist or is no longer here.
   */
  withdraw(name: OrderName, message: string): boolean;
  /** Like `withdraw`, for every order of an actor: orders that can exist continue. */
  withdrawOf(actorId: number, message: string): void;
  /** Like `withdraw`, for every order that a client asked for and that is refused now. */
  withdrawRefused(refusalOf: (order: OutboxOrder) => Refusal | undefined): void;
}

/** The outbox's way back into the engine: called inside a turn, together with the removal of the order's entry. */
export type OnOutcome = (order: OutboxOrder, outcome: OrderOutcome) => void;
