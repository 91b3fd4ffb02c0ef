/**
 * Refused ticks: counted by reason, and logged at intervals.
 *
 * Owns: the counts, and when a line is due. Does not own: the judgement (acceptance.ts).
 *
 * Invariant: a reason is logged when it begins, then at most once a minute, with its count since the last line.
 */
import type { Clock, Log } from "../../src/runtime/ports.ts";

/** The outcomes of ticks, for the metrics. */
export interface FeedCounters {
  accepted: number;
  malformed: number;
  invalidPrice: number;
  unknownSymbol: number;
  stale: number;
  future: number;
  /** Its own time was too long before its arrival, or before the stream stored it. */
  tooOld: number;
  outlier: number;
  /**
   * Accepted while a catch-up ran, and left out because a lower, a higher and a later price of the symbol were kept.
   */
  coalesced: number;
}

/** Why a tick is refused. */
type Refusal = Exclude<keyof FeedCounters, "accepted" | "coalesced">;

/** Returns counters at zero. */
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
  /** The number refused since then. */
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

  /** Counts into `counters`. Several instances with separate counters share their lines with `origin`. */
  constructor(counters: FeedCounters, options: RefusedTicksOptions, origin?: RejectedTicks) {
    this.#counters = counters;
    this.#options = options;
    this.#told = origin === undefined ? new Map() : origin.#told;
  }

  /** Counts one refused tick. `ownTimeMs` is NaN without one, `atMs` when it arrived or was stored. */
  add(reason: Refusal, symbol: string | undefined, ownTimeMs: number, atMs: number, lastMs?: number): void {
    this.#counters[reason] += 1;
    const nowMs = this.#options.clock.nowMs();
    const told = this.#told.get(reason);
    // A clock that was set back suppresses no line.
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

  /** Takes over the refused and left out ticks that others counted; their accepted ticks are counted when handed on. */
  join(others: Readonly<FeedCounters>): void {
    for (const reason of Object.keys(REFUSALS) as Refusal[]) this.#counters[reason] += others[reason];
    this.#counters.coalesced += others.coalesced;
  }
}

/** ISO 8601, or the number if no calendar has such a day. */
function timeText(timeMs: number): string {
  const time = new Date(timeMs);
  return Number.isNaN(time.getTime()) ? String(timeMs) : time.toISOString();
}
