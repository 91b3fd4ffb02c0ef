/**
 * The stream of ticks and the feed of one life of the engine, as `engine/feed` models them: live ticks carry no
 * sequence, so how far was applied is known from probes, and lags by one to two of them.
 */
import type { AcceptedTick, LastPrice, Prices } from "../../../engine/ports/price.ts";
import type { LivePrice } from "../../../src/domain/price/price.ts";

/** A tick of the stream. Prices are in thousandths, so that nothing here rounds. */
export interface StreamTick {
  readonly sequence: number;
  readonly symbol: string;
  readonly milli: number;
  /** The server's clock, which is the engine's wall clock. */
  readonly atMs: number;
  /** The last price before it, if it is the first one of a session. */
  readonly closeMilli?: number | undefined;
}

/**
 * A last price that is older than this does not count for a new row or level, nor does a price further ahead than the
 * other.
 */
export const LAST_PRICE_AGE_MS = 60_000;
export const LAST_PRICE_AHEAD_MS = 5_000;

export const PROBE_MS = 1_000;
const CATCH_UP_MS = 300_000;

export class TickStream {
  readonly ticks: StreamTick[] = [];

  get lastSequence(): number {
    return this.ticks.length;
  }

  publish(symbol: string, milli: number, atMs: number, closeMilli?: number): StreamTick {
    const tick = { sequence: this.ticks.length + 1, symbol, milli, atMs, closeMilli };
    this.ticks.push(tick);
    return tick;
  }

  /** The ticks after a position, from the first on that is not too old to be caught up. */
  missed(position: number, nowMs: number): StreamTick[] {
    const after = this.ticks.slice(position);
    const first = after.findIndex(({ atMs }) => atMs >= nowMs - CATCH_UP_MS);
    return first === -1 ? [] : after.slice(first);
  }
}

/** The knowledge of one life of the engine about the feed. */
export class Feed implements Prices {
  readonly #stream: TickStream;
  readonly #last = new Map<string, LastPrice>();
  #position: number;
  #probed: number;

  /** `position`: the stored one; null: from now on. */
  constructor(stream: TickStream, position: number | null) {
    this.#stream = stream;
    this.#position = position ?? stream.lastSequence;
    this.#probed = stream.lastSequence;
  }

  position(): number {
    return this.#position;
  }

  last(symbol: string): LastPrice | undefined {
    return this.#last.get(symbol);
  }

  /** Every `PROBE_MS` once the feed is live. */
  probe(): void {
    this.#position = this.#probed;
    this.#probed = this.#stream.lastSequence;
  }

  /** The tick as the feed hands it on, after it noted the price. */
  accept({ symbol, milli, atMs, closeMilli }: StreamTick, nowMs: number, isCaughtUp: boolean): AcceptedTick {
    const price = priceOf(milli);
    this.#last.set(symbol, { price, timeMs: atMs });
    const close = closeMilli === undefined ? undefined : priceOf(closeMilli);
    return { symbol, price, timeMs: isCaughtUp ? Math.min(atMs, nowMs) : nowMs, isCaughtUp, close };
  }
}

function priceOf(milli: number): LivePrice {
  return { value: milli / 1000, floor: Math.floor(milli / 10), ceil: Math.ceil(milli / 10) };
}
