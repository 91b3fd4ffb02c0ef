/**
 * Gives every tick, in order, to the actors that count every tick (level bots, trailing stop-losses), however many wake
 * and however much waits.
 *
 * Owns: the ticks that such actors were not given yet, and how far each of them has come. Does not own: what a tick does
 * to an actor (its chart), rows that are reached once (they take the shortest way: the partition).
 *
 * Invariants:
 * 1. Such an actor is given every accepted tick of its symbols exactly once, in order, except ticks that provably reach
 *    none of its levels: its levels are in the watchbook as the last tick before left them.
 * 2. Ticks and the inbox's work keep their order of arrival: a tick is given after the work that came before it, and an
 *    actor is brought up to the ticks that came before an event before it is given the event.
 * 3. A tick that reaches few actors while nothing waits is given immediately. Waiting ticks are given in short slices
 *    between the turns of the inbox, so that no row that is reached waits for bots.
 * 4. Memory is bounded: beyond `QUEUE_MAX` ticks the oldest are given immediately, before work that they came after.
 * 5. Live ticks that only raise a stop-loss are given to it in rounds. It gets them together with the first tick that can
 *    fire it, and before any other event or reader.
 * 6. While an actor lacks such ticks, the stored tick position is before them: a restart reads them back.
 */
import { assert } from "../../src/assert.ts";
import { RAISE, STOP_LOSS } from "../../src/domain/oco/group.ts";
import type { LiveTick } from "../../src/domain/price/price.ts";
import type { Cancel, Clock, Fatal, Timers } from "../../src/runtime/ports.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { AcceptedTick, LastPrice, Prices, Walked } from "../ports/price.ts";
import type { StreamPlace } from "../ports/stream.ts";
import { Behind, type PriceRange, rangeOf } from "./behind.ts";
import { isRaiseNumber, watchOf } from "./raise-number.ts";
import { ReachedBuffer } from "./reached-buffer.ts";

/** More owners than this are woken in slices. */
const OWNERS_AT_ONCE = 64;
const SLICE = { ownersMax: 64, timeMsMax: 1 };
/** Ticks that an actor is walked through in one step. */
const WINDOW_MAX = 1_024;
const QUEUE_MAX = 65_536;
/** Kept ticks of raises after which the next round begins early, and after which it is completed immediately. */
const KEPT = { early: 65_536, max: 262_144 };
/** The pause between two rounds; after a long round in proportion to it, so that raises take a fifth of the time. */
const ROUND = { pauseMsMin: 1_000, pauseMsMax: 10_000, pauseFactor: 4 };

interface TickWalkOptions {
  readonly inbox: { readonly isIdle: boolean; readonly receivedCount: number; readonly finishedCount: number };
  readonly watchbook: {
    /** The number of a symbol, from 0 on; undefined if no level of it was ever armed that counts every tick. */
    everyTickNumber(symbol: string): number | undefined;
    symbolsOfEveryTick(): Iterable<string>;
    /** Takes out all such levels that a price reaches; returns how many. */
    collectEveryTick(symbolNumber: number, floor: number, ceil: number, into: ReachedBuffer): number;
  };
  readonly prices: Prices;
  readonly timers: Timers;
  readonly steadyClock: Clock;
  /** Gives ticks to an actor whose levels `watches` are out of the watchbook. No ticks: the levels go back. */
  readonly give: (owner: number, watches: readonly number[], walked: Walked) => void;
  readonly feed: Pick<PartitionFeed, "position" | "place">;
  /** Whether a restart would read back the ticks that come now. */
  readonly isReadBack: () => boolean;
  readonly fatal: Fatal;
}

interface WaitingTick extends LiveTick {
  /** The place in the tick stream when a live tick arrived; null if it is not known. */
  readonly place: StreamPlace | null;
  /** How much work the inbox had been given when the tick came. */
  readonly workBefore: number;
  /** The last price of the symbol from this tick on; the price of a later tick if that tick was held. */
  last: LastPrice | undefined;
}

/** What an owner gets in addition to the window. */
interface Unwalked {
  /** Its levels that are out of the watchbook. */
  readonly watches: readonly number[];
  /** The ticks from before the window that it lacks. */
  readonly earlier: readonly WaitingTick[];
}

