/** The real clock. */
import type { Clock } from "./ports.ts";

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
