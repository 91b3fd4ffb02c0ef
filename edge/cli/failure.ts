/** What ends the program with a line on standard error: the operator can mend it. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}
