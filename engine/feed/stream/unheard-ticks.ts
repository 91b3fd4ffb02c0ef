/**
 * Whether the tick stream stored ticks that this engine did not receive, although its connection stands: the way between
 * two nats-servers is broken, and what is published on one side does not reach the other.
 *
 * Owns: comparing what was received with the stream's sequence. Does not own: the probes, reading back (catch-up.ts).
 *
 * A probe stores a mark, so its sequence counts all that the stream stored before. All of it that reached this engine did
 * so between shortly before the mark was asked for and its answer, whatever way it took between the servers: the counts at
 * both moments bound what is missing. What is missing never becomes less, so a lower bound above an earlier upper bound
 * proves a loss in between. A count that is behind is asked for again at the next probe, as ticks may be late.
 *
 * Invariants:
 * 1. Without ticks on their way during a probe the bounds meet: one missing tick is noticed.
 * 2. Messages that are received but not stored hide missing ones between the same two marks, and no later ones.
 * 3. A tick costs nothing more: its subscription counts it already.
 */

export interface HeardAtEnd {
  /** Of the mark. */
  readonly sequence: number;
  /** Messages received on subjects that the stream stores, before the mark was published and when it was known as stored. */
  readonly heardBefore: number;
  readonly heardAfter: number;
  /** By the steady clock. */
  readonly atMs: number;
}

interface Point extends HeardAtEnd {
  /** The sequence of the probe before: what came between them may have been missed already. */
  readonly fromSequence: number;
}

/** Messages that the stream stored and this engine did not receive: they lie in this range. */
interface UnheardRange {
  /** All up to here was surely received. */
  readonly after: number;
  readonly to: number;
  readonly countMin: number;
}

/** The bounds of a steady flow of ticks meet within this time. */
const COMPARED_MS = 60_000;

export class UnheardTicks {
  /** In the order of time and of `missingMax`: the first is the one to compare with. */
  #points: Point[] = [];
  #latest = 0;
  #isDoubted = false;

  /** True after a count that was behind, until the next one. */
  get isDoubted(): boolean {
    return this.#isDoubted;
  }

  /** All before this end was received, or is read back. */
  restart(end: HeardAtEnd | undefined): void {
    this.#points = end === undefined ? [] : [{ ...end, fromSequence: end.sequence }];
    this.#latest = end?.sequence ?? 0;
    this.#isDoubted = false;
  }

  /** Compares at one more end. The range is given once a second count in a row is behind. */
  compare(end: HeardAtEnd): UnheardRange | undefined {
    this.#dropOld(end.atMs);
    const first = this.#points[0];
    const countMin = first === undefined ? 0 : missingMin(end) - missingMax(first);
    if (first === undefined || countMin <= 0) {
      this.#isDoubted = false;
      this.#add(end);
      return undefined;
    }
    if (this.#isDoubted) return { after: first.fromSequence, to: end.sequence, countMin };
    this.#isDoubted = true;
    return undefined;
  }

  #add(end: HeardAtEnd): void {
    while (missingMax(this.#points.at(-1)) >= missingMax(end)) this.#points.pop();
    this.#points.push({ ...end, fromSequence: this.#latest });
    this.#latest = end.sequence;
  }

  #dropOld(nowMs: number): void {
    while (this.#points.length > 1 && nowMs - (this.#points[0]?.atMs ?? nowMs) > COMPARED_MS) this.#points.shift();
  }
}

/** Up to a constant, as every count begins anywhere. Its mark itself is received after `heardBefore`. */
function missingMax(end: HeardAtEnd | undefined): number {
  return end === undefined ? Number.NEGATIVE_INFINITY : end.sequence - (end.heardBefore + 1);
}

function missingMin(end: HeardAtEnd): number {
  return end.sequence - end.heardAfter;
}
