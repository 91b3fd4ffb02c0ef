/** An actor for tests: a chart, stepped as the engine steps it. */
import type { AnyMachineSnapshot, EventObject, MachineContext } from "xstate";
import type { Effect, Facts } from "../../src/machine/effect.ts";
import { type Chart, restore, step } from "../../src/machine/step.ts";

/** A machine of this project as the engine holds it. */
export function chartOf(machine: object): Chart<MachineContext, EventObject> {
  return machine as Chart<MachineContext, EventObject>;
}

export class TestActor<C extends object, E extends { readonly type: string }> {
  readonly #chart: Chart<MachineContext, EventObject>;
  readonly #facts: (context: C) => Facts;
  #snapshot: AnyMachineSnapshot;

  constructor(machine: object, state: string, context: C, facts: (context: C) => Facts) {
    this.#chart = chartOf(machine);
    this.#facts = facts;
    this.#snapshot = restore(this.#chart, state, context as MachineContext, false);
  }

  /** Delivers one event and returns the effects that it asked for. An actor that is done ignores events. */
  send(event: E): readonly Effect[] {
    if (this.isDone) return [];
    const { snapshot, effects } = step(this.#chart, this.#snapshot, event);
    this.#snapshot = snapshot;
    return effects;
  }

  /** Restores the actor from what would be stored, as a restart does. */
  reload(): void {
    if (this.isDone) return;
    this.#snapshot = restore(this.#chart, this.state, JSON.parse(JSON.stringify(this.context)), false);
  }

  get context(): C {
    return this.#snapshot.context as C;
  }

  get state(): string {
    return String(this.#snapshot.value);
  }

  get isDone(): boolean {
    return this.#snapshot.status === "done";
  }

  get facts(): Facts {
    return this.#facts(this.context);
  }

  /** The watches of a symbol that a price in whole or broken hundredths reaches. */
  reachedBy(symbol: string, price: number): number[] {
    const hundredths = Math.round(price * 1e6) / 1e4;
    const isReached = (side: string, level: number): boolean =>
      side === "above" ? hundredths >= level : hundredths <= level;
    return this.facts.watches
      .filter((watch) => watch.symbol === symbol && isReached(watch.side, watch.level))
      .map(({ watch }) => watch);
  }
}
