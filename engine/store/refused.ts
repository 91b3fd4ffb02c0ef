import { OperatorMistake, type OperatorMistakeOptions } from "../../src/operator-mistake.ts";

/** The data folder cannot be used as it is: the message says what to do. The process must not arm. */
export class StoreRefused extends OperatorMistake {
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

/** The log does not hold any more what this copy lacks: it can be made again from the leader's rows. */
export class CopyBehind extends StoreRefused {
  override readonly name: string = "CopyBehind";
}
