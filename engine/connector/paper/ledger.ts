/**
 * The book on disk: the paper brokerage's state across restarts.
 *
 * Owns loading, order numbers, which `clientOrderId` named which order, the rows of every change, and that each change
 * is reported. Does not own the rules (book.ts) nor who is allowed to ask (paper.ts).
 *
 * Invariants:
 * 1. Memory holds accounts and live orders; ended orders are read from the store.
 * 2. All rows of one change are in one batch. No change is reported before that batch is durable.
 * 3. Every change is reported at least once: an order remains marked as unreported until a listener received it.
 * 4. A store that lacks a live order or an account is not opened.
 */
import { assert } from "../../../src/assert.ts";
import type { OrderRecord, PaperSettings, PlaceRequest } from "../../../src/contract/trading/order.ts";
import type { LivePrice } from "../../../src/domain/price/price.ts";
import type { TickTable } from "../../../src/domain/price/tick-table.ts";
import { formatTime } from "../../../src/domain/time.ts";
import type { Cancel, Clock, Fatal, Timers } from "../../../src/runtime/ports.ts";
import type { Prices } from "../../ports/price.ts";
import type { Store } from "../../ports/storage.ts";
import type { Holdings, PaperAccount } from "./account/account.ts";
import type { RandomBytes } from "./account/login.ts";
import { type AccountTerms, type Market, OrderBook } from "./market/book.ts";
import type { Exchange } from "./market/exchange.ts";
import { LastPrices } from "./market/last-prices.ts";
import { isLive, type OrderDraft, type PaperOrder, recordOf } from "./market/order.ts";
import * as codec from "./stored/codec.ts";
import { PaperJournal } from "./stored/journal.ts";
import { type ChangedSymbols, SymbolChanges } from "./symbol-changes.ts";

/** The digits of an order's sequence in its number, so that numbers sort in the order of creation. */
const SEQUENCE_DIGITS = 10;
const INSTANCE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const INSTANCE_LENGTH = 8;

interface LedgerPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: RandomBytes;
  readonly prices: Prices;
  readonly fatal: Fatal;
  readonly fillShareMax: number;
  readonly market?: PaperSettings["market"];
  readonly cancelsMarketRest?: PaperSettings["cancelsMarketRest"];
  readonly tickTableOf: (symbol: string) => TickTable;
  readonly symbols: ChangedSymbols;
  readonly exchange: Exchange;
}

export class Ledger {
  /** The last prices known to the brokerage, across restarts. */
  readonly prices: LastPrices;
  readonly #ports: LedgerPorts;
  readonly #book: OrderBook;
  readonly #journal: PaperJournal;
  readonly #changes: SymbolChanges;
  readonly #accountsByUser = new Map<number, PaperAccount>();
  readonly #numbers = new Set<string>();
  readonly #listeners = new Set<(record: OrderRecord) => void>();
  /** Reads of the store in progress: it is closed after them. */
  readonly #reads = new Set<Promise<unknown>>();
  #changedAccounts = new Set<PaperAccount>();
  /** Random, made at each start and part of the numbers made since: a book that was set back repeats none. */
  readonly #instance: string;
  #lastSequence = 0;

  private constructor(ports: LedgerPorts) {
    this.#ports = ports;
    this.#book = new OrderBook(ports.fillShareMax, (accountNumber) => termsOf(ports, accountNumber));
    this.#instance = newInstance(ports.random);
    this.#journal = new PaperJournal({ ...ports, beforeWrite: () => this.#putAccountsAndHead() });
    this.prices = new LastPrices(ports.prices, this.#journal, ports.timers);
    this.#changes = new SymbolChanges({
      ...{ symbols: ports.symbols, prices: this.prices, journal: this.#journal },
      book: {
        rename: (from, to) => this.#book.rename(from, to),
        followAction: (action) => this.#book.followAction(action, this.#market()),
      },
    });
  }

