/**
 * Minutes that are not written yet: the one in progress, of each symbol, and the ended ones.
 *
 * Owns: which minute a price belongs to, how many are kept. Does not own: the disk (price-history.ts).
 *
 * Invariants:
 * 1. A price of the minute in progress allocates nothing.
 * 2. No returned minute lacks a price which was accepted: a minute is left out whole or not at all.
 * 3. No more than `SYMBOLS_MAX` minutes are in progress, and no more than `ENDED_MAX` wait for the disk.
 */
import { joinMinutes, type MinuteBar, minuteBarOf, minuteOf } from "../../src/domain/market/bars.ts";

const MINUTE_MS = 60_000;
const SYMBOLS_MAX = 5_000;
const ENDED_MAX = 50_000;

type Running = { -readonly [Field in keyof MinuteBar]: MinuteBar[Field] };

/** A minute of a symbol. */
export interface SymbolMinute {
  readonly symbol: string;
  readonly bar: MinuteBar;
}

export class Minutes {
  readonly #running = new Map<string, Running>();
  readonly #ended = new Map<string, Map<number, MinuteBar>>();
  #endedCount = 0;
  #leftOutCount = 0;
  /** Minutes up to this one can lack prices, unless they are in progress already. */
  #skippedUntilMs = -1;

  /** Counts one accepted price, in any order; repeats do no harm. */
  add(symbol: string, price: number, timeMs: number): void {
    const running = this.#running.get(symbol);
    if (running === undefined || timeMs < running.fromMs || timeMs >= running.fromMs + MINUTE_MS) {
      this.#addElsewhere(symbol, price, timeMs, running);
      return;
    }
    if (price > running.high) running.high = price;
    else if (price < running.low) running.low = price;
    if (timeMs >= running.closeMs) {
      running.close = price;
      running.closeMs = timeMs;
    } else if (timeMs < running.openMs) {
      running.open = price;
      running.openMs = timeMs;
    }
  }

  /** Takes no price of this minute or an earlier one: its earlier prices are not known. */
  skipUntil(fromMs: number): void {
    this.#skippedUntilMs = Math.max(this.#skippedUntilMs, fromMs);
  }

  /** Ends the minutes in progress that were over at `untilMs`; `Infinity`: all. */
  endBefore(untilMs: number): void {
    for (const [symbol, running] of this.#running) {
      if (running.fromMs + MINUTE_MS > untilMs) continue;
      this.#running.delete(symbol);
      this.#end(symbol, { ...running });
    }
  }

  /** Returns the minutes that wait for the disk, `countMax` at most. */
  ended(countMax: number): SymbolMinute[] {
    const listed: SymbolMinute[] = [];
    for (const [symbol, minutes] of this.#ended) {
      for (const bar of minutes.values()) {
        if (listed.length === countMax) return listed;
        listed.push({ symbol, bar });
      }
    }
    return listed;
  }

  /** Notes that these are on the disk. A minute that changed since still waits. */
  written(minutes: readonly SymbolMinute[]): void {
    for (const { symbol, bar } of minutes) {
      const waiting = this.#ended.get(symbol);
      if (waiting?.get(bar.fromMs) !== bar) continue;
      waiting.delete(bar.fromMs);
      this.#endedCount -= 1;
      if (waiting.size === 0) this.#ended.delete(symbol);
    }
  }

  /** The minutes of a symbol that are not on the disk. */
  of(symbol: string): MinuteBar[] {
    const running = this.#running.get(symbol);
    const ended = [...(this.#ended.get(symbol)?.values() ?? [])];
    return running === undefined ? ended : [...ended, { ...running }];
  }

  /** How many minutes were left out since this was asked, as there were too many. */
  takeLeftOutCount(): number {
    const count = this.#leftOutCount;
    this.#leftOutCount = 0;
    return count;
  }

  #addElsewhere(symbol: string, price: number, timeMs: number, running: Running | undefined): void {
    const fromMs = minuteOf(timeMs);
    if (fromMs <= this.#skippedUntilMs) return;
    const bar = minuteBarOf(price, timeMs);
    if (running !== undefined && timeMs < running.fromMs) {
      this.#end(symbol, bar);
      return;
    }
    if (running === undefined && this.#running.size >= SYMBOLS_MAX) {
      this.#leaveOut(fromMs);
      return;
    }
    if (running !== undefined) this.#end(symbol, { ...running });
    this.#running.set(symbol, bar);
  }

  #end(symbol: string, bar: MinuteBar): void {
    const waiting = this.#ended.get(symbol) ?? new Map<number, MinuteBar>();
    const known = waiting.get(bar.fromMs);
    if (known === undefined && this.#endedCount >= ENDED_MAX) {
      this.#leaveOut(bar.fromMs);
      return;
    }
    if (known === undefined) this.#endedCount += 1;
    waiting.set(bar.fromMs, known === undefined ? bar : joinMinutes(known, bar));
    this.#ended.set(symbol, waiting);
  }

  #leaveOut(fromMs: number): void {
    this.#leftOutCount += 1;
    this.skipUntil(fromMs);
  }
}
