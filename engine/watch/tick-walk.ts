/**
 * The way of every tick to the actors that count every tick (level bots, stop-losses that trail), in order, however many
 * wake and however much waits.
 *
 * Owns: the ticks that such actors were not given yet, and how far each of them has come. Does not own: what a tick does
 * to an actor (its chart), rows that are reached once (they take the shortest way: the partition).
 *
 * Invariants:
 * 1. Such an actor is given every accepted tick of its symbols exactly once, in order, but for those that provably reach
 *    none of its levels: its levels are in the watchbook as the last tick before left them.
 * 2. Ticks and the inbox's work keep their order of arrival: a tick is given after the work that came before it, and an
 *    actor is brought up to the ticks that came before an event before it is given the event.
 * 3. A tick that reaches few while nothing waits is given at once. What waits is given in short slices between the turns
 *    of the inbox, so that no row that is reached waits for bots.
 * 4. Memory is bounded: beyond `QUEUE_MAX` ticks the oldest are given at once, before the work that they came after.
 * 5. Ticks that only raise a stop-loss are given to it in rounds. It gets those that wait together with the first tick
 *    that may fire it, and before anything else is given to it or asked of it.
 */

import { RAISE, STOP_LOSS } from "../../src/domain/oco/group.ts";
import type { LiveTick } from "../../src/domain/price/price.ts";
import type { Cancel, Clock, Fatal, Timers } from "../../src/runtime/ports.ts";
import type { AcceptedTick, LastPrice, Prices } from "../ports/price.ts";
import { Behind, type PriceRange } from "./behind.ts";
import { isRaiseNumber, watchOf } from "./raise-number.ts";
import { ReachedBuffer } from "./reached-buffer.ts";

/** More owners than this are woken in slices. */
const OWNERS_AT_ONCE = 64;
const SLICE = { ownersMax: 64, timeMsMax: 1 };
/** Ticks that an actor is walked through in one step. */
const WINDOW_MAX = 1_024;
const QUEUE_MAX = 65_536;
/** Of one symbol so many ticks are kept for stop-losses that they raised before the next round begins. */
const KEPT_MAX = 4_096;
/** A round begins so long after the last one; after a long one in proportion, so that raises take a tenth of the time. */
const ROUND = { pauseMsMin: 1_000, pauseMsMax: 30_000, pauseFactor: 9 };

interface TickWalkOptions {
  readonly inbox: { readonly isIdle: boolean; readonly receivedCount: number; readonly finishedCount: number };
  readonly watchbook: {
    /** Whether any level of the symbol was ever armed that counts every tick. */
    countsEveryTick(symbol: string): boolean;
    symbolsOfEveryTick(): Iterable<string>;
    /** Takes out all such levels that a price reaches; returns how many. */
    collectEveryTick(symbol: string, floor: number, ceil: number, into: ReachedBuffer): number;
  };
  readonly prices: Prices;
  readonly timers: Timers;
  readonly steadyClock: Clock;
  /**
   * Gives ticks to an actor whose levels `watches` are out of the watchbook. No ticks: the levels go back. `news`: those
   * of them that may fire something.
   */
  readonly give: (
    owner: number,
    watches: readonly number[],
    ticks: readonly LiveTick[],
    news: readonly LiveTick[],
  ) => void;
  /** Up to where the feed has handed ticks on; null where that is not known. */
  readonly tickPosition: () => number | null;
  readonly fatal: Fatal;
}

interface WaitingTick extends LiveTick {
  /** How much work the inbox had been given when the tick came. */
  readonly workBefore: number;
  /** The last price of the symbol from this tick on. */
  readonly last: LastPrice | undefined;
}

/** What an owner is to be given beside the window. */
interface Unwalked {
  /** Its levels that are taken out. */
  readonly watches: readonly number[];
  /** Ticks from before the window. */
  readonly earlier: readonly WaitingTick[];
}

