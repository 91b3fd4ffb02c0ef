/**
 * The positions of accounts when their brokerages were last asked.
 *
 * Owns: remembering the last answer of each account. Does not own: asking; nothing here calls a brokerage.
 *
 * Invariant: unknown is never zero. A symbol counts as not held only if the brokerage's answer left it out.
 */
import { BUY } from "../../src/domain/order/order.ts";
import { lotsBySymbol } from "../../src/domain/order/sell-ledger.ts";
import { LruCache } from "../../src/runtime/lru-cache.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { AccountPlace, Held, Holdings } from "../ports/brokerage.ts";
import type { OutboxOrder } from "../ports/order.ts";
import { placeKey } from "../table/keys.ts";

/** The most cached symbols of all accounts together; each account counts as one more. */
const ENTRIES_MAX = 400_000;

type FilledOrder = Pick<OutboxOrder, "symbol" | "buySell">;

interface Known {
  readonly quantities: ReadonlyMap<string, number>;
  readonly atMs: number;
  /** Lots that own orders have sold since, by symbol. */
  readonly sold: Map<string, number>;
  /** Symbols of which own orders have bought lots since. */
  readonly bought: Set<string>;
}

export class LastHoldings implements Holdings {
  readonly #clock: Clock;
  readonly #known = new LruCache<string, Known>(ENTRIES_MAX, ({ quantities }) => 1 + quantities.size);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  learn(place: AccountPlace, positions: readonly { readonly symbol: string; readonly quantity: number }[]): void {
    const quantities = lotsBySymbol(positions, ({ quantity }) => quantity);
    this.#known.set(placeKey(place), { quantities, atMs: this.#clock.nowMs(), sold: new Map(), bought: new Set() });
  }

  /** Counts lots that an own order filled. */
  noteFill(place: AccountPlace, { symbol, buySell }: FilledOrder, quantity: number): void {
    const known = this.#known.get(placeKey(place));
    if (buySell === BUY) known?.bought.add(symbol);
    else known?.sold.set(symbol, (known.sold.get(symbol) ?? 0) + quantity);
  }

  find(place: AccountPlace, symbol: string): Held | undefined {
    const known = this.#known.get(placeKey(place));
    if (known === undefined) return undefined;
    const { quantities, atMs, sold, bought } = known;
    const [quantity, soldSince] = [quantities.get(symbol) ?? 0, sold.get(symbol) ?? 0];
    return { quantity, atMs, soldSince, hasBoughtSince: bought.has(symbol) };
  }
}