/** Gives the owners that are behind at its beginning the ticks that they lack, one owner after the other. */
interface Round {
  readonly owners: Iterator<number, void>;
  /** The number of the last tick at its beginning. */
  readonly end: number;
  /** The feed's position at its beginning or earlier; null if it is not known. */
  readonly tickPosition: number | null;
  tookMs: number;
}

const NO_TICKS: readonly WaitingTick[] = [];
const NO_WATCHES: readonly number[] = [];
const NOT_REACHED: ReadonlyMap<number, readonly number[]> = new Map();
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
  /** Owners that lack ticks up to the window's end, as these only raise their stop-losses. */
  readonly #behind = new Behind<WaitingTick>();
  #round: Round | undefined;
  #nextRoundMs = Number.NEGATIVE_INFINITY;
  #cancelRound: Cancel | undefined;
  #isEnding = false;
  #isStopped = false;
  /** The last known position of the feed that includes no tick of the queue. */
  #passedOn: number | null = null;
  /** A position up to which every actor was given every tick. */
  #givenUpTo: number | null = null;
  /** Owners that are further than the window: the number of the last tick that they were given. */
  readonly #ahead = new Map<number, number>();
  /** The last price of each symbol before the window, by the number of the symbol. */
  readonly #lastBefore: (LastPrice | undefined)[] = [];
  /** The newest tick of each symbol in the window or behind it. */
  readonly #newest = new Map<string, WaitingTick>();
  #isScheduled = false;

  constructor(options: TickWalkOptions) {
    this.#options = options;
  }

  /** True while every actor has been given every tick. */
  get isIdle(): boolean {
    return this.isCurrent && this.#behind.size === 0;
  }

  /** True while every actor has been given every tick except ticks that only raise its stop-loss. */
  get isCurrent(): boolean {
    return this.#unwalked.size === 0 && this.#queue.length === 0;
  }

  /**
   * The feed's position up to which every actor was given every tick; null if it is not known. Only while the inbox is
   * idle.
   */
  givenUpTo(): number | null {
    const passedOn = this.isCurrent ? this.#options.feed.position() : null;
    if (passedOn === null) return null;
    this.#passedOn = passedOn;
    if (this.#behind.size === 0) this.#givenUpTo = passedOn;
    // The feed goes back in its stream, or to the beginning of another one.
    else if (this.#givenUpTo !== null) this.#givenUpTo = Math.min(this.#givenUpTo, passedOn);
    return this.#givenUpTo;
  }

  /** Whether ticks wait that came after the ticks of the window. */
  get hasWaiting(): boolean {
    return this.#queue.length > 0;
  }

  /**
   * Handles an accepted tick: two comparisons if no actor is reached and nothing waits. `ownTimeMs`: its publisher's.
   */
  onTick(tick: AcceptedTick, ownTimeMs: number | null = null): void {
    const { watchbook, inbox, prices } = this.#options;
    const number = watchbook.everyTickNumber(tick.symbol);
    if (number === undefined) return;
    const last = prices.last(tick.symbol);
    if (!this.isCurrent || !inbox.isIdle) {
      const waiting = this.#waiting(tick, ownTimeMs, last, inbox.receivedCount);
      this.#queue.push(waiting);
      this.#newest.set(tick.symbol, waiting);
      while (this.#queue.length > QUEUE_MAX) this.#walk(Number.POSITIVE_INFINITY);
      this.#schedule();
      return;
    }
    this.#closeWindow();
    const { symbol, price } = tick;
    const isSilent = watchbook.collectEveryTick(number, price.floor, price.ceil, this.#reached) === 0;
    if (isSilent && !this.#behind.lacks(symbol)) {
      if (last !== undefined) this.#lastBefore[number] = last;
      return;
    }
    this.#windowEnd += 1;
    const only = this.#waiting(tick, ownTimeMs, last, 0);
    this.#window = [only];
    this.#newest.set(symbol, only);
    this.#sort(symbol, rangeOf(this.#window));
    this.#keepWindow();
    if (this.#unwalked.size > OWNERS_AT_ONCE) this.#schedule();
    else while (this.#walkNext(0)) {}
    const isShort = this.#behind.size <= OWNERS_AT_ONCE;
    if (this.#round !== undefined && isShort && this.isCurrent) this.#walkRound(OWNERS_AT_ONCE);
  }

  #waiting(
    { symbol, price, timeMs, isCaughtUp, stored }: AcceptedTick,
    ownTimeMs: number | null,
    last: LastPrice | undefined,
    workBefore: number,
  ): WaitingTick {
    const place = isCaughtUp ? null : this.#options.feed.place();
    return { symbol, price, timeMs, isCaughtUp, stored, ownTimeMs, workBefore, place, last };
  }

  /** Handles a tick of a held symbol: it reaches no actor, and its price is the last one from here on. */
  pass(symbol: string): void {
    const number = this.#options.watchbook.everyTickNumber(symbol);
    const last = this.#options.prices.last(symbol);
    if (number === undefined || last === undefined) return;
    const newest = this.#newest.get(symbol);
    if (newest === undefined) this.#lastBefore[number] = last;
    else newest.last = last;
  }

  /** Gives an actor the ticks that came before its next event. False: it had all of them already. */
  bringUp(owner: number): boolean {
    if (this.isIdle) return false;
    const from = this.#positionOf(owner);
    const to = this.#positionNow();
    if (to <= from && !this.#behind.has(owner)) return false;
    const { watches, earlier } = this.#take(owner);
    const news = this.#between(from, to);
    if (to > from) this.#ahead.set(owner, to);
    this.#give(owner, watches, earlier, news);
    return true;
  }

  /** An actor comes under watch: earlier ticks do not count for it. */
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
    return this.#newest.has(symbol) ? this.#lastBefore[this.#numberOf(symbol)] : this.#options.prices.last(symbol);
  }

  /** Notes the last prices that are known from before any tick of this process. */
  start(): void {
    for (const symbol of this.#options.watchbook.symbolsOfEveryTick()) {
      const last = this.#options.prices.last(symbol);
      if (last !== undefined) this.#lastBefore[this.#numberOf(symbol)] ??= last;
    }
  }

  /** Gives every owner the ticks that it lacks, in this call. */
  giveAll(): void {
    for (const owner of this.#behind.owners()) this.#giveBehind(owner);
  }

  /** Begins the last round; owners that lack ticks later get them immediately. Called when the feed ends. */
  end(): void {
    this.#isEnding = true;
    this.#beginRound();
  }

  /** Begins no round any more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelRound?.();
    this.#round = undefined;
  }

  /** The number of the last tick that an actor was given, not counting ticks that only raise its stop-loss. */
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

  /** Walks one owner through the window, or the next window; false if no owner can be walked for now. */
  #walkNext(finishedCount: number): boolean {
    while (this.#unwalked.size === 0) if (!this.#openWindow(finishedCount)) return false;
    const [next] = this.#unwalked;
    if (next === undefined) return false;
    const [owner] = next;
    const news = this.#between(this.#positionOf(owner), this.#windowEnd);
    const { watches, earlier } = this.#take(owner);
    this.#give(owner, watches, earlier, news);
    return true;
  }

  /** Takes the next waiting ticks as the window; false if none may be given yet. */
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
      const number = this.#numberOf(symbol);
      this.#options.watchbook.collectEveryTick(number, range.floor, range.ceil, this.#reached);
      this.#sort(symbol, range);
    }
    this.#keepWindow();
    return true;
  }

  /** Divides the owners of a symbol that the window reached: owners that it can only raise are behind from here on. */
  #sort(symbol: string, range: PriceRange): void {
    const start = this.#windowEnd - this.#window.length;
    const owners = this.#reached.length === 0 ? NOT_REACHED : this.#reached.byOwner();
    this.#reached.clear();
    const mayWait = owners.size > 0 && !range.isCaughtUp && !this.#isStopped && this.#options.isReadBack();
    for (const [owner, numbers] of owners) {
      const [only = 0] = numbers;
      const isOnlyRaised = numbers.length === 1 && isRaiseNumber(only);
      // An owner that was given later ticks already is not raised by all of these.
      const isBehind = mayWait && isOnlyRaised && !this.#ahead.has(owner);
      if (isBehind) this.#behind.join(owner, symbol, only, start, range.floor);
      else this.#fetch(owner, numbers.map(watchOf));
    }
    for (const owner of this.#behind.pass(symbol, range)) this.#fetch(owner, [STOP_LOSS]);
  }

  /** Marks an owner to be walked through the window. */
  #fetch(owner: number, reached: readonly number[]): void {
    const isBehind = this.#behind.has(owner);
    const watches = isBehind ? [...reached, RAISE] : reached;
    const ofOtherSymbols = this.#unwalked.get(owner)?.watches ?? [];
    this.#unwalked.set(owner, { watches: [...ofOtherSymbols, ...watches], earlier: this.#behind.leave(owner) });
  }

  /** Keeps the window for the owners that are behind. */
  #keepWindow(): void {
    if (this.#behind.size === 0) return;
    let position = this.#windowEnd - this.#window.length;
    for (const tick of this.#window) {
      position += 1;
      this.#behind.keep(tick.symbol, tick, position);
    }
    if (this.#behind.keptCount >= KEPT.max) this.giveAll();
    else if (this.#behind.keptCount >= KEPT.early) this.#beginRound();
    else this.#beginRoundInTime();
  }

  #beginRoundInTime(): void {
    if (this.#round !== undefined || this.#cancelRound !== undefined || this.#isStopped) return;
    const { timers, steadyClock } = this.#options;
    const waitMs = this.#nextRoundMs - steadyClock.nowMs();
    if (waitMs <= 0 || this.#isEnding) this.#beginRound();
    else this.#cancelRound = timers.after(waitMs, () => this.#beginRound());
  }

  #beginRound(): void {
    this.#cancelRound?.();
    this.#cancelRound = undefined;
    if (this.#round !== undefined || this.#behind.size === 0 || this.#isStopped) return;
    // The feed's present position includes ticks that wait in the queue, or whose work waits in the inbox.
    const isKnown = this.isCurrent && this.#options.inbox.isIdle;
    const tickPosition = (isKnown ? this.#options.feed.position() : null) ?? this.#passedOn;
    this.#round = { owners: this.#behind.owners(), end: this.#windowEnd, tickPosition, tookMs: 0 };
    this.#schedule();
  }

  /** Gives a slice of the round. */
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

  #giveBehind(owner: number): void {
    this.#give(owner, [RAISE], this.#behind.leave(owner), NO_TICKS);
  }

  #give(
    owner: number,
    watches: readonly number[],
    earlier: readonly WaitingTick[],
    news: readonly WaitingTick[],
  ): void {
    const ticks = joined(earlier, news);
    // Read-back ticks can come a second time: they are judged by the arming that the live ticks before them leave.
    const end = ticks.findIndex(({ isCaughtUp }, index) => isCaughtUp && ticks[index - 1]?.isCaughtUp === false);
    if (end < 0) {
      const place = ticks.findLast(({ isCaughtUp }) => !isCaughtUp)?.place ?? null;
      this.#options.give(owner, watches, { ticks, news, place });
      return;
    }
    const endOfNews = Math.max(0, end - earlier.length);
    this.#give(owner, watches, earlier.slice(0, end), news.slice(0, endOfNews));
    this.#give(owner, NO_WATCHES, earlier.slice(end), news.slice(endOfNews));
  }

  /** Takes out what an owner gets in addition to the window, as it is walked now. */
  #take(owner: number): Unwalked {
    const unwalked = this.#unwalked.get(owner);
    if (unwalked !== undefined) {
      this.#unwalked.delete(owner);
      return unwalked;
    }
    return this.#behind.has(owner) ? { watches: [RAISE], earlier: this.#behind.leave(owner) } : NOT_WALKED;
  }

  #numberOf(symbol: string): number {
    const number = this.#options.watchbook.everyTickNumber(symbol);
    assert(number !== undefined, "a walked symbol has a number");
    return number;
  }

  #closeWindow(): void {
    for (const tick of this.#window) {
      if (tick.last !== undefined) this.#lastBefore[this.#numberOf(tick.symbol)] = tick.last;
      if (this.#newest.get(tick.symbol) === tick) this.#newest.delete(tick.symbol);
    }
    this.#window = [];
    if (this.#ahead.size === 0) return;
    for (const [owner, position] of this.#ahead) if (position <= this.#windowEnd) this.#ahead.delete(owner);
  }
}

function joined(earlier: readonly WaitingTick[], news: readonly WaitingTick[]): readonly WaitingTick[] {
  if (earlier.length === 0) return news;
  return news.length === 0 ? earlier : [...earlier, ...news];
}
