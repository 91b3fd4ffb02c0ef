/**
 * Which ticks are believed (decisions 3).
 *
 * Owns: the last accepted price and time of every symbol, the tick that is held for confirmation, the counts of what
 * was refused and why. Does not own: decoding (decode.ts), where ticks come from, what they set off.
 *
 * Invariants:
 * 1. The times of a symbol's accepted ticks never fall. A tick without a time of its own is ordered by its arrival,
 *    so it is never stale. They fall where the clock steps back: a time that the clock is far from having reached was
 *    given by a clock that was wrong, and must not make an hour of right ticks stale.
 * 2. A live tick counts at the moment it is seen: what goes on is the later of the clock and the tick's own time. One
 *    that is caught up counts when the stream stored it, but not in the future: the server's clock may be ahead, or ours
 *    was set back since. One that waited, or was held, keeps the moment at which it was seen. Its own time, else when it
 *    counts, is what staleness and the age of the last price are judged by; where the stream stored it far ahead of the
 *    clock, that time is kept, as nobody knows how old such a price is.
 * 3. Nothing here throws, and a refused tick changes nothing but a count.
 * 4. A tick is one look-up by symbol, made by the caller with `find`; the object that `onTick` is given is reused and
 *    valid only during the call.
 */
import { TICK_AHEAD_MS_MAX } from "../../src/contract/tick.ts";
import { type LivePrice, livePrice } from "../../src/domain/price.ts";
import type { AcceptedTick, Clock, LastPrice, Prices, Symbols } from "../ports.ts";

/** What happened to ticks, for the metrics. */
export interface FeedCounters {
  accepted: number;
  malformed: number;
  invalidPrice: number;
  unknownSymbol: number;
  stale: number;
  future: number;
  outlier: number;
  /** Accepted while a catch-up ran, and left out since a lower, a higher and a later price of the symbol stayed. */
  coalesced: number;
}

/** Counters that stand at zero. */
export function newFeedCounters(): FeedCounters {
  return {
    accepted: 0,
    malformed: 0,
    invalidPrice: 0,
    unknownSymbol: 0,
    stale: 0,
    future: 0,
    outlier: 0,
    coalesced: 0,
  };
}

/** Takes an accepted tick. `tick` is valid only during the call; `ownTimeMs` is NaN when the tick had no time. */
export type AcceptedTickSink = (tick: AcceptedTick, ownTimeMs: number) => void;

interface HeldTick {
  readonly price: LivePrice;
  readonly ownTimeMs: number;
  /** When it counts: what was seen keeps its moment, though the clock be set back before it is believed. */
  readonly countsMs: number;
}

/** What is known of a symbol. */
export interface SymbolState {
  readonly symbol: string;
  /** The last accepted price; undefined before the first. */
  price: LivePrice | undefined;
  /** The time of the last accepted tick: its own, or when it was seen. */
  timeMs: number;
  /** A tick that moved too far, until the next one. */
  held: HeldTick | undefined;
}

export interface AcceptanceOptions {
  readonly symbols: Pick<Symbols, "isKnown">;
  readonly clock: Clock;
  /** A move beyond this many percent of the last price needs a second tick to confirm it. Undefined: no limit. */
  readonly tickMovePercentMax: number | undefined;
  readonly onTick: AcceptedTickSink;
}

type MutableTick = { -readonly [Key in keyof AcceptedTick]: AcceptedTick[Key] };

const NO_PRICE: LivePrice = { value: 0, floor: 0, ceil: 0 };

export class TickAcceptance implements Prices {
  readonly counters = newFeedCounters();
  readonly #options: AcceptanceOptions;
  readonly #origin: TickAcceptance | undefined;
  readonly #states = new Map<string, SymbolState>();
  readonly #tick: MutableTick = { symbol: "", price: NO_PRICE, timeMs: 0, isCaughtUp: false };
  #lastSeenMs: number | null = null;

  constructor(options: AcceptanceOptions, origin?: TickAcceptance) {
    this.#options = options;
    this.#origin = origin;
  }

  /** The last accepted price of a symbol, with that tick's own time. */
  last(symbol: string): LastPrice | undefined {
    const state = this.#states.get(symbol);
    return state?.price === undefined ? undefined : { price: state.price, timeMs: state.timeMs };
  }

  /** When the last accepted tick of any symbol was seen; null before the first. */
  get lastSeenMs(): number | null {
    return this.#lastSeenMs;
  }

