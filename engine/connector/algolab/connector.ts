/**
 * AlgoLab as a connector of the gateway contract.
 *
 * Owns: the answers to requests, when an order can be sent (again), which row of today's list is which order. Does not
 * own: the login (session.ts), slots (request-queue.ts), the sent orders (host), the fence (host).
 *
 * AlgoLab knows no name of ours. After a lost answer the only trace is a new row in the list of today's orders.
 *
 * Invariants:
 * 1. An order is among the sent orders, durable, with the rows that existed before it, before its request leaves.
 * 2. A row is claimed by one order at most, and never while the answer of another order with its terms can arrive.
 *    Exactly one new row with the order's terms is the order. UNKNOWN for: two or more, a row that
 *    can also be an order of another type, a row older than the order, any row while orders are also placed by hand.
 * 3. NOT_FOUND needs a list that was read at least `settleMs` after the order was sent, on the day it was sent, and
 *    that has every number which AlgoLab gave that day. Each NOT_FOUND is proven again.
 * 4. A row that appears after NOT_FOUND is published under the name of its order, with its own number.
 * 5. The list is of today. An order open at its day's end is UNKNOWN, and its number is never looked up or cancelled.
 */
import type {
  AccountRecord,
  AccountRequest,
  Balance,
  Bar,
  BarsRequest,
  BrokerReply,
  CancelRequest,
  FindOrderRequest,
  Instrument,
  InstrumentRequest,
  LoginAnswer,
  LoginRequest,
  OrderAnswer,
  OrderRecord,
  PlaceRequest,
  PositionRecord,
  PositionsRequest,
} from "../../../src/contract/trading/order.ts";
import { ORDER_CANCELLED, ORDER_COMPLETED, SELL } from "../../../src/domain/order/order.ts";
import type { Cancel, Clock, Log } from "../../../src/runtime/ports.ts";
import type { Connector, ConnectorStatus, Failure, RefusalNow } from "../host/connector.ts";
import { failed, notYours } from "../host/connector.ts";
import { isSameOrder } from "../host/state/sent-order.ts";
import { isOver, leavingOrder, recordOf, type SentOrders } from "../host/state/sent-orders.ts";
import { answerOf, cancelFailure, loginFailure, notAnswered, urgencyOf } from "./answers.ts";
import type { AlgolabApi, ApiAnswer, OrderRow } from "./api.ts";
import type { AlgolabAccountSettings, AlgolabSettings } from "./config.ts";
import { FloorSells } from "./floor-sells.ts";
import { LateRows } from "./late-rows.ts";
import { InstrumentBook, positionOf, readBalance, readBars } from "./market-data.ts";
import { isFault, isNotNow } from "./not-now.ts";
import { appearedOrder, applyRow, hasTerms, type KnownOrder, proofOf, recordOfRow, takenOrder } from "./order.ts";
import { type OrderList, OrderLists } from "./order-lists.ts";
import { istanbulDay, orderNumberOf } from "./protocol.ts";
import { ORDER_WAIT_MS_MAX, URGENCY, type Urgency } from "./request-queue.ts";
import type { AlgolabSession } from "./session.ts";
import { TodaysOrders } from "./todays-orders.ts";

interface ConnectorOptions {
  readonly settings: Pick<AlgolabSettings, "accounts" | "symbols" | "settleMs" | "manualTrading" | "notNowPhrases">;
  readonly api: AlgolabApi;
  readonly session: Pick<
    AlgolabSession,
    "isUp" | "isLoginNeeded" | "isLoginDue" | "reason" | "sinceMs" | "request" | "confirm" | "loggedOut"
  >;
  readonly sentOrders: SentOrders<KnownOrder>;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly log: Log;
}

export class AlgolabConnector implements Connector {
  readonly #options: ConnectorOptions;
  readonly #ownSymbols: ReadonlyMap<string, string>;
  readonly #instruments = new InstrumentBook();
  readonly #listeners = new Set<(record: OrderRecord) => void>();
  readonly #lists: OrderLists;
  readonly #today: TodaysOrders;
  readonly #lateRows: LateRows;
  readonly #floorSells: FloorSells;
  /** Foreign and late rows as they were last published, by number. */
  readonly #published = new Map<string, string>();
  /** Orders whose answers can still arrive. */
  readonly #underWay = new Set<string>();

