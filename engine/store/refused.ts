import { type OperatorMistakeOptions, UserError } from "../../src/runtime/user-error.ts";

/** The data folder cannot be used as it is: the message contains the way out. The process must not arm. */
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

/** A store that may be open in another process, which cannot be found out from here: its state is unknown. */
export class StoreLockUnknown extends StoreRefused {
  override readonly name: string = "StoreLockUnknown";

  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `it cannot be determined whether an engine has ${folder} open (${reason}): make a backup and check that, or check it as the user of the engine`,
      { reason: "unavailable", cause },
    );
  }
}

/** The log does not hold any more what this copy lacks: it can be made again from the leader's rows. */
export class CopyBehind extends StoreRefused {
  override readonly name: string = "CopyBehind";
}

/** A store with history and without a witness: whether it is the newest or an old copy cannot be found out. */
export class WitnessMissing extends StoreRefused {
  override readonly name: string = "WitnessMissing";

  constructor(folder: string, { batch, writtenAtMs }: { readonly batch: number; readonly writtenAtMs: number }) {
    const moment = new Date(writtenAtMs).toISOString();
    super(
      `${folder} has history up to batch ${batch} of ${moment} and no witness.json, so an old copy could arm again what was sold since: ` +
        "put back the witness.json that belongs to it, or restore a backup. " +
        "If both are lost, npm run backup-stopped -- <data folder> <new folder> makes a backup of this copy; restore that one",
    );
  }
}
