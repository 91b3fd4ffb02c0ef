/** Repeated work. */
import type { Cancel, Timers } from "../../src/runtime/ports.ts";

/** Runs `task` `intervalMs` after each run of it, until the returned function is called. */
export function repeat(timers: Timers, intervalMs: number, task: () => void): Cancel {
  let isOver = false;
  const run = (): void => {
    if (isOver) return;
    task();
    cancel = timers.after(intervalMs, run);
  };
  let cancel = timers.after(intervalMs, run);
  return () => {
    isOver = true;
    cancel();
  };
}
