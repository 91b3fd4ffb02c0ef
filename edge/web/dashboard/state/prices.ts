/**
 * Last prices by symbol, and the line of each since it is looked at.
 *
 * Owns: the symbols that are looked at, their first prices, and how many points are kept. Does not own: which of them are
 * followed (followed.ts), the stream that brings the prices (stream.ts).
 *
 * Invariants:
 * 1. Only symbols that the service knows are asked for, even if the user types others.
 * 2. A symbol that is not followed any more has no price until it is shown again: an old one would be taken for the last.
 */
import { type TickTable, tickTableOf } from "../../../../src/domain/price/tick-table.ts";
import { zoneOfExchange } from "../../../../src/domain/time-zone.ts";
import { askUntilAnswered } from "./ask-again.ts";
import { Followed } from "./followed.ts";
import type { Price } from "./model.ts";
import { Store } from "./store.ts";

/** Of each symbol, if the points of all symbols leave room. */
const POINTS_KEPT = 5_000;
const ALL_POINTS_KEPT = 250_000;
/** As many as one stream gives prices of. */
const PRICES_MAX = 500;
/** Symbols that come one after the other share one new connection. */
const RESTART_AFTER_MS = 300;

interface Point {
  readonly timeMs: number;
  readonly value: number;
}

export interface ListedSymbol {
  readonly symbol: string;
  readonly exchange: string;
  readonly isActive: boolean;
}

interface LastPrice {
  readonly symbol: string;
  readonly price: number | null;
  readonly time: string | null;
}

interface PricesOptions {
  readonly get: <T>(path: string) => Promise<T>;
  /** Called soon after a symbol was added to the followed ones. */
  readonly onLooked: () => void;
  /** Called at each price that is newer than the last one of its symbol. */
  readonly onTick: () => void;
  readonly onFault: (fault: string | undefined) => void;
}

export class Prices {
  readonly symbols = new Store<readonly string[]>([]);
  readonly #options: PricesOptions;
  /** By symbol, the exchange that it is of. */
  readonly #exchanges = new Map<string, string>();
  readonly #prices = new Map<string, Store<Price | undefined>>();
  readonly #points = new Map<string, Point[]>();
  readonly #followed = new Followed(
    PRICES_MAX,
    (symbol) => this.priceOf(symbol).isShown,
    (symbol) => this.priceOf(symbol).set(undefined),
  );
  #restart: ReturnType<typeof setTimeout> | undefined;
  /** Which of the readings is the newest. */
  #turn = 0;

  constructor(options: PricesOptions) {
    this.#options = options;
  }

  /** The followed symbols, at most as many as one stream takes. */
  get looked(): readonly string[] {
    return this.#followed.symbols;
  }

  /** Takes the listed symbols. Symbols that were asked for before are followed from now on. */
  learnSymbols(listed: readonly ListedSymbol[]): void {
    const added = listed.filter(({ symbol }) => !this.#exchanges.has(symbol));
    for (const { symbol, exchange } of listed) this.#exchanges.set(symbol, exchange);
    const active = listed.filter(({ isActive }) => isActive).map(({ symbol }) => symbol);
    if (active.join() !== this.symbols.value.join()) this.symbols.set(active);
    for (const { symbol } of added) if (this.#prices.has(symbol)) this.#look(symbol);
  }

  tickTableOf(symbol: string): TickTable {
    return tickTableOf(this.#exchanges.get(symbol) ?? "");
  }

  /** The zone of the symbol's exchange. */
  zoneOf(symbol: string): string {
    return zoneOfExchange(this.#exchanges.get(symbol) ?? "");
  }

  /** The last price; asked for from here on, once the symbol is known to be one. */
  priceOf(symbol: string): Store<Price | undefined> {
    const known = this.#prices.get(symbol);
    if (known !== undefined) return known;
    const made = new Store<Price | undefined>(undefined, () => this.#look(symbol));
    this.#prices.set(symbol, made);
    this.#look(symbol);
    return made;
  }

  /** Whether the service lists the symbol, as far as that is read yet. */
  isKnown(symbol: string): boolean {
    return this.#exchanges.has(symbol);
  }

  /** The prices since the symbol is looked at, oldest first. */
  pointsOf(symbol: string): readonly Point[] {
    return this.#points.get(symbol) ?? [];
  }

  /** Takes a price of a followed symbol. */
  take(symbol: string, price: number, time: string): void {
    if (!this.#followed.has(symbol)) return;
    const store = this.priceOf(symbol);
    const timeMs = new Date(time).getTime();
    const before = store.value;
    if (before !== undefined && before.timeMs > timeMs) return;
    // The first of a symbol may be an old one.
    if (before !== undefined && before.timeMs < timeMs) this.#options.onTick();
    store.set({ price, timeMs, move: before === undefined ? 0 : price - before.price });
    const points = this.#points.get(symbol) ?? [];
    this.#points.set(symbol, points);
    points.push({ timeMs, value: price });
    const kept = Math.min(POINTS_KEPT, Math.floor(ALL_POINTS_KEPT / this.#points.size));
    if (points.length > kept) points.splice(0, points.length - kept);
  }

  /** Asks for the last price of a symbol once. Throws if it cannot be read. */
  async readNow(symbol: string): Promise<void> {
    if (!this.#exchanges.has(symbol)) return;
    this.#look(symbol);
    this.#learn(await this.#options.get<readonly LastPrice[]>(pathOf([symbol])));
  }

  close(): void {
    clearTimeout(this.#restart);
    this.#turn += 1;
  }

  #look(symbol: string): void {
    if (!this.#exchanges.has(symbol) || !this.#followed.look(symbol)) return;
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => {
      this.#options.onLooked();
      void this.#read();
    }, RESTART_AFTER_MS);
  }

  async #read(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const wanted = this.looked.filter((symbol) => this.priceOf(symbol).value === undefined);
    const { get, onFault } = this.#options;
    if (wanted.length === 0) return onFault(undefined);
    const isWanted = (): boolean => turn === this.#turn;
    const found = await askUntilAnswered(() => get<readonly LastPrice[]>(pathOf(wanted)), { isWanted, onFault });
    this.#learn(found ?? []);
  }

  #learn(found: readonly LastPrice[]): void {
    for (const { symbol, price, time } of found) if (price !== null && time !== null) this.take(symbol, price, time);
  }
}

function pathOf(symbols: readonly string[]): string {
  return `/api/v1/prices?symbols=${symbols.join(",")}`;
}
