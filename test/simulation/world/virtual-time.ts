/**
 * Time that moves only on demand, made for speed: a turn costs no trip through the loop.
 *
 * Owns: the steady clock, the wall clock and its steps, timers and turns of everything in a simulated world.
 * Does not own: whose timers they are (a process that died runs none: `life.ts`).
 *
 * Invariants:
 * 1. Tasks run in the order of their moments, equal ones in the order in which they were planned.
 * 2. Nothing here depends on the machine: the same calls give the same order of tasks.
 */
import type { Cancel, Clock } from "../../../src/runtime/ports.ts";

interface Planned {
  readonly atMs: number;
  readonly task: () => void;
  isCancelled: boolean;
}

export class VirtualTime {
  #steadyMs = 0;
  #wallOffsetMs: number;
  /** The latest first, so that the next is taken from the end. */
  #latestMs = Number.NEGATIVE_INFINITY;
  readonly #planned: Planned[] = [];
  #soon: (() => void)[] = [];
  readonly #onFault: (error: unknown) => void;

  constructor(startMs: number, onFault: (error: unknown) => void) {
    this.#wallOffsetMs = startMs;
    this.#onFault = onFault;
  }

  readonly steadyClock: Clock = { nowMs: () => this.#steadyMs };
  readonly wallClock: Clock = { nowMs: () => this.#steadyMs + this.#wallOffsetMs };
  /** The latest time that the wall clock ever showed. */
  readonly latestClock: Clock = { nowMs: () => Math.max(this.#latestMs, this.wallClock.nowMs()) };

  /** The wall clock steps (NTP, an operator); timers keep their distance. */
  stepWallClock(byMs: number): void {
    this.#latestMs = this.latestClock.nowMs();
    this.#wallOffsetMs += byMs;
  }

  after(delayMs: number, task: () => void): Cancel {
    const planned: Planned = { atMs: this.#steadyMs + Math.max(0, Math.ceil(delayMs)), task, isCancelled: false };
    let low = 0;
    let high = this.#planned.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#planned[middle]?.atMs ?? 0) > planned.atMs) low = middle + 1;
      else high = middle;
    }
    this.#planned.splice(low, 0, planned);
    return () => {
      planned.isCancelled = true;
    };
  }

  soon(task: () => void): void {
    this.#soon.push(task);
  }

  /** Runs the tasks that wait for a later turn, and all their consequences, promises included. */
  turns(): Promise<void> {
    return this.#turnsUntil(this.#steadyMs);
  }

  /** The machine is suspended: timers that fall due in that time run once it is awake, in order. */
  sleep(byMs: number): void {
    this.#steadyMs += byMs;
  }

  /** Moves time on, running every timer at its moment. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.#steadyMs + byMs;
    await this.#turnsUntil(untilMs);
    this.#steadyMs = untilMs;
  }

  async #turnsUntil(untilMs: number): Promise<void> {
    for (;;) {
      await settlePromises();
      const tasks = this.#soon;
      if (tasks.length === 0) {
        if (!this.#runNext(untilMs)) return;
        continue;
      }
      this.#soon = [];
      for (const task of tasks) this.#run(task);
    }
  }

  /** Runs the next timer up to `untilMs`; false if none is due. */
  #runNext(untilMs: number): boolean {
    for (;;) {
      const next = this.#planned.at(-1);
      if (next === undefined || next.atMs > untilMs) return false;
      this.#planned.pop();
      if (next.isCancelled) continue;
      // After a sleep it is late.
      this.#steadyMs = Math.max(this.#steadyMs, next.atMs);
      this.#run(next.task);
      return true;
    }
  }

  #run(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#onFault(error);
    }
  }
}

/**
 * Settles every chain of promises, however long: Node runs this queue once no promise can continue. Counting microtasks
 * instead took a third of what a world allocates.
 */
function settlePromises(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
