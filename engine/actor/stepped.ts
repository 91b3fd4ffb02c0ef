/**
 * Computes the results of events of an actor before any of them is applied: an actor that throws changes nothing.
 * Owns: the step, and its results for facts, views and payloads. Does not own: applying it (the host).
 */
import type { AnyMachineSnapshot } from "xstate";
import { assert } from "../../src/assert.ts";
import type { ActorEvent } from "../../src/machine/actor-event.ts";
import type { Effect, EmitEffect, Facts } from "../../src/machine/effect.ts";
import { step } from "../../src/machine/step.ts";
import type { RenderSource } from "../ports/event.ts";
import type { Row } from "../ports/storage.ts";
import type { StreamPlace } from "../ports/stream.ts";
import { encodeContext } from "./codec.ts";
import type { ActorKind, OrderNameOf } from "./kind.ts";
import type { LaterPlace } from "./later-place.ts";
import { type ViewChange, viewChangeOf } from "./views.ts";

export interface Actor {
  readonly kind: ActorKind;
  readonly snapshot: AnyMachineSnapshot;
  readonly facts: Facts;
}

/** The values that are stored with a snapshot, in addition to its context. */
export interface KeptBeside {
  /** The hash of the one view row; undefined if it must be looked up, or if the kind does not have exactly one. */
  readonly viewHash: string | undefined;
  /** The place in the tick stream at `facts.armedSinceMs`; null if it is not known. */
  readonly armedAt: StreamPlace | null;
  /** The same at each later `armedSinceMs` of a level, if it is known. */
  readonly armedLater: readonly LaterPlace[];
}

/** An actor that is kept hydrated. */
export interface Hot extends Actor, KeptBeside {
  /** The row of the stored snapshot. */
  readonly row: Row;
}

export interface Stepped {
  readonly after: Actor;
  /** Its context in stored form; undefined if nothing changed. */
  readonly stored: string | undefined;
  readonly views: ViewChange;
  readonly effects: readonly Presented[];
}

/** The foreseen results of a price. */
export interface Foreseen {
  /** True: the level would not fire, as trading is halted. */
  readonly isStopped: boolean;
  readonly after: Actor;
  readonly effects: readonly Effect[];
}

/** The payload of an effect. */
interface Told {
  readonly payload: object;
  /** Of an event: the source from which its payload can be rendered again. */
  readonly source: RenderSource | undefined;
}

/** An effect with what its owner is notified of. */
export interface Presented extends Told {
  readonly effect: Effect;
  /** The actor at the moment of the effect. */
  readonly actor: Actor;
}

/** Whether an actor gets every tick in order. */
export function countsEveryTick({ kind, snapshot }: Actor): boolean {
  return kind.countsEveryTick?.(snapshot.context) === true;
}

/**
 * Computes all results of events of one moment, of which there is at least one. `withTerms` completes an event for the
 * actor that gets it.
 */
export function compute(
  before: Actor,
  events: readonly ActorEvent[],
  withTerms: (actor: Actor, event: ActorEvent) => ActorEvent,
  orderName: OrderNameOf,
): Stepped {
  const { kind } = before;
  let after = before;
  let stored: string | undefined;
  const presented: Presented[] = [];
  for (const event of events) {
    const { snapshot, effects } = step(kind.chart, after.snapshot, withTerms(after, event));
    const { context } = snapshot;
    const json = snapshot === after.snapshot ? undefined : encodeContext(kind, context);
    after = { kind, snapshot, facts: kind.facts(context) };
    stored = json ?? stored;
    for (const effect of effects) {
      const { payload, source } = tellOf(kind, context, json, effect, orderName);
      presented.push({ actor: after, effect, payload, source });
    }
  }
  const views = viewChangeOf(kind, before.snapshot.context, after.snapshot.context);
  return { after, stored, views, effects: presented };
}

function tellOf(
  kind: ActorKind,
  context: object,
  stored: string | undefined,
  effect: Effect,
  orderName: OrderNameOf,
): Told {
  if (effect.type === "emit") return notifyOwner(kind, context, stored, effect, orderName);
  if (effect.type !== "keep") return NOTHING;
  assert(kind.keep !== undefined, `${kind.name} keeps no history`);
  return { payload: kind.keep(context, effect.data), source: undefined };
}

const NOTHING: Told = { payload: {}, source: undefined };

/** Renders an event of an actor with this `context`. `stored`: its stored form, if it is known. */
export function notifyOwner(
  kind: ActorKind,
  context: object,
  stored: string | undefined,
  { event, data }: Pick<EmitEffect, "event" | "data">,
  orderName: OrderNameOf,
): Told {
  const payload = kind.present(context, event, data, orderName);
  if (kind.pack === undefined || stored === undefined) return { payload, source: undefined };
  const json = kind.presentJson?.(context, event, data, orderName);
  return { payload, source: { kind: kind.name, context: stored, data, json } };
}
