/**
 * A FIX counterparty as a connector of the gateway contract.
 *
 * Owns: the answers to requests, and when an order can be sent (again). Does not own: numbers and the socket (session),
 * reading the broker's messages (`inbound.ts`), proofs (`look-up.ts`), the fence (host).
 *
 * Invariants:
 * 1. An order is among the sent orders, durable, before it can reach the socket.
 * 2. An order that can exist at the broker is never sent again: only after proof that it does not, or certainty that it
 *    never left.
 * 3. A refusal is returned only if the broker judged the order. An order that never left is `NOT_SENT`; every silence
 *    is `UNAVAILABLE`.
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
} from "../../../../src/contract/trading/order.ts";
import { LIMIT, lacksPrice, ORDER_CANCELLED } from "../../../../src/domain/order/order.ts";
import { isOnGrid, nextDown, nextUp, tickTableOf } from "../../../../src/domain/price/tick-table.ts";
import type { Cancel } from "../../../../src/runtime/ports.ts";
import { type Connector, type ConnectorStatus, type Failure, failed, notYours, taken } from "../../host/connector.ts";
import { PendingReplies } from "../../host/pending-replies.ts";
import { freshOrder, isOfSameLots, isSameOrder } from "../../host/state/sent-order.ts";
import type { SessionUser } from "../session/reader.ts";
import type { FixMessage } from "../wire/message.ts";
import { MsgType } from "../wire/tag.ts";
import { accountOf, type ConnectorContext, subjectOf } from "./context.ts";
import { Inbound, type Word } from "./inbound.ts";
import { LookUps } from "./look-up.ts";
import { cancelRequest, newOrder } from "./message.ts";
import { isOver, type KnownOrder, recordOf } from "./order.ts";
import { PositionRequests } from "./positions.ts";
import { isInDoubt, reconcile, settle } from "./reconcile.ts";
import { KEPT_MS } from "./sent-orders.ts";
import type { FixAccount, OrderSettings } from "./settings.ts";

const LATE: Word = { kind: "late" };
const DAY_MS = 86_400_000;
const ANOTHER_ORDER = "this name was given to another order";
/** Older changes were received, or asked for, long ago. */
const TOLD_AGAIN_MS = 3_600_000;
/** After the peer left numbers out, its remaining messages come first; then open orders are asked for. */
const FILLED_DELAY_MS = 1_000;
/**
 * Waits before the next question about open orders if some were not answered. A broker's limits count questions, too.
 */
const ASK_AGAIN_MS = [5_000, 10_000, 20_000, 40_000, 60_000] as const;
const ASK_AGAIN_MS_MAX = 60_000;

interface ConnectorOptions extends ConnectorContext {
  /** The last price of a symbol, for market orders that are sent as limit orders. */
  readonly lastPriceOf: (symbol: string) => number | undefined;
}

export class FixConnector implements Connector, SessionUser {
  readonly #options: ConnectorOptions;
  readonly #lookUps: LookUps;
  readonly #waiting: PendingReplies<Word>;
  readonly #positions: PositionRequests;
  readonly #inbound: Inbound;
  readonly #listeners = new Set<(record: OrderRecord) => void>();
  #sinceMs: number;
  #isUp = false;
  #life = 0;
  /** Ends the wait for the next question about open orders; undefined while none is planned. */
  #cancelAsking: Cancel | undefined;
  /**
   * Counts the reasons to ask for all open orders: gaps, and a start, because the process before can have died during
   * one.
   */
  #gapCount = 1;
  /** How many of these reasons are handled. */
  #askedCount = 0;
  /** How often in a row some open orders were not answered. */
  #unansweredCount = 0;
  #hasToldAgain = false;

