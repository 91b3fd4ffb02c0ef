import { OperatorMistake } from "../../src/operator-mistake.ts";

/** The data folder cannot be used as it is: the message says what to do. The process must not arm. */
export class StoreRefused extends OperatorMistake {
  override readonly name = "StoreRefused";

  constructor(message: string, options?: ErrorOptions) {
    super(message, { reason: "data", ...options });
  }
}
