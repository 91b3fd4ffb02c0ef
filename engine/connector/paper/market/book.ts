/**
 * The paper brokerage's rules for accounts and orders.
 *
 * Owns live orders, the accounts' cash and lots, fills, chains and cancels. Does not own time, prices, order numbers or
 * storage: these are injected, and changes are returned. Does not know ended orders.
 *
 * Invariants:
 * 1. An order moves waiting -> open -> completed, cancelled or rejected, and never back. Once ended it never changes.
 * 2. The amount that an open order can still spend is reserved: its lots if it sells, its cash if it buys.
 * 3. A limit order never fills at a price worse than its limit, and no order at a price from before it was live.
 * 4. A waiting order's reference is live: when that ends, the waiting order is placed or cancelled in the same call.
 */
import { assert } from "../../../../src/assert.ts";
import { adjustedQuantity, type CorporateAction } from "../../../../src/domain/market/corporate-action.ts";
import {
  MARKET,
  ORDER_CANCELLED,
  ORDER_COMPLETED,
  ORDER_OPEN,
  ORDER_REJECTED,
  ORDER_WAITING,
  SELL,
} from "../../../../src/domain/order/order.ts";
import { type Fraction, fractionOf, type LivePrice } from "../../../../src/domain/price/price.ts";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import {
  freeCash,
  freeLots,
  giveAway,
  type Holdings,
  type PaperAccount,
  renamePosition,
  replaceHoldings,
  replaceLots,
  reserveCash,
  reserveLots,
  takeIn,
} from "../account/account.ts";
import { type Money, moneyOfLimit, moneyOfPrice, moneyText } from "../account/money.ts";
import { canFill, type Exchange, notTakenReason } from "./exchange.ts";
import { isReached } from "./ladder.ts";
import { LiveOrders } from "./live-orders.ts";
import {
  BASE_CHANGED,
  isLive,
  limitOf,
  type OrderDraft,
  type OrderStatus,
  type PaperOrder,
  REST_CANCELLED,
  remainingOf,
  startOrder,
} from "./order.ts";

/** The market during one call. */
export interface Market {
  readonly nowMs: number;
  /** The last live price; undefined without one. */
  priceOf(symbol: string): LivePrice | undefined;
  tickTableOf(symbol: string): TickTable;
  /** The facts for accounts that follow the exchange of a symbol; absent: nothing is known. */
  readonly exchange?: Exchange;
}

/** How orders of an account meet the market. */
export interface AccountTerms {
  /** Whether the exchange of a symbol takes and fills its orders; else they trade at any time and price. */
  readonly followsExchange: boolean;
  /** Whether the unfilled rest of its market orders is cancelled. */
  readonly cancelsMarketRest: boolean;
}

const ALWAYS_OPEN: AccountTerms = { followsExchange: false, cancelsMarketRest: false };

/** The changes since they were last taken. */
interface OrderBookChanges {
  readonly accounts: ReadonlySet<PaperAccount>;
  readonly orders: ReadonlySet<PaperOrder>;
}

/** All accounts and all live orders of one paper brokerage. */
export class OrderBook {
  readonly #fillShare: Fraction;
  readonly #termsOf: (accountNumber: string) => AccountTerms;
  readonly #accounts = new Map<string, PaperAccount>();
  readonly #live = new LiveOrders();
  /** Orders that ended in this call and whose waiting orders were not processed yet. */
  readonly #ended: PaperOrder[] = [];
  #changedAccounts = new Set<PaperAccount>();
  #changedOrders = new Set<PaperOrder>();

  /**
   * `fillShareMax`: the largest share of an order's quantity that one price fills, over 0 and at most 1.
   */
  constructor(fillShareMax: number, termsOf: (accountNumber: string) => AccountTerms = () => ALWAYS_OPEN) {
    this.#termsOf = termsOf;
    const share = fractionOf(fillShareMax);
    assert(share !== undefined && fillShareMax > 0 && fillShareMax <= 1, "fillShareMax is over 0 and at most 1");
    this.#fillShare = share;
  }

  get accountCount(): number {
    return this.#accounts.size;
  }

