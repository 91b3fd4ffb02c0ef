/**
 * Passes deadlines: by the clock, and before ticks that come at or after them.
 *
 * Owns: when a deadline counts as passed. Does not own: the deadlines (the watchbook), their effects (the charts).
 *
 * Invariants:
 * 1. A deadline is delivered with its own time, in the order of the times, after the waiting work.
 * 2. A tick at or after a deadline is delivered after it; a tick that is read back from before it is delivered before
 *    it.
 */
import type { Clock } from "../../src/runtime/ports.ts";
import type { Inbox } from "../ports/actor.ts";
import type { PartitionFeed } from "../ports/feed.ts";

/** A check this long after the previous one shows that the loop was at a standstill. */
const STANDSTILL_MS = 1_000;

interface DeadlinesOptions {
  readonly clock: Clock;
  readonly queue: { nextTimeMs(): number | undefined; popDue(timeMs: number): number | undefined };
  readonly inbox: Inbox & { readonly isIdle: boolean };
  readonly feed: Pick<PartitionFeed, "isCatchingUp">;
  /** Notifies an actor that its deadline of this moment has passed. */
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

  /** Passes the deadlines due before a tick. A waiting tick was timed by a clock that may have been set back since. */
  passBefore(tickMs: number): void {
    const dueMs = this.#options.queue.nextTimeMs();
    if (dueMs !== undefined && dueMs <= tickMs) this.#pass(Math.min(tickMs, this.#options.clock.nowMs()));
  }

  /**
   * Passes deadlines by the clock, but not during catch-up: a tick that is read back may be earlier than a deadline
   * that the clock has passed. Such ticks pass the deadlines, each in its place. After a standstill of the loop the
   * feed must first notice that it has missed ticks. Returns whether the clock counts now.
   */
  passByClock(): boolean {
    const nowMs = this.#options.clock.nowMs();
    const stoodStill = nowMs - this.#checkedAtMs > STANDSTILL_MS;
    this.#checkedAtMs = nowMs;
    const mayPass = !stoodStill && !this.#options.feed.isCatchingUp();
    if (mayPass) this.#pass(nowMs);
    return mayPass;
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
