/**
 * A simulated market: a seeded random walk of every symbol on the tick grid.
 *
 * Owns: the walk and its pace. Does not own: which symbols exist, the subscribers.
 *
 * Invariants:
 * 1. The same seed and symbols give the same prices in the same order, independent of the clock.
 * 2. A price is always on the grid and remains between half and twice its start, so that the market lives for months.
 * 3. After a pause of the process at most `BURST_MS` of ticks are made up for.
 */
import { z } from "zod";
import { assert } from "../../../src/assert.ts";
import { type Hundredths, priceToNumber } from "../../../src/domain/price/price.ts";
import { nextDown, nextUp, parseGridPrice } from "../../../src/domain/price/tick-table.ts";
import type { Cancel } from "../../../src/runtime/ports.ts";
import { readTextFile } from "../../../src/runtime/text-file.ts";
import { UserError } from "../../../src/runtime/user-error.ts";
import { type PublisherPorts, publishTick } from "./publisher.ts";

export interface SimulatedSymbol {
  readonly symbol: string;
  /** In currency units, on the tick grid. */
  readonly startPrice: number;
}

interface SimulatedFeedOptions extends PublisherPorts {
  readonly symbols: readonly SimulatedSymbol[];
  readonly seed: number;
  /** The factor on 20 ticks per second, over all symbols together. 0 publishes nothing. */
  readonly speed: number;
}

const TICKS_PER_SECOND = 20;
const INTERVAL_MS = 50;
const BURST_MS = 1_000;
const STEPS_MAX = 3;

const symbolsSchema = z.array(z.object({ symbol: z.string().min(1), startPrice: z.number().positive() })).min(1);

/** Reads the symbols of a file such as fixtures/symbols.json. Throws a `UserError` if they cannot be read. */
export function readSimulatedSymbols(path: string): readonly SimulatedSymbol[] {
  const text = readTextFile(path);
  try {
    return symbolsSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new UserError(
      `${path}: is not a list of objects with a symbol and a startPrice, like fixtures/symbols.json`,
      {
        reason: "data",
        cause,
      },
    );
  }
}

/** Starts to publish. Throws if a start price is not on the grid. */
export function startSimulatedFeed(options: SimulatedFeedOptions): { stop(): void } {
  const { clock, timers, log, symbols, speed } = options;
  const market = new SimulatedMarket(symbols, options.seed);
  const ticksPerMs = (TICKS_PER_SECOND * speed) / 1_000;
  let cancel: Cancel = () => undefined;
  let owed = 0;
  let lastMs = clock.nowMs();
  const step = (): void => {
    const nowMs = clock.nowMs();
    owed += Math.min(Math.max(nowMs - lastMs, 0), BURST_MS) * ticksPerMs;
    lastMs = nowMs;
    for (; owed >= 1; owed -= 1) {
      const { symbol, price } = market.next();
      publishTick(options, symbol, priceToNumber(price));
    }
    cancel = timers.after(INTERVAL_MS, step);
  };
  if (speed > 0 && symbols.length > 0) cancel = timers.after(INTERVAL_MS, step);
  log.info(
    { event: "feed.simulated", symbols: symbols.length, ticksPerSecond: ticksPerMs * 1_000 },
    "simulated feed: started",
  );
  return { stop: () => cancel() };
}

interface Walk {
  readonly symbol: string;
  readonly start: Hundredths;
  price: Hundredths;
}

/** The prices of the simulated market, one tick after the other. */
export class SimulatedMarket {
  readonly #walks: readonly Walk[];
  readonly #random: () => number;

  /** Throws if a start price is not on the grid. */
  constructor(symbols: readonly SimulatedSymbol[], seed: number) {
    this.#random = seededRandom(seed);
    this.#walks = symbols.map(({ symbol, startPrice }) => {
      const start = parseGridPrice(startPrice, `startPrice of ${symbol}`);
      if (!start.ok) throw new Error(start.message);
      return { symbol, start: start.value, price: start.value };
    });
  }

  /** Returns the next tick of any one symbol. */
  next(): { readonly symbol: string; readonly price: Hundredths } {
    const walk = this.#walks[Math.floor(this.#random() * this.#walks.length)];
    assert(walk !== undefined, "a market has symbols");
    // The further from its start, the stronger the pull back: at half or twice the start it can only return.
    const distance = Math.log2(walk.price / walk.start);
    const isUp = this.#random() < 0.5 - distance / 2;
    const steps = Math.floor(this.#random() * (STEPS_MAX + 1));
    for (let step = 0; step < steps; step += 1) {
      const moved = isUp ? nextUp(walk.price) : nextDown(walk.price);
      if (moved === undefined || moved > walk.start * 2 || moved * 2 < walk.start) break;
      walk.price = moved;
    }
    return { symbol: walk.symbol, price: walk.price };
  }
}

/** Uniform in [0, 1), the same sequence for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
