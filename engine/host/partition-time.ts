/**
 * The time of a partition: the engine's clock, and the tick stream's clock if the engine's is surely wrong.
 *
 * Owns: turning the feed's times into that time. Does not own: the difference of the clocks (the feed), and which
 * prices are believed. That follows the engine's clock, and prices that a wrong clock refused are read back
 * (behaviour 3.7a).
 *
 * Invariant: all times that a partition compares with each other (deadlines, ticks, armings, last prices) are in this
 * time. So a deadline passes at its moment even if the clock is wrong (behaviour 4.7a), and a level is not armed by
 * prices before it.
 */
import type { Clock } from "../../src/runtime/ports.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { AcceptedTick, FeedWatch, LastPrice } from "../ports/price.ts";
import type { StreamPlace } from "../ports/stream.ts";

/**
 * How long a reading of the clocks' difference holds for ticks; a step of the clock shows in their times immediately.
 */
const READING_MS = 100;
/**
 * A time that jumps forward passes deadlines for good, and it is not known immediately which of two clocks is wrong. It
 * jumps forward only once the clocks differed by this much for this long. It jumps backward immediately.
 */
const FORWARD_AFTER_MS = 10_000;
/** Two measurements of the clocks' difference differ by less, and no price must look like another for that. */
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

  /** The feed with all of its times in this time. */
  feed(feed: PartitionFeed): PartitionFeed {
    return {
      ...feed,
      prices: { last: (symbol) => this.#lastPrice(feed.prices.last(symbol)) },
      place: () => this.#place(feed.place()),
      watch: feed.watch === undefined ? undefined : this.#watch(feed.watch),
    };
  }

  #place(place: StreamPlace | null): StreamPlace | null {
    return place === null ? null : { ...place, aheadMs: place.aheadMs - this.#offMs() };
  }

  #watch(watch: FeedWatch): FeedWatch {
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

  /** Whether the clocks have differed by more than the held difference for long enough. */
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
