/** The real clock and timers: the only place outside the mains where engine and connectors meet them. */
import type { Cancel, Clock, Timers } from "./ports.ts";

/** The machine's wall clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** Milliseconds since the process started: never steps, whatever happens to the wall clock. */
export const steadyClock: Clock = { nowMs: () => performance.now() };

/** The loop's timers. */
export const loopTimers: Timers = {
  after: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
  soon: (task) => void setImmediate(task),
};

/** Runs `task` every `intervalMs` until the returned function is called. */
export function every(intervalMs: number, task: () => void): Cancel {
  const timer = setInterval(task, intervalMs);
  return () => clearInterval(timer);
}

/** Uniform in [0, 1): for spreading retries, never for secrets. */
export const uniformRandom = (): number => Math.random();
