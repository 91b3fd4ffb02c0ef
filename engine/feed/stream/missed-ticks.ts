/**
 * The reports and memory of missed ticks.
 *
 * Owns: their words. Does not own: detecting them (catch-up.ts, stream-health.ts).
 */
import type { Log } from "../../../src/runtime/ports.ts";
import type { FeedMemory } from "../../ports/feed.ts";

/**
 * Ticks that are lost to this engine:
 * - `missing`: some or all are no longer in the stream.
 * - `tooOld`: in the stream, but older than the catch-up limit.
 * - `recreated`: the stream is not the one of the position, or lost its last messages.
 * - `unreadable`: the stream did not answer.
 * - `refused`: it took none while this engine was away.
 */
export type HoleReason = "missing" | "tooOld" | "recreated" | "unreadable" | "refused";

/** The time in which the ticks of a hole were published, by our clock: none of them earlier or later. */
export interface HoleSpan {
  /** Null: not known. */
  readonly fromMs: number | null;
  /** Null: the hole is still open. */
  readonly untilMs: number | null;
}

/** Formats a span for a log line. */
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

export const NO_MEMORY: FeedMemory = { tickStream: null, ticksRefusedSinceMs: null };

/** Logs once at start that no stream exists to catch up from. With the in-process bus that is not a fault. */
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
