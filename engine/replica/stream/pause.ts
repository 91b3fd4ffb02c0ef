import type { Timers } from "../../../src/runtime/ports.ts";

/** Rejects with the reason of `signal` once that is aborted. */
export function pause(timers: Pick<Timers, "after">, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const end = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = timers.after(delayMs, () => {
      signal.removeEventListener("abort", end);
      resolve();
    });
    signal.addEventListener("abort", end, { once: true });
  });
}