  /** Loads live rows. Rejects if rows are missing or damaged. */
  static async open(ports: LedgerPorts): Promise<Ledger> {
    const ledger = new Ledger(ports);
    await ledger.#load();
    return ledger;
  }

  async #load(): Promise<void> {
    for await (const [, bytes] of this.#entries(codec.ACCOUNTS_PREFIX)) {
      this.#know(codec.decodeAccount(bytes));
    }
    for (const account of this.#accountsByUser.values()) this.#book.restoreAccount(account);
    const live: PaperOrder[] = [];
    for await (const [key] of this.#entries(codec.LIVE_PREFIX)) {
      const order = this.#stored(key.slice(codec.LIVE_PREFIX.length));
      assert(order !== undefined, "the paper brokerage's store lacks a live order");
      live.push(order);
    }
    // Numbers sort by the start that made them; an order that another waits for was placed before it.
    live.sort((one, other) => one.sequence - other.sequence);
    for (const order of live) this.#book.restoreOrder(order);
    for await (const [key, price] of this.#entries(codec.PRICES_PREFIX)) {
      this.prices.restore(key.slice(codec.PRICES_PREFIX.length), codec.decodePrice(price));
    }
    if (this.#ports.store.read(codec.ACTIONS_BEGUN_KEY) !== undefined) this.#changes.restoreBegun();
    for await (const [key, row] of this.#entries(codec.ACTIONS_PREFIX)) {
      this.#changes.restore(key.slice(codec.ACTIONS_PREFIX.length), codec.decodeFollowed(row));
    }
    const bytes = this.#ports.store.read(codec.HEAD_KEY);
    const head = bytes === undefined ? undefined : codec.decodeHead(bytes);
    const isWhole =
      this.#book.accountCount === (head?.accountCount ?? 0) && this.#book.liveCount === (head?.liveCount ?? 0);
    assert(isWhole, "the paper brokerage's store lacks accounts or live orders");
    if (head === undefined) return;
    this.#lastSequence = head.lastSequence;
  }

  /** The rows of `prefix` one by one. */
  async *#entries(prefix: string): AsyncIterable<readonly [string, Uint8Array]> {
    for await (const page of this.#ports.store.scan(codec.rangeOf(prefix))) yield* page;
  }

  /** Users that were logged in, with the end of each login. */
  async storedLogins(): Promise<[userId: number, untilMs: number][]> {
    const logins: [number, number][] = [];
    for await (const [key, bytes] of this.#entries(codec.LOGINS_PREFIX)) {
      logins.push([Number(key.slice(codec.LOGINS_PREFIX.length)), Number(codec.decodeText(bytes))]);
    }
    return logins;
  }

  storeLogin(userId: number, untilMs: number): void {
    this.#journal.put(codec.loginKey(userId), String(untilMs));
  }

  accountOfUser(userId: number): PaperAccount | undefined {
    return this.#accountsByUser.get(userId);
  }

  /** Opens the account of a user without one. */
  openAccount(account: Omit<PaperAccount, "number">): PaperAccount {
    const opened = { ...account, number: this.#freeNumber() };
    this.#know(opened);
    this.#book.openAccount(opened);
    this.#journal.put(codec.accountKey(opened.userId), codec.encodeAccount(opened));
    return opened;
  }

  /** The order that a `clientOrderId` named; its current state, with the first answer in it. */
  orderNamed(accountNumber: string, clientOrderId: string): PaperOrder | undefined {
    const bytes = this.#journal.read(codec.clientKey(accountNumber, clientOrderId));
    if (bytes === undefined) return undefined;
    const order = this.order(accountNumber, codec.decodeText(bytes));
    assert(order !== undefined, "a named order is stored");
    return order;
  }

  /** An order of the account, live or ended. */
  order(accountNumber: string, orderNo: string): PaperOrder | undefined {
    const order = this.#book.liveOrder(orderNo) ?? this.#stored(orderNo);
    return order?.accountNumber === accountNumber ? order : undefined;
  }

  liveOrders(accountNumber: string): PaperOrder[] {
    return this.#book.liveOrders(accountNumber);
  }

  /** All orders of the account that changed today (UTC) or can still change, oldest first. */
  dailyOrders(accountNumber: string): Promise<PaperOrder[]> {
    return this.#reading(this.#dailyOrders(accountNumber));
  }

  async #dailyOrders(accountNumber: string): Promise<PaperOrder[]> {
    await this.#journal.durable();
    const orders = new Map<string, PaperOrder>();
    const prefix = codec.dayPrefix(accountNumber, dayOf(this.#ports.clock.nowMs()));
    for await (const [key] of this.#entries(prefix)) {
      const orderNo = key.slice(prefix.length);
      const order = this.order(accountNumber, orderNo);
      if (order !== undefined) orders.set(orderNo, order);
    }
    for (const order of this.liveOrders(accountNumber)) orders.set(order.orderNo, order);
    return [...orders.values()].sort((one, other) => one.sequence - other.sequence);
  }

  /** Makes the order of a well-formed request whose `clientOrderId` is new to the account. */
  place(
    account: PaperAccount,
    request: PlaceRequest & { readonly referenceOrderNo?: string },
    options: { reference?: PaperOrder; refusal?: string },
  ): PaperOrder {
    this.#lastSequence += 1;
    const draft: OrderDraft = {
      orderNo: `P${this.#instance}-${String(this.#lastSequence).padStart(SEQUENCE_DIGITS, "0")}`,
      sequence: this.#lastSequence,
      accountNumber: account.accountNumber,
      clientOrderId: request.clientOrderId,
      symbol: request.symbol,
      buySell: request.buySell,
      orderType: request.orderType,
      quantity: request.quantity,
      price: request.price,
      referenceOrderNo: request.referenceOrderNo ?? null,
      createdMs: this.#ports.clock.nowMs(),
    };
    const order = this.#book.place(draft, this.#market(), options);
    this.#journal.put(codec.clientKey(account.accountNumber, request.clientOrderId), order.orderNo);
    this.#keepChanges();
    return order;
  }

  /** Why the market does not take a well-formed order of the account now; undefined: it takes it. */
  notTakenReason({ accountNumber }: PaperAccount, request: PlaceRequest): string | undefined {
    return this.#book.notTakenReason({ ...request, accountNumber }, this.#market());
  }

  cancel(order: PaperOrder): void {
    this.#book.cancel(order, this.#market());
    this.#keepChanges();
  }

  /** Cancels the account's live orders, and sets its holdings to `holdings`. */
  reset(account: PaperAccount, holdings: Holdings): void {
    this.#book.reset(account, holdings, this.#market());
    this.#keepChanges();
  }

  /** Follows the renames and corporate actions of symbols up to a moment. */
  followSymbols(nowMs: number): void {
    if (this.#changes.follow(nowMs)) this.#keepChanges();
  }

  /** Stores the price, and fills the orders that it reaches. Returns immediately if it reaches none. */
  tick(symbol: string, price: LivePrice, timeMs: number): void {
    this.prices.keep(symbol, price, timeMs);
    if (!this.#book.isReached(symbol, price)) return;
    const market = this.#market();
    const priceOf = (asked: string) => (asked === symbol ? price : market.priceOf(asked));
    this.#book.tick(symbol, price, timeMs, { ...market, priceOf });
    this.#keepChanges();
  }

  /** Resolves once everything done so far is durable. */
  durable(): Promise<void> {
    return this.#journal.durable();
  }

  /** Calls `listener` for every change from now on; the first listener also for unreported ones. */
  onUpdate(listener: (record: OrderRecord) => void): Cancel {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#reading(this.#tellUntold()).catch((cause: unknown) =>
        this.#ports.fatal("the paper brokerage could not read", cause),
      );
    }
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.prices.close();
    await this.#journal.drain();
    await Promise.allSettled(this.#reads);
    await this.#ports.store.close();
  }

  async #reading<Value>(read: Promise<Value>): Promise<Value> {
    this.#reads.add(read);
    try {
      return await read;
    } finally {
      this.#reads.delete(read);
    }
  }

  async #tellUntold(): Promise<void> {
    await this.#journal.durable();
    for await (const [key] of this.#entries(codec.UNTOLD_PREFIX)) {
      const order = this.#stored(key.slice(codec.UNTOLD_PREFIX.length));
      if (order !== undefined) this.#tell(recordOf(order));
    }
  }

  #tell(record: OrderRecord): void {
    if (this.#listeners.size === 0) return;
    for (const listener of this.#listeners) listener(record);
    this.#journal.removeSometime(codec.untoldKey(record.orderNo));
  }

  #market(): Market {
    const { clock, tickTableOf, exchange } = this.#ports;
    return { nowMs: clock.nowMs(), priceOf: (symbol) => this.prices.last(symbol)?.price, tickTableOf, exchange };
  }

  #know(account: PaperAccount): void {
    this.#accountsByUser.set(account.userId, account);
    this.#numbers.add(account.number);
  }

  #stored(orderNo: string): PaperOrder | undefined {
    const bytes = this.#journal.read(codec.orderKey(orderNo));
    return bytes === undefined ? undefined : codec.decodeOrder(bytes);
  }

