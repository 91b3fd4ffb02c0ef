/**
 * The level bot's rules once more, the plain way (behaviour 8): looks at every price, knows no watches, and counts in
 * thousandths.
 */
import type { Thousandths } from "./bot-world.ts";

export interface NaiveTerms {
  readonly symbol: string;
  readonly quantity: number;
  readonly buyGap: Thousandths;
  readonly sellGap: Thousandths;
  /** Tenths of a percent. */
  readonly targetProfitTenths: number;
  /** In thousandths of a currency unit; 0 = none. */
  readonly profit: number;
  /** 0 = none. */
  readonly minBuyPrice: Thousandths;
  readonly maxBuyPrice: Thousandths;
  readonly minSellPrice: Thousandths;
  readonly maxSellPrice: Thousandths;
  readonly confirmTicks: 1 | 2;
}

interface NaivePair {
  state: "buying" | "holding" | "selling";
  quantity: number;
  buyPrice: Thousandths;
  soldAmount: number;
  retryAtMs: number;
}

interface NaiveDetail {
  terms: NaiveTerms;
  isRemoved: boolean;
  anchor: Thousandths | null;
  /** The last price, if it would move the anchor and no second one has come since. */
  unconfirmed: Thousandths | null;
  realised: number;
  pairs: NaivePair[];
}

interface NaiveOrder {
  readonly symbol: string;
  readonly buySell: 1 | 2;
  readonly quantity: number;
}

/** The prices 50 to 250 only: two bands of the tick table. */
function roundDown(price: Thousandths): Thousandths {
  const increment = price < 100_000 ? 50 : 100;
  return Math.floor(price / increment) * increment;
}

function roundUp(price: number): Thousandths {
  const increment = price < 100_000 ? 50 : 100;
  return Math.ceil(price / increment) * increment;
}

function isInside(price: Thousandths, low: Thousandths, high: Thousandths): boolean {
  return (low === 0 || price >= low) && (high === 0 || price <= high);
}

export class NaiveLevelBot {
  details: NaiveDetail[] = [];
  isActive = false;
  /** The pair of each order by the order's name. */
  readonly byName = new Map<string, { readonly detail: NaiveDetail; readonly pair: NaivePair }>();
  #unnamed: { readonly order: NaiveOrder; readonly detail: NaiveDetail; readonly pair: NaivePair }[] = [];

