/**
 * The processes of one connector that an engine knows from their announcements and their answers to `status`.
 *
 * Invariant: a replaced process that is silent is not a rival; it is one if it sends after the next process began.
 */

/** Longer than two status requests take, which either process can answer. */
export const ANSWERED_WITHIN_MS = 25_000;

interface Heard {
  readonly firstMs: number;
  lastMs: number;
  /** The shortest period given: an announcing process counts for less time than one known only from answers. */
  withinMs: number;
}

export class ConnectorProcesses {
  readonly #heard = new Map<string, Heard>();

  /** Records a sign of life, which counts for `withinMs`. `nowMs` comes from a clock that never steps. */
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
