/**
 * How the edge's own process stands to others of its machine.
 *
 * Where engine and edge share processors the engine goes first: an event that is told some milliseconds later costs
 * nothing, an order that is sent later may.
 */
import { readdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** Of Unix: a process at 0 gets nine times as much while both want a processor. */
export const EDGE_NICENESS = 10;

interface ProcessPriority {
  get(): number;
  set(niceness: number): void;
}

const ownPriority: ProcessPriority = {
  get: () => getPriority(),
  set: (niceness) => {
    for (const thread of ownThreads()) setPriority(thread, niceness);
  },
};

/** Linux keeps a niceness for each thread, and those that collect V8's garbage began before any code ran. */
function ownThreads(): readonly number[] {
  if (process.platform !== "linux") return [process.pid];
  return readdirSync("/proc/self/task").map(Number);
}

/** To be called first of all: threads that begin later have it, too. False where the system forbids it, which harms nobody. */
export function yieldToEngine(priority = ownPriority): boolean {
  try {
    // Who started the process may have put it lower still.
    if (priority.get() < EDGE_NICENESS) priority.set(EDGE_NICENESS);
    return true;
  } catch {
    return false;
  }
}
