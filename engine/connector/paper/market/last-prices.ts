/**
 * The last price of every symbol, across restarts. A market order that arrives before the first tick of a new process
 * fills at it. Without it an order in flight when the process died would be rejected permanently.
 *
 * Owns: the prices of ticks, and their rows. Does not own: live prices (injected), which take precedence.
 *
 * Invariants:
 * 1. The first price of a symbol is stored immediately, later ones every `KEEP_MS`: a row is that much behind at most.
 * 2. A tick costs one look-up. One timer serves any number of symbols, and none runs while no price changes.
 */
import type { LivePrice } from "../../../../src/domain/price/price.ts";
import type { Cancel, Timers } from "../../../../src/runtime/ports.ts";
import type { LastPrice, Prices } from "../../../ports/price.ts";
import * as codec from "../stored/codec.ts";
import type { PaperJournal } from "../stored/journal.ts";

const KEEP_MS = 5_000;

interface Kept {
  readonly symbol: string;
  price: LivePrice;
  timeMs: number;
  isChanged: boolean;
}

export class LastPrices implements Prices {
  readonly #live: Prices;
  readonly #journal: Pick<PaperJournal, "put" | "remove">;
  readonly #timers: Timers;
  readonly #kept = new Map<string, Kept>();
  /** Earlier prices of a symbol are on another base. */
  readonly #countFromMs = new Map<string, number>();
  #changed: Kept[] = [];
  #cancelTimer: Cancel | undefined;

  constructor(live: Prices, journal: Pick<PaperJournal, "put" | "remove">, timers: Timers) {
    this.#live = live;
    this.#journal = journal;
    this.#timers = timers;
  }

  /** The live price, or the price of the last tick, also from before a restart. */
  last(symbol: string): LastPrice | undefined {
    const last = this.#live.last(symbol) ?? this.#kept.get(symbol);
    const isCounted = last === undefined || last.timeMs >= (this.#countFromMs.get(symbol) ?? 0);
    return isCounted ? last : undefined;
  }

  /** Ignores prices of a symbol from before a moment: they are on another base. */
  ignoreBefore(symbol: string, timeMs: number): void {
    this.#countFromMs.set(symbol, Math.max(timeMs, this.#countFromMs.get(symbol) ?? 0));
  }

  /** Gives the last price of a symbol to its new name, unless that has a later one. */
  rename(from: string, to: string): void {
    const [last, own] = [this.last(from), this.last(to)];
    this.#changed = this.#changed.filter(({ symbol }) => symbol !== from);
    if (this.#kept.delete(from)) this.#journal.remove(codec.priceKey(from));
    if (last === undefined || (own !== undefined && own.timeMs >= last.timeMs)) return;
    this.#changed = this.#changed.filter(({ symbol }) => symbol !== to);
    this.restore(to, last);
    this.#journal.put(codec.priceKey(to), codec.encodePrice(last));
  }

  /** Restores a stored price. */
  restore(symbol: string, { price, timeMs }: LastPrice): void {
    this.#kept.set(symbol, { symbol, price, timeMs, isChanged: false });
  }

  /** Takes the price of a tick. */
  keep(symbol: string, price: LivePrice, timeMs: number): void {
    const kept = this.#kept.get(symbol);
    if (kept === undefined) {
      const first = { symbol, price, timeMs, isChanged: false };
      this.#kept.set(symbol, first);
      this.#put(first);
      return;
    }
    kept.price = price;
    kept.timeMs = timeMs;
    if (kept.isChanged) return;
    kept.isChanged = true;
    this.#changed.push(kept);
    this.#cancelTimer ??= this.#timers.after(KEEP_MS, () => this.#putChanged());
  }

  /** Stores the changes for the last batch; nothing is stored later. */
  close(): void {
    this.#cancelTimer?.();
    this.#putChanged();
  }

  #putChanged(): void {
    this.#cancelTimer = undefined;
    for (const kept of this.#changed) {
      kept.isChanged = false;
      this.#put(kept);
    }
    this.#changed = [];
  }

  #put(kept: Kept): void {
    this.#journal.put(codec.priceKey(kept.symbol), codec.encodePrice(kept));
  }
}
