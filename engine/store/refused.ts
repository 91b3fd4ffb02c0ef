import { type OperatorMistakeOptions, UserError } from "../../src/runtime/user-error.ts";

/** The data folder cannot be used as it is: the message says what to do. The process must not arm. */
export class StoreRefused extends UserError {
  override readonly name: string = "StoreRefused";

  constructor(message: string, options?: OperatorMistakeOptions) {
    super(message, { reason: "data", ...options });
  }
}

/** Another process has the store open: nothing is wrong with it. */
export class StoreInUse extends StoreRefused {
  constructor(folder: string, cause: unknown) {
    super(`${folder} is in use by another engine process`, { reason: "unavailable", cause });
  }
}

/** A store that may be open in another process, which cannot be found out from here: nothing can be said of it. */
export class StoreLockUnknown extends StoreRefused {
  override readonly name: string = "StoreLockUnknown";

  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `it cannot be told whether an engine has ${folder} open (${reason}): make a backup and check that, or check it as the user of the engine`,
      { reason: "unavailable", cause },
    );
  }
}

/** The log does not hold any more what this copy lacks: it can be made again from the leader's rows. */
export class CopyBehind extends StoreRefused {
  override readonly name: string = "CopyBehind";
}
