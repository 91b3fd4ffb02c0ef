/**
 * The last prices of the symbols that streams ask for: asked of the engine for all of them together, a few times a
 * second, for any number of streams and ticks.
 *
 * Invariants:
 * 1. One question is in progress at a time; without watchers, no question is asked.
 * 2. A watcher receives a symbol's price once for each change, at most once a round.
 */
import { z } from "zod";
import { QUERIES } from "../../src/contract/command.ts";
import { type LastPriceView, lastPriceSchema } from "../../src/contract/trading/price.ts";
import type { Schedule } from "../../src/runtime/ports.ts";
import { type EngineClient, SHARED_PARTITION } from "../client/engine-client.ts";

const ROUND_MS = 250;
const TIMEOUT_MS = 5_000;

interface PriceWatchOptions {
  readonly engine: Pick<EngineClient, "query">;
  readonly schedule: Schedule;
}

type Listener = (price: LastPriceView) => void;

export class PriceWatch {
  readonly #options: PriceWatchOptions;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #last = new Map<string, LastPriceView>();
  #isAsking = false;
  #cancel: () => void = () => undefined;

  constructor(options: PriceWatchOptions) {
    this.#options = options;
  }

  /** Calls `listener` with the prices of the symbols, with known ones soon. Returns a function that stops it. */
  watch(symbols: readonly string[], listener: Listener): () => void {
    for (const symbol of symbols) {
      const listeners = this.#listeners.get(symbol);
      if (listeners === undefined) this.#listeners.set(symbol, new Set([listener]));
      else listeners.add(listener);
      const known = this.#last.get(symbol);
      if (known !== undefined) listener(known);
    }
    if (!this.#isAsking && symbols.length > 0) void this.#round();
    return () => this.#forget(symbols, listener);
  }

  /** Asks no more. */
  stop(): void {
    this.#listeners.clear();
    this.#cancel();
  }

  #forget(symbols: readonly string[], listener: Listener): void {
    for (const symbol of symbols) {
      const listeners = this.#listeners.get(symbol);
      listeners?.delete(listener);
      if (listeners?.size !== 0) continue;
      this.#listeners.delete(symbol);
      this.#last.delete(symbol);
    }
  }

  async #round(): Promise<void> {
    this.#isAsking = true;
    const symbols = [...this.#listeners.keys()];
    if (symbols.length === 0) {
      this.#isAsking = false;
      return;
    }
    const ask = { userId: null, requestId: "price-watch", body: { symbols } };
    const options = { partition: SHARED_PARTITION, timeoutMs: TIMEOUT_MS };
    const reply = await this.#options.engine.query(QUERIES.lastPrices, ask, options);
    const prices = reply.ok ? pricesSchema.safeParse(reply.data).data : undefined;
    for (const price of prices ?? []) this.#take(price);
    this.#cancel = this.#options.schedule(ROUND_MS, () => void this.#round());
  }

  #take(price: LastPriceView): void {
    const listeners = this.#listeners.get(price.symbol);
    const known = this.#last.get(price.symbol);
    if (listeners === undefined || (known?.price === price.price && known.time === price.time)) return;
    this.#last.set(price.symbol, price);
    for (const listener of listeners) listener(price);
  }
}

const pricesSchema = z.array(lastPriceSchema);