  #keepChanges(): void {
    const { accounts, orders } = this.#book.takeChanges();
    const day = dayOf(this.#ports.clock.nowMs());
    // Encoded once a batch, for any number of the account's orders. Without an order the head makes a batch of it.
    for (const account of accounts) this.#changedAccounts.add(account);
    if (accounts.size > 0 && orders.size === 0) this.#putHead();
    for (const order of orders) {
      const { orderNo, accountNumber } = order;
      this.#journal.put(codec.orderKey(orderNo), codec.encodeOrder(order));
      if (isLive(order)) this.#journal.put(codec.liveKey(orderNo), "");
      else this.#journal.remove(codec.liveKey(orderNo));
      this.#journal.put(codec.untoldKey(orderNo), "");
      this.#journal.put(codec.dayKey(accountNumber, day, orderNo), "");
      const record = recordOf(order);
      this.#journal.afterDurable(() => this.#tell(record));
    }
  }

  #putAccountsAndHead(): void {
    for (const account of this.#changedAccounts) {
      this.#journal.put(codec.accountKey(account.userId), codec.encodeAccount(account));
    }
    this.#changedAccounts = new Set();
    this.#putHead();
  }

  #putHead(): void {
    const head: codec.Head = {
      version: 1,
      lastSequence: this.#lastSequence,
      accountCount: this.#book.accountCount,
      liveCount: this.#book.liveCount,
    };
    this.#journal.put(codec.HEAD_KEY, codec.encodeHead(head));
  }

  #freeNumber(): string {
    let number = 1_000_000_000 + (Buffer.from(this.#ports.random(6)).readUIntBE(0, 6) % 9_000_000_000);
    while (this.#numbers.has(String(number))) number = number === 9_999_999_999 ? 1_000_000_000 : number + 1;
    return String(number);
  }
}

function termsOf({ market = "open", cancelsMarketRest = false }: LedgerPorts, accountNumber: string): AccountTerms {
  const kind = typeof market === "string" ? market : market[accountNumber];
  return {
    followsExchange: kind === "exchange",
    cancelsMarketRest:
      typeof cancelsMarketRest === "boolean" ? cancelsMarketRest : cancelsMarketRest.includes(accountNumber),
  };
}

function newInstance(random: RandomBytes): string {
  return Array.from(random(INSTANCE_LENGTH), (byte) => INSTANCE_LETTERS[byte % INSTANCE_LETTERS.length]).join("");
}

function dayOf(nowMs: number): string {
  return formatTime(nowMs).slice(0, 10);
}
