/**
 * A kind of actor, as the host needs it: its chart, and the functions of its context.
 */
import type { EventObject } from "xstate";
import type { GroupPlan } from "../../src/domain/oco/oco-plan.ts";
import type { Result } from "../../src/domain/refusal.ts";
import type { ActorEvent, ActorKindName } from "../../src/machine/actor-event.ts";
import type { Facts } from "../../src/machine/effect.ts";
import type { Chart } from "../../src/machine/step.ts";
import type { ActorProfile, Actors, ViewRow } from "../ports/actor.ts";
import type { LastPrice } from "../ports/price.ts";

export interface ActorKind<C extends object = object, E extends EventObject = ActorEvent> {
  readonly name: ActorKindName;
  readonly chart: Chart<C, E>;
  /** The state in which a new actor starts; `always` transitions are taken at its first event. */
  readonly initialState: string;
  /**
   * Returns the stored form of a context, for `parse` to read. Absent: it is stored as it is. With it, events can be
   * stored as the input of their rendering: then `present` and the data that charts emit are stored forms, too.
   */
  readonly pack?: (context: C) => object;
  /** Checks a stored context as strictly as a written one. Throws if it does not fit. */
  readonly parse: (context: unknown) => C;
  readonly facts: (context: C) => Facts;
  /** Whether an actor gets every tick in order, even while work waits. Absent: none does. */
  readonly countsEveryTick?: (context: C) => boolean;
  /** Whether the actor expects events soon, so that keeping it hydrated is useful. Absent: always. */
  readonly isExpecting?: (context: C) => boolean;
  readonly profile: (context: C) => ActorProfile;
  /** The symbols of its levels and signals. Absent: no symbol. */
  readonly symbols?: (context: C) => readonly string[];
  /** Whether the actor would wait without effect if its brokerage were missing. Absent: as long as it lives. */
  readonly needsBrokerage?: (context: C) => boolean;
  /** True: an actor that has ended is not stored. Absent: its last snapshot is. */
  readonly isForgottenAtEnd?: boolean;
  readonly views: (context: C) => readonly ViewRow[];
  /**
   * Whether both contexts surely have the same views, which saves rendering them. Only for kinds whose every actor has
   * exactly one view row, under a key that never changes.
   */
  readonly isShownAlike?: (before: C, after: C) => boolean;
  /**
   * Returns a name for an order that is unique among the actor's own orders forever, if its given name is not. After
   * its disk was set back, an actor repeats the numbers that it gives.
   */
  readonly nameOrder?: (context: C, name: string) => string;
  /** Returns the row of history that the chart asked to keep. Absent in kinds that keep none. */
  readonly keep?: (context: C, data: Readonly<Record<string, unknown>>) => ViewRow;
  /** Returns the payload of an event that the chart emitted. */
  readonly present: (
    context: C,
    event: string,
    data: Readonly<Record<string, unknown>>,
    orderName: OrderNameOf,
  ) => object;
  /** Returns the JSON of the result of `present`, if the kind can make it faster than `JSON.stringify`. */
  readonly presentJson?: (
    context: C,
    event: string,
    data: Readonly<Record<string, unknown>>,
    orderName: OrderNameOf,
  ) => string;
}

/** Returns the name at the brokerage of an actor's order `name`. */
export type OrderNameOf = (actorId: number, name: string) => string;

/** Opens the group of a plan in the present turn, or refuses. */
export type OpenGroup = (
  actors: Actors,
  plan: GroupPlan,
  owner: ActorProfile & { readonly symbol: string },
) => Result<number>;

/** The progress through the ticks of actors that count every tick. */
export interface Walk {
  /** Gives an actor the ticks that came before the work that runs now. False: it already has them. */
  bringUp(id: number): boolean;
  /** Begins to watch an actor: earlier ticks mean nothing to it. */
  begin(id: number): void;
  lastSeenBy(id: number, symbol: string): LastPrice | undefined;
  /** Whether later ticks than the present ones are waiting. */
  readonly hasWaiting: boolean;
}

/**
 * Hides a kind's own types from the host. The host returns a context only to its own kind, and gives an event only to a
 * kind that takes it.
 */
export function kindOf<C extends object, E extends EventObject>(kind: ActorKind<C, E>): ActorKind {
  return kind as unknown as ActorKind;
}
