/** The last price of each symbol, as publishers tell it: for connectors that must set a limit by it. */
import { TICK_BATCH_SUBJECT } from "../../../../src/contract/subject.ts";
import type { Clock } from "../../../../src/runtime/ports.ts";
import { decodeTicks } from "../../../feed/decode.ts";

/** An older one says nothing about the market. */
const AGE_MS_MAX = 60_000;
const SUBJECT_START = "ticks.";

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

  /** Reads a message of `ticks.<SYMBOL>` or of `ticks`; what makes no sense is passed over. */
  read(subject: string, data: Uint8Array): void {
    const nowMs = this.#clock.nowMs();
    const named = subject === TICK_BATCH_SUBJECT ? undefined : subject.slice(SUBJECT_START.length);
    decodeTicks(data, named, (symbol, price, timeMs) => this.#take(symbol, price, timeMs, nowMs));
  }

  #take(symbol: string, price: number, timeMs: number, nowMs: number): void {
    if (!(price > 0)) return;
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
