/**
 * Which ticks are accepted (behaviour 3).
 *
 * Owns: the last accepted price and time of every symbol, the tick that is held for confirmation. Does not own:
 * decoding (decode.ts), counting and logging refused ticks (rejected-ticks.ts), the source of ticks, their effects.
 *
 * Invariants:
 * 1. The times of a symbol's accepted ticks never fall. A tick without a time of its own is ordered by its arrival, so
 *    it is never stale. The exception is a clock that stepped back. A time that the clock is far from having reached
 *    came from a wrong clock, and must not make an hour of right ticks stale.
 * 2. A live tick counts at the moment it is seen. A caught-up tick counts when the stream stored it, but not in the
 *    future: the server's clock can be ahead, or ours was set back since. A tick that waited, or was held, keeps the
 *    moment at which it was seen.
 * 3. Staleness and the age of the last price use the tick's own time, but none later than when it counts; a tick
 *    without one has the time at which it counts. If the stream stored it far ahead of the clock, that time is kept, as
 *    the age of such a price cannot be known.
 * 4. A tick whose own time is too long before its arrival, or before the stream stored it, is refused: it is a past
 *    price.
 * 5. Nothing here throws, and a refused tick changes only a count.
 * 6. A tick is one look-up by symbol, made by the caller with `find`; the object that `onTick` receives is reused and
 *    valid only during the call.
 * 7. A held tick is confirmed by another one, never by itself when it is read back.
 * 8. Ticks read back after later live ticks are judged in the stream's order: the live ticks make none of them stale.
 * 9. A tick that our clock refused is remembered and can be judged again, if the stream's clock would not refuse it or
 *    is not known yet. 10. A tick that is the first after `SESSION_GAP_MS` carries the last price before it, also when
 *    it is read back after a restart.
 */

import { type LivePrice, livePrice } from "../../src/domain/price/price.ts";
import { TICK_AHEAD_MS_MAX } from "../../src/domain/price/tick-time.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { AcceptedTick, LastPrice, Session, SessionPrices, SymbolIntake, Symbols } from "../ports/price.ts";
import type { StoredAt } from "../ports/stream.ts";
import type { KeptPrices, KeptState } from "./last-prices.ts";
import { newFeedCounters, RejectedTicks } from "./rejected-ticks.ts";

/** Receives an accepted tick. `tick` is valid only during the call; `ownTimeMs` is NaN if the tick had no time. */
export type AcceptedTickSink = (tick: AcceptedTick, ownTimeMs: number) => void;

interface HeldTick {
  readonly price: LivePrice;
  readonly ownTimeMs: number;
  /** When it counts: the moment it was seen, even if the clock is set back before it is accepted. */
  readonly countsMs: number;
  readonly stored: StoredAt | undefined;
}

/** The state of a symbol. */
export interface SymbolState extends KeptState {
  /** The last accepted price; undefined before the first, and if later ticks are lost. */
  price: LivePrice | undefined;
  /** The price to compare the next tick's move with: lost ticks do not invalidate it. */
  reference: LivePrice | undefined;
  /** The time of the last accepted tick: its own, or when it was seen. */
  timeMs: number;
  /** A tick that moved too far, until the next one. */
  held: HeldTick | undefined;
  /** How the session of the last accepted tick began; undefined if not known. */
  session: Session | undefined;
  /** When the last accepted tick was seen; NaN before the first. */
  seenMs: number;
  /** When later ticks with newer information were refused, first and last; NaN: none was. */
  refusedFirstMs: number;
  refusedLastMs: number;
  /** True from when stored ticks are read back until the symbol's first one: live ticks can have overtaken it. */
  isOvertaken: boolean;
}

const NOTHING_KEPT: KeptPrices = { last: () => undefined, session: () => undefined, changed: () => undefined };

