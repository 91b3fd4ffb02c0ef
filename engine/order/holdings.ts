/**
 * The positions of accounts when their brokerages were last asked.
 *
 * Owns: remembering the last answer of each account. Does not own: asking; nothing here calls a brokerage.
 *
 * Invariants:
 * 1. Unknown is never zero. A symbol counts as not held only if the brokerage's answer left it out.
 * 2. A sell is deducted only if its order came after the answer: the answer can contain earlier orders' fills that are
 *    reported here later.
 * 3. Names of one symbol are one symbol: an answer can be from before a rename and its reader from after it, or the other
 *    way round (behaviour 30.4).
 */
import { BUY } from "../../src/domain/order/order.ts";
import { isFresh, lotsBySymbol } from "../../src/domain/order/sell-ledger.ts";
import { LruCache } from "../../src/runtime/lru-cache.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { AccountPlace, Held, Holdings } from "../ports/brokerage.ts";
import type { OutboxOrder } from "../ports/order.ts";
import { placeKey } from "../table/keys.ts";

/** The most cached symbols of all accounts together; each account counts as one more. */
const ENTRIES_MAX = 400_000;

/** `clientOrderId` is null if the order has no name. */
type FilledOrder = Pick<OutboxOrder, "symbol" | "buySell"> & { readonly clientOrderId: string | null };

interface Known {
  readonly quantities: ReadonlyMap<string, number>;
  readonly atMs: number;
  /** Names of own orders submitted since. */
  readonly orders: Set<string>;
  /** Lots that these orders have sold, by symbol. */
  readonly sold: Map<string, number>;
  /** Symbols of which own orders have bought lots since. */
  readonly bought: Set<string>;
}

export class LastHoldings implements Holdings {
  readonly #clock: Clock;
  readonly #presentName: (symbol: string) => string;
  readonly #known = new LruCache<string, Known>(ENTRIES_MAX, ({ quantities }) => 1 + quantities.size);

  constructor(clock: Clock, presentName: (symbol: string) => string) {
    this.#clock = clock;
    this.#presentName = presentName;
  }

  learn(place: AccountPlace, positions: readonly { readonly symbol: string; readonly quantity: number }[]): void {
    const quantities = lotsBySymbol(positions, ({ quantity }) => quantity);
    const [orders, sold, bought] = [new Set<string>(), new Map<string, number>(), new Set<string>()];
    this.#known.set(placeKey(place), { quantities, atMs: this.#clock.nowMs(), orders, sold, bought });
  }

  /** Notes an own order before it can be sent. */
  noteOrder(order: OutboxOrder): void {
    const known = this.#known.get(placeKey(order));
    if (known !== undefined && isFresh(known, this.#clock.nowMs())) known.orders.add(order.clientOrderId);
  }

  /** Counts lots that an own order filled. */
  noteFill(place: AccountPlace, { symbol, buySell, clientOrderId }: FilledOrder, quantity: number): void {
    const known = this.#known.get(placeKey(place));
    if (known === undefined) return;
    if (buySell === BUY) known.bought.add(symbol);
    else if (clientOrderId !== null && known.orders.has(clientOrderId))
      known.sold.set(symbol, (known.sold.get(symbol) ?? 0) + quantity);
  }

  find(place: AccountPlace, symbol: string): Held | undefined {
    const known = this.#known.get(placeKey(place));
    if (known === undefined) return undefined;
    const { quantities, atMs, orders, sold, bought } = known;
    const isMeant = this.#isNamed(symbol);
    const hasBoughtSince = [...bought].some(isMeant);
    const [quantity, soldSince] = [lotsOf(quantities, isMeant), lotsOf(sold, isMeant)];
    return { quantity, atMs, soldSince, ordersSince: orders, hasBoughtSince };
  }

  #isNamed(symbol: string): (other: string) => boolean {
    const name = this.#presentName(symbol);
    return (other) => other === symbol || this.#presentName(other) === name;
  }
}

function lotsOf(lots: ReadonlyMap<string, number>, isMeant: (symbol: string) => boolean): number {
  let sum = 0;
  for (const [symbol, count] of lots) if (isMeant(symbol)) sum += count;
  return sum;
}
