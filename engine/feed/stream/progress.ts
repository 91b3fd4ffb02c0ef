/**
 * How far one catch-up has come, over all its attempts.
 *
 * Owns: what was found missing on the way. Does not own: reading, telling (catch-up.ts).
 */

export interface Progress {
  /** The next sequence to apply; null when there is no position to start from. */
  next: number | null;
  taken: number;
  /** A hole up to its end was told: it covers what is too old. */
  isToldWhole: boolean;
  /** The first sequence that is not too old was found: nor is what follows it, whatever a clock that is set later says. */
  isRecent: boolean;
  /** When the first was stored after the stream certainly took none; by our clock. Null: none was yet. */
  resumedAtMs: number | null;
  /** By our clock, until when all ticks surely came; null: not known. */
  readonly certainMs: number | null;
  /** From the first to the last that vanished from between those that were read; null where none did. */
  gone: { readonly from: number; readonly to: number } | null;
}

export function newProgress(position: number | null, certainMs: number | null = null): Progress {
  const next = position === null ? null : position + 1;
  return { next, taken: 0, isToldWhole: false, isRecent: false, resumedAtMs: null, certainMs, gone: null };
}

/** These are no longer there, though what came before them was read: a limit of the stream, or an operator, was faster. */
export function pass(progress: Progress, from: number, to: number): void {
  progress.gone = { from: progress.gone?.from ?? from, to };
}
