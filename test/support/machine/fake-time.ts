/** Clock and timers that move only on demand: no test waits, and every order of events can be repeated. */
import type { Cancel, Clock, Timers } from "../../../src/runtime/ports.ts";

interface Planned {
  readonly atMs: number;
  readonly order: number;
  readonly task: () => void;
}

export class FakeTime implements Clock, Timers {
  #nowMs: number;
  #order = 0;
  #planned: Planned[] = [];
  #soon: (() => void)[] = [];

  constructor(startMs = Date.UTC(2026, 0, 5, 9)) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, task: () => void): Cancel {
    const planned = { atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order, task };
    this.#order += 1;
    const index = this.#planned.findIndex((other) => other.atMs > planned.atMs);
    this.#planned.splice(index === -1 ? this.#planned.length : index, 0, planned);
    return () => {
      this.#planned = this.#planned.filter((other) => other !== planned);
    };
  }

  soon(task: () => void): void {
    this.#soon.push(task);
  }

  /** The wall clock steps (NTP, an operator); timers keep their distance. */
  stepClock(byMs: number): void {
    this.#nowMs += byMs;
    this.#planned = this.#planned.map((planned) => ({ ...planned, atMs: planned.atMs + byMs }));
  }

  /** Pauses the process: time passes, and nothing runs. */
  standStill(byMs: number): void {
    this.#nowMs += byMs;
  }

  /** Runs one turn: the tasks that waited for it, then those due, and the promises that settle with them. */
  async turn(): Promise<void> {
    await settlePromises();
    const tasks = this.#soon;
    this.#soon = [];
    for (const task of tasks) task();
    if (tasks.length === 0) this.#runDue(this.#nowMs);
    await settlePromises();
  }

  /** Runs the tasks that wait for a later turn, and all their consequences, promises included. */
  async turns(): Promise<void> {
    for (;;) {
      await settlePromises();
      const tasks = this.#soon;
      if (tasks.length === 0 && !this.#isDue(this.#nowMs)) return;
      this.#soon = [];
      for (const task of tasks) task();
      await settlePromises();
      if (this.#soon.length === 0) this.#runDue(this.#nowMs);
    }
  }

  /** Moves time on, running every timer at its moment. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    await this.turns();
    for (;;) {
      const next = this.#planned[0];
      if (next === undefined || next.atMs > untilMs) break;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      await this.turns();
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
    await this.turns();
  }

  /** Runs the tasks that wait for a later turn now, without their consequences: no timer, no promise. */
  runSoon(): void {
    const tasks = this.#soon;
    this.#soon = [];
    for (const task of tasks) task();
  }

  /** The process dies: none of its planned tasks runs any more. */
  forgetAll(): void {
    this.#planned = [];
    this.#soon = [];
  }

  #isDue(atMs: number): boolean {
    const next = this.#planned[0];
    return next !== undefined && next.atMs <= atMs;
  }

  #runDue(atMs: number): void {
    while (this.#isDue(atMs)) this.#planned.shift()?.task();
  }
}

/** Lets every promise that can settle without time settle. */
async function settlePromises(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
