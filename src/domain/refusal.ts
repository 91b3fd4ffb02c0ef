/**
 * Refusals: the values with which a rule refuses.
 *
 * Owns the shape of a refusal and the list of its codes. Does not own how a code becomes an HTTP status or a reply on
 * the bus, nor any message text.
 *
 * Invariants:
 * 1. Bad input is a refusal (a value); a throw is a bug of ours (see assert.ts).
 * 2. A message names the field and the rule it broke, and never repeats a secret or a request body.
 */

/** Why something was refused. The edge maps each code to one HTTP status. */
type RefusalCode =
  | "INVALID"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "CONFLICT"
  | "PRECONDITION_FAILED"
  | "NOT_NOW"
  | "TRADING_HALTED"
  | "TRADING_REDUCING"
  | "OVERCOMMITTED"
  | "ACCOUNT_LIMIT"
  | "UNPROCESSABLE"
  | "LIMITED"
  | "UNAVAILABLE"
  | "INTERNAL"
  | "PAYLOAD_TOO_LARGE";

/** A refusal, with a machine-readable code and a readable message that can be shown to the caller. */
export interface Refusal {
  readonly ok: false;
  readonly code: RefusalCode;
  readonly message: string;
}

/** A value that passed a rule. */
interface Acceptance<T> {
  readonly ok: true;
  readonly value: T;
}

/** The result of a rule: the accepted value, or why it was refused. */
export type Result<T> = Acceptance<T> | Refusal;

/** Wraps a value that passed. */
export function accept<T>(value: T): Acceptance<T> {
  return { ok: true, value };
}

/** Makes a refusal; `message` names the field and the rule. */
export function refuse(code: RefusalCode, message: string): Refusal {
  return { ok: false, code, message };
}
