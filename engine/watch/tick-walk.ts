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
 * 4. Memory is bounded: beyond `QUEUE_MAX` ticks the oldest are given immediately, before the work that they came
 *    after.
 */
import type { LiveTick } from "../../src/domain/price/price.ts";
import type { Clock, Fatal, Timers } from "../../src/runtime/ports.ts";
import type { AcceptedTick, LastPrice, Prices } from "../ports/price.ts";
import { ReachedBuffer } from "./reached-buffer.ts";

/** More owners than this are woken in slices. */
const OWNERS_AT_ONCE = 64;
const SLICE = { ownersMax: 64, timeMsMax: 1 };
/** Ticks that an actor is walked through in one step. */
const WINDOW_MAX = 1_024;
const QUEUE_MAX = 65_536;

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
  readonly timers: Pick<Timers, "soon">;
  readonly steadyClock: Clock;
  /** Gives ticks to an actor whose levels `watches` are out of the watchbook. No ticks: the levels go back. */
  readonly give: (owner: number, watches: readonly number[], ticks: readonly LiveTick[]) => void;
  readonly fatal: Fatal;
}

interface WaitingTick extends LiveTick {
  /** How much work the inbox had been given when the tick came. */
  readonly workBefore: number;
  /** The last price of the symbol from this tick on; the price of a later tick if that tick was held. */
  last: LastPrice | undefined;
}

const NO_WATCHES: readonly number[] = [];

export class TickWalk {
  readonly #options: TickWalkOptions;
  readonly #reached = new ReachedBuffer();
  /** Ticks that came after the window, oldest first. The first has the number `#windowEnd` + 1. */
  #queue: WaitingTick[] = [];
  /** The ticks that owners are being walked through, and the number of the last of them. */
  #window: readonly WaitingTick[] = [];
  #windowEnd = 0;
  /** Owners that the window may reach and that were not walked through it yet, with their levels that are taken out. */
  #unwalked = new Map<number, readonly number[]>();
  /** Owners that are further than the window: the number of the last tick that they were given. */
  readonly #ahead = new Map<number, number>();
  /** The last price of each symbol before the window. */
  readonly #lastBefore = new Map<string, LastPrice>();
  /** The newest tick of each symbol in the window or behind it. */
  readonly #newest = new Map<string, WaitingTick>();
  #isScheduled = false;

  constructor(options: TickWalkOptions) {
    this.#options = options;
  }

