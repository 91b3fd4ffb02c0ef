/** Timing of work that is too short for a clock. */

/** Nanoseconds a call, over as many calls as fill `atLeastMs`. `work` does `count` of them. */
export function nsPerCall(work: (count: number) => void, atLeastMs: number): number {
  let count = 64;
  for (;;) {
    const start = performance.now();
    work(count);
    const tookMs = performance.now() - start;
    if (tookMs >= atLeastMs) return (tookMs * 1e6) / count;
    // Jumps to a sufficient count, once the time is meaningful.
    count = tookMs < 1 ? count * 8 : Math.ceil((count * atLeastMs * 1.1) / tookMs);
  }
}

/** Resident memory after a collection, in bytes. */
export function settledMemory(): NodeJS.MemoryUsage {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage();
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
