/**
 * Reads a range of the tick stream back.
 *
 * Owns: where in the range to begin, handing on the messages, the check that the end of the range was read. Does not
 * own: which range it is and how often it is tried (catch-up.ts), the stream (jetstream.ts).
 */
import type { Clock } from "../../../src/runtime/ports.ts";
import type { HeldTicks } from "../live.ts";
import type { TickHole } from "./missed-ticks.ts";
import { type Progress, pass } from "./progress.ts";
import type { StreamClock } from "./stream-clock.ts";
import type { StoredTicks, TickRange, TickStream } from "./tick-stream.ts";

interface RangeReaderOptions {
  readonly stream: TickStream;
  readonly live: Pick<HeldTicks, "takeCaughtUp">;
  readonly clock: Clock;
  readonly streamClock: StreamClock;
  /** Older ticks are not read back. */
  readonly catchUpSeconds: number;
  /** See `StreamIdentity.name`. */
  readonly streamName: () => string | null;
  /** When the stream certainly took nothing; null: it takes all. Read before this reading began. */
  readonly refusedAtMs: () => number | null;
  readonly onHole: (hole: TickHole) => void;
}

export class RangeReader {
  readonly #options: RangeReaderOptions;

  constructor(options: RangeReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads from the progress up to `end`. Rejects if not all was read: the messages read until then are in the progress.
   */
  async read(progress: Progress, from: number, end: number, signal: AbortSignal): Promise<void> {
    const { stream } = this.#options;
    const start = await this.#skipOld(progress, { from, to: end });
    signal.throwIfAborted();
    if (start <= end) await stream.read({ from: start, to: end }, signal, (stored) => this.#take(stored, progress));
    if (progress.next !== null && progress.next <= end) await this.#passEnd(progress, progress.next, end);
    signal.throwIfAborted();
  }

  /** Moves `progress` past ticks older than the limit. Ticks after a recent tick are recent too. */
  async #skipOld(progress: Progress, range: TickRange): Promise<number> {
    const { clock, streamClock, catchUpSeconds, stream, onHole } = this.#options;
    if (progress.isRecent) return range.from;
    const oldestMs = clock.nowMs() - catchUpSeconds * 1_000 + (streamClock.aheadMs ?? 0);
    const start = await stream.firstSince(range, oldestMs);
    const tick = start === range.from || progress.isToldWhole ? undefined : await stream.firstTick(range.from);
    if (tick !== undefined && tick < start) {
      const tickMs = await stream.timeOf(tick);
      const fromMs = tickMs === undefined ? null : streamClock.toOwn(tickMs);
      onHole({ from: tick, to: start - 1, reason: "tooOld", fromMs, untilMs: streamClock.toOwn(oldestMs) });
    }
    progress.next = start;
    progress.isRecent = start <= range.to;
    return start;
  }

  #take(stored: StoredTicks, progress: Progress): void {
    const { streamClock, streamName, refusedAtMs, live } = this.#options;
    const { sequence, subject, data, timeMs } = stored;
    const refusedMs = refusedAtMs();
    const ownMs = streamClock.toOwn(timeMs);
    if (refusedMs !== null && ownMs > refusedMs) progress.resumedAtMs ??= ownMs;
    const { next } = progress;
    if (next !== null && sequence > next) pass(progress, next, sequence - 1);
    progress.next = sequence + 1;
    progress.taken += 1;
    live.takeCaughtUp(subject, data, ownMs, { stream: streamName() ?? "", sequence, timeMs });
  }

  /**
   * The last messages of the range were not returned: they were removed since, or the server does not know them yet.
   */
  async #passEnd(progress: Progress, from: number, end: number): Promise<void> {
    if ((await this.#options.stream.timeOf(end)) !== undefined) {
      throw new Error("the tick stream did not give all that it holds");
    }
    pass(progress, from, end);
    progress.next = end + 1;
  }
}