  /** True while every actor has been given every tick. */
  get isIdle(): boolean {
    return this.#unwalked.size === 0 && this.#queue.length === 0;
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
    if (!watchbook.countsEveryTick(tick.symbol)) return;
    const { symbol, price, timeMs, isCaughtUp, stored } = tick;
    const last = prices.last(symbol);
    if (!this.isIdle || !inbox.isIdle) {
      const workBefore = inbox.receivedCount;
      const waiting = { symbol, price, timeMs, isCaughtUp, stored, ownTimeMs, workBefore, last };
      this.#queue.push(waiting);
      this.#newest.set(symbol, waiting);
      while (this.#queue.length > QUEUE_MAX) this.#walk(Number.POSITIVE_INFINITY);
      this.#schedule();
      return;
    }
    this.#closeWindow();
    if (watchbook.collectEveryTick(symbol, price.floor, price.ceil, this.#reached) === 0) {
      if (last !== undefined) this.#lastBefore.set(symbol, last);
      return;
    }
    this.#windowEnd += 1;
    const only = { symbol, price, timeMs, isCaughtUp, stored, ownTimeMs, workBefore: 0, last };
    this.#window = [only];
    this.#newest.set(symbol, only);
    this.#unwalked = this.#takeReached();
    if (this.#unwalked.size > OWNERS_AT_ONCE) this.#schedule();
    else while (this.#walkNext(0)) {}
  }

  /** Handles a tick of a held symbol: it reaches no actor, and its price is the last one from here on. */
  pass(symbol: string): void {
    const { watchbook, prices } = this.#options;
    const last = watchbook.countsEveryTick(symbol) ? prices.last(symbol) : undefined;
    if (last === undefined) return;
    const newest = this.#newest.get(symbol);
    if (newest === undefined) this.#lastBefore.set(symbol, last);
    else newest.last = last;
  }

  /** Gives an actor the ticks that came before its next event. False: it had all of them already. */
  bringUp(owner: number): boolean {
    if (this.isIdle) return false;
    const watches = this.#unwalked.get(owner) ?? NO_WATCHES;
    const from = this.#positionOf(owner);
    const to = this.#positionNow();
    if (to <= from) return false;
    this.#unwalked.delete(owner);
    this.#ahead.set(owner, to);
    this.#options.give(owner, watches, this.#between(from, to));
    return true;
  }

  /** An actor comes under watch: earlier ticks do not count for it. */
  begin(owner: number): void {
    if (this.isIdle) return;
    this.#unwalked.delete(owner);
    this.#ahead.set(owner, this.#positionNow());
  }

  /** The last price of a symbol as an actor has seen it. */
  lastSeenBy(owner: number, symbol: string): LastPrice | undefined {
    if (this.isIdle) return this.#options.prices.last(symbol);
    const start = this.#windowEnd - this.#window.length;
    for (let position = this.#positionOf(owner); position > start; position -= 1) {
      const tick = this.#window[position - start - 1] ?? this.#queue[position - this.#windowEnd - 1];
      if (tick?.symbol === symbol) return tick.last;
    }
    return this.#newest.has(symbol) ? this.#lastBefore.get(symbol) : this.#options.prices.last(symbol);
  }

  /** Notes the last prices that are known from before any tick of this process. */
  start(): void {
    for (const symbol of this.#options.watchbook.symbolsOfEveryTick()) {
      const last = this.#options.prices.last(symbol);
      if (last !== undefined && !this.#lastBefore.has(symbol)) this.#lastBefore.set(symbol, last);
    }
  }

  /** The number of the last tick that an actor was given. */
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
      } catch (cause) {
        this.#options.fatal("a tick could not be handled", cause);
      }
      if (!this.isIdle) this.#schedule();
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
    const [owner, watches] = next;
    const ticks = this.#between(this.#positionOf(owner), this.#windowEnd);
    this.#unwalked.delete(owner);
    this.#options.give(owner, watches, ticks);
    return true;
  }

  /** Takes the next waiting ticks as the window; false if none may be given yet. */
  #openWindow(finishedCount: number): boolean {
    this.#closeWindow();
    const count = Math.min(this.#ripeCount(finishedCount), WINDOW_MAX);
    if (count === 0) return false;
    this.#window = this.#queue.splice(0, count);
    this.#windowEnd += count;
    const ranges = new Map<string, { floor: number; ceil: number }>();
    for (const { symbol, price } of this.#window) {
      const { floor, ceil } = ranges.get(symbol) ?? price;
      ranges.set(symbol, { floor: Math.max(floor, price.floor), ceil: Math.min(ceil, price.ceil) });
    }
    // Whom neither the highest nor the lowest price reaches, none in between does.
    for (const [symbol, { floor, ceil }] of ranges) {
      this.#options.watchbook.collectEveryTick(symbol, floor, ceil, this.#reached);
    }
    this.#unwalked = this.#takeReached();
    return true;
  }

  #closeWindow(): void {
    for (const tick of this.#window) {
      if (tick.last !== undefined) this.#lastBefore.set(tick.symbol, tick.last);
      if (this.#newest.get(tick.symbol) === tick) this.#newest.delete(tick.symbol);
    }
    this.#window = [];
    if (this.#ahead.size === 0) return;
    for (const [owner, position] of this.#ahead) if (position <= this.#windowEnd) this.#ahead.delete(owner);
  }

  #takeReached(): Map<number, readonly number[]> {
    const owners = this.#reached.byOwner();
    this.#reached.clear();
    return owners;
  }
}
