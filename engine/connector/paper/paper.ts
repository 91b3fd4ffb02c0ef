/**
 * The paper brokerage: a simulated brokerage to trade on.
 *
 * Owns which user can ask for what, and the answers. Does not own the rules of trading (book.ts), storage (ledger.ts)
 * or the login's stages (login.ts).
 *
 * Invariants:
 * 1. Every call settles, and returns only once its result is durable.
 * 2. A `clientOrderId` names one order of its account forever. A repeat gets the first answer, also when logged out,
 *    also if it was a rejection, and no second order.
 * 3. No user sees or changes another user's account or order: NOT_FOUND, as if it did not exist.
 */
import type { GatewayStatus } from "../../../src/contract/gateway/gateway.ts";
import type {
  AccountRecord,
  AccountRequest,
  Balance,
  BrokerageSettings,
  BrokerFailureCode,
  BrokerReply,
  CancelRequest,
  ChainRequest,
  FindOrderRequest,
  LoginAnswer,
  LoginRequest,
  OrderAnswer,
  OrderRecord,
  PaperSettings,
  PlaceRequest,
  PositionRecord,
  PositionsRequest,
} from "../../../src/contract/trading/order.ts";
import { paperSettingsSchema } from "../../../src/contract/trading/order.ts";
import { MARKET, ORDER_CANCELLED, ORDER_COMPLETED, SELL } from "../../../src/domain/order/order.ts";
import type { LivePrice } from "../../../src/domain/price/price.ts";
import type { TickTable } from "../../../src/domain/price/tick-table.ts";
import { formatTime, parseTime } from "../../../src/domain/time.ts";
import type { Cancel, Clock, Fatal, Log, Timers } from "../../../src/runtime/ports.ts";
import type { Brokerage } from "../../ports/brokerage.ts";
import type { Prices } from "../../ports/price.ts";
import type { Store } from "../../ports/storage.ts";
import { taken } from "../host/connector.ts";
import type { Holdings, PaperAccount, Position } from "./account/account.ts";
import { LOGGED_IN_MS, Logins, type RandomBytes, type Sms } from "./account/login.ts";
import { moneyOfAmount } from "./account/money.ts";
import { balanceOf, positionRecords } from "./account/positions.ts";
import { Ledger } from "./ledger.ts";
import type { Exchange } from "./market/exchange.ts";
import { firstRefusalOf, isLive, malformationOf, type PaperOrder, recordOf } from "./market/order.ts";
import type { ChangedSymbols } from "./symbol-changes.ts";

export interface PaperPorts {
  /** Its `adapter` is `paper`. */
  readonly settings: BrokerageSettings;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: RandomBytes;
  /** The last live prices, at which market orders fill. */
  readonly prices: Prices;
  /** The purchase price of a starting position, in currency units, while its symbol has no live price. */
  readonly startPriceOf: (symbol: string) => number | undefined;
  /** The steps of a symbol's prices. */
  readonly tickTableOf: (symbol: string) => TickTable;
  /** The facts for accounts that follow the exchange of a symbol. */
  readonly exchange: Exchange;
  /** The changes of symbols that accounts and orders follow. */
  readonly symbols: ChangedSymbols;
  /** Receives the codes of logins: they go to no other place and no log. */
  readonly onSms: (sms: Sms) => void;
  readonly log: Log;
  readonly fatal: Fatal;
}

export interface PaperBrokerage extends Brokerage {
  balance(request: AccountRequest): Promise<BrokerReply<Balance>>;
  reset(request: AccountRequest): Promise<BrokerReply<Balance>>;
  /** Always available, with the strongest promises. */
  status(): Omit<GatewayStatus, "protocol">;
  /**
   * Fills resting orders that a live price reaches. `timeMs`: the time of the price; it fills no order that was placed
   * later. Costs two look-ups if no order rests on the symbol, and two comparisons more if it reaches none.
   */
  onTick(symbol: string, price: LivePrice, timeMs: number): void;
}

