/**
 * Which ticks are believed (behaviour 3).
 *
 * Owns: the last accepted price and time of every symbol, the tick that is held for confirmation. Does not own:
 * decoding (decode.ts), counting and telling what was refused (rejected-ticks.ts), where ticks come from, what they set
 * off.
 *
 * Invariants:
 * 1. The times of a symbol's accepted ticks never fall. A tick without a time of its own is ordered by its arrival,
 *    so it is never stale. They fall where the clock steps back: a time that the clock is far from having reached was
 *    given by a clock that was wrong, and must not make an hour of right ticks stale.
 * 2. A live tick counts at the moment it is seen. One that is caught up counts when the stream stored it, but not in the
 *    future: the server's clock may be ahead, or ours was set back since. One that waited, or was held, keeps the moment
 *    at which it was seen.
 * 3. Its own time, but none later than when it counts, is what staleness and the age of the last price are judged by; a
 *    tick without one has the time at which it counts. Where the stream stored it far ahead of the clock, that time is
 *    kept, as the age of such a price cannot be known.
 * 4. A tick whose own time lies too long before its arrival, or before the stream stored it, is refused: it says what a
 *    price was, not what it is.
 * 5. Nothing here throws, and a refused tick changes nothing but a count.
 * 6. A tick is one look-up by symbol, made by the caller with `find`; the object that `onTick` is given is reused and
 *    valid only during the call.
 * 7. A tick that is held is confirmed by another one, never by itself when it is read back.
 * 8. What is read back after live ticks that came later is judged in the stream's order: they make none of it stale.
 * 9. What our clock refused and the stream's would not, or is not known yet, is remembered and can be judged again.
 * 10. A tick that is the first after `SESSION_GAP_MS` carries the last price before it, also where it is read back after
 *    a restart.
 */
import { TICK_AHEAD_MS_MAX } from "../../src/contract/tick.ts";
import { type LivePrice, livePrice } from "../../src/domain/price/price.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { AcceptedTick, LastPrice, Session, SessionPrices, SymbolIntake, Symbols } from "../ports/price.ts";
import type { StoredAt } from "../ports/stream.ts";
import type { KeptPrices, KeptState } from "./last-prices.ts";
import { newFeedCounters, RejectedTicks } from "./rejected-ticks.ts";

/** Takes an accepted tick. `tick` is valid only during the call; `ownTimeMs` is NaN when the tick had no time. */
export type AcceptedTickSink = (tick: AcceptedTick, ownTimeMs: number) => void;

interface HeldTick {
  readonly price: LivePrice;
  readonly ownTimeMs: number;
  /** When it counts: what was seen keeps its moment, though the clock be set back before it is believed. */
  readonly countsMs: number;
  readonly stored: StoredAt | undefined;
}

/** What is known of a symbol. */
export interface SymbolState extends KeptState {
  /** The last accepted price; undefined before the first, and where later ones are lost. */
  price: LivePrice | undefined;
  /** What the next one's move is judged by: it is no worse for ticks that are lost. */
  reference: LivePrice | undefined;
  /** The time of the last accepted tick: its own, or when it was seen. */
  timeMs: number;
  /** A tick that moved too far, until the next one. */
  held: HeldTick | undefined;
  /** How the session of the last accepted tick began; undefined where that is not known. */
  session: Session | undefined;
  /** When the last accepted tick was seen; NaN before the first. */
  seenMs: number;
  /** When ticks were refused since then that say more than it, first and last; NaN: none was. */
  refusedFirstMs: number;
  refusedLastMs: number;
  /** From when stored ticks are read back until the symbol's first one: live ones may have overtaken it. */
  isOvertaken: boolean;
}

const NOTHING_KEPT: KeptPrices = { last: () => undefined, session: () => undefined, changed: () => undefined };

