/**
 * The processes of one connector that an engine hears of, by their announcements and their answers to `status`.
 *
 * Invariant: a process that was replaced and is silent is no rival; one that is heard after the next one began is.
 */

/** Longer than two questions for the status take, which either process may answer. */
export const ANSWERED_WITHIN_MS = 25_000;

interface Heard {
  readonly firstMs: number;
  lastMs: number;
  /** The shortest that it was given: one that announces itself is not believed for as long as one that is only asked. */
  withinMs: number;
}

export class ConnectorProcesses {
  readonly #heard = new Map<string, Heard>();

  /** `nowMs`: by a clock that never steps. What is heard counts for `withinMs`. */
  hear(instance: string, withinMs: number, nowMs: number): void {
    const known = this.#heard.get(instance);
    if (known === undefined) this.#heard.set(instance, { firstMs: nowMs, lastMs: nowMs, withinMs });
    else Object.assign(known, { lastMs: nowMs, withinMs: Math.min(withinMs, known.withinMs) });
  }

  /** Whether more than one process serves the brokerage now. */
  areSeveral(nowMs: number): boolean {
    let latestMs = Number.NEGATIVE_INFINITY;
    for (const { firstMs } of this.#heard.values()) latestMs = Math.max(latestMs, firstMs);
    let isRivalled = false;
    for (const [instance, { firstMs, lastMs, withinMs }] of this.#heard) {
      if (firstMs === latestMs) continue;
      const silentMs = nowMs - lastMs;
      if (silentMs > 2 * ANSWERED_WITHIN_MS) this.#heard.delete(instance);
      else if (lastMs > latestMs && silentMs <= withinMs) isRivalled = true;
    }
    return isRivalled;
  }
}
