/**
 * When leading is allowed, as plain functions of what was heard and when by a clock that never steps.
 *
 * A leader acts only while its last acknowledged append began less than `ACTING_SHARE` of its lease ago. Whoever wants to
 * follow it waits for the whole lease since it last heard anything: however late that came, it was sent before.
 */

/** The rest is what two clocks may differ over one lease. */
const ACTING_SHARE = 0.8;
const BEAT_SHARE = 0.25;
/** After the log itself was away, so that its leader, who tries without a pause, is heard first. */
const RETURN_MS = 400;

/** What a follower knows, in milliseconds of its steady clock. */
export interface Heard {
  /** The last message of any kind; at first, when reading began. */
  readonly heardAtMs: number;
  /** Of the last leader; undefined: nobody ever led. */
  readonly leaseMs: number | undefined;
  /** The last message of the log, if it is a release; whom it names. */
  readonly release: { readonly to: string | undefined } | undefined;
  /** When the log came back after it gave no answer; undefined: it always did. */
  readonly backAtMs: number | undefined;
}

/** How many milliseconds from now `owner` may claim; 0: now. It waits `delayMs` more than whoever goes first. */
export function msUntilClaim(heard: Heard, owner: string, delayMs: number, nowMs: number): number {
  const { heardAtMs, leaseMs, release, backAtMs } = heard;
  const isMeant = release !== undefined && release.to === owner;
  const isFree = leaseMs === undefined || (release !== undefined && release.to === undefined);
  const afterMs = isMeant ? 0 : isFree ? delayMs : leaseMs + delayMs;
  const dueMs = Math.max(heardAtMs + afterMs, backAtMs === undefined ? Number.NEGATIVE_INFINITY : backAtMs + RETURN_MS);
  return Math.max(0, dueMs - nowMs);
}

/** Whether a leader may act whose last acknowledged append began at `provenAtMs`. */
export function mayActAt(provenAtMs: number, leaseMs: number, nowMs: number): boolean {
  return nowMs - provenAtMs < ACTING_SHARE * leaseMs;
}

/** How long after the start of an append a leader without work appends a beat. */
export function beatAfterMs(leaseMs: number): number {
  return BEAT_SHARE * leaseMs;
}
