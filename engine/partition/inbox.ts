/**
 * The inbox: all deciding work of a partition passes through it, in arrival order, and requests of clients after it.
 *
 * Owns: order and slices. Does not own: the work itself.
 *
 * Invariants:
 * 1. Work never runs inside the call that enqueued it, and never two pieces at a time.
 * 2. A turn of the loop does at most a slice of work, bounded by count and by time. The loop is never blocked for long,
 *    however much work waits and however expensive each piece is.
 * 3. A closed inbox takes no work: an answer that arrives after the store was closed changes nothing, and is asked for
 *    again at the next start.
 * 4. A request begins after all work that came before it. If it finds little work waiting, it also begins before all work
 *    that comes later. Further requests wait, in their own order, until no other work does: however many come, triggers
 *    and outcomes of orders do not wait for them. Each turn begins a request that may begin, so that they advance under
 *    any load. While a request waits like this it counts as not arrived: ticks do not wait for it.
 */
import type { Clock, Timers } from "../../src/runtime/ports.ts";
import type { Inbox } from "../ports/actor.ts";

interface SliceLimits {
  /** Pieces of work in one turn. */
  readonly countMax: number;
  /** No further piece begins once a turn has taken this long, or a quarter of it if little work waits. */
  readonly timeMsMax: number;
  /** Measures a turn; never steps. Without it only the count bounds a turn, which makes all runs equal. */
  readonly steadyClock?: Clock | undefined;
}

const SLICE = { countMax: 1_024, timeMsMax: 2 };
/**
 * A queue of at most this many pieces is processed in shorter turns: decisions are on their way to the disk while the
 * rest is decided. A longer queue is not, as every turn costs a batch.
 */
const SHORT_QUEUE = 256;
const SHORT_SHARE = 1 / 4;
/** Behind fewer pieces than this a request takes its place in arrival order: a tick waits for it for under 1 ms. */
const LITTLE_WORK = 4;
const COMPACTED_AT = 1_024;

export class PartitionInbox implements Inbox {
  readonly #timers: Timers;
  readonly #limits: SliceLimits;
  readonly #work = new Line<() => void>();
  readonly #requests = new Line<Request>();
  #isScheduled = false;
  #isClosed = false;
  #receivedCount = 0;
  #finishedCount = 0;

  constructor(timers: Timers, limits: SliceLimits = { ...SLICE, countMax: 256 }) {
    this.#timers = timers;
    this.#limits = limits;
  }

  /** The inbox of a running engine, bounded by time. */
  static timed(timers: Timers, steadyClock: Clock): PartitionInbox {
    return new PartitionInbox(timers, { ...SLICE, steadyClock });
  }

  /** True if no work waits: new work can then run immediately without overtaking any. */
  get isIdle(): boolean {
    return this.#work.length === 0;
  }

  /** The pieces of work taken since the start, without requests that waited. */
  get receivedCount(): number {
    return this.#receivedCount;
  }

  /** The pieces of work done since the start, without requests that waited: while the n-th runs, those before it. */
  get finishedCount(): number {
    return this.#finishedCount;
  }

  /** The pieces that wait, requests included. */
  get length(): number {
    return this.#work.length + this.#requests.length;
  }

  /** Drops all later work. Work that waits already still runs. */
  close(): void {
    this.#isClosed = true;
  }

  enqueue(work: () => void): boolean {
    if (this.#isClosed) return false;
    this.#receivedCount += 1;
    this.#work.add(work);
    this.#schedule();
    return true;
  }

  enqueueRequest(work: () => void): boolean {
    if (this.#requests.length === 0 && this.#work.length < LITTLE_WORK) return this.enqueue(work);
    if (this.#isClosed) return false;
    this.#requests.add({ work, workBefore: this.#receivedCount });
    this.#schedule();
    return true;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#timers.soon(() => {
      this.#isScheduled = false;
      this.#runSlice();
    });
  }

  #runSlice(): void {
    const { countMax, timeMsMax, steadyClock } = this.#limits;
    const share = this.length > SHORT_QUEUE ? 1 : SHORT_SHARE;
    const endMs = steadyClock === undefined ? 0 : steadyClock.nowMs() + timeMsMax * share;
    try {
      this.#runWork(countMax, endMs);
      this.#runRequests(this.isIdle ? countMax : 1, endMs);
    } finally {
      if (this.length > 0) this.#schedule();
    }
  }

  /** Does at most `countMax` pieces that wait already, and begins none but the first after `endMs`. */
  #runWork(countMax: number, endMs: number): void {
    for (let left = Math.min(this.#work.length, countMax); left > 0; left -= 1) {
      try {
        this.#work.take()?.();
      } finally {
        this.#finishedCount += 1;
      }
      if (this.#isOver(endMs)) return;
    }
  }

  #runRequests(countMax: number, endMs: number): void {
    for (let left = Math.min(this.#requests.length, countMax); left > 0; left -= 1) {
      if ((this.#requests.first?.workBefore ?? 0) > this.#finishedCount) return;
      this.#requests.take()?.work();
      if (this.#isOver(endMs)) return;
    }
  }

  #isOver(endMs: number): boolean {
    const { steadyClock } = this.#limits;
    return steadyClock !== undefined && steadyClock.nowMs() >= endMs;
  }
}

interface Request {
  readonly work: () => void;
  /** The pieces of work that came before it. */
  readonly workBefore: number;
}

/** What waits, in the order in which it came. */
class Line<Piece> {
  #pieces: (Piece | undefined)[] = [];
  #next = 0;

  get length(): number {
    return this.#pieces.length - this.#next;
  }

  get first(): Piece | undefined {
    return this.#pieces[this.#next];
  }

  add(piece: Piece): void {
    this.#pieces.push(piece);
  }

  take(): Piece | undefined {
    const piece = this.#pieces[this.#next];
    this.#pieces[this.#next] = undefined;
    this.#next += 1;
    // A line that never ends up empty must not keep all that it ever held.
    if (this.#next >= COMPACTED_AT && this.#next * 2 >= this.#pieces.length) {
      this.#pieces = this.#pieces.slice(this.#next);
      this.#next = 0;
    }
    return piece;
  }
}
