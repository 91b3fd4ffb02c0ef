/**
 * Explains a fault that ends a running process with the text and the exit code that the next start would give it.
 *
 * A supervisor decides by the exit code whether to start the process again: that does not help with a damaged store, but
 * it does with a full disk.
 */
import { isMissingFile } from "./missing-file.ts";
import { ownFileErrorOf } from "./os-error.ts";
import { UserError } from "./user-error.ts";

/** The explanation by the error or the first of its causes that has one; undefined for a fault of ours. */
export function explainRunningFault(error: unknown): UserError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof UserError) return cause;
    const failure = ownFileErrorOf(cause);
    if (failure !== undefined) {
      const { fault, remedy, reason } = failure;
      return new UserError(`${fault} (${cause.message}). ${remedy}`, { reason, cause: error });
    }
    if (isDamage(cause)) {
      return new UserError(`the store is damaged (${cause.message}): restore a backup`, {
        reason: "data",
        cause: error,
      });
    }
  }
  return undefined;
}

/** The explanation for a part of the process that uses its own files alone: a file that is gone was taken away. */
export function explainFileFault(error: unknown): UserError | undefined {
  if (!isMissingFile(error)) return explainRunningFault(error);
  const message = error instanceof Error ? error.message : String(error);
  return new UserError(
    `a file or folder of this process was taken away (${message}): put it back before the next start`,
    {
      reason: "noInput",
      cause: error,
    },
  );
}

function isDamage(error: Error): boolean {
  return ("code" in error && error.code === "LEVEL_CORRUPTION") || error.message.startsWith("Corruption: ");
}
