/**
 * Computes the results of one event of an actor before any of them is applied: an actor that throws changes nothing.
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
export interface Told {
  readonly payload: object;
  /** Of an event: the source from which its payload can be rendered again. */
  readonly source: RenderSource | undefined;
}

interface Presented extends Told {
  readonly effect: Effect;
}

/** Computes all results of an event. */
export function compute(before: Actor, event: ActorEvent, orderName: OrderNameOf): Stepped {
  const { kind } = before;
  const { snapshot, effects } = step(kind.chart, before.snapshot, event);
  const { context } = snapshot;
  const stored = snapshot === before.snapshot ? undefined : encodeContext(kind, context);
  return {
    after: { kind, snapshot, facts: kind.facts(context) },
    stored,
    views: viewChangeOf(kind, before.snapshot.context, context),
    effects: effects.map((effect) => {
      const { payload, source } = tellOf(kind, context, stored, effect, orderName);
      return { effect, payload, source };
    }),
  };
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
