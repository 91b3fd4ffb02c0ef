/**
 * What the system keeps from being opened, read or written, told apart from damage. Who takes a full disk for damage
 * restores a backup, and with it arms again what was sold since.
 */
import { type OsError, SYSTEM_FAILURES } from "../../src/runtime/os-error.ts";
import { StoreRefused } from "./refused.ts";

/** Elsewhere a file that may not be used is the wrong one; of our own folder its owner is wrong. */
const NOT_OURS: OsError = {
  fault: "this user may not use it",
  remedy: "Give it to the user that the engine runs as: nothing is lost",
  reason: "cannotCreate",
  texts: ["Permission denied", "Operation not permitted"],
};

const FAILURES: ReadonlyMap<string, OsError> = new Map([...SYSTEM_FAILURES, ["EACCES", NOT_OURS], ["EPERM", NOT_OURS]]);

/** LevelDB gives the system's words behind the file's name, and no code. */
const LEVEL_ERROR = /^IO error: .*: ([^:]+)$/s;

/** The system does not let the store be used now; it may be whole, and can be tried again. */
export class DiskRefused extends StoreRefused {
  override readonly name: string = "DiskRefused";
}

/** What to tell where the system is why `path` cannot be used: `error` or a cause of it; undefined for every other error. */
export function diskRefusal(path: string, error: unknown): DiskRefused | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DiskRefused) return cause;
    const failure = failureOf(cause);
    if (failure === undefined) continue;
    const { fault, remedy, reason } = failure;
    return new DiskRefused(`${path} cannot be used: ${fault} (${cause.message}). ${remedy}`, { reason, cause: error });
  }
  return undefined;
}

function failureOf(error: Error): OsError | undefined {
  const known = "code" in error ? FAILURES.get(String(error.code)) : undefined;
  if (known !== undefined) return known;
  const text = LEVEL_ERROR.exec(error.message)?.[1];
  return text === undefined ? undefined : [...FAILURES.values()].find(({ texts }) => texts.includes(text));
}
