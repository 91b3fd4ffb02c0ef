/**
 * Faults of opening, reading or writing that come from the system, kept apart from damage. An operator who takes a full
 * disk for damage restores a backup, and with it arms again what was sold since.
 */
import { ownFileErrorOf } from "../../src/runtime/os-error.ts";
import { StoreRefused } from "./refused.ts";

/** The system does not let the store be used now; it may be whole, and can be tried again. */
export class DiskRefused extends StoreRefused {
  override readonly name: string = "DiskRefused";
}

/** The message if the system is why `path` cannot be used: `error` or a cause of it; undefined for every other error. */
export function diskRefusal(path: string, error: unknown): DiskRefused | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DiskRefused) return cause;
    const failure = ownFileErrorOf(cause);
    if (failure === undefined) continue;
    const { fault, remedy, reason } = failure;
    return new DiskRefused(`${path} cannot be used: ${fault} (${cause.message}). ${remedy}`, { reason, cause: error });
  }
  return undefined;
}