  /** The state of a known symbol; undefined, and nothing is kept, for any other. */
  find(symbol: string): SymbolState | undefined {
    const present = this.#states.get(symbol);
    if (present !== undefined || !this.#options.symbols.isKnown(symbol)) return present;
    const origin = this.#origin?.find(symbol);
    const added: SymbolState = {
      symbol,
      price: origin?.price,
      timeMs: origin?.timeMs ?? Number.NEGATIVE_INFINITY,
      held: undefined,
    };
    this.#states.set(symbol, added);
    return added;
  }

  /**
   * Judges one tick. `price` is in currency units, `ownTimeMs` NaN when the tick has no time, `atMs` the moment that
   * counts as now: the clock for live ticks, the stream's timestamp for ticks that are caught up.
   */
  offer(state: SymbolState, price: number, ownTimeMs: number, atMs: number, isCaughtUp: boolean): void {
    const isRepeated = state.price !== undefined && state.price.value === price;
    const live = isRepeated ? state.price : livePrice(price);
    const nowMs = isCaughtUp ? this.#options.clock.nowMs() : atMs;
    const countsMs = Math.min(atMs, nowMs);
    if (live === undefined) this.counters.invalidPrice += 1;
    else if (ownTimeMs > countsMs + TICK_AHEAD_MS_MAX) this.counters.future += 1;
    else if (isStale(state, ownTimeMs, nowMs)) this.counters.stale += 1;
    else if (this.#isPlausible(state, live, ownTimeMs, countsMs, nowMs)) {
      const toldMs = isFarAhead(atMs, nowMs) ? atMs : countsMs;
      this.#accept(state, live, ownTimeMs, countsMs, nowMs, isCaughtUp, toldMs);
    }
  }

  /**
   * A second judge that starts from what this one knows and leaves it unchanged: for ticks that arrive while earlier
   * ones are still being read. What it accepted comes back through {@link take}, the rest of it through {@link join}.
   */
  fork(onTick: AcceptedTickSink): TickAcceptance {
    return new TickAcceptance({ ...this.#options, onTick }, this);
  }

  /**
   * Takes a tick that a fork accepted at `atMs`. It goes on as caught up: a level armed since then must not see it.
   * Stale when a newer tick of the symbol came in between.
   */
  take(symbol: string, price: LivePrice, ownTimeMs: number, atMs: number): void {
    const state = this.find(symbol);
    if (state === undefined) return;
    if (isStale(state, ownTimeMs, atMs)) this.counters.stale += 1;
    else this.#accept(state, price, ownTimeMs, atMs, this.#options.clock.nowMs(), true);
  }

  /** Takes over what a fork refused and what it holds for confirmation. Call once, after every {@link take}. */
  join(fork: TickAcceptance): void {
    const { counters } = fork;
    this.counters.malformed += counters.malformed;
    this.counters.invalidPrice += counters.invalidPrice;
    this.counters.unknownSymbol += counters.unknownSymbol;
    this.counters.stale += counters.stale;
    this.counters.future += counters.future;
    this.counters.outlier += counters.outlier;
    this.counters.coalesced += counters.coalesced;
    for (const [symbol, { held }] of fork.#states) {
      const state = this.find(symbol);
      if (state === undefined) continue;
      // What waited for confirmation here was overtaken by the fork's ticks.
      if (state.held !== undefined) this.counters.outlier += 1;
      state.held = held;
    }
  }

  /** `toldMs`: the time of a tick that has none of its own. */
  #accept(
    state: SymbolState,
    price: LivePrice,
    ownTimeMs: number,
    countsMs: number,
    nowMs: number,
    isCaughtUp: boolean,
    toldMs = countsMs,
  ): void {
    const timeMs = Number.isNaN(ownTimeMs) ? toldMs : ownTimeMs;
    state.price = price;
    // What is older and was not stale follows a step of the clock.
    if (timeMs > state.timeMs || ownTimeMs < state.timeMs || isFarAhead(state.timeMs, nowMs)) state.timeMs = timeMs;
    this.counters.accepted += 1;
    const seenMs = Math.min(countsMs, nowMs);
    if (!isCaughtUp || this.#lastSeenMs === null || seenMs > this.#lastSeenMs) this.#lastSeenMs = seenMs;
    const tick = this.#tick;
    tick.symbol = state.symbol;
    tick.price = price;
    tick.timeMs = isCaughtUp || timeMs < countsMs ? countsMs : timeMs;
    tick.isCaughtUp = isCaughtUp;
    this.#options.onTick(tick, ownTimeMs);
  }

  /**
   * Decisions 3.4. A tick that moves too far is held. The next one confirms it by lying near it: then the held one is
   * applied first, as it may have reached more levels, and as caught up, since a level armed after it was seen must
   * not fire on it. Otherwise the held one is dropped, and the new one judged against the last accepted.
   */
  #isPlausible(state: SymbolState, price: LivePrice, ownTimeMs: number, countsMs: number, nowMs: number): boolean {
    const percentMax = this.#options.tickMovePercentMax;
    if (percentMax === undefined) return true;
    const { held } = state;
    if (held !== undefined) {
      state.held = undefined;
      if (isWithin(held.price, price, percentMax)) {
        this.#accept(state, held.price, held.ownTimeMs, held.countsMs, nowMs, true);
        return true;
      }
      this.counters.outlier += 1;
    }
    if (state.price === undefined || isWithin(state.price, price, percentMax)) return true;
    state.held = { price, ownTimeMs, countsMs };
    return false;
  }
}

function isStale({ timeMs }: SymbolState, ownTimeMs: number, nowMs: number): boolean {
  return ownTimeMs < timeMs && !isFarAhead(timeMs, nowMs);
}

/** Whether a time was given by a clock that was wrong. */
function isFarAhead(timeMs: number, nowMs: number): boolean {
  return timeMs > nowMs + TICK_AHEAD_MS_MAX;
}

function isWithin(reference: LivePrice, price: LivePrice, percentMax: number): boolean {
  return Math.abs(price.value - reference.value) * 100 <= reference.value * percentMax;
}
