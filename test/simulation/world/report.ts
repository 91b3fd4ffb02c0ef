/**
 * The report of a simulated world: a trace of what happened, counts of faults on purpose, and the first rule that was
 * broken.
 */

/** A rule that does not hold. */
class Violation extends Error {
  override readonly name = "Violation";
}

export class Report {
  readonly counts = new Map<string, number>();
  readonly trace: string[] = [];
  readonly #isTracing: boolean;
  #violation: Error | undefined;
  /** Returns the time, for the trace. */
  now: () => string = () => "";

  constructor(isTracing: boolean) {
    this.#isTracing = isTracing;
  }

  /** Counts something that happened, a fault most of the time. */
  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Adds a line to the trace; `line` is called only if a trace is wanted. */
  note(line: () => string): void {
    if (this.#isTracing) this.trace.push(`${this.now()} ${line()}`);
  }

  /** A rule was broken: the first one counts. */
  violate(rule: string): void {
    this.fault(new Violation(rule));
  }

  /** The engine threw. */
  fault(error: unknown): void {
    this.#violation ??= error instanceof Error ? error : new Error(String(error));
    this.note(() => `VIOLATION ${String(error)}`);
  }

  get violation(): Error | undefined {
    return this.#violation;
  }
}