  constructor(options: ConnectorOptions) {
    this.#options = options;
    const { api, sentOrders, clock, steadyClock, settings, log } = options;
    this.#today = new TodaysOrders({ sentOrders, clock, steadyClock, settleMs: settings.settleMs });
    this.#lists = new OrderLists({
      ...{ api, clock, steadyClock, ask: (asked) => this.#ask(asked) },
      take: (account, row) => this.#take(account, row),
    });
    const bandNow = (request: InstrumentRequest) => this.instrument(request, URGENCY.triggeredSell);
    this.#floorSells = new FloorSells({ instrument: bandNow, clock, log });
    this.#lateRows = new LateRows({
      ...{ manualTrading: settings.manualTrading, today: this.#today, lists: this.#lists, clock, log },
      venueSymbolOf: ({ symbol }) => this.#venueSymbol(symbol),
    });
    this.#ownSymbols = new Map(Object.entries(settings.symbols).map(([own, theirs]) => [theirs, own]));
    sentOrders.onChange((order) => {
      if (order.standing === "accepted" || order.standing === "refused") this.#publish(recordOf(order));
    });
  }

  // ------------------------------------------------------------------------------------------------------ questions

  status(): ConnectorStatus {
    const { session, settings } = this.#options;
    return {
      session: session.isUp ? "up" : "down",
      since: new Date(session.sinceMs).toISOString(),
      ...(session.isLoginDue && { needsLogin: true }),
      resend: settings.manualTrading ? "none" : "query",
      supports: { orderStatus: true, positions: true, instrument: true, balance: true, bars: true },
    };
  }

  onUpdate(listener: (record: OrderRecord) => void): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async accounts({ userId }: { readonly userId: number }): Promise<BrokerReply<readonly AccountRecord[]>> {
    const own = this.#options.settings.accounts.filter(({ users }) => users.includes(userId));
    const data = own.map(({ accountNumber, name, subAccount }, index) => ({
      ...{ accountNumber, number: subAccount || accountNumber, name, isActive: true, isDefault: index === 0 },
    }));
    return { ok: true, data };
  }

  /** The login in two stages. Its user name is the national identity number or the name of internet banking. */
  async login(request: LoginRequest): Promise<BrokerReply<LoginAnswer>> {
    if (this.#accountOf(request) === undefined) return notYours();
    const { username, password, sessionId, sms } = request;
    const { session } = this.#options;
    if (sessionId === undefined || sms === undefined) {
      const asked = await session.request(username, password);
      return asked.kind === "ok" ? { ok: true, data: { otp: 1, sessionId: asked.value } } : loginFailure(asked);
    }
    const confirmed = await session.confirm(sessionId, sms);
    return confirmed.kind === "ok" ? { ok: true, data: { otp: 0, isLoggedIn: true } } : loginFailure(confirmed);
  }

  async positions(request: PositionsRequest): Promise<BrokerReply<readonly PositionRecord[]>> {
    const account = this.#accountOf(request);
    if (account === undefined) return notYours();
    const held = await this.#ask(this.#options.api.positions(account.subAccount));
    const list = await this.#lists.read(account);
    if (held.kind !== "ok") return notAnswered(held);
    if (list.kind !== "ok") return notAnswered(list);
    const orders = this.#records(account, list.value);
    const data = held.value.map((row) => positionOf(row, this.#ownSymbol(row.code), orders, request.includeOrders));
    return { ok: true, data };
  }

  async dailyOrders(request: AccountRequest): Promise<BrokerReply<readonly OrderRecord[]>> {
    const account = this.#accountOf(request);
    if (account === undefined) return notYours();
    const list = await this.#lists.read(account);
    return list.kind === "ok" ? { ok: true, data: this.#records(account, list.value) } : notAnswered(list);
  }

  /** By default it waits for orders, and not for polls: a stop-loss that fires asks for it before its sell arrives. */
  instrument({ symbol }: InstrumentRequest, urgency: Urgency = URGENCY.band): Promise<BrokerReply<Instrument>> {
    const { api, clock } = this.#options;
    return this.#instruments.read(api, (asked) => this.#ask(asked), this.#venueSymbol(symbol), clock, urgency);
  }

  /** Notes the base price of its day from a trade of the stream. */
  noteBasePrice(venueSymbol: string, basePrice: number, timeMs: number): void {
    this.#instruments.noteBasePrice(venueSymbol, basePrice, timeMs);
  }

  async balance(request: AccountRequest): Promise<BrokerReply<Balance>> {
    const account = this.#accountOf(request);
    if (account === undefined) return notYours();
    return readBalance(this.#options.api, (asked) => this.#ask(asked), account.subAccount);
  }

  /** Prices are returned to users with an account here, as AlgoLab sells them to its customers. */
  async bars(request: BarsRequest): Promise<BrokerReply<readonly Bar[]>> {
    const { api, settings } = this.#options;
    if (!settings.accounts.some(({ users }) => request.userId !== undefined && users.includes(request.userId))) {
      return notYours();
    }
    return readBars(api, (asked) => this.#ask(asked), { ...request, symbol: this.#venueSymbol(request.symbol) });
  }

  // ---------------------------------------------------------------------------------------------------- today's list

  /** Reads today's orders of every account and publishes what changed; false if AlgoLab did not answer for one. */
  async readOrders(): Promise<boolean> {
    for (const account of this.#options.settings.accounts) {
      const list = await this.#lists.read(account);
      if (list.kind !== "ok") return false;
    }
    return true;
  }

  /** Whether an order is open, in doubt, or proven absent but can still appear: the list must be read again soon. */
  get hasOpenOrders(): boolean {
    const isOpen = (order: KnownOrder): boolean => !isOver(order) && this.#today.has(order);
    return this.#options.sentOrders.all().some((order) => isOpen(order) || this.#today.isMissed(order));
  }

  /** Applies a row to its order; publishes a row of no order of ours unchanged. */
  async #take(account: AlgolabAccountSettings, row: OrderRow): Promise<void> {
    const { sentOrders, clock } = this.#options;
    const order = this.#today.ownerOf(account.accountNumber, row.atpref);
    if (order !== undefined) {
      const changed = applyRow(order, row, clock.nowMs());
      if (changed !== order) await sentOrders.keep(changed);
      return;
    }
    const late = this.#lateRows.orderOf(account.accountNumber, row);
    if (late !== undefined && late.standing !== "accepted") {
      this.#lateRows.report(late, row);
      await sentOrders.keep(appearedOrder(late, row, clock.nowMs()));
      return;
    }
    const record = this.#recordOfRow(account, row);
    const text = JSON.stringify(record);
    if (this.#published.get(row.atpref) === text) return;
    this.#published.set(row.atpref, text);
    if (late !== undefined) this.#lateRows.report(late, row);
    this.#publish(record);
  }

  // --------------------------------------------------------------------------------------------------------- orders

  async findOrder(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>> {
    const account = this.#accountOf(request);
    if (account === undefined) return notYours();
    const { clientOrderId, orderNo = "", createdDate } = request;
    if (clientOrderId === undefined)
      return this.#findByNumber(account, orderNo, createdDate === undefined ? undefined : Date.parse(createdDate));
    const order = this.#options.sentOrders.get(clientOrderId);
    const isAbsent = order !== undefined && order.absent.length > 0;
    if (order === undefined || (order.standing === "notSent" && !isAbsent)) {
      return failed("NOT_FOUND", "this connector never sent such an order");
    }
    const isSettled = order.standing === "refused" && !isAbsent;
    if (isSettled || (order.standing === "accepted" && isOver(order) && !this.#today.has(order))) {
      return { ok: true, data: recordOf(order) };
    }
    // A list of its day can no longer prove it absent once more.
    if (!this.#today.has(order)) return failed("UNKNOWN", "AlgoLab lists the orders of today only");
    const list = await this.#lists.read(account, URGENCY.cancel);
    if (list.kind !== "ok") return notAnswered(list);
    return this.#judge(account, this.#options.sentOrders.get(clientOrderId) ?? order, list.value);
  }

  /** Judges an order that was sent today by a fresh list. */
  async #judge(
    { accountNumber }: AlgolabAccountSettings,
    order: KnownOrder,
    list: OrderList,
  ): Promise<BrokerReply<OrderRecord>> {
    const { sentOrders, settings, clock } = this.#options;
    if (!this.#today.isToday(list.askedAtMs) || !this.#today.has(order)) {
      return failed("UNKNOWN", "AlgoLab lists the orders of today only");
    }
    const isSettled = this.#today.isSettled(order, list);
    if (order.standing === "accepted") {
      const isListed = list.rows.some((row) => row.atpref === order.orderNo);
      if (isListed || isOver(order)) return { ok: true, data: recordOf(order) };
      return failed(isSettled ? "UNKNOWN" : "UNAVAILABLE", "AlgoLab took the order and does not list it");
    }
    if (settings.manualTrading) return failed("UNKNOWN", "orders are also placed by hand: this can be any of them");
    const isUnderWay = ({ clientOrderId }: KnownOrder): boolean => this.#underWay.has(clientOrderId);
    const others = sentOrders.of(accountNumber).filter((one) => this.#today.isMissed(one) || isUnderWay(one));
    const proof = proofOf(order, list.rows, {
      venueSymbol: this.#venueSymbol(order.symbol),
      ...{ others, isUnderWay, isToday: (timeMs) => this.#today.isToday(timeMs) },
      isClaimed: (orderNo) => this.#today.ownerOf(accountNumber, orderNo) !== undefined,
      isOfEitherDay: (row) => this.#today.isOfEitherDay(accountNumber, row),
    });
    if (proof.kind === "never") return failed("UNKNOWN", proof.why);
    if (proof.kind === "later") return failed("UNAVAILABLE", proof.why);
    if (proof.kind === "row") {
      const found = applyRow(order, proof.row, clock.nowMs());
      await sentOrders.keep(found);
      return { ok: true, data: recordOf(found) };
    }
    if (!isSettled) return failed("UNAVAILABLE", "the order can still appear at AlgoLab");
    if (this.#lists.isCutShort(accountNumber, list, this.#today.numbersOf(accountNumber))) {
      return failed("UNAVAILABLE", "AlgoLab's list lacks orders that it had before");
    }
    // An earlier attempt is not listed, and the last one was refused.
    if (order.standing === "refused") return { ok: true, data: recordOf(order) };
    if (order.standing === "leaving") {
      const { firstSentMs, price, rowsBefore } = order;
      const absent = [...order.absent, { firstSentMs, price, rowsBefore }];
      await sentOrders.keep({ ...order, standing: "notSent", absent });
    }
    return failed("NOT_FOUND", "AlgoLab lists no such order");
  }

  /** `createdMs`: of the intended order; without it an order of today is meant. */
  async #findByNumber(
    account: AlgolabAccountSettings,
    orderNo: string,
    createdMs = this.#options.clock.nowMs(),
  ): Promise<BrokerReply<OrderRecord>> {
    const none = failed("UNKNOWN", `AlgoLab lists the orders of today only, and ${orderNo} is not among them`);
    if (!this.#today.isToday(createdMs)) return none;
    const list = await this.#lists.read(account, URGENCY.order);
    if (list.kind !== "ok") return notAnswered(list);
    const { rows, askedAtMs } = list.value;
    const row = rows.find(({ atpref }) => atpref === orderNo);
    const isOfDay = [askedAtMs, row?.timetransaction ?? askedAtMs].every(
      (timeMs) => istanbulDay(timeMs) === istanbulDay(createdMs),
    );
    return row !== undefined && isOfDay ? { ok: true, data: this.#recordOfRow(account, row) } : none;
  }

  async place(request: PlaceRequest, refusalNow: RefusalNow = () => undefined): Promise<BrokerReply<OrderAnswer>> {
    const account = this.#accountOf(request);
    if (account === undefined) return notYours();
    const known = this.#options.sentOrders.get(request.clientOrderId);
    const isFree = known === undefined || (known.standing === "notSent" && known.absent.length === 0);
    if (isFree || (known.standing === "notSent" && isSameOrder(known, request)))
      return this.#floorSells.place(request, (limit) => this.#send(account, request, limit, refusalNow));
    if (!isSameOrder(known, request)) return failed("UNAVAILABLE", "this name was given to another order");
    if (known.standing !== "leaving") return answerOf(known);
    return failed("UNAVAILABLE", "the outcome of an earlier attempt is not known yet");
  }

  async #send(
    account: AlgolabAccountSettings,
    request: PlaceRequest,
    limitPrice: number | null,
    refusalNow: RefusalNow,
  ): Promise<BrokerReply<OrderAnswer>> {
    const { sentOrders, clock, session, api, settings } = this.#options;
    let refusal = this.#refusalWhileDown();
    if (refusal !== undefined) return refusal;
    const symbol = this.#venueSymbol(request.symbol);
    const keepIt = async (): Promise<boolean> => {
      refusal = refusalNow();
      if (refusal !== undefined) return false;
      const list = this.#lists.last(account.accountNumber);
      const known = sentOrders.get(request.clientOrderId);
      const hasAppeared = known !== undefined && known.standing !== "notSent";
      if (!session.isUp || list === undefined || hasAppeared) return false;
      const absent = known !== undefined && this.#today.isMissed(known) ? known.absent : [];
      // AlgoLab uses numbers again on other days: a number of an earlier day does not identify an order of today.
      const rows = istanbulDay(list.askedAtMs) === istanbulDay(clock.nowMs()) ? list.rows : [];
      const rowsBefore = rows.filter((row) => hasTerms(row, request, symbol)).map(({ atpref }) => atpref);
      this.#underWay.add(request.clientOrderId);
      const leaving: KnownOrder = { ...leavingOrder(request, clock.nowMs()), rowsBefore, absent };
      await sentOrders.keep(leaving);
      // The process can have stalled while it wrote.
      refusal = refusalNow();
      if (refusal === undefined) return true;
      await sentOrders.keep({ ...leaving, standing: "notSent" });
      this.#underWay.delete(request.clientOrderId);
      return false;
    };
    // The settling time counts from the moment of leaving, which the journal can delay.
    const noteLeaving = (): void => {
      this.#today.noteLeaving(request.clientOrderId);
      const kept = sentOrders.get(request.clientOrderId);
      const lastSentMs = clock.nowMs();
      if (kept !== undefined && kept.lastSentMs !== lastSentMs) void sentOrders.keep({ ...kept, lastSentMs });
    };
    const venueOrder = {
      ...{ symbol, quantity: request.quantity, limitPrice, subAccount: account.subAccount },
      side: request.buySell === SELL ? ("SELL" as const) : ("BUY" as const),
    };
    try {
      const answer = await api.sendOrder(venueOrder, urgencyOf(request), {
        ...{ prepare: keepIt, onLeaving: noteLeaving },
        // A look-up waits for its order. Without look-ups a person decides once the engine's wait has ended.
        ...(settings.manualTrading && { waitMsMax: ORDER_WAIT_MS_MAX }),
      });
      const order = sentOrders.get(request.clientOrderId);
      if (answer.kind === "notSent" && order?.standing === "accepted") return answerOf(order);
      // Not taken into the queue, or called off in its slot: this attempt was not kept, and did not leave.
      if (order === undefined || !this.#underWay.has(request.clientOrderId)) {
        if (refusal !== undefined) return refusal;
        if (answer.kind === "loggedOut") return failed("UNAUTHORIZED", session.reason);
        return failed("NOT_SENT", "text" in answer ? answer.text : "its request did not leave");
      }
      return await this.#settle(order, answer);
    } finally {
      this.#underWay.delete(request.clientOrderId);
    }
  }

  /** Applies AlgoLab's answer to an order. */
  async #settle(order: KnownOrder, answer: ApiAnswer<unknown>): Promise<BrokerReply<OrderAnswer>> {
    const { sentOrders, session, settings, clock } = this.#options;
    switch (answer.kind) {
      case "ok": {
        const orderNo = orderNumberOf(answer.value);
        if (orderNo === undefined) return failed("UNAVAILABLE", "AlgoLab's answer contains no order number");
        const taken = takenOrder(order, orderNo, clock.nowMs());
        await sentOrders.keep(taken);
        return answerOf(taken);
      }
      case "refused":
        if (isNotNow(answer.text, settings.notNowPhrases)) {
          await sentOrders.keep({ ...order, standing: "notSent" });
          return failed("NOT_NOW", answer.text);
        }
        // The order can have reached the exchange: the list shows it.
        if (isFault(answer.text)) return failed("UNAVAILABLE", answer.text);
        await sentOrders.keep({ ...order, standing: "refused", text: answer.text });
        return failed("REJECTED", answer.text);
      case "loggedOut":
        await sentOrders.keep({ ...order, standing: "notSent" });
        session.loggedOut(answer.hash);
        return failed("UNAUTHORIZED", session.reason);
      case "notSent":
      case "tooFast":
        await sentOrders.keep({ ...order, standing: "notSent" });
        return failed("NOT_SENT", answer.kind === "notSent" ? answer.text : "AlgoLab asks for fewer requests");
      case "unknown":
        return failed("UNAVAILABLE", answer.text);
    }
  }

  async cancel(request: CancelRequest, refusalNow: RefusalNow = () => undefined): Promise<BrokerReply<OrderAnswer>> {
    const account = this.#accountOf(request);
    if (account === undefined) return notYours();
    const { api, clock } = this.#options;
    let refusal = this.#refusalWhileDown();
    if (refusal !== undefined) return refusal;
    const venueSymbol = this.#venueSymbol(request.symbol);
    const faultNow = () => this.#today.faultOfCancel(request, this.#lists.last(account.accountNumber), venueSymbol);
    // A list that is read for this alone costs a slot.
    if (faultNow() !== undefined) {
      const list = await this.#lists.read(account, URGENCY.cancel);
      if (list.kind !== "ok") return failed("NOT_SENT", "AlgoLab did not list today's orders");
    }
    let leftMs = clock.nowMs();
    const prepare = (): boolean => {
      leftMs = clock.nowMs();
      const fault = faultNow();
      refusal = refusalNow() ?? (fault === undefined ? undefined : failed("REJECTED", fault));
      return refusal === undefined;
    };
    const answer = await this.#ask(api.deleteOrder(request.orderNo, account.subAccount, { prepare }));
    if (refusal !== undefined) return refusal;
    if (answer.kind !== "ok" && answer.kind !== "unknown") return cancelFailure(answer);
    const found = await this.#findByNumber(account, request.orderNo, leftMs);
    if (!found.ok) return failed("UNAVAILABLE", "whether AlgoLab cancelled the order is not known yet");
    const { orderNo, orderStatus } = found.data;
    if (orderStatus === ORDER_CANCELLED) return { ok: true, data: { orderNo, orderStatus } };
    if (orderStatus >= ORDER_COMPLETED) return failed("REJECTED", "the order was over before it could be cancelled");
    return failed("UNAVAILABLE", "AlgoLab has not cancelled the order yet");
  }

  // ----------------------------------------------------------------------------------------------------------- help

  /** Returns the answer; an answer that the login is over ends the session. */
  async #ask<T>(asked: Promise<ApiAnswer<T>>): Promise<ApiAnswer<T>> {
    const answer = await asked;
    if (answer.kind === "loggedOut") this.#options.session.loggedOut(answer.hash);
    return answer;
  }

  #refusalWhileDown(): Failure | undefined {
    const { isLoginNeeded, isUp, reason } = this.#options.session;
    if (isLoginNeeded) return failed("UNAUTHORIZED", reason);
    return isUp ? undefined : failed("NOT_SENT", `no session with AlgoLab: ${reason}`);
  }

  #accountOf({ userId, accountNumber }: AccountRequest): AlgolabAccountSettings | undefined {
    return this.#options.settings.accounts.find(
      (account) => account.accountNumber === accountNumber && account.users.includes(userId),
    );
  }

  #publish(record: OrderRecord): void {
    for (const listener of this.#listeners) listener(record);
  }

  #venueSymbol(symbol: string): string {
    return this.#options.settings.symbols[symbol] ?? symbol;
  }

  #ownSymbol(symbol: string): string {
    return this.#ownSymbols.get(symbol) ?? symbol;
  }

  #records(account: AlgolabAccountSettings, { rows }: OrderList): OrderRecord[] {
    return rows.map((row) => this.#recordOfRow(account, row));
  }

  /** The order of this number; a row of no order of ours as it is; a late one under the name of its order. */
  #recordOfRow(account: AlgolabAccountSettings, row: OrderRow): OrderRecord {
    const { accountNumber } = account;
    const order = this.#today.ownerOf(accountNumber, row.atpref);
    if (order !== undefined) return recordOf(order);
    const record = recordOfRow(row, accountNumber, this.#ownSymbol(row.ticker), this.#options.clock.nowMs());
    return { ...record, clientOrderId: this.#lateRows.orderOf(account.accountNumber, row)?.clientOrderId ?? null };
  }
}
