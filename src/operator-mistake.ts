/**
 * What ends a program with one plain line: somebody who runs it can mend it, and the message says how. Whatever else
 * is thrown is a fault of ours and is told with its stack. So wrap only what was meant to be told, and keep the cause.
 */
export class OperatorMistake extends Error {
  override readonly name: string = "OperatorMistake";
}

/** What a failed start prints: the plain line of an operator's mistake, the stack of a fault. */
export function tellFailure(error: unknown): string {
  if (error instanceof OperatorMistake) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
