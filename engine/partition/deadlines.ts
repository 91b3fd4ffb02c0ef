/**
 * The passing of deadlines: by the clock, and by ticks that come at or after them.
 *
 * Owns: when a deadline counts as passed. Does not own: who has one (the watchbook), what it changes (the charts).
 *
 * Invariants:
 * 1. A deadline is given its own moment, in the order of the moments, after the work that waits.
 * 2. A tick at or after a deadline is given after it; one that is read back from before it, before it.
 */
import type { Clock } from "../../src/runtime/ports.ts";
import type { Inbox } from "../ports/actor.ts";

/** A check that comes so long after the one before tells of a loop that stood still. */
const STANDSTILL_MS = 1_000;

interface DeadlinesOptions {
  readonly clock: Clock;
  readonly queue: { nextTimeMs(): number | undefined; popDue(timeMs: number): number | undefined };
  readonly inbox: Inbox & { readonly isIdle: boolean };
  readonly isCatchingUp: () => boolean;
  /** Tells an actor that its deadline of this moment has passed. */
  readonly wake: (owner: number, timeMs: number) => void;
}

export class Deadlines {
  readonly #options: DeadlinesOptions;
  #checkedAtMs = 0;

  constructor(options: DeadlinesOptions) {
    this.#options = options;
  }

  start(): void {
    this.#checkedAtMs = this.#options.clock.nowMs();
  }

  /** What is due before a tick. One that waited was seen by a clock that may have been set back since. */
  passBefore(tickMs: number): void {
    const dueMs = this.#options.queue.nextTimeMs();
    if (dueMs !== undefined && dueMs <= tickMs) this.#pass(Math.min(tickMs, this.#options.clock.nowMs()));
  }

  /**
   * Ticks that are read back may lie before a deadline that the clock has passed: they pass it, each in its place. After
   * a loop that stood still the feed must first notice that it has missed some.
   */
  passByClock(): void {
    const nowMs = this.#options.clock.nowMs();
    const stoodStill = nowMs - this.#checkedAtMs > STANDSTILL_MS;
    this.#checkedAtMs = nowMs;
    if (!stoodStill && !this.#options.isCatchingUp()) this.#pass(nowMs);
  }

  #pass(timeMs: number): void {
    const { queue, inbox, wake } = this.#options;
    for (;;) {
      const dueMs = queue.nextTimeMs();
      if (dueMs === undefined || dueMs > timeMs) return;
      const owner = queue.popDue(timeMs);
      if (owner === undefined) return;
      if (inbox.isIdle) wake(owner, dueMs);
      else inbox.enqueue(() => wake(owner, dueMs));
    }
  }
}
