/** The last price of each symbol, as published: for connectors that must set a limit by it. */
import { TICK_AHEAD_MS_MAX } from "../../../../src/domain/price/tick-time.ts";
import type { Clock } from "../../../../src/runtime/ports.ts";

/** An older price does not describe the present market. */
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

  /**
   * Takes a tick; `price` is NaN if it is not a number, `timeMs` if the tick has no time. A tick from the future is
   * ignored.
   */
  hear(symbol: string, price: number, timeMs: number): void {
    const nowMs = this.#clock.nowMs();
    if (!(price > 0) || timeMs > nowMs + TICK_AHEAD_MS_MAX) return;
    const atMs = Number.isNaN(timeMs) ? nowMs : Math.min(timeMs, nowMs);
    const knownMs = this.#bySymbol.get(symbol)?.atMs;
    // A clock that was set back since gave a time that the next ticks do not reach for long.
    const isLater = knownMs !== undefined && atMs < knownMs && knownMs <= nowMs + TICK_AHEAD_MS_MAX;
    if (!isLater) this.#bySymbol.set(symbol, { price, atMs });
  }

  /** The last price, if it is at most a minute old. The age of a price ahead of the clock is not known. */
  of(symbol: string): number | undefined {
    const last = this.#bySymbol.get(symbol);
    if (last === undefined) return undefined;
    const ageMs = this.#clock.nowMs() - last.atMs;
    return ageMs <= AGE_MS_MAX && ageMs >= -TICK_AHEAD_MS_MAX ? last.price : undefined;
  }
}
