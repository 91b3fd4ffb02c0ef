/** The views and actions of operators in a partition. */

import type { ActionView } from "../../src/contract/operator/corporate-action.ts";
import type { HeldSymbolView, StoredHold } from "../../src/contract/operator/hold.ts";
import type { UserView } from "../../src/contract/operator/identity.ts";
import type {
  DoubtDecision,
  DoubtfulOrderView,
  OrderDecision,
  OutboxOrderView,
  PartitionStats,
} from "../../src/contract/operator/operator.ts";
import type { ActionRequest } from "../../src/domain/market/corporate-action.ts";
import type { Renaming } from "../../src/domain/market/rename.ts";
import type { Refusal, Result } from "../../src/domain/refusal.ts";
import type { ActorKindName } from "../../src/machine/actor-event.ts";
import type { AccountPlace } from "./brokerage.ts";
import type { OutboxOrder } from "./order.ts";

/** Why an actor was quarantined. */
export interface QuarantineRecord {
  readonly reason: string;
  readonly sinceMs: number;
  /** Events since then, which it receives at its release. */
  readonly held: readonly object[];
}

/** The facts that a stored actor's row contains, read without waking it. */
export interface StoredActor {
  readonly kind: ActorKindName;
  /** Null if it could not be read. */
  readonly userId: number | null;
  readonly brokerageCode: string;
  /** Whether it would wait without effect if its brokerage were missing. */
  readonly needsBrokerage: boolean;
}

/** The quarantined actors, as operators see them. */
interface OperatedActors {
  readonly quarantine: { ids(): readonly number[]; find(id: number): QuarantineRecord | undefined };
  /**
   * In a turn: lets an actor try again. Returns false if it was not quarantined; it can be quarantined again
   * immediately.
   */
  release(id: number): boolean;
  /** Reads a live actor's row, also of a quarantined actor; returns undefined if it cannot be read at all. */
  readStored(bytes: Uint8Array): StoredActor | undefined;
}

/** An order in doubt, as its actor knows it. */
export type DoubtfulOrderRecord = Omit<DoubtfulOrderView, "id" | "type" | "partition">;

/** Orders that their brokerage took and does not know any more (behaviour 13.6). */
export interface OperatedDoubts {
  /** Orders in doubt of at most `limit` actors after `afterActorId`, by the actor's id. */
  list(afterActorId: number, limit: number): readonly DoubtfulOrderRecord[];
  /** In a turn: gives the actor a person's decision. The order as it was, or NOT_FOUND or INVALID. */
  settleInTurn(actorId: number, decision: DoubtDecision): Result<DoubtfulOrderRecord>;
}

/** Symbols whose levels do not fire (behaviour 16). */
export interface OperatedHolds {
  list(): readonly HeldSymbolView[];
  /** In a turn. Returns false if it is held already. */
  holdInTurn(symbol: string, reason: string): boolean;
  /** In a turn: fires the levels that the last live price reaches. Returns false if it is not held. */
  releaseInTurn(symbol: string): boolean;
  /** In a turn: the levels of one group fire anyway. INVALID if the symbol is not held. */
  releaseGroupInTurn(groupId: number, symbol: string): Result<true>;
  /** The hold of a symbol; undefined if it is not held. */
  find(symbol: string): StoredHold | undefined;
  /** Whether a group's levels are held: false if its owner released it. */
  isHeld(symbol: string, groupId?: number): boolean;
}

/** Corporate actions (behaviour 28). */
export interface OperatedActions {
  list(): readonly ActionView[];
  /**
   * In a turn. INVALID with the field and its rule, NOT_FOUND for an unknown symbol, CONFLICT if an action with other
   * terms is entered for the day.
   */
  addInTurn(request: ActionRequest): Result<ActionChanged>;
  /** In a turn. NOT_FOUND, or CONFLICT from its day on. */
  removeInTurn(actionId: string): Result<ActionChanged>;
  /** UNAVAILABLE while levels of the symbol are on the base before; undefined if they are not. */
  refusalFor(symbol: string): Refusal | undefined;
}

/** Symbols that were renamed (behaviour 30). */
export interface OperatedRenames {
  /** CONFLICT if the new name has levels or bots of its own in this partition. */
  check(renaming: Renaming): Promise<Result<true>>;
  /** In a turn: levels follow from here on. UNAVAILABLE while they cannot. */
  followInTurn(renaming: Renaming): Result<{ readonly isChanged: boolean }>;
  /** INVALID for a former name; UNAVAILABLE while levels of the symbol are not under its new name; else undefined. */
  refusalFor(symbol: string): Refusal | undefined;
}

export interface ActionChanged {
  readonly actionId: string;
  /** False: a repeated request changed nothing. */
  readonly isChanged: boolean;
  /** True: the day of the action has begun, so that levels follow now. */
  readonly isImmediate: boolean;
}

/** The views and actions of operators in a partition. */
export interface Operator {
  readonly orders: OperatedOrders;
  readonly doubts: OperatedDoubts;
  readonly actors: OperatedActors;
  stats(): PartitionStats;
}

/** An order that has no outcome yet, as its outbox knows it. */
export type PendingOrderRecord = Omit<OutboxOrderView, "id" | "type" | "partition">;

/** An order without an outcome, as its owner sees it. */
export interface UnansweredOrderRecord
  extends Pick<OutboxOrder, "clientOrderId" | "symbol" | "buySell" | "quantity" | "origin">,
    Pick<PendingOrderRecord, "state" | "since" | "reason"> {}

export interface OrderPage {
  /** Only orders after this sequence; default: from the first. */
  readonly afterSequence?: number;
  /** At most this many; default and maximum 1,000. */
  readonly limit?: number;
}

/** The outbox as operators see it. */
export interface OperatedOrders {
  /** Orders without an outcome, in commit order. */
  pending(page: OrderPage): readonly PendingOrderRecord[];
  /** Orders that wait for a person's decision, in commit order. */
  quarantined(page: OrderPage): readonly PendingOrderRecord[];
  /** Orders of an account without an outcome, in commit order. O(orders). */
  unansweredOf(account: AccountPlace): readonly UnansweredOrderRecord[];
  /** When the market opens for the orders of an actor that wait for it; null: no order waits. */
  sessionOf(actorId: number): number | null;
  /** In a turn: carries out a person's decision. The order as it was, or NOT_FOUND, CONFLICT or INVALID. */
  releaseInTurn(sequence: number, decision: OrderDecision): Result<PendingOrderRecord>;
}

/** The users of the installation; only the shared partition has them. */
export interface Users {
  /** In a turn: a new user. */
  createUser(name: string): UserView;
}
