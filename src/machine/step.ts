/**
 * The only door to XState.
 *
 * Owns: one step of a chart as a plain function, and the making of snapshots from stored state.
 * Does not own: what effects mean (the actor host), storage, time.
 *
 * Invariants:
 * 1. `step` gives the snapshot and actions that XState's own `transition` gives (a test holds the two equal over every
 *    chart), without fields of the context that are undefined. It only leaves out building an actor for each call, which
 *    is most of the cost, and for charts whose transitions are direct what XState does to find out that they are: a
 *    trigger steps its group twice.
 * 2. Nothing is executed: actions come back as data.
 */
import type { ActorScope, AnyActorScope, AnyMachineSnapshot, EventObject, ExecutableActionObject } from "xstate";
import { createActor, createMachine } from "xstate";
import { assert } from "../assert.ts";
import { ASK, type DirectWalk, directWalkOf } from "./chart.ts";
import type { Effect } from "./effect.ts";

/** A machine as the engine sees it: context of one type in, events of one type in, effects out. */
export interface Chart<C extends object, E extends EventObject> {
  readonly id: string;
  transition(snapshot: AnyMachineSnapshot, event: E, scope: never): AnyMachineSnapshot;
  resolveState(config: { value: string; context: C; status?: "active" | "done" }): AnyMachineSnapshot;
}

export interface Stepped {
  readonly snapshot: AnyMachineSnapshot;
  readonly effects: readonly Effect[];
}

const inert = createActor(createMachine({}));
const executed: ExecutableActionObject[] = [];

// One scope for every call: charts here never spawn, raise with a delay, or talk to other actors.
const scope = {
  self: inert,
  system: inert.system,
  id: "",
  sessionId: "",
  logger: () => undefined,
  defer: () => undefined,
  emit: () => undefined,
  stopChild: () => undefined,
  actionExecutor: (action: ExecutableActionObject) => {
    executed.push(action);
  },
} satisfies Partial<ActorScope<AnyMachineSnapshot, EventObject>> as unknown as AnyActorScope;

/** The snapshot of a chart in `value` with `context`, as if it had been reached by events. */
export function restore<C extends object, E extends EventObject>(
  chart: Chart<C, E>,
  value: string,
  context: C,
  isDone: boolean,
): AnyMachineSnapshot {
  const status = isDone ? "done" : "active";
  let resolved = resolvedStates.get(chart);
  if (resolved === undefined) {
    resolved = new Map();
    resolvedStates.set(chart, resolved);
  }
  const key = `${status} ${value}`;
  const known = resolved.get(key);
  if (known !== undefined) return { ...known, context };
  const snapshot = chart.resolveState({ value, context, status });
  resolved.set(key, snapshot);
  return snapshot;
}

/** States that XState resolved before: except for the context they are the same for every actor of the chart. */
const resolvedStates = new WeakMap<object, Map<string, AnyMachineSnapshot>>();

/** One event: the next snapshot and the effects it asked for, in order. Throws only if a chart is wrong. */
export function step<C extends object, E extends EventObject>(
  chart: Chart<C, E>,
  snapshot: AnyMachineSnapshot,
  event: E,
): Stepped {
  const walk = directWalkOf(chart);
  if (walk !== undefined) return stepDirectly(chart, walk, snapshot, event);
  executed.length = 0;
  const next = chart.transition(snapshot, event, scope as never);
  assert(next.status !== "error", `${chart.id} failed on ${event.type}: ${String(next.error)}`);
  return { snapshot: withoutRemoved(next), effects: effectsOf(executed) };
}

/** Takes out the fields of the context that a decision removed. */
function withoutRemoved(snapshot: AnyMachineSnapshot): AnyMachineSnapshot {
  const fields = Object.entries(snapshot.context as object);
  const kept = fields.filter(([, value]) => value !== undefined);
  return kept.length === fields.length ? snapshot : { ...snapshot, context: Object.fromEntries(kept) };
}

/** The transitions of the state for the event are tried in order, by what was decided on it. */
function stepDirectly<C extends object, E extends EventObject>(
  chart: Chart<C, E>,
  { decide, transitions, finals }: DirectWalk,
  snapshot: AnyMachineSnapshot,
  event: E,
): Stepped {
  const state = String(snapshot.value);
  const defined = snapshot.status === "active" ? transitions.get(state)?.get(event.type) : undefined;
  const verdict = defined === undefined ? undefined : decide(snapshot.context, event);
  const taken = verdict === undefined ? undefined : defined?.find(({ isTaken }) => isTaken(verdict.context));
  if (verdict === undefined || taken === undefined) return { snapshot, effects: NONE };
  const { target = state } = taken;
  return { snapshot: restore(chart, target, verdict.context as C, finals.has(target)), effects: verdict.effects };
}

const NONE: readonly Effect[] = [];

/** The effects that executed actions ask for, in order. */
export function effectsOf(actions: readonly { readonly type: string; readonly params?: unknown }[]): readonly Effect[] {
  let effects: readonly Effect[] = [];
  for (const { type, params } of actions) {
    if (type !== ASK) continue;
    const asked = params as readonly Effect[];
    effects = effects.length === 0 ? asked : [...effects, ...asked];
  }
  return effects;
}