  get liveCount(): number {
    return this.#live.size;
  }

  account(accountNumber: string): PaperAccount | undefined {
    return this.#accounts.get(accountNumber);
  }

  liveOrder(orderNo: string): PaperOrder | undefined {
    return this.#live.find(orderNo);
  }

  /** The account's waiting and open orders, oldest first. */
  liveOrders(accountNumber: string): PaperOrder[] {
    return this.#live.ofAccount(accountNumber);
  }

  /** Whether a price of `symbol` reaches any resting order: if not, its tick changes nothing. */
  isReached(symbol: string, price: LivePrice): boolean {
    return this.#live.isReached(symbol, price);
  }

  /** Returns the changes since the last call. */
  takeChanges(): OrderBookChanges {
    const changes = { accounts: this.#changedAccounts, orders: this.#changedOrders };
    this.#changedAccounts = new Set();
    this.#changedOrders = new Set();
    return changes;
  }

  openAccount(account: PaperAccount): void {
    this.restoreAccount(account);
    this.#changedAccounts.add(account);
  }

  /** Restores a stored account, with nothing reserved: its live orders reserve again. */
  restoreAccount(account: PaperAccount): void {
    assert(!this.#accounts.has(account.accountNumber), "an account is opened once");
    this.#accounts.set(account.accountNumber, account);
  }

  /** Restores a stored live order, after the order that it waits for. */
  restoreOrder(order: PaperOrder): void {
    assert(isLive(order), "only live orders are restored");
    const account = this.#accountOf(order);
    if (order.status === ORDER_WAITING) {
      assert(this.#live.find(order.referenceOrderNo ?? "") !== undefined, "a waiting order's reference is live");
    } else if (order.buySell === SELL) reserveLots(account, order.symbol, remainingOf(order));
    else reserveCash(account, order.reservedCash);
    this.#live.add(order);
  }

  /**
   * Makes an order: completed, open, waiting or rejected when this returns. A chain order has its `reference` in its
   * present state. `refusal` rejects it regardless of its other fields.
   */
  place(draft: OrderDraft, market: Market, options: { reference?: PaperOrder; refusal?: string } = {}): PaperOrder {
    const limit = limitOf(draft, market.tickTableOf(draft.symbol));
    const order = startOrder(draft, limit.ok ? limit.value : 0);
    this.#changedOrders.add(order);
    const refusal = options.refusal ?? (limit.ok ? undefined : limit.message);
    if (refusal !== undefined) this.#reject(order, refusal);
    else if (options.reference === undefined) this.#work(order, market);
    else this.#workAfter(options.reference, order, market);
    order.firstStatus = order.status;
    this.#settleChains(market);
    return order;
  }

  /** Cancels a live order, and with it the orders that wait for it. */
  cancel(order: PaperOrder, market: Market): void {
    assert(this.#live.find(order.orderNo) === order, "only live orders are cancelled");
    if (order.status === ORDER_OPEN) this.#release(order);
    this.#end(order, ORDER_CANCELLED, market);
    this.#settleChains(market);
  }

  /** Cancels the account's live orders, and sets its holdings to `holdings`. */
  reset(account: PaperAccount, holdings: Holdings, market: Market): void {
    // A cancel also ends the orders that wait for it.
    for (const order of this.liveOrders(account.accountNumber)) if (isLive(order)) this.cancel(order, market);
    replaceHoldings(account, holdings);
    this.#changedAccounts.add(account);
  }

  /** Gives the lots and live orders of a symbol to its new name. */
  rename(from: string, to: string): void {
    for (const account of this.#accounts.values()) {
      if (renamePosition(account, from, to)) this.#changedAccounts.add(account);
    }
    for (const order of this.#live.ofSymbol(from)) {
      this.#live.remove(order);
      order.symbol = to;
      this.#live.add(order);
      this.#changedOrders.add(order);
    }
  }

  /** Cancels the live orders of an action's symbol, whose prices are of the old base, and changes the held lots. */
  followAction(action: CorporateAction, market: Market): void {
    for (const order of this.#live.ofSymbol(action.symbol)) {
      // A cancel also ends the orders that wait for it.
      if (!isLive(order)) continue;
      order.reason = BASE_CHANGED;
      this.cancel(order, market);
    }
    for (const account of this.#accounts.values()) {
      const isChanged = replaceLots(account, action.symbol, (quantity) => adjustedQuantity(quantity, action));
      if (isChanged) this.#changedAccounts.add(account);
    }
  }

  /** Fills the orders that a live price of `symbol` reaches. `timeMs`: the time of the price. */
  tick(symbol: string, price: LivePrice, timeMs: number, market: Market): void {
    for (const order of this.#live.reachedBy(symbol, price)) {
      if (order.liveSinceMs <= timeMs && this.#canFill(order, price, timeMs, market)) this.#fill(order, price, market);
    }
    this.#settleChains(market);
  }

  /** Why the account's market does not take an order now; undefined: it takes it, or the order is malformed. */
  notTakenReason(
    draft: Pick<OrderDraft, "accountNumber" | "symbol" | "buySell" | "orderType" | "price">,
    market: Market,
  ): string | undefined {
    const exchange = this.#exchangeOf(draft.accountNumber, market);
    if (exchange === undefined) return undefined;
    const limit = limitOf(draft, market.tickTableOf(draft.symbol));
    return limit.ok ? notTakenReason(exchange, { ...draft, limit: limit.value }, market.nowMs) : undefined;
  }

  #exchangeOf(accountNumber: string, { exchange }: Market): Exchange | undefined {
    return this.#termsOf(accountNumber).followsExchange ? exchange : undefined;
  }

  #canFill(order: PaperOrder, price: LivePrice, timeMs: number, market: Market): boolean {
    const exchange = this.#exchangeOf(order.accountNumber, market);
    return exchange === undefined || canFill(exchange, order, price, timeMs);
  }

  /** Whether the unfilled rest of an order is cancelled, as the exchange does not keep it. */
  #losesRest({ orderType, accountNumber }: PaperOrder): boolean {
    const { followsExchange, cancelsMarketRest } = this.#termsOf(accountNumber);
    return orderType === MARKET && (followsExchange || cancelsMarketRest);
  }

  #workAfter(reference: PaperOrder, order: PaperOrder, market: Market): void {
    if (reference.status === ORDER_COMPLETED) this.#work(order, market);
    else if (!isLive(reference)) this.#reject(order, `referenceOrderNo ${reference.orderNo} is cancelled or rejected`);
    else {
      order.status = ORDER_WAITING;
      this.#live.add(order);
    }
  }

  /** Puts an order to the market: rejects it, fills as much as possible immediately, and leaves the rest open. */
  #work(order: PaperOrder, market: Market): void {
    const price = market.priceOf(order.symbol);
    const refusal = this.notTakenReason(order, market) ?? this.#refusalOf(order, price);
    if (refusal !== undefined) {
      this.#reject(order, refusal);
      return;
    }
    order.status = ORDER_OPEN;
    order.liveSinceMs = market.nowMs;
    this.#reserve(order, price);
    this.#live.add(order);
    if (price === undefined || !isReached(order, price)) return;
    if (this.#canFill(order, price, market.nowMs, market)) this.#fill(order, price, market);
    else if (this.#losesRest(order)) {
      this.#release(order);
      this.#cancelRest(order, market);
    }
  }

  /** Ends an order with nothing reserved, of which the exchange keeps no rest. */
  #cancelRest(order: PaperOrder, market: Market): void {
    order.reason = REST_CANCELLED;
    this.#end(order, ORDER_CANCELLED, market);
  }