export interface AcceptanceOptions {
  readonly symbols: Pick<Symbols, "isKnown">;
  readonly clock: Clock;
  /** A move beyond this many percent of the last price needs a second tick to confirm it. Undefined: no limit. */
  readonly tickMovePercentMax: number | undefined;
  /** A tick whose own time lies further than this before its arrival says nothing. Undefined: no limit. */
  readonly tickAgeMsMax: number | undefined;
  /** See `StreamClock.offMs`. Absent: our clock is compared with no other one. */
  readonly clockOffMs?: () => number | null;
  readonly log: Log;
  /** The last prices of the life before, and where those of this one are kept. */
  readonly kept?: KeptPrices;
  readonly onTick: AcceptedTickSink;
}

type MutableTick = { -readonly [Key in keyof AcceptedTick]: AcceptedTick[Key] };

/** More than the stream's clock and ours differ by once it is measured, less than what a position trails by. */
const READ_AGAIN_MS = 500;

/** The first tick after so long without one is the first of a session (behaviour 16.2). */
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
  /** Symbols with ticks that a clock refused which was not known to be right. */
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

  /** The last accepted price of a symbol, with that tick's own time; where there is none yet, that of the life before. */
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

  /** The state of a known symbol; undefined, and nothing is kept, for any other. */
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
   * Judges one tick. `price` is in currency units, `ownTimeMs` NaN when the tick has no time, `atMs` the moment that
   * counts as now, by our clock; `stored` where in the stream a tick that is caught up lies, undefined for live ones.
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
      // A publisher may repeat the last trade of a market that is closed.
      if (ownTimeMs > state.timeMs) noteRefused(state, nowMs);
      if (stored === undefined) this.#rememberRefused(state, ownTimeMs - (arrivedMs - this.#ageMsMax));
    } else if (isStale(state, ownTimeMs, nowMs)) this.#refused.add("stale", symbol, ownTimeMs, atMs, state.timeMs);
    else if (this.#isPlausible(state, live, ownTimeMs, countsMs, nowMs, stored)) {
      const toldMs = isFarAhead(atMs, nowMs) ? atMs : countsMs;
      this.#accept(state, live, ownTimeMs, countsMs, nowMs, stored !== undefined, stored, toldMs);
    }
  }

  /** What came of a symbol's ticks lately. */
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

  /** True while ticks that a wrong clock may have refused were not judged again. */
  get hasRefusedByClock(): boolean {
    return this.#refusedByClock.size > 0;
  }

  /** The ticks that a wrong clock refused are read back, by a clock that is right. */
  forgetRefusedByClock(): void {
    this.#refusedByClock.clear();
  }

  /** Stored ticks are read back from here on: live ones that overtook them make none of them stale. */
  beginReadingBack(): void {
    for (const state of this.#states.values()) state.isOvertaken = true;
  }

  endReadingBack(): void {
    for (const state of this.#states.values()) state.isOvertaken = false;
  }

  /** Ticks are lost that may have come after all that is known: no price is the last before the next tick. */
  forgetLast(): void {
    for (const state of this.#states.values()) state.price = undefined;
  }

  /** Counts a message, or an entry of one, that is no tick. `symbol` is what its subject names. */
  refuseMalformed(symbol: string | undefined, atMs: number): void {
    this.#refused.add("malformed", symbol, Number.NaN, atMs);
    const state = symbol === undefined ? undefined : this.find(symbol);
    if (state !== undefined) noteRefused(state, this.#options.clock.nowMs());
  }

  /** Counts a tick of a symbol that is not known. */
  refuseUnknown(symbol: string, ownTimeMs: number, atMs: number): void {
    this.#refused.add("unknownSymbol", symbol, ownTimeMs, atMs);
  }

  /**
   * A second judge that starts from what this one knows and leaves it unchanged: for ticks that arrive while earlier
   * ones are still being read. What it accepted comes back through {@link take}, the rest of it through {@link join}.
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
   * Takes a tick that a fork accepted at `atMs`. It goes on as caught up: a level armed since then must not see it.
   * Stale when a newer tick of the symbol came in between.
   */
  take(symbol: string, price: LivePrice, ownTimeMs: number, atMs: number): void {
    const state = this.find(symbol);
    if (state === undefined) return;
    if (isStale(state, ownTimeMs, atMs)) this.#refused.add("stale", symbol, ownTimeMs, atMs, state.timeMs);
    else this.#accept(state, price, ownTimeMs, atMs, this.#options.clock.nowMs(), true);
  }

  /** Takes over what a fork refused and what it holds for confirmation. Call once, after every {@link take}. */
  join(fork: TickAcceptance): void {
    this.#refused.join(fork.counters);
    for (const [symbol, { held }] of fork.#states) {
      const state = this.find(symbol);
      if (state === undefined) continue;
      // What waited for confirmation here was overtaken by the fork's ticks.
      if (state.held !== undefined) this.#refuseHeld(state.held, symbol);
      state.held = held;
    }
  }

  /** `byMs`: how far our clock would have to be set forth (below zero: back) for the tick not to be refused. */
  #rememberRefused({ symbol }: SymbolState, byMs: number): void {
    const offMs = this.#options.clockOffMs === undefined ? 0 : this.#options.clockOffMs();
    const isByClock = offMs === null || (byMs > 0 ? offMs >= byMs : offMs <= byMs);
    if (isByClock) this.#refusedByClock.add(symbol);
  }

  /** `toldMs`: the time of a tick that has none of its own. */
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
    // Written so that it is true of the first tick as well, whose symbol has no time yet.
    const close = timeMs - state.timeMs < SESSION_GAP_MS ? undefined : this.#openSession(state, timeMs);
    state.price = price;
    state.reference = price;
    // What is older and was not stale follows a step of the clock.
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
   * The last price before a tick that may be the first of a session; undefined where it is not, or none is known. After a
   * restart the price that was kept last may be the session's own first one, which is read back now.
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
   * Behaviour 3.4: a tick that moves too far is held. The next one confirms it by lying near it: then the held one is
   * applied first, as it may have reached more levels, and as caught up, since a level armed after it was seen must
   * not fire on it. The same print sent again (equal price, equal time) confirms nothing, and the held one stays held.
   * Otherwise the held one is dropped, and the new one judged against the last accepted.
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
    // What is read back may be the held one itself, or come from before it: then it is judged as if none was held.
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
 * Whether a tick that is read back surely came after a held one. Of one that was seen live the place is not known, only
 * the moment; where that is too near to tell, the held one is read back too, as the position trails by a probe.
 */
function isAfter(stored: StoredAt, countsMs: number, held: HeldTick): boolean {
  if (held.stored?.stream === stored.stream) return stored.sequence > held.stored.sequence;
  return countsMs > held.countsMs + READ_AGAIN_MS;
}

/** Whether a tick is the held one, sent twice: redundant publishers always do that. One without a time is another one. */
function isSamePrint(held: HeldTick, price: LivePrice, ownTimeMs: number): boolean {
  return price.value === held.price.value && ownTimeMs === held.ownTimeMs;
}

function noteRefused(state: SymbolState, nowMs: number): void {
  // Set back: what was noted lies in the future.
  if (!(state.refusedFirstMs <= nowMs)) state.refusedFirstMs = nowMs;
  state.refusedLastMs = nowMs;
}

function isStale({ timeMs, isOvertaken }: SymbolState, ownTimeMs: number, nowMs: number): boolean {
  return ownTimeMs < timeMs && !isOvertaken && !isFarAhead(timeMs, nowMs);
}

/** Whether a time was given by a clock that was wrong. */
function isFarAhead(timeMs: number, nowMs: number): boolean {
  return timeMs > nowMs + TICK_AHEAD_MS_MAX;
}

function isWithin(reference: LivePrice, price: LivePrice, percentMax: number): boolean {
  return Math.abs(price.value - reference.value) * 100 <= reference.value * percentMax;
}