/** Opens a paper brokerage over its store, which is closed with it. Rejects if the store is damaged. */
export async function openPaperBrokerage(ports: PaperPorts & { readonly store: Store }): Promise<PaperBrokerage> {
  const paper = ports.settings.paper ?? paperSettingsSchema.parse({});
  const ledger = await Ledger.open({ ...ports, ...paper });
  const logins = new Logins(ports.random, ports.onSms);
  for (const [userId, untilMs] of await ledger.storedLogins()) logins.setLoggedIn(userId, untilMs);
  return new Paper(ports, paper, ledger, logins);
}

type Failure = Extract<BrokerReply<never>, { ok: false }>;

class Paper implements PaperBrokerage {
  readonly #ports: PaperPorts;
  readonly #paper: PaperSettings;
  readonly #ledger: Ledger;
  readonly #logins: Logins;
  readonly #since: string;
  #isClosed = false;

  constructor(ports: PaperPorts, paper: PaperSettings, ledger: Ledger, logins: Logins) {
    this.#ports = ports;
    this.#paper = paper;
    this.#ledger = ledger;
    this.#logins = logins;
    this.#since = formatTime(ports.clock.nowMs());
  }

  get settings(): BrokerageSettings {
    return this.#ports.settings;
  }

  status(): Omit<GatewayStatus, "protocol"> {
    const supports = { orderStatus: true, positions: true };
    return { session: "up", since: this.#since, resend: "idempotent", supports };
  }

  login(request: LoginRequest): Promise<BrokerReply<LoginAnswer>> {
    return this.#answer(request.userId, (account) => {
      if (!names(account, request.accountNumber))
        return failed("REJECTED", "accountNumber is not an account of the user");
      const nowMs = this.#ports.clock.nowMs();
      const reply = this.#logins.login(request, account.accountNumber, nowMs);
      if (reply.ok && reply.data.otp === 0) {
        this.#logins.setLoggedIn(request.userId, nowMs + LOGGED_IN_MS);
        this.#ledger.storeLogin(request.userId, nowMs + LOGGED_IN_MS);
      }
      return reply;
    });
  }

  accounts(request: { readonly userId: number }): Promise<BrokerReply<readonly AccountRecord[]>> {
    return this.#answer(request.userId, (account) => {
      const refusal = this.#refusalOf(account, account.accountNumber);
      if (refusal !== undefined) return refusal;
      const { accountNumber, number } = account;
      const name = `${this.settings.name} account`;
      return succeeded([{ accountNumber, number, name, isActive: true, isDefault: true }]);
    });
  }

  positions(request: PositionsRequest): Promise<BrokerReply<readonly PositionRecord[]>> {
    return this.#answer(request.userId, (account) => {
      const refusal = this.#refusalOf(account, request.accountNumber);
      if (refusal !== undefined) return refusal;
      const orders = request.includeOrders ? this.#ledger.liveOrders(account.accountNumber) : undefined;
      return succeeded(positionRecords(account, this.#ledger.prices, orders));
    });
  }

  balance(request: AccountRequest): Promise<BrokerReply<Balance>> {
    return this.#answer(request.userId, (account) => {
      const refusal = this.#refusalOf(account, request.accountNumber);
      return refusal ?? succeeded(balanceOf(account, this.#ledger.prices));
    });
  }

  reset(request: AccountRequest): Promise<BrokerReply<Balance>> {
    return this.#answer(request.userId, (account) => {
      const refusal = this.#refusalOf(account, request.accountNumber);
      if (refusal !== undefined) return refusal;
      this.#ledger.reset(account, this.#startingHoldings());
      const { log, settings } = this.#ports;
      const { userId, accountNumber } = account;
      log.info({ event: "paper.accountReset", brokerageCode: settings.code, userId, accountNumber }, "account reset");
      return succeeded(balanceOf(account, this.#ledger.prices));
    });
  }

  dailyOrders(request: AccountRequest): Promise<BrokerReply<readonly OrderRecord[]>> {
    return this.#answer(request.userId, async (account) => {
      const refusal = this.#refusalOf(account, request.accountNumber);
      if (refusal !== undefined) return refusal;
      const orders = await this.#ledger.dailyOrders(account.accountNumber);
      return succeeded(orders.map(recordOf));
    });
  }

  place(request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> {
    return this.#answer(request.userId, (account) => this.#place(account, this.#named(request)));
  }

  chain(request: ChainRequest): Promise<BrokerReply<OrderAnswer>> {
    return this.#answer(request.userId, (account) => this.#place(account, this.#named(request)));
  }

  cancel(request: CancelRequest): Promise<BrokerReply<OrderAnswer>> {
    return this.#answer(request.userId, (account) => {
      const refusal = this.#refusalOf(account, request.accountNumber);
      if (refusal !== undefined) return refusal;
      const { orderNo, symbol } = request;
      const order = this.#ledger.order(account.accountNumber, orderNo);
      if (order === undefined) return failed("NOT_FOUND", `orderNo ${orderNo} is not an order of the account`);
      if (this.#named(order).symbol !== this.#named(request).symbol)
        return failed("REJECTED", `orderNo ${orderNo} is not an order of ${symbol}`);
      if (isLive(order)) this.#ledger.cancel(order);
      // Already cancelled: a repeated cancel, whose first answer can have been lost.
      if (order.status !== ORDER_CANCELLED) return failed("REJECTED", `orderNo ${orderNo} is completed or rejected`);
      return succeeded({ orderNo, orderStatus: order.status });
    });
  }

  findOrder(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>> {
    return this.#answer(request.userId, (account) => {
      const refusal = this.#refusalOf(account, request.accountNumber);
      if (refusal !== undefined) return refusal;
      const { orderNo, clientOrderId } = request;
      const { accountNumber } = account;
      let order = orderNo === undefined ? undefined : this.#ledger.order(accountNumber, orderNo);
      if (orderNo === undefined && clientOrderId !== undefined) {
        order = this.#ledger.orderNamed(accountNumber, clientOrderId);
      }
      const isMeant = order !== undefined && (clientOrderId === undefined || order.clientOrderId === clientOrderId);
      return order !== undefined && isMeant ? succeeded(recordOf(order)) : failed("NOT_FOUND", "no such order");
    });
  }

  onUpdate(listener: (record: OrderRecord) => void): Cancel {
    return this.#ledger.onUpdate(listener);
  }

  onTick(symbol: string, price: LivePrice, timeMs: number): void {
    if (this.#isClosed) return;
    this.#ledger.followSymbols(timeMs);
    // A price under a former name counts no more.
    if (this.#ports.symbols.presentName(symbol) !== symbol) return;
    this.#ledger.tick(symbol, price, timeMs);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#ledger.close();
  }

  /** Returns the request under the present name of its symbol. */
  #named<Request extends { readonly symbol: string }>(request: Request): Request {
    return { ...request, symbol: this.#ports.symbols.presentName(request.symbol) };
  }

  #place(
    account: PaperAccount,
    request: PlaceRequest & { readonly referenceOrderNo?: string },
  ): BrokerReply<OrderAnswer> {
    if (!names(account, request.accountNumber)) return NO_SUCH_ACCOUNT;
    const known = this.#ledger.orderNamed(account.accountNumber, request.clientOrderId);
    if (known !== undefined) return firstAnswerOf(known);
    const refusal = this.#refusalOf(account, request.accountNumber);
    if (refusal !== undefined) return refusal;
    const { expiresAt, referenceOrderNo } = request;
    const expires = expiresAt === undefined ? undefined : parseTime(expiresAt, "expiresAt");
    if (expires?.ok === false) return failed("REJECTED", expires.message);
    const malformation = malformationOf(request);
    if (malformation !== undefined) return failed("REJECTED", malformation);

    if (expires?.ok && this.#ports.clock.nowMs() > expires.value) {
      return firstAnswerOf(this.#ledger.place(account, request, { refusal: "expired" }));
    }
    if (referenceOrderNo === undefined) {
      const wait = this.#waitOf(account, request);
      return wait ?? firstAnswerOf(this.#ledger.place(account, request, {}));
    }
    const reference = this.#ledger.order(account.accountNumber, referenceOrderNo);
    const options =
      reference === undefined ? { refusal: "referenceOrderNo is not an order of the account" } : { reference };
    const wait = reference?.status === ORDER_COMPLETED ? this.#waitOf(account, request) : undefined;
    return wait ?? firstAnswerOf(this.#ledger.place(account, request, options));
  }

  /** Refuses an order that the market does not take now; undefined: it takes it. No order exists after it. */
  #waitOf(account: PaperAccount, request: PlaceRequest): Failure | undefined {
    const { symbol, orderType, buySell } = request;
    const isMarketSell = orderType === MARKET && buySell === SELL;
    // A refusal is final, and the lots may be here under a former name.
    if (buySell === SELL && !this.#ports.symbols.areKnown && !account.positions.has(symbol)) {
      return failed("NOT_NOW", `whether ${symbol} is the new name of a symbol is not known yet`);
    }
    const reason =
      isMarketSell && this.#ledger.prices.last(symbol) === undefined
        ? `${symbol} has no live price`
        : this.#ledger.notTakenReason(account, request);
    return reason === undefined ? undefined : failed("NOT_NOW", reason);
  }

  /** Why the user cannot now use the account that a request names; undefined if the user can. */
  #refusalOf(account: PaperAccount, accountNumber: string): Failure | undefined {
    if (!names(account, accountNumber)) return NO_SUCH_ACCOUNT;
    const isAllowed = !this.#paper.requiresLogin || this.#logins.isLoggedIn(account.userId, this.#ports.clock.nowMs());
    return isAllowed ? undefined : failed("UNAUTHORIZED", `log in to ${this.settings.name} first`);
  }

  /** Runs `work` for the user's account immediately, and answers once all that it read and changed is durable. */
  async #answer<Data>(
    userId: number,
    work: (account: PaperAccount) => BrokerReply<Data> | Promise<BrokerReply<Data>>,
  ): Promise<BrokerReply<Data>> {
    if (this.#isClosed) return failed("NOT_SENT", `${this.settings.name} is closed`);
    if (!Number.isSafeInteger(userId)) return NO_SUCH_ACCOUNT;
    try {
      this.#ledger.followSymbols(this.#ports.clock.nowMs());
      const reply = await work(this.#ledger.accountOfUser(userId) ?? this.#openAccount(userId));
      await this.#ledger.durable();
      return reply;
    } catch (cause) {
      this.#ports.fatal("the paper brokerage failed", cause);
      return failed("UNAVAILABLE", `${this.settings.name} has failed`);
    }
  }

  #openAccount(userId: number): PaperAccount {
    const { log, settings } = this.#ports;
    const accountNumber = `${settings.code}-${userId}`;
    log.info(
      { event: "paper.accountOpened", brokerageCode: settings.code, userId, accountNumber },
      "paper account opened",
    );
    return this.#ledger.openAccount({ userId, accountNumber, reservedCash: 0n, ...this.#startingHoldings() });
  }

  #startingHoldings(): Holdings {
    const { prices } = this.#ledger;
    const positions = new Map<string, Position>();
    for (const [name, quantity] of Object.entries(this.#paper.startingPositions)) {
      const symbol = this.#ports.symbols.presentName(name);
      const price = prices.last(symbol)?.price.value ?? this.#ports.startPriceOf(name) ?? 0;
      const known = positions.get(symbol) ?? { quantity: 0, cost: 0n };
      const cost = known.cost + moneyOfAmount(price) * BigInt(quantity);
      positions.set(symbol, { quantity: known.quantity + quantity, reserved: 0, cost });
    }
    return { cash: moneyOfAmount(this.#paper.startingCash), positions };
  }
}

const NO_SUCH_ACCOUNT = failed("NOT_FOUND", "accountNumber is not an account of the user");

function names(account: PaperAccount, accountNumber: string): boolean {
  return accountNumber === account.accountNumber || accountNumber === account.number;
}

function firstAnswerOf(order: PaperOrder): BrokerReply<OrderAnswer> {
  const refusal = firstRefusalOf(order);
  if (refusal !== undefined) return failed("REJECTED", refusal);
  return taken({ ...recordOf(order), orderStatus: order.firstStatus });
}

function succeeded<Data>(data: Data): BrokerReply<Data> {
  return { ok: true, data };
}

function failed(code: BrokerFailureCode, message: string): Failure {
  return { ok: false, code, message };
}
