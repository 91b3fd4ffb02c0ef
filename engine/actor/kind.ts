/**
 * A kind of actor, as the host needs it: its chart, and what follows from its context.
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
  /** The state a new actor starts from; `always` transitions are taken at its first event. */
  readonly initialState: string;
  /**
   * The context as it is stored, for `parse` to read. Left out: it is stored as it is. With it, events may be stored as
   * what they are rendered from: then `present` and the data that charts emit are part of the stored form, too.
   */
  readonly pack?: (context: C) => object;
  /** Checks what was read from the store as strictly as what is written. Throws where it does not fit. */
  readonly parse: (context: unknown) => C;
  readonly facts: (context: C) => Facts;
  /** Whether an actor is given every tick in order, whatever waits. Left out: none is. */
  readonly countsEveryTick?: (context: C) => boolean;
  /** Whether the actor will soon hear something, so that it is worth keeping as it is. Left out: always. */
  readonly isExpecting?: (context: C) => boolean;
  readonly profile: (context: C) => ActorProfile;
  /** Whether the actor would wait in vain without its brokerage. Left out: as long as it lives. */
  readonly needsBrokerage?: (context: C) => boolean;
  /** True: nothing is stored of an actor that has ended. Left out: its last snapshot is. */
  readonly isForgottenAtEnd?: boolean;
  readonly views: (context: C) => readonly ViewRow[];
  /**
   * Whether both contexts surely show the same: spares rendering them. Only for kinds of which every actor has exactly
   * one view row, under a key that never changes.
   */
  readonly isShownAlike?: (before: C, after: C) => boolean;
  /**
   * What an order is called among the actor's own for ever, where its name alone does not say so: what an actor numbers by
   * itself it numbers alike again after its disk was set back.
   */
  readonly nameOrder?: (context: C, name: string) => string;
  /** The row of history that the chart asked to keep. Kinds that keep none leave it out. */
  readonly keep?: (context: C, data: Readonly<Record<string, unknown>>) => ViewRow;
  /** The payload of an event that the chart emitted. */
  readonly present: (
    context: C,
    event: string,
    data: Readonly<Record<string, unknown>>,
    orderName: OrderNameOf,
  ) => object;
  /** The JSON of what `present` gives, where the kind makes it for less than `JSON.stringify` does. */
  readonly presentJson?: (
    context: C,
    event: string,
    data: Readonly<Record<string, unknown>>,
    orderName: OrderNameOf,
  ) => string;
}

/** What the order `name` of an actor is called at its brokerage. */
export type OrderNameOf = (actorId: number, name: string) => string;

/** Opens the group of a plan in the present turn, or refuses. */
export type OpenGroup = (
  actors: Actors,
  plan: GroupPlan,
  owner: ActorProfile & { readonly symbol: string },
) => Result<number>;

/** How far actors that count every tick have been walked through the ticks. */
export interface Walk {
  /** Gives an actor the ticks that came before what runs now. False: it was given them before. */
  bringUp(id: number): boolean;
  /** An actor comes under watch: what came before means nothing to it. */
  begin(id: number): void;
  lastSeenBy(id: number, symbol: string): LastPrice | undefined;
  /** Whether ticks wait that came after those that are given now. */
  readonly hasWaiting: boolean;
}

/**
 * Hides a kind's own types from the host, which hands a context back to the kind it came from only, and an event to a
 * kind that hears it.
 */
export function kindOf<C extends object, E extends EventObject>(kind: ActorKind<C, E>): ActorKind {
  return kind as unknown as ActorKind;
}