  constructor(options: ConnectorOptions) {
    this.#options = options;
    this.#lookUps = new LookUps(options);
    this.#waiting = new PendingReplies(options.timers);
    this.#positions = new PositionRequests(options);
    this.#inbound = new Inbound({
      ...{ context: options, lookUps: this.#lookUps, waiting: this.#waiting },
      onPositions: (message) => this.#positions.read(message),
    });
    this.#sinceMs = options.clock.nowMs();
  }

  // ---------------------------------------------------------------------------------------------------- the session

  onMessage(message: FixMessage): void {
    this.#inbound.read(message);
  }

  onLive(): void {
    this.#turn(true);
    const { life } = this.#options.session;
    if (life !== this.#life) this.#lookUps.forgetNumbers();
    this.#life = life;
    this.#tellAgain();
    if (this.#askedCount < this.#gapCount) void this.#askAll();
    else void reconcile(this.#options, this.#lookUps, "afterLogon");
  }

  onDown(): void {
    this.#turn(false);
  }

  /** Publishes changes that were stored but not published when the process before this one died. */
  #tellAgain(): void {
    if (this.#hasToldAgain) return;
    this.#hasToldAgain = true;
    const fromMs = this.#options.clock.nowMs() - TOLD_AGAIN_MS;
    for (const order of this.#options.sentOrders.orders()) if (order.updatedMs >= fromMs) this.tell(order);
  }

  onFilled(): void {
    this.#gapCount += 1;
    // A pause after questions without an answer does not apply to messages that were left out now.
    if (this.#unansweredCount > 0) this.#stopAsking();
    this.#unansweredCount = 0;
    this.#askIn(FILLED_DELAY_MS);
  }

  #stopAsking(): void {
    this.#cancelAsking?.();
    this.#cancelAsking = undefined;
  }

  #askIn(delayMs: number): void {
    this.#cancelAsking ??= this.#options.timers.after(delayMs, () => {
      this.#cancelAsking = undefined;
      if (this.#options.session.isLive) void this.#askAll();
    });
  }

  /**
   * Asks about every open order. It is done only once each was answered: what the line or the broker cut short is asked
   * at the next logon.
   */
  async #askAll(): Promise<void> {
    const gapCount = this.#gapCount;
    const isDone = await reconcile(this.#options, this.#lookUps, "afterGap");
    if (isDone) {
      this.#askedCount = Math.max(this.#askedCount, gapCount);
      this.#unansweredCount = 0;
      return;
    }
    const pauseMs = ASK_AGAIN_MS[this.#unansweredCount] ?? ASK_AGAIN_MS_MAX;
    this.#unansweredCount += 1;
    this.#options.log.warn(
      { event: "fix.openOrdersUnanswered", pauseMs },
      "the broker did not answer for all open orders: they are asked for again",
    );
    this.#askIn(pauseMs);
  }

  #turn(isUp: boolean): void {
    if (isUp !== this.#isUp) this.#sinceMs = this.#options.clock.nowMs();
    this.#isUp = isUp;
  }

  /** Publishes a change that is durable. */
  tell(order: KnownOrder): void {
    if (order.standing !== "accepted" && order.standing !== "refused") return;
    for (const listener of this.#listeners) listener(recordOf(order));
  }

  // ------------------------------------------------------------------------------------------------------- questions

  status(): ConnectorStatus {
    const { session, settings } = this.#options;
    return {
      session: session.isLive ? "up" : "down",
      since: new Date(this.#sinceMs).toISOString(),
      resend: settings.lookUp === "none" ? "none" : "query",
      supports: { orderStatus: settings.lookUp !== "none", positions: settings.positions },
    };
  }

  onUpdate(listener: (record: OrderRecord) => void): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async accounts({ userId }: { readonly userId: number }): Promise<BrokerReply<readonly AccountRecord[]>> {
    const own = this.#options.settings.accounts.filter(({ users }) => users.includes(userId));
    const data = own.map(({ accountNumber, number, name, isDefault }) => ({
      ...{ accountNumber, number, name, isDefault, isActive: true },
    }));
    return { ok: true, data };
  }

  /** The session itself is the login; users have none. */
  async login(): Promise<BrokerReply<LoginAnswer>> {
    return { ok: true, data: { otp: 0, isLoggedIn: true } };
  }

  async positions(request: AccountRequest) {
    const { settings } = this.#options;
    const account = accountOf(settings, request);
    if (account === undefined) return notYours();
    if (!settings.positions) return failed("REJECTED", "this brokerage does not report positions over FIX");
    return this.#positions.ask(account) satisfies Promise<BrokerReply<readonly PositionRecord[]>>;
  }

  async dailyOrders(request: AccountRequest) {
    const { settings, sentOrders, clock } = this.#options;
    if (accountOf(settings, request) === undefined) return notYours();
    const fromMs = Math.floor(clock.nowMs() / DAY_MS) * DAY_MS;
    const orders = sentOrders.orders().filter((order) => order.accountNumber === request.accountNumber);
    const shown = orders.filter((order) => isTold(order) && (order.createdMs >= fromMs || !isOver(order)));
    return { ok: true as const, data: shown.map(recordOf) };
  }

  async findOrder(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>> {
    const { settings, sentOrders, session } = this.#options;
    if (accountOf(settings, request) === undefined) return notYours();
    const order = sentOrders.get(request.clientOrderId ?? request.orderNo ?? "");
    if (order === undefined || order.accountNumber !== request.accountNumber) return this.#notKept();
    return isInDoubt(order, session.life) || lacksPrice(recordOf(order)) ? this.#settle(order) : found(order);
  }

  /** Whether orders as recent as the stored ones can have been sent without being in the folder. */
  get #isFolderOlder(): boolean {
    const { session, clock } = this.#options;
    return session.behindMs !== null && clock.nowMs() - session.behindMs < KEPT_MS;
  }

  /** A name that is not stored was never given to an order, unless the folder is an older copy. */
  #notKept(): Failure {
    // Only the broker, at a logon, shows that the folder is older than what was sent.
    if (!this.#options.session.isLive) return failed("UNAVAILABLE", "the session is down");
    return this.#isFolderOlder
      ? failed("UNKNOWN", "the folder was older than what was sent: such an order may have been sent before")
      : failed("NOT_FOUND", "this connector never sent such an order");
  }

  /** Finds the outcome of an order that can exist. */
  async #settle(order: KnownOrder): Promise<BrokerReply<OrderRecord>> {
    const { sentOrders, session } = this.#options;
    if (!session.isLive) return failed("UNAVAILABLE", "the session is down");
    const answer = await settle(this.#options, this.#lookUps, order);
    const now = sentOrders.get(order.clientOrderId) ?? order;
    const isOpen = answer === "noAnswer" && isInDoubt(now, session.life);
    return isOpen ? failed("UNAVAILABLE", "no answer in time") : found(now);
  }

  // ---------------------------------------------------------------------------------------------------------- orders

  async place(request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> {
    const { settings, sentOrders } = this.#options;
    const account = accountOf(settings, request);
    if (account === undefined) return notYours();
    const known = sentOrders.get(request.clientOrderId);
    if (known === undefined) return this.#send(request, account, undefined);
    if (!isOfSameLots(known, request)) return failed("UNAVAILABLE", ANOTHER_ORDER);
    if (known.standing === "leaving") {
      const settled = await this.#settle(known);
      if (!settled.ok && settled.code !== "NOT_FOUND" && settled.code !== "REJECTED") return settled;
    }
    const now = sentOrders.get(request.clientOrderId) ?? known;
    // A later attempt had a name of its own: the broker would not see a duplicate.
    if (now.standing === "notNow" && this.#isFolderOlder)
      return failed(
        "UNAVAILABLE",
        "the folder was older than what was sent: the order may have been sent again before",
      );
    if (now.standing === "absent" || now.standing === "notSent" || now.standing === "notNow")
      return this.#send(request, account, now);
    return isSameOrder(now, request) ? this.#answer(now) : failed("UNAVAILABLE", ANOTHER_ORDER);
  }

  async #send(request: PlaceRequest, account: FixAccount, before: KnownOrder | undefined) {
    const { settings, session, sentOrders, clock, newName } = this.#options;
    const { userId, symbol, clientOrderId } = request;
    const limitPrice = this.#limitPriceOf(request);
    if (limitPrice === "noPrice") return failed("NOT_SENT", `no price of ${symbol} is known to set a limit by`);
    const nowMs = clock.nowMs();
    const subject = { settings, account, userId, symbol };
    const isRepeat = before?.standing === "absent";
    // A name that was rejected is used up: brokers refuse it as a duplicate.
    const isNewName = before?.standing === "notNow";
    const wireName = isNewName ? newName("N") : (before?.wireName ?? null);
    const fields = newOrder(subject, request, wireName ?? clientOrderId, limitPrice, isRepeat, nowMs);
    const place = session.send(MsgType.NewOrderSingle, fields, (hasLeft) => {
      if (!hasLeft) this.#neverLeft(clientOrderId);
    });
    if (place === undefined) return failed("NOT_SENT", "the session is down");
    const isOneLife = before === undefined || isNewName || before.standing === "notSent" || before.life === place.life;
    sentOrders.keep({
      ...freshOrder(request, nowMs),
      ...place,
      ...{ standing: "leaving", orderId: null, isOneLife, wireName, endedBy: null },
      createdMs: before?.createdMs ?? nowMs,
    });
    const word = await this.#waiting.waitFor(clientOrderId, settings.answerTimeoutMs, LATE);
    return this.#afterWord(clientOrderId, word);
  }

  async #afterWord(clientOrderId: string, word: Word): Promise<BrokerReply<OrderAnswer>> {
    const order = this.#options.sentOrders.get(clientOrderId);
    if (word.kind === "notSent") return failed("NOT_SENT", word.text);
    if (order?.standing === "absent")
      return failed("NOT_SENT", "the order was lost on the way: the broker does not have it");
    if (order === undefined || (word.kind === "late" && order.standing === "leaving")) {
      return failed("UNAVAILABLE", "the broker did not answer in time");
    }
    if (word.kind === "duplicate" && order.standing === "leaving") {
      const settled = await this.#settle(order);
      // The broker knows the name, so its not knowing the order proves nothing.
      if (!settled.ok) return failed("UNAVAILABLE", `the broker answered that it knows the order: ${settled.message}`);
    }
    return this.#answer(this.#options.sentOrders.get(clientOrderId) ?? order);
  }

  #answer(order: KnownOrder): BrokerReply<OrderAnswer> {
    if (order.standing === "refused") return failed("REJECTED", order.text || "the broker refused the order");
    if (order.standing === "notNow") return failed("NOT_NOW", order.text || "the exchange is closed");
    if (order.standing === "accepted") return taken({ ...order, orderNo: order.clientOrderId });
    return failed("UNAVAILABLE", "the outcome of the order is not known");
  }

  #neverLeft(clientOrderId: string): void {
    const { sentOrders } = this.#options;
    const order = sentOrders.get(clientOrderId);
    if (order === undefined || order.standing !== "leaving") return;
    sentOrders.keep({ ...order, standing: "notSent" });
    this.#waiting.settle(clientOrderId, { kind: "notSent", text: "the connection ended before the order left" });
  }

  #limitPriceOf(request: PlaceRequest): number | undefined | "noPrice" {
    const { settings, lastPriceOf } = this.#options;
    if (request.orderType === LIMIT) return request.price;
    if (settings.marketAs === "market") return undefined;
    const last = lastPriceOf(request.symbol);
    if (last === undefined) return "noPrice";
    return collared(last, settings, request.buySell === 2);
  }

  async cancel(request: CancelRequest): Promise<BrokerReply<OrderAnswer>> {
    const { settings, session, sentOrders, clock, newName } = this.#options;
    const order = sentOrders.get(request.orderNo);
    if (accountOf(settings, request) === undefined) return notYours();
    if (order === undefined || order.accountNumber !== request.accountNumber) return this.#notKept();
    const subject = subjectOf(settings, order);
    if (isOver(order) || subject === undefined) return failed("REJECTED", "the order is over");
    const name = newName("C");
    const place = session.send(
      MsgType.OrderCancelRequest,
      cancelRequest(subject, order, name, clock.nowMs()),
      (hasLeft) => {
        if (!hasLeft) this.#waiting.settle(name, { kind: "notSent", text: "the connection ended before it left" });
      },
    );
    if (place === undefined) return failed("NOT_SENT", "the session is down");
    sentOrders.keepName(name, order.clientOrderId, "cancel");
    const word = await this.#waiting.waitFor(name, settings.answerTimeoutMs, LATE);
    return cancelAnswer(sentOrders.get(order.clientOrderId) ?? order, word);
  }
}

