/** The real clock and timers: the only place outside the mains where engine and connectors meet them. */
import type { Cancel, Clock, MonotonicClock, Timers } from "./ports.ts";

/** The longest delay that Node's timers take, in milliseconds; a longer one would fire immediately. */
export const MAX_DELAY_MS = 2_147_483_647;

/** The machine's wall clock. */
export const systemClock: MonotonicClock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };

/** Milliseconds since the process started: never steps, even if the wall clock does. */
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
