/**
 * Alpaca as a connector of the gateway contract.
 *
 * Owns: the answers to requests, and when an order can be sent (again). Does not own: the connection (session.ts), the
 * sent orders (sent-orders.ts), the fence (host).
 *
 * Alpaca takes a `client_order_id` once: it refuses a later repeat with 422. It does not state for how long. A look-up
 * that finds nothing proves nothing: the order can still be on its way.
 *
 * Invariants:
 * 1. An order is among the sent orders, durable, before a request about it leaves.
 * 2. The first answer to a name is the answer forever, except `NOT_NOW`, which leaves no order behind. An order of
 *    which nothing is known is sent again under its name within a day of its first attempt, never after.
 * 3. A refusal is returned only if no earlier attempt can exist: that attempt can be the reason for the refusal. Alpaca
 *    is asked for the order first: if the folder is an older copy, only Alpaca can know of an attempt.
 */
import type {
  AccountRecord,
  AccountRequest,
  BrokerReply,
  CancelRequest,
  FindOrderRequest,
  LoginAnswer,
  OrderAnswer,
  OrderRecord,
  PlaceRequest,
  PositionRecord,
  PositionsRequest,
} from "../../../src/contract/trading/order.ts";
import { LIMIT, lacksPrice, ORDER_CANCELLED, SELL } from "../../../src/domain/order/order.ts";
import type { Cancel, Clock, Timers } from "../../../src/runtime/ports.ts";
import { type Connector, type ConnectorStatus, type Failure, failed, notYours, taken } from "../host/connector.ts";
import { PendingReplies } from "../host/pending-replies.ts";
import { isSameOrder } from "../host/state/sent-order.ts";
import { isOver, type SentOrders } from "../host/state/sent-orders.ts";
import type { AlpacaApi, ApiAnswer } from "./api.ts";
import { CancelRequests } from "./cancel-requests.ts";
import type { AlpacaAccountSettings, AlpacaSettings } from "./config.ts";
import { isNotNow } from "./not-now.ts";
import type { AlpacaOrder } from "./order.ts";
import { applyWord, endedByOf, type KnownOrder, leavingOrder, recordOf } from "./sent-orders.ts";

const DAY_MS = 86_400_000;
/** Alpaca's number for a request that is not right; a `client_order_id` that it has already taken is one such fault. */
const NOT_RIGHT = 40_010_001;

/** An account as the connector sees it. */
export interface ConnectedAccount {
  readonly account: AlpacaAccountSettings;
  readonly api: AlpacaApi;
  readonly session: { readonly isUp: boolean; readonly sinceMs: number; readonly reason: string };
}

interface ConnectorOptions {
  readonly settings: Pick<AlpacaSettings, "symbols" | "settleMs" | "answerTimeoutMs">;
  readonly sentOrders: SentOrders<KnownOrder>;
  readonly accounts: readonly ConnectedAccount[];
  readonly clock: Clock;
  readonly timers: Timers;
}

export class AlpacaConnector implements Connector {
  readonly #options: ConnectorOptions;
  readonly #ownSymbols: ReadonlyMap<string, string>;
  readonly #endings: PendingReplies<"over" | "late">;
  readonly #cancelRequests = new CancelRequests();
  readonly #listeners = new Set<(record: OrderRecord) => void>();