  #refusalOf(order: PaperOrder, price: LivePrice | undefined): string | undefined {
    const { symbol, quantity } = order;
    if (order.orderType === MARKET && price === undefined) return `${symbol} has no live price`;
    const account = this.#accountOf(order);
    if (order.buySell === SELL) {
      const free = freeLots(account, symbol);
      return quantity > free ? `not enough ${symbol}: ${quantity} to sell, ${free} available` : undefined;
    }
    const needed = this.#buyPriceOf(order, price) * BigInt(quantity);
    const free = freeCash(account);
    return needed > free ? `not enough cash: ${moneyText(needed)} needed, ${moneyText(free)} available` : undefined;
  }

  /** The most that one lot of a buy order can cost, as far as known: market orders follow the price. */
  #buyPriceOf(order: PaperOrder, price: LivePrice | undefined): Money {
    if (order.orderType !== MARKET) return moneyOfLimit(order.limit);
    assert(price !== undefined, "a market order is worked at a live price");
    return moneyOfPrice(price, "buy");
  }

  #reserve(order: PaperOrder, price: LivePrice | undefined): void {
    const account = this.#accountOf(order);
    const lots = remainingOf(order);
    this.#changedAccounts.add(account);
    if (order.buySell === SELL) {
      reserveLots(account, order.symbol, lots);
      return;
    }
    const wanted = this.#buyPriceOf(order, price) * BigInt(lots);
    const free = freeCash(account);
    order.reservedCash = wanted < free ? wanted : free;
    reserveCash(account, order.reservedCash);
  }

  #release(order: PaperOrder): void {
    const account = this.#accountOf(order);
    this.#changedAccounts.add(account);
    if (order.buySell === SELL) reserveLots(account, order.symbol, -remainingOf(order));
    else reserveCash(account, -order.reservedCash);
    order.reservedCash = 0n;
  }

  /** Fills as much of an open order as one price allows. A market buy whose cash ran out loses its rest. */
  #fill(order: PaperOrder, live: LivePrice, market: Market): void {
    const account = this.#accountOf(order);
    const wanted = Math.min(remainingOf(order), this.#lotsAtOnce(order.quantity));
    const price = moneyOfPrice(live, order.buySell === SELL ? "sell" : "buy");
    this.#release(order);
    const lots = order.buySell === SELL ? wanted : Math.min(wanted, affordableLots(freeCash(account), price));
    if (lots > 0) {
      if (order.buySell === SELL) giveAway(account, order.symbol, lots, price);
      else takeIn(account, order.symbol, lots, price);
      order.filled += lots;
      order.filledCost += price * BigInt(lots);
    }
    this.#changedOrders.add(order);
    order.updatedMs = market.nowMs;
    if (remainingOf(order) === 0) this.#end(order, ORDER_COMPLETED, market);
    else if (this.#losesRest(order)) this.#cancelRest(order, market);
    else if (lots === wanted) this.#reserve(order, live);
    else {
      order.reason = "not enough cash for the rest";
      this.#end(order, ORDER_CANCELLED, market);
    }
  }

  #lotsAtOnce(quantity: number): number {
    return Math.max(1, Number((BigInt(quantity) * this.#fillShare.numerator) / this.#fillShare.denominator));
  }

  #reject(order: PaperOrder, reason: string): void {
    order.reason = reason;
    order.status = ORDER_REJECTED;
    this.#changedOrders.add(order);
    this.#ended.push(order);
  }

  /** Ends a live order with nothing reserved. */
  #end(order: PaperOrder, status: OrderStatus, market: Market): void {
    this.#live.remove(order);
    order.status = status;
    order.updatedMs = market.nowMs;
    this.#changedOrders.add(order);
    this.#ended.push(order);
  }

  /** Places or cancels the orders that waited for an ended order, and recursively the orders that waited for those. */
  #settleChains(market: Market): void {
    for (let ended = this.#ended.shift(); ended !== undefined; ended = this.#ended.shift()) {
      for (const order of this.#live.waitingFor(ended.orderNo)) {
        if (ended.status !== ORDER_COMPLETED) {
          this.#end(order, ORDER_CANCELLED, market);
          continue;
        }
        this.#live.remove(order);
        order.updatedMs = market.nowMs;
        this.#changedOrders.add(order);
        this.#work(order, market);
      }
    }
  }

  #accountOf(order: PaperOrder): PaperAccount {
    const account = this.#accounts.get(order.accountNumber);
    assert(account !== undefined, "an order's account exists");
    return account;
  }
}

function affordableLots(cash: Money, price: Money): number {
  const lots = cash / price;
  return lots > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(lots);
}
