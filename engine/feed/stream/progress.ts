/**
 * The progress of one catch-up, over all its attempts.
 *
 * Owns: the gaps found on the way. Does not own: reading, reporting (catch-up.ts).
 */

export interface Progress {
  /** The next sequence to apply; null without a position to start from. */
  next: number | null;
  taken: number;
  /** A hole up to its end was reported: it covers the ticks that are too old. */
  isToldWhole: boolean;
  /** The first recent sequence was found: no later one is too old, even if the clock is set later. */
  isRecent: boolean;
  /** When the first message was stored after the stream certainly took none; by our clock. Null: none yet. */
  resumedAtMs: number | null;
  /** By our clock, until when all ticks certainly arrived; null: not known. */
  readonly certainMs: number | null;
  /** The first and the last sequence that vanished from between those read; null if none did. */
  gone: { readonly from: number; readonly to: number } | null;
}

export function newProgress(position: number | null, certainMs: number | null = null): Progress {
  const next = position === null ? null : position + 1;
  return { next, taken: 0, isToldWhole: false, isRecent: false, resumedAtMs: null, certainMs, gone: null };
}

/**
 * Notes sequences that no longer exist, though earlier ones were read: a limit of the stream, or an operator, was
 * faster.
 */
export function pass(progress: Progress, from: number, to: number): void {
  progress.gone = { from: progress.gone?.from ?? from, to };
}
