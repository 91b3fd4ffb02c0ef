/**
 * Loaded into a process before its own code (`--import`): reports to the parent, over the fork's channel, figures that
 * only the process itself knows. It does not change the measured code.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";

/** The reading of a probed process. */
export interface ProbeReading {
  /** The longest that the loop was held up since the last reading, in milliseconds; 0 in the first. */
  readonly loopBlockedMsMax: number;
  readonly cpuMs: number;
  readonly heapBytes: number;
}

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

process.on("message", (message) => {
  if (message !== "probe") return;
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const reading: ProbeReading = {
    loopBlockedMsMax: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
    cpuMs: (user + system) / 1_000,
    heapBytes: process.memoryUsage().heapUsed,
  };
  // A timer each millisecond is begun with the first reading: it costs a process that is never probed 3 % of a core.
  delay.enable();
  delay.reset();
  process.send?.(reading);
});
