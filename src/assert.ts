/** Thrown where our own code is wrong. Never for bad input: that is a refusal, a value. */
export class AssertionFailure extends Error {
  override readonly name = "AssertionFailure";
}

/**
 * States what must hold. Throws {@link AssertionFailure} with `message` when it does not. A function makes the text only
 * then: a number in a text costs more than the question, where every trigger asks.
 */
export function assert(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new AssertionFailure(typeof message === "string" ? message : message());
}

/** The `default` of an exhaustive switch: a compile error when a case is missing, a throw when types lied. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable: ${JSON.stringify(value)}`);
}
