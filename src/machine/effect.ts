/**
 * What a chart asks of the engine, as data. A closed union: a new kind of effect is a compile error wherever effects
 * are carried out.
 *
 * Watched levels, deadlines, unique claims, followed orders and view rows are not effects: they are functions of the
 * context (see {@link Facts}), so that recovery and live operation cannot disagree about them.
 */

import type { TrailingTerms } from "../domain/oco/group.ts";
import type { Bought } from "../domain/oco/growth.ts";
import type { GroupPlan } from "../domain/oco/oco-plan.ts";
import type { Fact } from "../domain/order/evidence.ts";
import { type Execution, isQuiet } from "../domain/order/execution.ts";
import { nameOf } from "../domain/order/order-number.ts";
import type { Hundredths } from "../domain/price/price.ts";

/** 1 = Buy, 2 = Sell (behaviour 6.5). */
export type BuySell = 1 | 2;

/** The precedence when a brokerage's quota makes orders wait: stop-losses, then other triggered orders. */
type Urgency = "stopLoss" | "triggered" | "client";

/**
 * An order for the outbox, at market unless `isAtFloor` is true. `name` is unique within the actor and makes the
 * `clientOrderId`.
 */
export interface SubmitEffect {
  readonly type: "submit";
  readonly name: string;
  readonly urgency: Urgency;
  readonly symbol: string;
  readonly buySell: BuySell;
  readonly quantity: number;
  /** True: a limit order at the day's floor, if that is known. */
  readonly isAtFloor?: boolean;
}

/** An event for `events.<userId>.<event>`, published once the batch is durable. `data` is JSON-safe. */
export interface EmitEffect {
  readonly type: "emit";
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * A group to be opened in the same batch (a setup that converts). The engine answers immediately with the event
 * `groupOpened {groupId, timeMs}` or `groupRefused {message, timeMs}`.
 */
export interface OpenGroupEffect {
  readonly type: "openGroup";
  readonly symbol: string;
  readonly plan: GroupPlan;
}

/** The total that an entry has bought, for its group: the engine passes it on immediately as the event `grow`. */
export interface GrowGroupEffect extends Omit<Bought, "ids"> {
  readonly type: "growGroup";
  readonly groupId: number;
}

/** The stop-loss of a growing group is over: the engine immediately ends its entry (`endEntry`), which buys no more. */
export interface EndEntryEffect {
  readonly type: "endEntry";
  readonly setupId: number;
}

/** A row of history: written once, never changed, listed forever. The projection determines its form. */
export interface KeepEffect {
  readonly type: "keep";
  readonly data: Readonly<Record<string, unknown>>;
}

/** New facts of an order: the engine asks the brokerage, notifies the owner and keeps the receipt. */
export interface TellEffect {
  readonly type: "tell";
  readonly execution: Execution;
  readonly facts: readonly Fact[];
}

/** Cancels an order that the actor follows at the brokerage. */
export interface CancelOrderEffect {
  readonly type: "cancelOrder";
  readonly symbol: string;
  readonly orderNo: string;
  /** Its name at the brokerage; null if its number has no name. */
  readonly clientOrderId: string | null;
}

/** Takes back an order that the actor asked for, if it certainly does not exist: it is then refused. */
export interface WithdrawEffect {
  readonly type: "withdraw";
  readonly name: string;
  readonly message: string;
}

export type Effect =
  | CancelOrderEffect
  | WithdrawEffect
  | SubmitEffect
  | EmitEffect
  | OpenGroupEffect
  | GrowGroupEffect
  | EndEntryEffect
  | KeepEffect
  | TellEffect;

export type Side = "above" | "below";

/** A level under watch: `above` fires at price >= level, `below` at price <= level. `watch` names it in the actor. */
export interface Watch {
  readonly watch: number;
  readonly symbol: string;
  readonly side: Side;
  readonly level: Hundredths;
  /** Ticks from before this moment do not fire this level; absent: as the facts' `armedSinceMs`. Never earlier than that. */
  readonly armedSinceMs?: number;
  /** True: the last live tick from before the arming does not count, only ticks that come after it. */
  readonly onlyNewTicks?: boolean;
  /** True: the actor is given every tick in order from the one on that reaches the level; else it is reached once. */
  readonly countsEveryTick?: boolean;
  /** Present: the price does no more than raise a stop-loss of these terms, which may wait (behaviour 19.8). */
  readonly trails?: TrailingTerms;
}

/** What the engine must do for an actor, as a function of its context alone. */
export interface Facts {
  /** Levels that wake the actor. */
  readonly watches: readonly Watch[];
  /** Ticks from before this moment fire nothing (catch-up), in epoch milliseconds. */
  readonly armedSinceMs: number;
  /** The next moment at which the actor wants a `deadline` event, in epoch milliseconds. */
  readonly deadlineMs: number | null;
  /** Keys that no other live actor may hold. */
  readonly claims: readonly string[];
  /** Brokerage orders whose updates the actor wants. */
  readonly follows: readonly FollowedOrder[];
}

export interface FollowedOrder {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
  readonly orderNo: string;
  /** Its name at the brokerage; null for another's order, whose name is not unique and may not be found. */
  readonly clientOrderId?: string | null;
  /** Of another's order: when it was created, as the brokerage reported. */
  readonly createdDate?: string;
  /** True: its end is known, and rounds of asking leave it out. */
  readonly isQuiet?: boolean;
  /** True: nothing more is asked about it, and news of it still counts. */
  readonly isSettled?: boolean;
  /** True: the brokerage does not know it any more, and a person decides (behaviour 13.6). */
  readonly isInDoubt?: boolean;
}

/** The numbers of an execution, as the engine follows them. */
export function followedOrders(
  { userId, brokerageCode, accountNumber }: Pick<FollowedOrder, "userId" | "brokerageCode" | "accountNumber">,
  execution: Execution,
): FollowedOrder[] {
  const { createdDate, phase } = execution;
  // A look-up by name is about the newest number; one before it that may still fill is asked for by its number.
  return execution.orders.map(({ orderNo, isEnded }, index) => {
    const isNewest = index === execution.orders.length - 1;
    const clientOrderId = isNewest && createdDate === null ? nameOf(execution) : null;
    const quiet = isQuiet(execution) || (!isNewest && isEnded);
    // Written out, because every trigger makes three, and a copy that gets new fields costs several times as much.
    const order = { userId, brokerageCode, accountNumber, orderNo, clientOrderId, isQuiet: quiet };
    const dated = createdDate === null ? order : { ...order, createdDate };
    return isNewest && phase === "inDoubt" ? { ...dated, isInDoubt: true } : dated;
  });
}

/** The earlier of two moments, of which either may be missing. */
export function earlier(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right);
}
