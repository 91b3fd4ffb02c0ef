/**
 * The positions of accounts when their brokerages were last asked.
 *
 * Owns: remembering the last answer of each account. Does not own: asking; nothing here calls a brokerage.
 *
 * Invariant: unknown is never zero. A symbol counts as not held only if the brokerage's answer left it out.
 */
import { LruCache } from "../../src/runtime/lru-cache.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { AccountPlace, Held, Holdings } from "../ports/brokerage.ts";

/** The most cached symbols of all accounts together; each account counts as one more. */
const ENTRIES_MAX = 400_000;

interface Known {
  readonly quantities: ReadonlyMap<string, number>;
  readonly atMs: number;
}

export class LastHoldings implements Holdings {
  readonly #clock: Clock;
  readonly #known = new LruCache<string, Known>(ENTRIES_MAX, ({ quantities }) => 1 + quantities.size);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  learn(place: AccountPlace, positions: readonly { readonly symbol: string; readonly quantity: number }[]): void {
    const quantities = new Map<string, number>();
    for (const { symbol, quantity } of positions) quantities.set(symbol, (quantities.get(symbol) ?? 0) + quantity);
    this.#known.set(keyOf(place), { quantities, atMs: this.#clock.nowMs() });
  }

  find(place: AccountPlace, symbol: string): Held | undefined {
    const known = this.#known.get(keyOf(place));
    return known && { quantity: known.quantities.get(symbol) ?? 0, atMs: known.atMs };
  }
}

function keyOf({ userId, brokerageCode, accountNumber }: AccountPlace): string {
  return `${userId}/${brokerageCode}/${accountNumber}`;
}
