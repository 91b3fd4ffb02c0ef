/**
 * From when to when symbols are held, as far as clients can know it: by the sequence of the stream's ticks.
 *
 * Owns: of which ticks it is certain that a held symbol took them, or did not. Does not own: what follows from that.
 */

/** Infinity: not yet. */
interface Span {
  readonly askedSequence: number;
  knownSequence: number;
  releaseAskedSequence: number;
  releaseKnownSequence: number;
}

export class HeldSpans {
  readonly #spans = new Map<string, Span[]>();
  /** The last tick before the clock was last set. */
  #stepSequence = 0;

  /** The clock is set: times of ticks until now have no order with later times. */
  stepClock(sequence: number): void {
    this.#stepSequence = sequence;
  }

  /** A hold is asked for. */
  ask(symbol: string, sequence: number): void {
    const span = {
      askedSequence: sequence,
      knownSequence: Number.POSITIVE_INFINITY,
      releaseAskedSequence: Number.POSITIVE_INFINITY,
      releaseKnownSequence: Number.POSITIVE_INFINITY,
    };
    this.#spans.set(symbol, [...(this.#spans.get(symbol) ?? []), span]);
  }

  /** The hold is durable. */
  know(symbol: string, sequence: number): void {
    const last = this.#last(symbol);
    if (last !== undefined) last.knownSequence = Math.min(last.knownSequence, sequence);
  }

  askRelease(symbol: string, sequence: number): void {
    const last = this.#last(symbol);
    if (last === undefined || last.releaseAskedSequence !== Number.POSITIVE_INFINITY) return;
    last.releaseAskedSequence = sequence;
  }

  /** The symbol is certainly not held from here on. */
  knowRelease(symbol: string, sequence: number): void {
    const last = this.#last(symbol);
    if (last === undefined) return;
    last.releaseAskedSequence = Math.min(last.releaseAskedSequence, sequence);
    last.releaseKnownSequence = Math.min(last.releaseKnownSequence, sequence);
  }

  /** A start finds the symbol held: a release that was asked for never was. */
  recover(symbol: string, sequence: number): void {
    const last = this.#last(symbol);
    if (last === undefined) return;
    this.know(symbol, sequence);
    last.releaseAskedSequence = Number.POSITIVE_INFINITY;
  }

  /** Whether a hold of the symbol is asked for and not certainly over. */
  isOpen(symbol: string): boolean {
    return this.#last(symbol)?.releaseKnownSequence === Number.POSITIVE_INFINITY;
  }

  isReleaseAsked(symbol: string): boolean {
    return this.#last(symbol)?.releaseAskedSequence !== Number.POSITIVE_INFINITY;
  }

  symbols(): Iterable<string> {
    return this.#spans.keys();
  }

  stateOf(symbol: string, sequence: number, isCaughtUp: boolean): "free" | "held" | "unsure" {
    for (const span of this.#spans.get(symbol) ?? []) {
      if (sequence <= span.askedSequence) continue;
      if (sequence > span.releaseKnownSequence) {
        // Read back by a clock that was set back since, it may lie before the release.
        if (isCaughtUp && this.#stepSequence >= span.releaseKnownSequence) return "unsure";
        continue;
      }
      const isBetween = sequence > span.knownSequence && sequence <= span.releaseAskedSequence;
      // After the release, a tick that is read back is distinguished from later ones by its time.
      const isTold =
        !isCaughtUp || span.releaseKnownSequence === Number.POSITIVE_INFINITY || sequence > this.#stepSequence;
      return isBetween && isTold ? "held" : "unsure";
    }
    return "free";
  }

  /** Whether the symbol was certainly not held from a tick of the stream on. */
  isFreeSince(symbol: string, sequence: number): boolean {
    return (this.#spans.get(symbol) ?? []).every((span) => span.releaseKnownSequence < sequence);
  }

  #last(symbol: string): Span | undefined {
    return this.#spans.get(symbol)?.at(-1);
  }
}
