/**
 * When leading is allowed, as plain functions of the messages received and their times by a clock that never steps.
 *
 * A leader acts only if its last acknowledged append began less than `ACTING_SHARE` of its lease ago. A follower that
 * wants to claim waits for the whole lease after the last message it received. However late the message arrived, it was
 * sent before that.
 */

/** The rest covers the difference between two clocks over one lease. */
const ACTING_SHARE = 0.8;
const BEAT_SHARE = 0.25;
/**
 * Waited after the log itself was unavailable, so that its leader, which retries without a pause, is received first.
 */
const RETURN_MS = 400;

/** What a follower knows, in milliseconds of its steady clock. */
export interface Heard {
  /** The last message of any kind; at first, when reading began. */
  readonly heardAtMs: number;
  /** The lease of the last leader; undefined: the log never had a leader. */
  readonly leaseMs: number | undefined;
  /** The last message of the log, if it is a release; `to` is the engine that it names. */
  readonly release: { readonly to: string | undefined } | undefined;
  /** When the log came back after it stopped answering; undefined: it always answered. */
  readonly backAtMs: number | undefined;
}

/** Milliseconds until `owner` can claim; 0: now. It waits `delayMs` longer than the first claimant. */
export function msUntilClaim(heard: Heard, owner: string, delayMs: number, nowMs: number): number {
  const { heardAtMs, leaseMs, release, backAtMs } = heard;
  const isMeant = release !== undefined && release.to === owner;
  const isFree = leaseMs === undefined || (release !== undefined && release.to === undefined);
  const afterMs = isMeant ? 0 : isFree ? delayMs : leaseMs + delayMs;
  const dueMs = Math.max(heardAtMs + afterMs, backAtMs === undefined ? Number.NEGATIVE_INFINITY : backAtMs + RETURN_MS);
  return Math.max(0, dueMs - nowMs);
}

/** Whether a leader can act if its last acknowledged append began at `provenAtMs`. */
export function mayActAt(provenAtMs: number, leaseMs: number, nowMs: number): boolean {
  return nowMs - provenAtMs < ACTING_SHARE * leaseMs;
}

/** The time in ms from the start of an append until an idle leader appends a beat. */
export function beatAfterMs(leaseMs: number): number {
  return BEAT_SHARE * leaseMs;
}
