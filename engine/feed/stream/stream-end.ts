/**
 * The present end of the tick stream, the time there, and what was received of it by then.
 *
 * Owns: asking by a mark, with the counts and moments around it. Does not own: when to ask (catch-up.ts), the
 * consequences.
 */
import type { Clock } from "../../../src/runtime/ports.ts";
import type { HeldTicks } from "../live.ts";
import type { EndAnswer, StreamLook } from "./stream-identity.ts";
import { StreamRefusal, type TickStream } from "./tick-stream.ts";
import type { HeardAtEnd } from "./unheard-ticks.ts";

interface StreamEndOptions {
  readonly stream: Pick<TickStream, "findEnd">;
  readonly live: Pick<HeldTicks, "heardCount">;
  readonly steadyClock: Clock;
  /** Called if the stream states that it takes nothing. */
  readonly onRefusal: (reason: string) => void;
}

/** Undefined if the stream states that it takes nothing. */
export async function findEnd(options: StreamEndOptions): Promise<EndAnswer | undefined> {
  const { stream, live, steadyClock, onRefusal } = options;
  const askedAtMs = steadyClock.nowMs();
  const heardBefore = live.heardCount;
  let answeredAtMs = askedAtMs;
  let heardAfter = heardBefore;
  try {
    const end = await stream.findEnd(() => {
      answeredAtMs = steadyClock.nowMs();
      heardAfter = live.heardCount;
    });
    return { ...end, askedAtMs, answeredAtMs, heardBefore, heardAfter };
  } catch (error) {
    if (!(error instanceof StreamRefusal)) throw error;
    onRefusal(error.message);
    return undefined;
  }
}

/** Returns the counts received at that end of the stream; undefined if they cannot be compared with its sequence. */
export function heardAt({ end, state }: StreamLook): HeardAtEnd | undefined {
  if (end === undefined || end.timeMs === null || state.isShared) return undefined;
  const { sequence, heardBefore, heardAfter, answeredAtMs: atMs } = end;
  return heardBefore === undefined || heardAfter === undefined
    ? undefined
    : { sequence, heardBefore, heardAfter, atMs };
}
