/**
 * What became of ticks that are not believed: counted by reason, and told in the log now and then.
 *
 * Owns: the counts, and when a line is due. Does not own: the judgement (acceptance.ts).
 *
 * Invariant: a reason is told when it begins, then at most once a minute, with how often it came since the last line.
 */
import type { Clock, Log } from "../../src/runtime/ports.ts";

/** What happened to ticks, for the metrics. */
export interface FeedCounters {
  accepted: number;
  malformed: number;
  invalidPrice: number;
  unknownSymbol: number;
  stale: number;
  future: number;
  /** Its own time lay too long before its arrival, or before the stream stored it. */
  tooOld: number;
  outlier: number;
  /** Accepted while a catch-up ran, and left out since a lower, a higher and a later price of the symbol stayed. */
  coalesced: number;
}

/** Why a tick is refused. */
type Refusal = Exclude<keyof FeedCounters, "accepted" | "coalesced">;

/** Counters that stand at zero. */
export function newFeedCounters(): FeedCounters {
  return {
    accepted: 0,
    malformed: 0,
    invalidPrice: 0,
    unknownSymbol: 0,
    stale: 0,
    future: 0,
    tooOld: 0,
    outlier: 0,
    coalesced: 0,
  };
}

const REFUSALS: Readonly<Record<Refusal, string>> = {
  malformed: "it is not JSON that a tick is made of",
  invalidPrice: "its price is not one",
  unknownSymbol: "its symbol is not known",
  stale: "its time lies before the last accepted one of its symbol",
  future: "its time lies in the future",
  tooOld: "its time lies too long before its arrival (MAX_TICK_AGE_SECONDS)",
  outlier: "no second tick confirmed its jump (MAX_TICK_MOVE_PERCENT)",
};

const TOLD_EVERY_MS = 60_000;

interface Told {
  atMs: number;
  /** Refused since then. */
  since: number;
}

interface RefusedTicksOptions {
  readonly clock: Clock;
  readonly log: Log;
}

export class RejectedTicks {
  readonly #counters: FeedCounters;
  readonly #options: RefusedTicksOptions;
  readonly #told: Map<Refusal, Told>;

  /** Counts into `counters`. Several that count apart share their lines with `origin`. */
  constructor(counters: FeedCounters, options: RefusedTicksOptions, origin?: RejectedTicks) {
    this.#counters = counters;
    this.#options = options;
    this.#told = origin === undefined ? new Map() : origin.#told;
  }

  /** `ownTimeMs` is NaN where the tick has none, `atMs` when it arrived or was stored. */
  add(reason: Refusal, symbol: string | undefined, ownTimeMs: number, atMs: number, lastMs?: number): void {
    this.#counters[reason] += 1;
    const nowMs = this.#options.clock.nowMs();
    const told = this.#told.get(reason);
    // A clock that was set back silences no line.
    if (told !== undefined && Math.abs(nowMs - told.atMs) < TOLD_EVERY_MS) {
      told.since += 1;
      return;
    }
    const fields = {
      reason,
      ...(symbol === undefined ? {} : { symbol: symbol.slice(0, 32) }),
      arrived: timeText(atMs),
      ...(Number.isNaN(ownTimeMs) ? {} : { tickTime: timeText(ownTimeMs) }),
      ...(lastMs === undefined ? {} : { lastAccepted: timeText(lastMs) }),
      count: 1 + (told?.since ?? 0),
    };
    this.#told.set(reason, { atMs: nowMs, since: 0 });
    this.#options.log.warn(
      { event: "tick.ignored", ...fields },
      `tick feed: a tick was ignored, as ${REFUSALS[reason]}`,
    );
  }

  /** Takes over what others counted of refused and left out ticks; what they accepted is counted when it goes on. */
  join(others: Readonly<FeedCounters>): void {
    for (const reason of Object.keys(REFUSALS) as Refusal[]) this.#counters[reason] += others[reason];
    this.#counters.coalesced += others.coalesced;
  }
}

/** ISO 8601, or the number where no calendar has such a day. */
function timeText(timeMs: number): string {
  const time = new Date(timeMs);
  return Number.isNaN(time.getTime()) ? String(timeMs) : time.toISOString();
}
