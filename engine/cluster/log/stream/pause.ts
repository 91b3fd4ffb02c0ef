import type { Timers } from "../../../../src/runtime/ports.ts";

/**
 * Waits for a time. Rejects with the reason of `signal` once that is aborted. `onWake` receives a function that ends
 * the pause early. A combined signal would keep the pause in memory for as long as it lives.
 */
export function pause(
  timers: Pick<Timers, "after">,
  delayMs: number,
  signal: AbortSignal,
  onWake?: (wake: () => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const end = (): void => {
      cancel();
      reject(signal.reason);
    };
    const wake = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = timers.after(delayMs, wake);
    signal.addEventListener("abort", end, { once: true });
    onWake?.(wake);
  });
}
