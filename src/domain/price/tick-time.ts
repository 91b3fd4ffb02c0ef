/** How far a tick's time can lie from the clock, how long its price counts as the present one, and the order of ticks. */
import type { LiveTick, StreamSequence } from "./price.ts";

/** How far ahead of the clock a tick's time can lie (behaviour 3.2): further ahead, its source's clock is wrong. */
export const TICK_AHEAD_MS_MAX = 5_000;

/** A last price older than this does not count as the present one. */
const LAST_PRICE_AGE_MS_MAX = 60_000;

/**
 * Whether a last price is so young that it counts for a level that is armed now, or for the lots of an entry (behaviour
 * 3.3, 24.10). `nowMs` and `timeMs` are epoch milliseconds of one clock.
 */
export function isRecent({ timeMs }: { readonly timeMs: number }, nowMs: number): boolean {
  const ageMs = nowMs - timeMs;
  // After a clock was set back the age of a price is unknown.
  return ageMs <= LAST_PRICE_AGE_MS_MAX && ageMs >= -TICK_AHEAD_MS_MAX;
}

/**
 * Whether a tick that was read back came before a change at `changedAtMs`, or made it: it can have counted before.
 * `changedBy`: the message of the tick that made the change, if that one was read back, too. Only the stream knows the
 * order of ticks of one millisecond; the order of ticks of one message is unknown.
 */
export function isFromBefore(
  { isCaughtUp, timeMs, stored }: Pick<LiveTick, "isCaughtUp" | "timeMs" | "stored">,
  changedAtMs: number,
  changedBy: StreamSequence | null | undefined,
): boolean {
  if (!isCaughtUp) return false;
  if (stored === undefined || stored.stream !== changedBy?.stream) return timeMs <= changedAtMs;
  return stored.sequence <= changedBy.sequence;
}