/** Those who are behind at a moment are given their ticks, one after the other. */
interface Round {
  readonly owners: Iterator<number, void>;
  /** The number of the last tick then. */
  readonly end: number;
  /** Up to where the feed had handed ticks on then; null where that is not known. */
  readonly tickPosition: number | null;
  tookMs: number;
}

const NO_TICKS: readonly WaitingTick[] = [];
const NOT_WALKED: Unwalked = { watches: [], earlier: NO_TICKS };

export class TickWalk {
  readonly #options: TickWalkOptions;
  readonly #reached = new ReachedBuffer();
  /** Ticks that came after the window, oldest first. The first has the number `#windowEnd` + 1. */
  #queue: WaitingTick[] = [];
  /** The ticks that owners are being walked through, and the number of the last of them. */
  #window: readonly WaitingTick[] = [];
  #windowEnd = 0;
  /** Owners that the window may reach and that were not walked through it yet. */
  #unwalked = new Map<number, Unwalked>();
  /** Owners that ticks up to the window's end have only raised. */
  readonly #behind = new Behind<WaitingTick>();
  #round: Round | undefined;
  #nextRoundMs = Number.NEGATIVE_INFINITY;
  #cancelRound: Cancel | undefined;
  #isEnding = false;
  #givenUpTo: number | null = null;
  /** Owners that are further than the window: the number of the last tick that they were given. */
  readonly #ahead = new Map<number, number>();
  /** The last price of each symbol before the window. */
  readonly #lastBefore = new Map<string, LastPrice>();
  #isScheduled = false;

  constructor(options: TickWalkOptions) {
    this.#options = options;
  }

  /** True while every actor has been given every tick. */
  get isIdle(): boolean {
    return this.isCurrent && this.#behind.size === 0;
  }

  /** True while every actor has been given every tick, but for those that only raise its stop-loss. */
  get isCurrent(): boolean {
    return this.#unwalked.size === 0 && this.#queue.length === 0;
  }

