/**
 * How the engine's process collects its garbage. The flags are set in code and not on the command line, where a Node
 * that does not know a flag refuses to start: here it prints a line and continues.
 */
import { setFlagsFromString } from "node:v8";

const FLAGS = [
  // The heap may grow to five times before it is collected as a whole: that holds triggers up, and most of it stays.
  "--heap-growing-percent=400",
  // V8 would take what charts make for long-lived, which costs a third of a step.
  "--no-allocation-site-pretenuring",
];

/** To be called once, first of all. */
export function collectSeldom(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
