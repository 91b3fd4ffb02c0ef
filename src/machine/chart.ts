/**
 * What every chart does with an event: it decides, takes the new context, and asks for effects.
 *
 * Owns: the action `act`, which is the only one a chart has. Does not own: what is decided (each chart), what effects
 * mean (the actor host).
 *
 * Invariants:
 * 1. A decision is made once for each event, from the context as the event found it.
 * 2. Where nothing is decided, nothing changes: the snapshot stays the same object.
 * 3. All effects of an event leave in one executed action, {@link ASK}, in the order in which they were decided.
 */
import { assign, type EventObject, type MachineContext, setup } from "xstate";
import type { Effect } from "./effect.ts";

/** The type of the executed action whose params are the effects of one event. */
export const ASK = "ask";

/** What a chart makes of an event. */
export interface Verdict<C> {
  readonly context: C;
  readonly effects: readonly Effect[];
}

/** XState's `setup` of a chart that acts as `decide` says: undefined where the event means nothing to the context. */
export function chartSetup<C extends MachineContext, E extends EventObject>(
  decide: (context: C, event: E) => Verdict<C> | undefined,
) {
  const base = setup({
    types: { context: {} as C, events: {} as E, input: {} as C },
    actions: {
      become: assign((_, verdict: Verdict<C>) => verdict.context),
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