function cancelAnswer(order: KnownOrder, word: Word): BrokerReply<OrderAnswer> {
  if (order.standing === "accepted" && order.orderStatus === ORDER_CANCELLED) {
    return { ok: true, data: { orderNo: order.clientOrderId, orderStatus: ORDER_CANCELLED } };
  }
  if (word.kind === "cancelRefused") return failed("REJECTED", word.text);
  if (word.kind === "notSent") return failed("NOT_SENT", word.text);
  if (isOver(order)) return failed("REJECTED", "the order was over before it could be cancelled");
  return failed("UNAVAILABLE", "the broker did not answer in time");
}

function found(order: KnownOrder): BrokerReply<OrderRecord> {
  switch (order.standing) {
    case "accepted":
    case "refused":
      return { ok: true, data: recordOf(order) };
    case "absent":
      return failed("NOT_FOUND", "the broker has no such order");
    case "notSent":
      return failed("NOT_FOUND", "the order never left");
    case "notNow":
      return failed("NOT_FOUND", "the broker rejected the order, as the exchange is closed");
    case "leaving":
    case "lost":
      return failed("UNKNOWN", "the broker does not know the outcome of the order");
  }
}

function isTold(order: KnownOrder): boolean {
  return order.standing === "accepted" || order.standing === "refused";
}

/** A limit beyond the last price by so many percent, on the exchange's tick table; never under the lowest price. */
function collared(last: number, { collarPercent, exchange }: OrderSettings, isSell: boolean): number {
  const table = tickTableOf(exchange);
  const hundredths = isSell ? Math.floor(last * (100 - collarPercent)) : Math.ceil(last * (100 + collarPercent));
  const neighbour = isSell ? nextDown(hundredths, table) : nextUp(hundredths, table);
  const onGrid = isOnGrid(hundredths, table) ? hundredths : neighbour;
  return (onGrid ?? 1) / 100;
}
