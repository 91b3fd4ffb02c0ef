import type { Timers } from "../../../../src/runtime/ports.ts";

/**
 * Rejects with the reason of `signal` once that is aborted. `onWake` is given what ends the pause before its time: a signal
 * combined with another one would be kept by it for as long as it lives.
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