  constructor(options: ConnectorOptions) {
    this.#options = options;
    this.#ownSymbols = new Map(Object.entries(options.settings.symbols).map(([own, theirs]) => [theirs, own]));
    this.#endings = new PendingReplies(options.timers);
    options.sentOrders.onChange((order) => this.#tell(order));
  }

  // --------------------------------------------------------------------------------------------- Alpaca's words

  /**
   * Applies Alpaca's word on an order of this account. An order that this connector did not send is published
   * unchanged.
   */
  hear(accountNumber: string, word: AlpacaOrder): void {
    const known = this.#options.sentOrders.get(word.clientOrderId);
    if (known === undefined || !isSameOrder(known, { ...word, accountNumber, symbol: this.#ownSymbol(word.symbol) })) {
      for (const listener of this.#listeners) listener(this.#foreignRecord(accountNumber, word));
      return;
    }
    if (!isOver(known) && this.#cancelRequests.hold(word)) return;
    const changed = applyWord(known, word);
    if (changed !== known) void this.#options.sentOrders.keep(changed);
  }

  /** Looks up the open sent orders that were not seen; returns false if Alpaca does not answer. */
  async settleOpen(accountNumber: string, seen: ReadonlySet<string>): Promise<boolean> {
    const own = this.#options.accounts.find(({ account }) => account.accountNumber === accountNumber);
    for (const order of own === undefined ? [] : this.#options.sentOrders.of(accountNumber)) {
      if (own === undefined || isOver(order) || seen.has(order.clientOrderId)) continue;
      const answer = await own.api.orderByName(order.clientOrderId);
      if (answer.kind === "unknown") return false;
      if (answer.kind === "ok") this.hear(order.accountNumber, answer.value);
    }
    return true;
  }

  /** When an order of the account last changed, as far as is known; a day ago if no order is known. */
  lastSeenMs(accountNumber: string): number {
    const orders = this.#options.sentOrders.of(accountNumber);
    const open = orders.filter((order) => !isOver(order)).map(({ createdMs }) => createdMs);
    const over = orders.filter((order) => isOver(order)).map(({ updatedMs }) => updatedMs);
    const lastMs = over.length === 0 ? this.#options.clock.nowMs() - DAY_MS : Math.max(...over);
    return Math.min(lastMs, ...open);
  }

  #tell(order: KnownOrder): void {
    if (isOver(order)) this.#endings.settle(order.clientOrderId, "over");
    if (order.standing !== "accepted" && order.standing !== "refused") return;
    for (const listener of this.#listeners) listener(recordOf(order));
  }

  // ----------------------------------------------------------------------------------------------------- questions

  status(): ConnectorStatus {
    const up = this.#options.accounts.filter(({ session }) => session.isUp);
    const of = up.length > 0 ? up : this.#options.accounts;
    return {
      session: up.length > 0 ? "up" : "down",
      since: new Date(Math.min(...of.map(({ session }) => session.sinceMs))).toISOString(),
      resend: "idempotent",
      supports: { orderStatus: true, positions: true },
    };
  }

  onUpdate(listener: (record: OrderRecord) => void): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async accounts({ userId }: { readonly userId: number }): Promise<BrokerReply<readonly AccountRecord[]>> {
    const own = this.#options.accounts.filter(({ account }) => account.users.includes(userId));
    const data = own.map(({ account: { accountNumber, name } }, index) => ({
      ...{ accountNumber, number: accountNumber, name, isActive: true, isDefault: index === 0 },
    }));
    return { ok: true, data };
  }

  /** The keys are the login; users have none. */
  async login(): Promise<BrokerReply<LoginAnswer>> {
    return { ok: true, data: { otp: 0, isLoggedIn: true } };
  }

  async positions(request: PositionsRequest): Promise<BrokerReply<PositionRecord[]>> {
    const own = this.#accountOf(request);
    if (own === undefined) return notYours();
    const positions = await own.api.positions();
    if (positions.kind !== "ok") return notAnswered(positions);
    const open = request.includeOrders ? await own.api.openOrders() : undefined;
    if (open !== undefined && open.kind !== "ok") return notAnswered(open);
    const data = positions.value.map(({ symbol, ...position }) => ({
      ...{ symbol: this.#ownSymbol(symbol), ...position },
      ...(open === undefined
        ? {}
        : {
            orders: this.#records(
              request,
              open.value.filter((one) => one.symbol === symbol),
            ),
          }),
    }));
    return { ok: true, data };
  }

  /** The orders of this day in UTC, which contains one day of US markets as a whole. */
  async dailyOrders(request: AccountRequest): Promise<BrokerReply<OrderRecord[]>> {
    const own = this.#accountOf(request);
    if (own === undefined) return notYours();
    const orders = await own.api.ordersAfter(Math.floor(this.#options.clock.nowMs() / DAY_MS) * DAY_MS - 1);
    return orders.kind === "ok" ? { ok: true, data: this.#records(request, orders.value) } : notAnswered(orders);
  }

  async findOrder(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>> {
    const own = this.#accountOf(request);
    if (own === undefined) return notYours();
    const { sentOrders } = this.#options;
    const { clientOrderId, orderNo } = request;
    const order = clientOrderId === undefined ? sentOrders.byNumber(orderNo ?? "") : sentOrders.get(clientOrderId);
    if (order === undefined && clientOrderId !== undefined) {
      // The folder can be an older copy, or another process can have sent it: Alpaca is asked anyway.
      return this.#foreignReply(own, await own.api.orderByName(clientOrderId));
    }
    if (order === undefined && orderNo !== undefined) {
      return this.#foreignReply(own, await own.api.orderByNumber(orderNo));
    }
    if (order === undefined || order.accountNumber !== request.accountNumber) {
      return failed("NOT_FOUND", "this connector never sent such an order");
    }
    if (order.standing === "notSent") return failed("NOT_FOUND", "the order never left");
    // While the session is down no changes arrive; a fill without a price is asked for (behaviour 5.2).
    const isTold = order.standing !== "leaving" && !lacksPrice(recordOf(order)) && (own.session.isUp || isOver(order));
    if (isTold) return { ok: true, data: recordOf(order) };
    const answer = await this.#ask(own, order);
    const settled = sentOrders.get(order.clientOrderId) ?? order;
    if (settled.standing !== "leaving") {
      const mayHaveChanged = answer.kind !== "ok" && !isOver(settled) && !own.session.isUp;
      return mayHaveChanged ? notAnswered(answer) : { ok: true, data: recordOf(settled) };
    }
    return this.#hasLapsed(order)
      ? failed("UNKNOWN", "Alpaca does not know the order, and it was sent too long ago for that to prove anything")
      : failed("UNAVAILABLE", "Alpaca has not reported the order yet");
  }

  #foreignReply(own: ConnectedAccount, found: ApiAnswer<AlpacaOrder>): BrokerReply<OrderRecord> {
    if (found.kind === "ok") return { ok: true, data: this.#foreignRecord(own.account.accountNumber, found.value) };
    return saysNoSuchOrder(found) ? failed("NOT_FOUND", "Alpaca has no such order") : notAnswered(found);
  }

  // -------------------------------------------------------------------------------------------------------- orders

  async place(request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> {
    const own = this.#accountOf(request);
    if (own === undefined) return notYours();
    const known = this.#options.sentOrders.get(request.clientOrderId);
    if (known === undefined || known.standing === "notSent") return this.#send(own, request, undefined);
    if (!isSameOrder(known, request)) return failed("UNAVAILABLE", "this name was given to another order");
    const now = known.standing === "leaving" ? await this.#lookUp(own, known) : known;
    if (now.standing !== "leaving") return answerOf(now);
    if (this.#hasLapsed(now))
      return failed("UNKNOWN", "it was first sent more than a day ago: whether it was taken is not known");
    return this.#send(own, request, now);
  }

  /** Sends an order. `before`: an earlier attempt whose outcome is not known. */
  async #send(own: ConnectedAccount, request: PlaceRequest, before: KnownOrder | undefined) {
    const { sentOrders, clock, settings } = this.#options;
    const nowMs = clock.nowMs();
    if (!own.session.isUp) return failed("NOT_SENT", `no session with Alpaca: ${own.session.reason}`);
    await sentOrders.keep(before === undefined ? leavingOrder(request, nowMs) : { ...before, lastSentMs: nowMs });
    const answer = await own.api.place({
      clientOrderId: request.clientOrderId,
      symbol: settings.symbols[request.symbol] ?? request.symbol,
      quantity: request.quantity,
      side: request.buySell === SELL ? "sell" : "buy",
      limitPrice: request.orderType === LIMIT ? request.price : null,
    });
    if (answer.kind === "ok") this.hear(request.accountNumber, answer.value);
    const order = sentOrders.get(request.clientOrderId) ?? leavingOrder(request, nowMs);
    if (order.standing !== "leaving") return answerOf(order);
    if (answer.kind !== "refused") return failed("UNAVAILABLE", textOf(answer));
    return this.#afterRefusal(own, order, answer, before);
  }

  async #afterRefusal(
    own: ConnectedAccount,
    order: KnownOrder,
    refusal: Extract<ApiAnswer<never>, { kind: "refused" }>,
    before: KnownOrder | undefined,
  ): Promise<BrokerReply<OrderAnswer>> {
    const { sentOrders, settings, clock } = this.#options;
    if (refusal.status === 401 || refusal.status === 429) {
      if (before === undefined) await sentOrders.keep({ ...order, standing: "notSent" });
      return failed(refusal.status === 401 ? "UNAUTHORIZED" : "NOT_SENT", refusal.text);
    }
    const found = await own.api.orderByName(order.clientOrderId);
    if (found.kind === "ok") this.hear(order.accountNumber, found.value);
    const now = sentOrders.get(order.clientOrderId) ?? order;
    if (now.standing !== "leaving") return answerOf(now);
    const isKnown = refusal.status === 422 && refusal.code === NOT_RIGHT && refusal.text.includes("client_order_id");
    const isSettled = before === undefined || clock.nowMs() - before.lastSentMs >= settings.settleMs;
    if (isKnown || !isSettled || !saysNoSuchOrder(found))
      return failed("UNAVAILABLE", `the outcome of the order is not known: ${refusal.text}`);
    if (isNotNow(refusal)) {
      await sentOrders.keep({ ...order, standing: "notSent" });
      return failed("NOT_NOW", refusal.text);
    }
    const refused: KnownOrder = { ...order, standing: "refused", text: refusal.text };
    await sentOrders.keep(refused);
    return answerOf(refused);
  }

  async cancel(request: CancelRequest): Promise<BrokerReply<OrderAnswer>> {
    const own = this.#accountOf(request);
    if (own === undefined) return notYours();
    const { sentOrders, settings } = this.#options;
    const order = sentOrders.byNumber(request.orderNo);
    if (order === undefined || order.accountNumber !== request.accountNumber || order.orderNo === null) {
      return failed("NOT_FOUND", "this connector never sent such an order");
    }
    if (isOver(order)) return failed("REJECTED", "the order is over");
    if (!own.session.isUp) return failed("NOT_SENT", `no session with Alpaca: ${own.session.reason}`);
    const ending = this.#endings.waitFor(order.clientOrderId, settings.answerTimeoutMs, "late");
    this.#cancelRequests.begin(order.clientOrderId);
    const answer = await own.api.cancel(order.orderNo);
    this.#cancelAnswered(order, answer);
    if (answer.kind === "refused") {
      this.#endings.settle(order.clientOrderId, "late");
      return cancelRefusal(answer);
    }
    // Alpaca's answer states that it took the request; the stream reports the outcome.
    if ((await ending) === "late") await this.#lookUp(own, order);
    const now = sentOrders.get(order.clientOrderId) ?? order;
    if (now.orderStatus === ORDER_CANCELLED) return answerOf(now);
    if (isOver(now)) return failed("REJECTED", "the order was over before it could be cancelled");
    return failed("UNAVAILABLE", answer.kind === "ok" ? "Alpaca has not cancelled it yet" : answer.text);
  }

  /** Stores that Alpaca took the request, in the journal before the end that waited for its answer. */
  #cancelAnswered({ accountNumber, clientOrderId }: KnownOrder, answer: ApiAnswer<void>): void {
    const { sentOrders } = this.#options;
    const now = sentOrders.get(clientOrderId);
    const isTaken = answer.kind === "ok" && now !== undefined && !isOver(now) && !now.isCancelTaken;
    if (isTaken) void sentOrders.keep({ ...now, isCancelTaken: true });
    const end = this.#cancelRequests.finish(clientOrderId);
    if (end !== undefined) this.hear(accountNumber, end);
  }

  // ----------------------------------------------------------------------------------------------------------- help

  /** Asks Alpaca by the order's name; returns what is known after that. */
  async #lookUp(own: ConnectedAccount, order: KnownOrder): Promise<KnownOrder> {
    await this.#ask(own, order);
    return this.#options.sentOrders.get(order.clientOrderId) ?? order;
  }

  async #ask(own: ConnectedAccount, order: KnownOrder): Promise<ApiAnswer<AlpacaOrder>> {
    const answer = await own.api.orderByName(order.clientOrderId);
    if (answer.kind === "ok") this.hear(order.accountNumber, answer.value);
    return answer;
  }

  #hasLapsed({ firstSentMs }: KnownOrder): boolean {
    return this.#options.clock.nowMs() - firstSentMs >= DAY_MS;
  }

  #accountOf({ userId, accountNumber }: AccountRequest): ConnectedAccount | undefined {
    return this.#options.accounts.find(
      ({ account }) => account.accountNumber === accountNumber && account.users.includes(userId),
    );
  }

  #ownSymbol(symbol: string): string {
    return this.#ownSymbols.get(symbol) ?? symbol;
  }

  #records({ accountNumber }: AccountRequest, orders: readonly AlpacaOrder[]): OrderRecord[] {
    return orders.map((order) => {
      const known = this.#options.sentOrders.byNumber(order.orderNo);
      if (known === undefined) return this.#foreignRecord(accountNumber, order);
      const mustWait = !isOver(known) && this.#cancelRequests.hold(order);
      return recordOf(mustWait ? known : applyWord(known, order));
    });
  }

  /** An order that was placed elsewhere on the same account. */
  #foreignRecord(accountNumber: string, order: AlpacaOrder): OrderRecord {
    const record = recordOf({
      ...leavingOrder({ ...order, accountNumber, symbol: this.#ownSymbol(order.symbol) }, order.createdMs),
      ...{ standing: "accepted", orderNo: order.orderNo, orderStatus: order.orderStatus, text: order.text },
      ...{ filledQuantity: order.filledQuantity, averagePrice: order.averagePrice, updatedMs: order.updatedMs },
      endedBy: endedByOf(false, order),
    });
    return { ...record, clientOrderId: order.clientOrderId.slice(0, 100) || null };
  }
}

function answerOf(order: KnownOrder): BrokerReply<OrderAnswer> {
  if (order.standing === "refused") return failed("REJECTED", order.text || "Alpaca refused the order");
  return taken({ ...order, orderNo: order.orderNo ?? order.clientOrderId });
}

function cancelRefusal({ status, text }: Extract<ApiAnswer<never>, { kind: "refused" }>): Failure {
  if (status === 401) return failed("UNAUTHORIZED", text);
  if (status === 429) return failed("NOT_SENT", text);
  return failed(status === 404 ? "NOT_FOUND" : "REJECTED", text);
}

function saysNoSuchOrder(answer: ApiAnswer<unknown>): boolean {
  return answer.kind === "refused" && (answer.status === 404 || answer.status === 422);
}

function textOf(answer: ApiAnswer<unknown>): string {
  return answer.kind === "ok" ? "Alpaca's answer is about another order" : answer.text;
}

function notAnswered(answer: Exclude<ApiAnswer<unknown>, { kind: "ok" }>): Failure {
  return failed(answer.kind === "refused" && answer.status === 401 ? "UNAUTHORIZED" : "UNAVAILABLE", answer.text);
}
