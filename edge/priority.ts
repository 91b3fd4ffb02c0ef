/**
 * The priority of the edge's own process among the processes of its machine.
 *
 * If engine and edge share processors the engine goes first: an event that is sent some milliseconds later costs
 * nothing, an order that is sent later can cost money.
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

/** Linux keeps a niceness for each thread, and the threads that collect V8's garbage began before any code ran. */
function ownThreads(): readonly number[] {
  if (process.platform !== "linux") return [process.pid];
  return readdirSync("/proc/self/task").map(Number);
}

/**
 * To be called first of all: threads that begin later have it, too. Returns false if the system forbids it, which does
 * no harm.
 */
export function yieldToEngine(priority = ownPriority): boolean {
  try {
    // The starter of the process can have put it lower still.
    if (priority.get() < EDGE_NICENESS) priority.set(EDGE_NICENESS);
    return true;
  } catch {
    return false;
  }
}
