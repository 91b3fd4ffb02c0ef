/**
 * What is told, and kept, of ticks that were missed.
 *
 * Owns: the words for it. Does not own: noticing it (catch-up.ts, stream-health.ts).
 */
import type { Log } from "../../../src/runtime/ports.ts";

/**
 * Ticks that are lost to this engine. `missing`: no longer in the stream, or some of
 * them are not. `tooOld`: in the stream, but older than is caught up. `recreated`: the stream is another one than the
 * position speaks of, or lost its last messages. `unreadable`: it did not answer. `refused`: it took none while this
 * engine was away.
 */
export type HoleReason = "missing" | "tooOld" | "recreated" | "unreadable" | "refused";

/** When the ticks of a hole were published, by our clock: none of them earlier or later. */
export interface HoleSpan {
  /** Null: not known. */
  readonly fromMs: number | null;
  /** Null: the hole is still open. */
  readonly untilMs: number | null;
}

/** For a log line. */
export function describeSpan({ fromMs, untilMs }: HoleSpan): Readonly<Record<string, string | null>> {
  const [missingFrom, missingUntil] = [fromMs, untilMs].map((timeMs) =>
    timeMs === null ? null : new Date(timeMs).toISOString(),
  );
  return { missingFrom: missingFrom ?? null, missingUntil: missingUntil ?? null };
}

export interface TickHole extends HoleSpan {
  /** The first sequence that was not applied. */
  readonly from: number;
  /** The last one; null when it cannot be known. */
  readonly to: number | null;
  readonly reason: HoleReason;
}

/** A hole without its span. */
export type HoleRange = Omit<TickHole, keyof HoleSpan>;

/** What is kept over a restart beside the position. */
export interface FeedMemory {
  /** The stream, and which history of it, that the position speaks of (stream-identity.ts); null where that is not known. */
  readonly tickStream: string | null;
  /** Since when the stream takes no ticks; null where it does. */
  readonly ticksRefusedSinceMs: number | null;
}

export const NO_MEMORY: FeedMemory = { tickStream: null, ticksRefusedSinceMs: null };

/** Said once at start when there is nothing to catch up from. Where the bus is in the process that is no fault. */
export function logMissingStream(log: Log, isInProcess: boolean): void {
  if (isInProcess)
    log.info(
      { event: "ticks.inProcess" },
      "tick feed: prices come from this process and are not kept: ticks missed while away are lost",
    );
  else
    log.warn(
      { event: "ticks.notKept" },
      "tick feed: no JetStream, so only the last live prices count; ticks missed while away are lost",
    );
}
