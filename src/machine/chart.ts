/**
 * What every chart does with an event: it decides, takes the new context, and asks for effects.
 *
 * Owns: the action `act`, and `direct` for charts in which every microsecond counts. Does not own: what is decided (each
 * chart), what effects mean (the actor host).
 *
 * Invariants:
 * 1. A decision is made once for each event, from the context as the event found it.
 * 2. Where nothing is decided, nothing changes: the snapshot stays the same object.
 * 3. All effects of an event leave in one executed action, {@link ASK}, in the order in which they were decided.
 */
import { assign, type EventObject, type MachineContext, setup } from "xstate";
import { assert } from "../assert.ts";
import type { Effect } from "./effect.ts";

/** The type of the executed action whose params are the effects of one event. */
export const ASK = "ask";

/** What a chart makes of an event. */
export interface Verdict<C> {
  readonly context: C;
  readonly effects: readonly Effect[];
}

/**
 * The decided context, with undefined for each field that it no longer has: `assign` merges, so that a field that is only
 * left out stays. `step` takes these fields out.
 */
function replacing<C extends MachineContext>(before: C, decided: C): C {
  const removed = Object.keys(before).filter((field) => !(field in decided));
  return removed.length === 0
    ? decided
    : { ...decided, ...Object.fromEntries(removed.map((field) => [field, undefined])) };
}

/** XState's `setup` of a chart that acts on the verdict of `decide`; undefined: the context ignores the event. */
export function chartSetup<C extends MachineContext, E extends EventObject>(
  decide: (context: C, event: E) => Verdict<C> | undefined,
) {
  const base = setup({
    types: { context: {} as C, events: {} as E, input: {} as C },
    actions: {
      become: assign(({ context }, verdict: Verdict<C>) => replacing(context, verdict.context)),
      [ASK]: (_, _effects: readonly Effect[]) => undefined,
    },
  });
  const act = base.enqueueActions(({ context, event, enqueue }) => {
    const verdict = decide(context, event);
    if (verdict === undefined) return;
    enqueue({ type: "become", params: verdict });
    if (verdict.effects.length > 0) enqueue({ type: ASK, params: verdict.effects });
  });
  return base.extend({ actions: { act } });
}

/**
 * The parts of a chart whose transitions are direct: which one is taken follows from the verdict, so that no eventless
 * second step is, and nothing is enqueued. A step costs a third of what it costs with `act` and `always`.
 *
 * Several guards and two actions ask for the verdict on one event: it is kept until the next.
 */
export function directParts<C extends MachineContext, E extends EventObject>(
  decide: (context: C, event: E) => Verdict<C> | undefined,
) {
  let last: { readonly context: C; readonly event: E; readonly verdict: Verdict<C> | undefined } | undefined;
  const verdictOn = (context: C, event: E): Verdict<C> | undefined => {
    if (last?.context !== context || last.event !== event) last = { context, event, verdict: decide(context, event) };
    return last.verdict;
  };
  const becoming = (isTrue: (context: C) => boolean) => {
    return ({ context, event }: { readonly context: C; readonly event: E }): boolean => {
      const verdict = verdictOn(context, event);
      return verdict !== undefined && isTrue(verdict.context);
    };
  };
  const base = setup({
    types: { context: {} as C, events: {} as E, input: {} as C },
    actions: {
      become: assign(({ context, event }) => verdictOn(context, event)?.context ?? context),
      [ASK]: (_, _effects: readonly Effect[]) => undefined,
    },
  });
  const ask = {
    type: ASK,
    params: ({ context, event }: { readonly context: C; readonly event: E }): readonly Effect[] =>
      verdictOn(context, event)?.effects ?? [],
  } as const;
  // The effects are read before the context is replaced.
  return { base, becoming, act: [ask, "become"] as const };
}

/** The guards of a direct chart by name: what the context has become with the event. */
type Becomes<C> = Readonly<Record<string, (context: C) => boolean>>;

/** A direct chart as `step` walks it: what it decides, and which transitions its machine declares. */
export interface DirectWalk {
  readonly decide: (context: object, event: EventObject) => Verdict<object> | undefined;
  /** By state and type of event, in the order in which they are tried. */
  readonly transitions: ReadonlyMap<string, ReadonlyMap<string, readonly DirectTransition[]>>;
  readonly finals: ReadonlySet<string>;
}

interface DirectTransition {
  readonly isTaken: (context: object) => boolean;
  /** The state it leads to; undefined: the chart remains in its state. */
  readonly target: string | undefined;
}

const directWalks = new WeakMap<object, DirectWalk>();

/** How `step` walks the chart without XState's own steps; undefined if the chart is not direct. */
export function directWalkOf(chart: object): DirectWalk | undefined {
  return directWalks.get(chart);
}

/** The part of a machine's definition that is read. */
interface Definition {
  readonly config: {
    readonly states?: Readonly<
      Record<
        string,
        | { readonly type?: string; readonly on?: Readonly<Record<string, readonly DefinedTransition[]>> | undefined }
        | undefined
      >
    >;
  };
}
interface DefinedTransition {
  readonly guard?: unknown;
  readonly target?: unknown;
}

/**
 * Has `step` walk a chart that is made of {@link directParts} and of nothing else: each transition has one of the guards,
 * and the action `act`. Which they are is read from the machine's own definition.
 */
export function walkDirectly<M extends object, C extends MachineContext, E extends EventObject>(
  machine: M,
  decide: (context: C, event: E) => Verdict<C> | undefined,
  becomes: Becomes<C>,
): M {
  const transitions = new Map<string, ReadonlyMap<string, readonly DirectTransition[]>>();
  const finals = new Set<string>();
  for (const [name, state] of Object.entries((machine as M & Definition).config.states ?? {})) {
    if (state?.type === "final") finals.add(name);
    const byType = Object.entries(state?.on ?? {}).map(([type, defined]) => {
      return [type, defined.map((one) => directTransition(one, becomes as Becomes<object>))] as const;
    });
    transitions.set(name, new Map(byType));
  }
  directWalks.set(machine, { decide: decide as unknown as DirectWalk["decide"], transitions, finals });
  return machine;
}

function directTransition({ guard, target }: DefinedTransition, becomes: Becomes<object>): DirectTransition {
  const isTaken = typeof guard === "string" ? becomes[guard] : undefined;
  assert(isTaken !== undefined, `a direct transition has a guard of the chart: ${String(guard)}`);
  assert(target === undefined || typeof target === "string", "a direct transition leads to a state by its name");
  return { isTaken, target };
}
