/**
 * Whether the tick stream stored ticks that this engine did not receive, although it is connected. The route between
 * two nats-servers is then broken, and messages published on one side do not reach the other.
 *
 * Owns: comparing the received messages with the stream's sequence. Does not own: the probes, reading back
 * (catch-up.ts).
 *
 * A probe stores a mark, so its sequence counts all messages that the stream stored before. Every one of them that
 * reached this engine did so between shortly before the mark's request and its answer, on any route. The counts at both
 * moments therefore bound the number of missing messages. That number never falls, so a lower bound above an earlier
 * upper bound proves a loss in between. A count that is behind is checked again at the next probe, as ticks can be
 * late.
 *
 * Invariants:
 * 1. Without ticks in transit during a probe the bounds are equal: one missing tick is detected.
 * 2. Messages that are received but not stored hide missing ones between the same two marks, and no later ones.
 * 3. A tick has no extra cost: its subscription already counts it.
 */

export interface HeardAtEnd {
  /** The sequence of the mark. */
  readonly sequence: number;
  /** Messages received on subjects that the stream stores, before the mark was published and when it was known as stored. */
  readonly heardBefore: number;
  readonly heardAfter: number;
  /** By the steady clock. */
  readonly atMs: number;
}

interface Point extends HeardAtEnd {
  /** The sequence of the previous probe: messages between them can already have been missed. */
  readonly fromSequence: number;
}

/** A range with messages that the stream stored and this engine did not receive. */
interface UnheardRange {
  /** All messages up to here were certainly received. */
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

  /** Starts over: all messages before this end were received, or are read back. */
  restart(end: HeardAtEnd | undefined): void {
    this.#points = end === undefined ? [] : [{ ...end, fromSequence: end.sequence }];
    this.#latest = end?.sequence ?? 0;
    this.#isDoubted = false;
  }

  /** Compares at one more end. Returns the range once a second count in a row is behind. */
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

/** Exact up to a constant, as every count begins anywhere. The mark itself is received after `heardBefore`. */
function missingMax(end: HeardAtEnd | undefined): number {
  return end === undefined ? Number.NEGATIVE_INFINITY : end.sequence - (end.heardBefore + 1);
}

function missingMin(end: HeardAtEnd): number {
  return end.sequence - end.heardAfter;
}