  /** Up to where in the feed every actor was given every tick, while nothing waits in the inbox; null: that is not known. */
  givenUpTo(): number | null {
    const handedOn = this.isCurrent ? this.#options.tickPosition() : null;
    if (handedOn === null || this.#behind.size === 0) return handedOn;
    // Another stream, or one that is to be read back: what was noted of it before says nothing.
    if (this.#givenUpTo !== null && this.#givenUpTo > handedOn) this.#givenUpTo = null;
    return this.#givenUpTo;
  }

  /** Whether ticks wait that came after those that are given now. */
  get hasWaiting(): boolean {
    return this.#queue.length > 0;
  }

  /** One accepted tick. Two comparisons where it reaches nobody and nothing waits. `ownTimeMs`: of its publisher. */
  onTick(tick: AcceptedTick, ownTimeMs: number | null = null): void {
    const { watchbook, inbox, prices } = this.#options;
    if (!watchbook.countsEveryTick(tick.symbol)) return;
    const { symbol, price, timeMs, isCaughtUp, stored } = tick;
    const last = prices.last(symbol);
    if (!this.isCurrent || !inbox.isIdle) {
      const workBefore = inbox.receivedCount;
      this.#queue.push({ symbol, price, timeMs, isCaughtUp, stored, ownTimeMs, workBefore, last });
      while (this.#queue.length > QUEUE_MAX) this.#walk(Number.POSITIVE_INFINITY);
      this.#schedule();
      return;
    }
    this.#closeWindow();
    const isSilent = watchbook.collectEveryTick(symbol, price.floor, price.ceil, this.#reached) === 0;
    if (isSilent && !this.#behind.lacks(symbol)) {
      if (last !== undefined) this.#lastBefore.set(symbol, last);
      return;
    }
    this.#windowEnd += 1;
    this.#window = [{ symbol, price, timeMs, isCaughtUp, stored, ownTimeMs, workBefore: 0, last }];
    this.#sort(symbol, rangeOf(this.#window));
    this.#keepWindow();
    if (this.#unwalked.size > OWNERS_AT_ONCE) this.#schedule();
    else while (this.#walkNext(0)) {}
    if (this.#round !== undefined && this.#behind.size <= OWNERS_AT_ONCE && this.isCurrent) this.#walkRound(Infinity);
  }

  /** Brings an actor up to the ticks that came before what it is about to be given. False: it was so already. */
  bringUp(owner: number): boolean {
    if (this.isIdle) return false;
    const from = this.#positionOf(owner);
    const to = this.#positionNow();
    if (to <= from && !this.#behind.has(owner)) return false;
    const { watches, earlier } = this.#take(owner);
    const news = this.#between(from, to);
    if (to > from) this.#ahead.set(owner, to);
    this.#options.give(owner, watches, joined(earlier, news), news);
    return true;
  }

  /** An actor comes under watch: what came before means nothing to it. */
  begin(owner: number): void {
    if (this.isIdle) return;
    this.#take(owner);
    this.#ahead.set(owner, this.#positionNow());
  }

  /** The last price of a symbol as an actor has seen it. */
  lastSeenBy(owner: number, symbol: string): LastPrice | undefined {
    if (this.isCurrent) return this.#options.prices.last(symbol);
    const start = this.#windowEnd - this.#window.length;
    for (let position = this.#positionOf(owner); position > start; position -= 1) {
      const tick = this.#window[position - start - 1] ?? this.#queue[position - this.#windowEnd - 1];
      if (tick?.symbol === symbol) return tick.last;
    }
    return this.#lastBefore.get(symbol);
  }

  /** Notes the last prices that are known from before any tick of this process. */
  start(): void {
    for (const symbol of this.#options.watchbook.symbolsOfEveryTick()) {
      const last = this.#options.prices.last(symbol);
      if (last !== undefined && !this.#lastBefore.has(symbol)) this.#lastBefore.set(symbol, last);
    }
  }

  /** Gives everybody what only raised it, and from here on at once: call it where no tick comes any more. */
  end(): void {
    this.#isEnding = true;
    this.#beginRound();
  }

  /** No owner is given anything any more. */
  stop(): void {
    this.#cancelRound?.();
    this.#round = undefined;
  }

  /** The number of the last tick that an actor was given, but for those that only raise it. */
  #positionOf(owner: number): number {
    const ofWindow = this.#unwalked.has(owner) ? this.#windowEnd - this.#window.length : this.#windowEnd;
    return Math.max(ofWindow, this.#ahead.get(owner) ?? 0);
  }

  /** The number of the last tick that came before the work that runs now. */
  #positionNow(): number {
    return this.#windowEnd + this.#ripeCount(this.#options.inbox.finishedCount);
  }

  /** How many waiting ticks came before more than `finishedCount` pieces of work had come. */
  #ripeCount(finishedCount: number): number {
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#queue[middle]?.workBefore ?? 0) > finishedCount) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The ticks numbered after `from` up to `to`. */
  #between(from: number, to: number): readonly WaitingTick[] {
    const start = this.#windowEnd - this.#window.length;
    if (from === start && to === this.#windowEnd) return this.#window;
    const ofWindow = this.#window.slice(Math.max(0, from - start), Math.max(0, to - start));
    const ofQueue = this.#queue.slice(Math.max(0, from - this.#windowEnd), Math.max(0, to - this.#windowEnd));
    return [...ofWindow, ...ofQueue];
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.timers.soon(() => {
      this.#isScheduled = false;
      try {
        this.#walk(this.#options.inbox.finishedCount);
        this.#walkRound(SLICE.ownersMax);
      } catch (cause) {
        this.#options.fatal("a tick could not be handled", cause);
      }
      if (!this.isCurrent || this.#round !== undefined) this.#schedule();
    });
  }

  /** One slice. */
  #walk(finishedCount: number): void {
    const { steadyClock } = this.#options;
    const endMs = steadyClock.nowMs() + SLICE.timeMsMax;
    for (let count = 0; count < SLICE.ownersMax && this.#walkNext(finishedCount); count += 1) {
      if (steadyClock.nowMs() >= endMs) return;
    }
  }

  /** Walks one owner through the window, or the next; false where nobody is to be walked for now. */
  #walkNext(finishedCount: number): boolean {
    while (this.#unwalked.size === 0) if (!this.#openWindow(finishedCount)) return false;
    const [next] = this.#unwalked;
    if (next === undefined) return false;
    const [owner] = next;
    const news = this.#between(this.#positionOf(owner), this.#windowEnd);
    const { watches, earlier } = this.#take(owner);
    this.#options.give(owner, watches, joined(earlier, news), news);
    return true;
  }

  /** Takes the next waiting ticks as the window; false where none may be given yet. */
  #openWindow(finishedCount: number): boolean {
    this.#closeWindow();
    const count = Math.min(this.#ripeCount(finishedCount), WINDOW_MAX);
    if (count === 0) return false;
    this.#window = this.#queue.splice(0, count);
    this.#windowEnd += count;
    const bySymbol = new Map<string, WaitingTick[]>();
    for (const tick of this.#window) {
      const ticks = bySymbol.get(tick.symbol);
      if (ticks === undefined) bySymbol.set(tick.symbol, [tick]);
      else ticks.push(tick);
    }
    // Whom neither the highest nor the lowest price reaches, none in between does.
    for (const [symbol, ticks] of bySymbol) {
      const range = rangeOf(ticks);
      this.#options.watchbook.collectEveryTick(symbol, range.floor, range.ceil, this.#reached);
      this.#sort(symbol, range);
    }
    this.#keepWindow();
    return true;
  }

  /** Of the owners of a symbol that the window reached, those that it may only raise come to be behind. */
  #sort(symbol: string, range: PriceRange): void {
    const start = this.#windowEnd - this.#window.length;
    const owners = this.#reached.byOwner();
    this.#reached.clear();
    for (const [owner, numbers] of owners) {
      const [only = 0] = numbers;
      const isRaised = numbers.length === 1 && isRaiseNumber(only);
      // One that was given later ticks already is not raised by all of these.
      if (isRaised && !range.isCaughtUp && !this.#ahead.has(owner))
        this.#behind.join(owner, symbol, only, start, range.floor);
      else this.#fetch(owner, numbers.map(watchOf));
    }
    for (const owner of this.#behind.pass(symbol, range)) this.#fetch(owner, [STOP_LOSS]);
  }

  /** An owner is to be walked through the window. */
  #fetch(owner: number, reached: readonly number[]): void {
    const isBehind = this.#behind.has(owner);
    const watches = isBehind ? [...reached, RAISE] : reached;
    const ofOtherSymbols = this.#unwalked.get(owner)?.watches ?? [];
    this.#unwalked.set(owner, { watches: [...ofOtherSymbols, ...watches], earlier: this.#behind.leave(owner) });
  }

  /** Keeps the window for those who are behind. */
  #keepWindow(): void {
    if (this.#behind.size === 0) return;
    let position = this.#windowEnd - this.#window.length;
    let keptMax = 0;
    for (const tick of this.#window) {
      position += 1;
      keptMax = Math.max(keptMax, this.#behind.keep(tick.symbol, tick, position));
    }
    if (keptMax >= QUEUE_MAX) this.#giveAll();
    else if (keptMax >= KEPT_MAX) this.#beginRound();
    else this.#beginRoundInTime();
  }

  #beginRoundInTime(): void {
    if (this.#round !== undefined || this.#cancelRound !== undefined) return;
    const { timers, steadyClock } = this.#options;
    const waitMs = this.#nextRoundMs - steadyClock.nowMs();
    if (waitMs <= 0 || this.#isEnding) this.#beginRound();
    else this.#cancelRound = timers.after(waitMs, () => this.#beginRound());
  }

  /** Those who are behind now are given their ticks from here on, one after the other. */
  #beginRound(): void {
    this.#cancelRound?.();
    this.#cancelRound = undefined;
    if (this.#round !== undefined || this.#behind.size === 0) return;
    // What the feed handed on and waits in the inbox nobody was given.
    const isKnown = this.isCurrent && this.#options.inbox.isIdle;
    const tickPosition = isKnown ? this.#options.tickPosition() : null;
    this.#round = { owners: this.#behind.owners(), end: this.#windowEnd, tickPosition, tookMs: 0 };
    this.#schedule();
  }

  /** A slice of the round. */
  #walkRound(ownersMax: number): void {
    const round = this.#round;
    if (round === undefined) return;
    const { steadyClock } = this.#options;
    const startMs = steadyClock.nowMs();
    let nowMs = startMs;
    for (let count = 0; count < ownersMax && nowMs < startMs + SLICE.timeMsMax; count += 1) {
      const { value: owner } = round.owners.next();
      if (owner === undefined) {
        this.#endRound({ ...round, tookMs: round.tookMs + nowMs - startMs });
        return;
      }
      this.#giveBehind(owner);
      nowMs = steadyClock.nowMs();
    }
    round.tookMs += nowMs - startMs;
  }

  #endRound({ end, tickPosition, tookMs }: Round): void {
    this.#behind.forgetUpTo(end);
    this.#givenUpTo = tickPosition ?? this.#givenUpTo;
    this.#round = undefined;
    const pauseMs = Math.min(Math.max(ROUND.pauseMsMin, tookMs * ROUND.pauseFactor), ROUND.pauseMsMax);
    this.#nextRoundMs = this.#options.steadyClock.nowMs() + pauseMs;
    if (this.#behind.size > 0) this.#beginRoundInTime();
  }

  #giveAll(): void {
    for (const owner of this.#behind.owners()) this.#giveBehind(owner);
  }

  #giveBehind(owner: number): void {
    this.#options.give(owner, [RAISE], this.#behind.leave(owner), NO_TICKS);
  }

  /** What an owner is to be given beside the window: it is walked now. */
  #take(owner: number): Unwalked {
    const unwalked = this.#unwalked.get(owner);
    if (unwalked !== undefined) {
      this.#unwalked.delete(owner);
      return unwalked;
    }
    return this.#behind.has(owner) ? { watches: [RAISE], earlier: this.#behind.leave(owner) } : NOT_WALKED;
  }

  #closeWindow(): void {
    for (const { symbol, last } of this.#window) if (last !== undefined) this.#lastBefore.set(symbol, last);
    this.#window = [];
    if (this.#ahead.size === 0) return;
    for (const [owner, position] of this.#ahead) if (position <= this.#windowEnd) this.#ahead.delete(owner);
  }
}

/** All prices of some ticks of one symbol, which are in order. */
function rangeOf(ticks: readonly WaitingTick[]): PriceRange {
  let [floor, ceil, lastFloor] = [0, Number.POSITIVE_INFINITY, 0];
  const isCaughtUp = ticks.some((tick) => tick.isCaughtUp);
  for (const { price } of ticks) {
    floor = Math.max(floor, price.floor);
    ceil = Math.min(ceil, price.ceil);
    lastFloor = price.floor;
  }
  const pairFloor = (before: number): number => {
    let [highest, previous] = [0, before];
    for (const { price } of ticks) {
      highest = Math.max(highest, Math.min(previous, price.floor));
      previous = price.floor;
    }
    return highest;
  };
  return { floor, ceil, lastFloor, pairFloor, isCaughtUp };
}

function joined(earlier: readonly WaitingTick[], news: readonly WaitingTick[]): readonly WaitingTick[] {
  if (earlier.length === 0) return news;
  return news.length === 0 ? earlier : [...earlier, ...news];
}
