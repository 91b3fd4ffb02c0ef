import type { Schedule } from "./port.ts";

/** The longest delay Node takes; a longer one would fire at once. */
export const MAX_DELAY_MS = 2_147_483_647;

/** The real timer, for both forms of the bus. */
export const timerSchedule: Schedule = (delayMs, task) => {
  const timer = setTimeout(task, delayMs);
  return () => clearTimeout(timer);
};
