/** The real clock and timers: the only place outside the mains where the engine meets them. */
import type { Clock, Timers } from "./ports.ts";

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
