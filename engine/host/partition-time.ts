/**
 * The time that a partition lives by: the engine's clock, and the tick stream's where the engine's is surely wrong.
 *
 * Owns: turning what the feed says of times into that time. Does not own: how far the clocks are apart (the feed), and
 * which prices are believed: that goes by the engine's clock, and what a wrong one refused is read back (behaviour 3.7a).
 *
 * Invariant: all that a partition compares with each other (deadlines, ticks, armings, last prices) is in this time. So a
 * deadline passes at its moment though the clock is wrong (behaviour 4.7a), and a level is not armed by prices before it.
 */
import type { Clock } from "../../src/runtime/ports.ts";
import type { AcceptedTick, FeedWatch, LastPrice, Prices } from "../ports/price.ts";
import type { StreamPlace } from "../ports/stream.ts";

/** How long a reading of how far the clocks are apart holds for ticks; a step of the clock shows in their times at once. */
const READING_MS = 100;
/**
 * A time that would jump forward passes deadlines for good, and which of two clocks is wrong nobody knows at once: it jumps
 * only once the clocks were so far apart for this long. Backward it jumps at once.
 */
const FORWARD_AFTER_MS = 10_000;
/** Two measurements of how far the clocks are apart differ by less, and no price is to look like another for that. */
const JITTER_MS = 250;

export class PartitionTime implements Clock {
  readonly #clock: Clock;
  readonly #steadyClock: Clock;
  readonly #clockOffMs: () => number | null;
  #heldOffMs = 0;
  /** Where the time would jump forward to, and since when, by the steady clock. */
  #forward: { readonly offMs: number; readonly sinceMs: number } | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #readOffMs = 0;

  /** `clock`: the engine's. `clockOffMs`: how far the stream's is ahead of it if it is surely wrong; else 0 or null. */
  constructor(clock: Clock, steadyClock: Clock, clockOffMs: () => number | null) {
    this.#clock = clock;
    this.#steadyClock = steadyClock;
    this.#clockOffMs = clockOffMs;
  }

  nowMs(): number {
    return this.#clock.nowMs() + this.#offMs();
  }

  tick(tick: AcceptedTick): AcceptedTick {
    if (!(Math.abs(tick.timeMs - this.#readAtMs) < READING_MS)) {
      this.#readAtMs = tick.timeMs;
      this.#readOffMs = this.#offMs();
    }
    return this.#readOffMs === 0 ? tick : { ...tick, timeMs: tick.timeMs + this.#readOffMs };
  }

  prices(prices: Prices): Prices {
    return { last: (symbol) => this.#lastPrice(prices.last(symbol)) };
  }

  place(place: StreamPlace | null): StreamPlace | null {
    return place === null ? null : { ...place, aheadMs: place.aheadMs - this.#offMs() };
  }

  watch(watch: FeedWatch): FeedWatch {
    return {
      clockOffMs: () => watch.clockOffMs(),
      areTicksComing: () => watch.areTicksComing(),
      intakeOf: (symbol) => {
        const { acceptedMs, refused, unconfirmedMs } = watch.intakeOf(symbol);
        const offMs = this.#offMs();
        const moved = refused === null ? null : { firstMs: refused.firstMs + offMs, lastMs: refused.lastMs + offMs };
        const intake = { acceptedMs: this.#moment(acceptedMs), refused: moved };
        return unconfirmedMs === undefined ? intake : { ...intake, unconfirmedMs: unconfirmedMs + offMs };
      },
    };
  }

  #offMs(): number {
    const offMs = this.#clockOffMs() ?? 0;
    if (offMs === 0 || offMs < this.#heldOffMs - JITTER_MS || this.#hasStood(offMs)) {
      this.#heldOffMs = offMs;
      this.#forward = undefined;
    }
    return this.#heldOffMs;
  }

  /** Whether the clocks have been so far apart, further than is held, for long enough. */
  #hasStood(offMs: number): boolean {
    if (offMs <= this.#heldOffMs + JITTER_MS) return false;
    const nowMs = this.#steadyClock.nowMs();
    if (this.#forward === undefined || Math.abs(offMs - this.#forward.offMs) > JITTER_MS) {
      this.#forward = { offMs, sinceMs: nowMs };
    }
    return nowMs - this.#forward.sinceMs >= FORWARD_AFTER_MS;
  }

  #moment(ownMs: number | null): number | null {
    return ownMs === null ? null : ownMs + this.#offMs();
  }

  #lastPrice(last: LastPrice | undefined): LastPrice | undefined {
    const offMs = this.#offMs();
    return last === undefined || offMs === 0 ? last : { price: last.price, timeMs: last.timeMs + offMs };
  }
}
