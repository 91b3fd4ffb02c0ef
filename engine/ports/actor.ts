/** The actors of a partition, their wake-ups, and the turns in which they change. Interfaces only. */
import type { ActorKindName, ContextOf, EventsOf } from "../../src/machine/actor-event.ts";
import type { FollowedOrder, Watch } from "../../src/machine/effect.ts";
import type { WakeEvent } from "../../src/machine/wake-event.ts";

/** One stored view row: the JSON that the edge returns, under a key that sorts as the edge lists. */
export interface ViewRow {
  readonly key: string;
  readonly json: string;
}

/** The host's knowledge of a kind of actor in addition to its chart. */
export interface ActorProfile {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
}

export interface FoundActor<K extends ActorKindName = ActorKindName> {
  readonly context: ContextOf[K];
  readonly isEnded: boolean;
}

/** The actors of a partition: the only way to change an actor. All calls are synchronous, inside a turn. */
export interface Actors {
  /**
   * Starts an actor with a context; its facts, views and claims are stored from here on. `event`: the type of the event
   * that its user receives, as its kind presents it. Returns whether the last price has reached a level of it already.
   */
  create(kind: ActorKindName, id: number, context: object, event?: string): boolean;
  /**
   * Gives an event to an actor of a kind. Returns false if no live actor of that kind and id exists. A quarantined
   * actor gets it at its release: check `isQuarantined` before a client is notified that something happened.
   */
  deliver<K extends ActorKindName>(kind: K, id: number, event: EventsOf[K]): boolean;
  /**
   * Like `deliver`, for a wake-up that the facts of an actor asked for, of any kind. Also returns false if its kind
   * does not take such an event. Several events of one moment are one change: their outcome is stored once.
   */
  wake(id: number, ...events: readonly WakeEvent[]): boolean;
  /** A live or ended actor; undefined if it never existed, or is of another kind. */
  find<K extends ActorKindName>(kind: K, id: number): FoundActor<K> | undefined;
  /** True for a quarantined actor, until an operator releases it. */
  isQuarantined(id: number): boolean;
  /** The actor that has a claim. */
  holderOf(claim: string): number | undefined;
}

/** The wake-ups of actors: levels, deadlines and orders. In memory only; made again from the actors at every start. */
export interface Watchbook {
  arm(owner: number, watch: Watch): void;
  /** Returns false if it is not armed (any more). */
  disarm(owner: number, watch: Watch): boolean;
  setDeadline(owner: number, timeMs: number): void;
  clearDeadline(owner: number, timeMs: number): void;
  follow(owner: number, order: FollowedOrder): void;
  unfollow(owner: number, order: FollowedOrder): void;
}

/** Which actors follow orders, as commands and queries ask. */
export interface OrderFollowers {
  /** The actors that follow orders of an account, each once, by id. */
  ownersIn(place: Pick<FollowedOrder, "userId" | "brokerageCode" | "accountNumber">): readonly number[];
  /** The followers of an order by its number. */
  followersOf(order: Pick<FollowedOrder, "brokerageCode" | "accountNumber" | "orderNo">): readonly number[];
}

/** Work for the next turn of the loop, in arrival order with ticks. */
export interface Inbox {
  /** False once the partition has stopped: the work will not be done. */
  enqueue(work: () => void): boolean;
}

/** Requests of clients, which wait until no other work does if there is much of it. */
export interface RequestInbox extends Inbox {
  /** False once the partition has stopped: the work will not be done. */
  enqueueRequest(work: () => void): boolean;
}
