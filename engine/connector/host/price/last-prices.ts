/** The last price of each symbol, as publishers tell it: for connectors that must set a limit by it. */
import type { Clock } from "../../../../src/runtime/ports.ts";

/** An older one says nothing about the market. */
const AGE_MS_MAX = 60_000;

interface LastPrice {
  readonly price: number;
  readonly atMs: number;
}

export class LastPrices {
  readonly #clock: Clock;
  readonly #bySymbol = new Map<string, LastPrice>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Hears a tick; `price` is NaN where it has none that is a number, `timeMs` where it says none. */
  hear(symbol: string, price: number, timeMs: number): void {
    if (!(price > 0)) return;
    const nowMs = this.#clock.nowMs();
    const atMs = Number.isNaN(timeMs) ? nowMs : Math.min(timeMs, nowMs);
    if (atMs < (this.#bySymbol.get(symbol)?.atMs ?? 0)) return;
    this.#bySymbol.set(symbol, { price, atMs });
  }

  /** The last price, when it is no older than a minute. */
  of(symbol: string): number | undefined {
    const last = this.#bySymbol.get(symbol);
    return last !== undefined && this.#clock.nowMs() - last.atMs <= AGE_MS_MAX ? last.price : undefined;
  }
}
