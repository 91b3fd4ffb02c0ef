/** The last price of each symbol, as publishers tell it: for connectors that must set a limit by it. */

import { z } from "zod";
import { parseJson } from "../../../../src/runtime/json.ts";
import type { Clock } from "../../../../src/runtime/ports.ts";

/** An older one says nothing about the market. */
const AGE_MS_MAX = 60_000;
const SUBJECT_START = "ticks.";

const tick = z.object({ price: z.number().positive() });
const ticks = z.union([tick.transform((one) => [one]), z.array(tick)]);

export class LastPrices {
  readonly #clock: Clock;
  readonly #bySymbol = new Map<string, { readonly price: number; readonly atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads a message of `ticks.<SYMBOL>`; what makes no sense is passed over. */
  read(subject: string, data: Uint8Array): void {
    const read = ticks.safeParse(parseJson(data));
    const last = read.success ? read.data.at(-1) : undefined;
    if (last === undefined) return;
    this.#bySymbol.set(subject.slice(SUBJECT_START.length), { price: last.price, atMs: this.#clock.nowMs() });
  }

  /** The last price, when it is no older than a minute. */
  of(symbol: string): number | undefined {
    const last = this.#bySymbol.get(symbol);
    return last !== undefined && this.#clock.nowMs() - last.atMs <= AGE_MS_MAX ? last.price : undefined;
  }
}