export interface AcceptanceOptions {
  readonly symbols: Pick<Symbols, "isKnown">;
  readonly clock: Clock;
  /** A move beyond this many percent of the last price needs a second tick to confirm it. Undefined: no limit. */
  readonly tickMovePercentMax: number | undefined;
  /** The most ms from a tick's own time to its arrival; an older tick is refused. Undefined: no limit. */
  readonly tickAgeMsMax: number | undefined;
  /** See `StreamClock.offMs`. Absent: our clock is not compared with another one. */
  readonly clockOffMs?: () => number | null;
  readonly log: Log;
  /** The last prices of the previous life, and the store of this one's. */
  readonly kept?: KeptPrices;
  readonly onTick: AcceptedTickSink;
}

type MutableTick = { -readonly [Key in keyof AcceptedTick]: AcceptedTick[Key] };

/** More than the difference between the stream's clock and ours once measured, less than the lag of a position. */
const READ_AGAIN_MS = 500;

/** The first tick after this long a gap is the first of a session (behaviour 16.2). */
const SESSION_GAP_MS = 4 * 60 * 60 * 1_000;

const NO_PRICE: LivePrice = { value: 0, floor: 0, ceil: 0 };

export class TickAcceptance implements SessionPrices {
  readonly counters = newFeedCounters();
  readonly #options: AcceptanceOptions;
  readonly #origin: TickAcceptance | undefined;
  readonly #refused: RejectedTicks;
  readonly #ageMsMax: number;
  readonly #kept: KeptPrices;
  readonly #states = new Map<string, SymbolState>();
  /** Symbols with ticks that were refused by a clock not known to be right. */
  readonly #refusedByClock: Set<string>;
  readonly #tick: MutableTick = {
    symbol: "",
    price: NO_PRICE,
    timeMs: 0,
    isCaughtUp: false,
    stored: undefined,
    close: undefined,
  };
  #lastSeenMs: number | null = null;

  constructor(options: AcceptanceOptions, origin?: TickAcceptance) {
    this.#options = options;
    this.#origin = origin;
    this.#refused = new RejectedTicks(this.counters, options, origin === undefined ? undefined : origin.#refused);
    this.#refusedByClock = origin === undefined ? new Set() : origin.#refusedByClock;
    this.#kept = options.kept ?? NOTHING_KEPT;
    this.#ageMsMax = options.tickAgeMsMax ?? Number.POSITIVE_INFINITY;
  }

  /**
   * The last accepted price of a symbol, with that tick's own time; before the first, the previous life's last price.
   */
  last(symbol: string): LastPrice | undefined {
    const state = this.#states.get(symbol);
    return state?.price === undefined ? this.#kept.last(symbol) : { price: state.price, timeMs: state.timeMs };
  }

  session(symbol: string): Session | undefined {
    return this.#states.get(symbol)?.session ?? this.#kept.session(symbol);
  }

  /** When the last accepted tick of any symbol was seen; null before the first. */
  get lastSeenMs(): number | null {
    return this.#lastSeenMs;
  }

  /** The state of a known symbol; undefined, without keeping anything, for any other. */
  find(symbol: string): SymbolState | undefined {
    const present = this.#states.get(symbol);
    if (present !== undefined || !this.#options.symbols.isKnown(symbol)) return present;
    const origin = this.#origin?.find(symbol);
    const added: SymbolState = {
      symbol,
      price: origin?.price,
      reference: origin?.reference,
      timeMs: origin?.timeMs ?? Number.NEGATIVE_INFINITY,
      held: undefined,
      session: origin?.session,
      seenMs: Number.NaN,
      refusedFirstMs: Number.NaN,
      refusedLastMs: Number.NaN,
      isOvertaken: false,
      isUnsaved: false,
    };
    this.#states.set(symbol, added);
    return added;
  }

  /**
   * Judges one tick. `price` is in currency units. `ownTimeMs` is NaN if the tick has no time. `atMs` is the moment
   * that counts as now, by our clock. `stored` is the place of a caught-up tick in the stream; undefined for live
   * ticks.
   */
  offer(state: SymbolState, price: number, ownTimeMs: number, atMs: number, stored?: StoredAt): void {
    const isRepeated = state.price !== undefined && state.price.value === price;
    const live = isRepeated ? state.price : livePrice(price);
    const nowMs = stored === undefined ? atMs : this.#options.clock.nowMs();
    const arrivedMs = stored?.timeMs ?? atMs;
    const countsMs = Math.min(atMs, nowMs);
    const { symbol } = state;
    if (live === undefined) {
      this.#refused.add("invalidPrice", symbol, ownTimeMs, atMs);
      noteRefused(state, nowMs);
    } else if (ownTimeMs > countsMs + TICK_AHEAD_MS_MAX) {
      this.#refused.add("future", symbol, ownTimeMs, atMs);
      noteRefused(state, nowMs);
      this.#rememberRefused(state, ownTimeMs - (countsMs + TICK_AHEAD_MS_MAX));
    } else if (ownTimeMs < arrivedMs - this.#ageMsMax) {
      this.#refused.add("tooOld", symbol, ownTimeMs, arrivedMs);
      // A publisher can repeat the last trade of a closed market.
      if (ownTimeMs > state.timeMs) noteRefused(state, nowMs);
      if (stored === undefined) this.#rememberRefused(state, ownTimeMs - (arrivedMs - this.#ageMsMax));
    } else if (isStale(state, ownTimeMs, nowMs)) this.#refused.add("stale", symbol, ownTimeMs, atMs, state.timeMs);
    else if (this.#isPlausible(state, live, ownTimeMs, countsMs, nowMs, stored)) {
      const toldMs = isFarAhead(atMs, nowMs) ? atMs : countsMs;
      this.#accept(state, live, ownTimeMs, countsMs, nowMs, stored !== undefined, stored, toldMs);
    }
  }

  /** The outcome of a symbol's recent ticks. */
  intakeOf(symbol: string): SymbolIntake {
    const state = this.#states.get(symbol);
    if (state === undefined) return { acceptedMs: null, refused: null };
    const { seenMs, refusedFirstMs: firstMs, refusedLastMs: lastMs, held } = state;
    return {
      ...(held === undefined ? {} : { unconfirmedMs: held.countsMs }),
      acceptedMs: Number.isNaN(seenMs) ? null : seenMs,
      refused: Number.isNaN(firstMs) ? null : { firstMs, lastMs },
    };
  }

  /** True while ticks that a wrong clock can have refused were not judged again. */
  get hasRefusedByClock(): boolean {
    return this.#refusedByClock.size > 0;
  }

  /** Forgets the ticks that a wrong clock refused: they are read back, by a right clock. */
  forgetRefusedByClock(): void {
    this.#refusedByClock.clear();
  }

  /** Begins reading back stored ticks: live ticks that overtook them make none of them stale. */
  beginReadingBack(): void {
    for (const state of this.#states.values()) state.isOvertaken = true;
  }

  endReadingBack(): void {
    for (const state of this.#states.values()) state.isOvertaken = false;
  }

  /**
   * Forgets last prices after ticks were lost that can be later than all known ones: no price is the last before the
   * next tick.
   */
  forgetLast(): void {
    for (const state of this.#states.values()) state.price = undefined;
  }

  /** Counts a message, or an entry of one, that is not a tick. `symbol`: named by its subject. */
  refuseMalformed(symbol: string | undefined, atMs: number): void {
    this.#refused.add("malformed", symbol, Number.NaN, atMs);
    const state = symbol === undefined ? undefined : this.find(symbol);
    if (state !== undefined) noteRefused(state, this.#options.clock.nowMs());
  }

  /** Counts a tick of an unknown symbol. */
  refuseUnknown(symbol: string, ownTimeMs: number, atMs: number): void {
    this.#refused.add("unknownSymbol", symbol, ownTimeMs, atMs);
  }

  /**
   * Makes a second judge that starts from this one's state and leaves it unchanged, for ticks that arrive while earlier
   * ones are read back. Its accepted ticks return through {@link take}, the rest through {@link join}.
   */
  fork(onTick: AcceptedTickSink): TickAcceptance {
    const { changed } = NOTHING_KEPT;
    const kept = {
      last: (symbol: string) => this.#kept.last(symbol),
      session: (symbol: string) => this.#kept.session(symbol),
      changed,
    };
    return new TickAcceptance({ ...this.#options, kept, onTick }, this);
  }

  /**
   * Takes a tick that a fork accepted at `atMs`. It counts as caught up: a level armed since then must not see it. It
   * is stale if a newer tick of the symbol was taken in between.
   */
  take(symbol: string, price: LivePrice, ownTimeMs: number, atMs: number): void {
    const state = this.find(symbol);
    if (state === undefined) return;
    if (isStale(state, ownTimeMs, atMs)) this.#refused.add("stale", symbol, ownTimeMs, atMs, state.timeMs);
    else this.#accept(state, price, ownTimeMs, atMs, this.#options.clock.nowMs(), true);
  }

  /**
   * Takes over the refused ticks of a fork and the tick that it holds for confirmation. Call once, after every {@link
   * take}.
   */
  join(fork: TickAcceptance): void {
    this.#refused.join(fork.counters);
    for (const [symbol, { held }] of fork.#states) {
      const state = this.find(symbol);
      if (state === undefined) continue;
      // The fork's ticks overtook the tick that waited for confirmation here.
      if (state.held !== undefined) this.#refuseHeld(state.held, symbol);
      state.held = held;
    }
  }

  /** `byMs`: how far our clock would have to be moved forward (below zero: back) for the tick not to be refused. */
  #rememberRefused({ symbol }: SymbolState, byMs: number): void {
    const offMs = this.#options.clockOffMs === undefined ? 0 : this.#options.clockOffMs();
    const isByClock = offMs === null || (byMs > 0 ? offMs >= byMs : offMs <= byMs);
    if (isByClock) this.#refusedByClock.add(symbol);
  }

  /** `toldMs`: the time of a tick without one of its own. */
  #accept(
    state: SymbolState,
    price: LivePrice,
    ownTimeMs: number,
    countsMs: number,
    nowMs: number,
    isCaughtUp: boolean,
    stored?: StoredAt,
    toldMs = countsMs,
  ): void {
    const timeMs = Number.isNaN(ownTimeMs) ? toldMs : Math.min(ownTimeMs, countsMs);
    // Also true of the first tick, whose symbol has no time yet.
    const close = timeMs - state.timeMs < SESSION_GAP_MS ? undefined : this.#openSession(state, timeMs);
    state.price = price;
    state.reference = price;
    // An older tick that was not stale follows a step of the clock.
    const isFirstAgain = state.isOvertaken && isCaughtUp;
    if (isFirstAgain) state.isOvertaken = false;
    const isNewer = timeMs > state.timeMs || ownTimeMs < state.timeMs;
    if (isNewer || isFirstAgain || isFarAhead(state.timeMs, nowMs)) state.timeMs = timeMs;
    if (!state.isUnsaved) this.#kept.changed(state);
    this.counters.accepted += 1;
    const seenMs = Math.min(countsMs, nowMs);
    state.seenMs = seenMs;
    state.refusedFirstMs = Number.NaN;
    if (!isCaughtUp || this.#lastSeenMs === null || seenMs > this.#lastSeenMs) this.#lastSeenMs = seenMs;
    const tick = this.#tick;
    tick.symbol = state.symbol;
    tick.price = price;
    tick.timeMs = countsMs;
    tick.isCaughtUp = isCaughtUp;
    tick.stored = stored;
    tick.close = close;
    this.#options.onTick(tick, ownTimeMs);
  }

  /**
   * The last price before a tick that can be the first of a session; undefined if it is not, or no price is known.
   * After a restart, the last kept price can be the session's own first one, which is now read back.
   */
  #openSession(state: SymbolState, timeMs: number): LivePrice | undefined {
    const isFirst = state.timeMs === Number.NEGATIVE_INFINITY;
    const kept = isFirst ? this.#kept.last(state.symbol) : undefined;
    const session = isFirst ? this.#kept.session(state.symbol) : undefined;
    if (kept !== undefined && timeMs - kept.timeMs < SESSION_GAP_MS) {
      state.session = session;
      return session !== undefined && timeMs <= session.openedMs ? session.close : undefined;
    }
    const close = state.reference ?? kept?.price;
    state.session = close === undefined ? undefined : { close, openedMs: timeMs };
    return close;
  }

  /**
   * Implements behaviour 3.4: a tick that moves too far is held.
   *
   * The next tick confirms it if it is near it. Then the held tick is applied first, as it can have reached more
   * levels. It is applied as caught up, since a level armed after it was seen must not fire on it. The same print sent
   * again (equal price, equal time) confirms nothing, and the held tick remains held. Otherwise the held tick is
   * dropped, and the new one is judged against the last accepted.
   */
  #isPlausible(
    state: SymbolState,
    price: LivePrice,
    ownTimeMs: number,
    countsMs: number,
    nowMs: number,
    stored: StoredAt | undefined,
  ): boolean {
    const percentMax = this.#options.tickMovePercentMax;
    if (percentMax === undefined) return true;
    const { held } = state;
    // A tick that is read back can be the held one itself, or an earlier one: then it is judged as if none was held.
    if (held !== undefined && stored !== undefined && !isAfter(stored, countsMs, held)) state.held = undefined;
    else if (held !== undefined) {
      if (isSamePrint(held, price, ownTimeMs)) {
        this.#refuseHeld(held, state.symbol);
        return false;
      }
      state.held = undefined;
      if (isWithin(held.price, price, percentMax)) {
        this.#accept(state, held.price, held.ownTimeMs, held.countsMs, nowMs, true, held.stored);
        return true;
      }
      this.#refuseHeld(held, state.symbol);
      noteRefused(state, nowMs);
    }
    const reference = state.reference ?? this.#kept.last(state.symbol)?.price;
    if (reference === undefined || isWithin(reference, price, percentMax)) return true;
    state.held = { price, ownTimeMs, countsMs, stored };
    return false;
  }

  #refuseHeld({ ownTimeMs, countsMs }: HeldTick, symbol: string): void {
    this.#refused.add("outlier", symbol, ownTimeMs, countsMs);
  }
}

/**
 * Whether a tick that is read back is certainly later than a held one. The place of a live held tick is not known, only
 * its moment. If the moments are too close to decide, the held tick is read back too, as the position trails by a
 * probe.
 */
function isAfter(stored: StoredAt, countsMs: number, held: HeldTick): boolean {
  if (held.stored?.stream === stored.stream) return stored.sequence > held.stored.sequence;
  return countsMs > held.countsMs + READ_AGAIN_MS;
}

/**
 * Whether a tick is the held one, sent twice, as redundant publishers always do. A tick without a time is a different
 * one.
 */
function isSamePrint(held: HeldTick, price: LivePrice, ownTimeMs: number): boolean {
  return price.value === held.price.value && ownTimeMs === held.ownTimeMs;
}

function noteRefused(state: SymbolState, nowMs: number): void {
  // The clock was set back: the noted time is in the future.
  if (!(state.refusedFirstMs <= nowMs)) state.refusedFirstMs = nowMs;
  state.refusedLastMs = nowMs;
}

function isStale({ timeMs, isOvertaken }: SymbolState, ownTimeMs: number, nowMs: number): boolean {
  return ownTimeMs < timeMs && !isOvertaken && !isFarAhead(timeMs, nowMs);
}

/** Whether a time came from a wrong clock. */
function isFarAhead(timeMs: number, nowMs: number): boolean {
  return timeMs > nowMs + TICK_AHEAD_MS_MAX;
}

function isWithin(reference: LivePrice, price: LivePrice, percentMax: number): boolean {
  return Math.abs(price.value - reference.value) * 100 <= reference.value * percentMax;
}
