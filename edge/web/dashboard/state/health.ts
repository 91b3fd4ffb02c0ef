/**
 * The service's report on its prices and brokerages, and its age.
 *
 * Owns: asking for it, and what is believed while it does not answer. Does not own: when it is asked (dashboard-state.ts).
 *
 * Invariants:
 * 1. The service's report on the newest price replaces the page's own: the page may have slept, or have received early
 *    prices late.
 * 2. No older answer replaces a newer one, and a question without an answer makes known nothing.
 */
import type { Conditions } from "./model.ts";
import { ageOf, type Moment, momentBefore } from "./moment.ts";
import { Store } from "./store.ts";

/** Asked for every ten seconds: two answers are missing. */
const CURRENT_MS_MAX = 25_000;

export interface Said {
  readonly conditions: Conditions;
  readonly at: Moment;
  /** False: it was asked again since, and gave no answer. */
  readonly isAnswered: boolean;
}

/** Whether the report can be taken as the state now. */
export function isCurrent({ at, isAnswered }: Said): boolean {
  return isAnswered && ageOf(at) < CURRENT_MS_MAX;
}

export class Health {
  readonly said = new Store<Said | undefined>(undefined);
  /** When the service saw its last tick. */
  readonly lastTick = new Store<Moment | undefined>(undefined);
  #turn = 0;

  /** Rejects if `ask` does, which is if it is not answered. */
  async read(ask: () => Promise<Conditions>): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    try {
      const conditions = await ask();
      if (turn === this.#turn) this.#learn(conditions);
    } catch (error) {
      if (turn === this.#turn) this.said.update((said) => said && { ...said, isAnswered: false });
      throw error;
    }
  }

  /** A price came over the stream. */
  hearTick(): void {
    this.lastTick.set(momentBefore());
  }

  #learn(conditions: Conditions): void {
    const silentMs = conditions.feed?.silentMs ?? null;
    this.said.set({ conditions, at: momentBefore(), isAnswered: true });
    this.lastTick.set(silentMs === null ? undefined : momentBefore(silentMs));
  }
}
