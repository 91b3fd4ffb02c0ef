/** Processor time of other processes. */
import { readFileSync } from "node:fs";

/** The unit in which Linux counts processor time (`_SC_CLK_TCK`), on every processor that Node runs on. */
const CLOCK_TICKS_PER_SECOND = 100;
const USER_FIELD = 11;
const SYSTEM_FIELD = 12;

/** User and system time of a process, all its threads. */
export function processorMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name before them may hold blanks: counted from behind it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[USER_FIELD]) + Number(fields[SYSTEM_FIELD])) / CLOCK_TICKS_PER_SECOND) * 1_000;
}
