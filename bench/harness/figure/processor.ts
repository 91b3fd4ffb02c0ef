/** Processor time of other processes. */
import { readdirSync, readFileSync } from "node:fs";

const NANOSECONDS_PER_MS = 1e6;

/**
 * User and system time of a process so far, in milliseconds: the sum of its threads. Linux counts each in nanoseconds,
 * where the counts of the whole process go by hundredths of a second. A thread that has ended is not in the sum, so both
 * readings of a difference must lie between the starts and ends of threads.
 */
export function processorMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadMs(pid, thread), 0);
}

function threadMs(pid: number, thread: string): number {
  const [onProcessor = ""] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1);
  return Number(onProcessor) / NANOSECONDS_PER_MS;
}