  update(terms: readonly NaiveTerms[], isActive: boolean): void {
    const gone = this.details.filter(({ terms: { symbol } }) => !terms.some((one) => one.symbol === symbol));
    const planned = terms.map((one): NaiveDetail => {
      const known = this.details.find((detail) => detail.terms.symbol === one.symbol);
      if (known === undefined) {
        return { terms: one, isRemoved: false, anchor: null, unconfirmed: null, realised: 0, pairs: [] };
      }
      known.unconfirmed = null;
      const couldBuy = !known.isRemoved && !this.#isProfitReached(known);
      known.terms = one;
      known.isRemoved = false;
      if (!couldBuy && !this.#isProfitReached(known)) known.anchor = null;
      return known;
    });
    for (const detail of gone) detail.isRemoved = true;
    this.details = [...planned, ...gone.filter(({ pairs }) => pairs.length > 0)];
    if (isActive && !this.isActive)
      for (const detail of this.details) Object.assign(detail, { anchor: null, unconfirmed: null });
    this.isActive = isActive;
  }

  /** Acts on a price. `isNewTick`: a price that came now; false: a price that was there before. */
  see(symbol: string, price: Thousandths, timeMs: number, isNewTick: boolean): void {
    const detail = this.details.find((one) => one.terms.symbol === symbol);
    if (detail === undefined || !this.isActive) return;
    const { terms } = detail;
    for (const pair of detail.pairs) {
      const isWanted = pair.state === "holding" && pair.retryAtMs <= timeMs && price >= this.#sellLevel(terms, pair);
      if (!isWanted || !isInside(price, terms.minSellPrice, terms.maxSellPrice)) continue;
      pair.state = "selling";
      this.#unnamed.push({ order: { symbol, buySell: 2, quantity: pair.quantity }, detail, pair });
    }
    if (detail.isRemoved || this.#isProfitReached(detail) || detail.pairs.length >= 100) return;
    if (detail.anchor === null && !isNewTick) return;
    const isAwaited = detail.unconfirmed === null || isNewTick;
    if (isAwaited && (detail.anchor === null || detail.pairs.length === 0)) this.#follow(detail, price);
    if (detail.anchor === null || price > roundDown(detail.anchor - terms.buyGap)) return;
    if (!isInside(price, terms.minBuyPrice, terms.maxBuyPrice)) return;
    detail.anchor = price;
    detail.unconfirmed = null;
    const { quantity } = terms;
    const pair: NaivePair = { state: "buying", quantity, buyPrice: 0, soldAmount: 0, retryAtMs: 0 };
    detail.pairs.push(pair);
    this.#unnamed.push({ order: { symbol, buySell: 1, quantity }, detail, pair });
  }

  #follow(detail: NaiveDetail, price: Thousandths): void {
    const { confirmTicks } = detail.terms;
    const counted = confirmTicks === 1 ? price : Math.min(price, detail.unconfirmed ?? 0);
    if (counted > 0 && counted > (detail.anchor ?? 0)) detail.anchor = counted;
    const isNext = detail.anchor === null || (detail.pairs.length === 0 && price > detail.anchor);
    detail.unconfirmed = confirmTicks === 2 && isNext ? price : null;
  }

  /** The orders asked for since the last call that have no name yet. */
  get unnamed(): readonly NaiveOrder[] {
    return this.#unnamed.map(({ order }) => order);
  }

  /** Gives the first order that looks like `order` its name: a sell by the pair whose buy was named alike. */
  name(order: NaiveOrder, name: string): boolean {
    const pairOfSell = order.buySell === 2 ? this.#of(name.replace(/s\d+$/, "b")).pair : undefined;
    const index = this.#unnamed.findIndex(
      ({ order: one, pair }) =>
        one.symbol === order.symbol &&
        one.buySell === order.buySell &&
        one.quantity === order.quantity &&
        (pairOfSell === undefined || pair === pairOfSell),
    );
    const [found] = index === -1 ? [] : this.#unnamed.splice(index, 1);
    if (found === undefined) return false;
    this.byName.set(name, found);
    return true;
  }

  buyEnded(name: string, quantity: number, price: Thousandths): void {
    const { detail, pair } = this.#of(name);
    if (quantity === 0) {
      this.#close(detail, pair);
      return;
    }
    pair.state = "holding";
    pair.quantity = quantity;
    pair.buyPrice = price;
    pair.soldAmount = -quantity * price;
  }

  sellEnded(name: string, quantity: number, price: Thousandths, timeMs: number): void {
    const { detail, pair } = this.#of(name);
    pair.soldAmount += quantity * price;
    pair.quantity -= quantity;
    if (pair.quantity > 0) {
      pair.state = "holding";
      pair.retryAtMs = timeMs + 60_000;
      return;
    }
    detail.realised += pair.soldAmount;
    Object.assign(detail, { anchor: price, unconfirmed: null });
    this.#close(detail, pair);
  }

  #of(name: string): { readonly detail: NaiveDetail; readonly pair: NaivePair } {
    const found = this.byName.get(name);
    if (found === undefined) throw new Error(`${name} is not known`);
    return found;
  }

  #close(detail: NaiveDetail, pair: NaivePair): void {
    detail.pairs = detail.pairs.filter((one) => one !== pair);
    if (detail.isRemoved && detail.pairs.length === 0) this.details = this.details.filter((one) => one !== detail);
  }

  #isProfitReached({ terms, realised }: NaiveDetail): boolean {
    return terms.profit > 0 && realised >= terms.profit;
  }

  #sellLevel(terms: NaiveTerms, pair: NaivePair): Thousandths {
    const byProfit = (pair.buyPrice * (1_000 + terms.targetProfitTenths)) / 1_000;
    return roundUp(Math.max(pair.buyPrice + terms.sellGap, byProfit));
  }
}
