/**
 * A brokerage that keeps exactly its promise: it loses requests and replies, accepts late, answers nonsense, is away,
 * and outlives every process that talks to it.
 *
 * Owns: which orders exist, and what was refused to whom. Does not own: who is alive, when trouble ends (the world).
 */
import { FenceKeeper } from "../../../engine/connector/host/fence.ts";
import type { Brokerage } from "../../../engine/ports/brokerage.ts";
import type {
  AccountRecord,
  BrokerageSettings,
  BrokerReply,
  FindOrderRequest,
  Instrument,
  InstrumentRequest,
  OrderAnswer,
  OrderRecord,
  PlaceRequest,
  PositionRecord,
} from "../../../src/contract/trading/order.ts";
import { lacksPrice, ORDER_COMPLETED, ORDER_OPEN, ORDER_REJECTED } from "../../../src/domain/order/order.ts";
import { plainName } from "../oracle/plain-name.ts";
import { Refusals } from "../oracle/refusals.ts";
import { type ExchangeOrder, Fills } from "./fills.ts";
import type { Life } from "./life.ts";
import type { Random } from "./random.ts";
import type { Report } from "./report.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** The shares of each kind of trouble, from 0 to 1. */
export interface Trouble {
  readonly lostRequest: number;
  readonly lostReply: number;
  readonly lateAccept: number;
  readonly unreachable: number;
  readonly rejected: number;
  readonly unauthorized: number;
  readonly nonsense: number;
  /** The order is taken, or will be, and the connector answers immediately that the brokerage is not available. */
  readonly lying: number;
  readonly slow: number;
  /** The share of taken orders that end with a rest. */
  readonly cutDown: number;
}

/** The course of the orders that a brokerage took. */
export interface Course {
  /** Orders that have not ended. */
  readonly openCount: number;
  /** The order was taken. */
  begin(order: ExchangeOrder): void;
  /** The engine asked to cancel it. */
  recall(order: ExchangeOrder): void;
}

/** An exchange with sessions and a book of its own, behind the brokerage. */
export interface Venue {
  bandOf(symbol: string): Instrument;
  /** Why it does not take an order now; undefined: it takes it. */
  notNow(request: PlaceRequest): string | undefined;
  courseOf(tell: (record: OrderRecord) => void): Course;
  /** The lots that an account holds; undefined: they are not reported. */
  positionsOf(accountNumber: string): readonly PositionRecord[] | undefined;
}

interface ExchangeOptions {
  readonly settings: BrokerageSettings;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly report: Report;
  readonly trouble: Trouble;
  /** False once trouble is over. */
  readonly isTroubled: () => boolean;
  /** The price of a symbol now, in thousandths. */
  readonly milliOf: (symbol: string) => number;
  /** Called with every request as it leaves the engine. */
  readonly onSent: (request: PlaceRequest) => void;
  /** Called with every order that has ended. */
  readonly onEnded: (order: ExchangeOrder) => void;
  /** Absent: orders are taken at any time, and fill by chance. */
  readonly venue?: Venue;
}

/** The brokerage's clock is behind by this; the engine allows for a second. */
const CLOCK_BEHIND_MS = 900;
const UNBOUNDED_LATE_MS = 120_000;
/** For so long an `idempotent` brokerage that refused a repeat may still accept the attempt before it. */
const FORGETS_FOR_MS = 4_000;

export class Exchange {
  readonly settings: BrokerageSettings;
  readonly #options: ExchangeOptions;
  readonly #fills: Course;
  /** By their plain names. */
  readonly orders = new Map<string, ExchangeOrder[]>();
  readonly refusals: Refusals;
  /** Quantity of the last request to place each order, by plain names. */
  readonly askedQuantities = new Map<string, number>();
  /** The full name that each plain name had. */
  readonly #names = new Map<string, string>();
  /** The connector's, which outlives every life of the engine. */
  readonly #fence: FenceKeeper;
  /** When a look-up of each number, by it or by the order's name, was last answered with nothing useful. */
  readonly #lookUpsFailed = new Map<string, number>();
  readonly #listeners = new Map<Life, (record: OrderRecord) => void>();
  #orderCount = 0;
  /** Requests that have not arrived. */
  onTheWay = 0;
  #awayFromMs = Number.POSITIVE_INFINITY;
  #awayUntilMs = Number.POSITIVE_INFINITY;

  constructor(options: ExchangeOptions) {
    this.settings = options.settings;
    this.#options = options;
    this.refusals = new Refusals(() => this.#nowMs());
    this.#fence = new FenceKeeper({ nowMs: () => this.#nowMs() });
    const tell = (record: OrderRecord): void => {
      for (const [life, listener] of this.#listeners) if (life.isAlive) listener(record);
    };
    this.#fills = options.venue?.courseOf(tell) ?? new Fills({ ...options, tell });
  }

  /** Orders that were taken and have not ended. */
  get openCount(): number {
    return this.#fills.openCount;
  }

  /** The orders of a number. */
  numbered(orderNo: string): ExchangeOrder | undefined {
    return [...this.orders.values()].flat().find(({ record }) => record.orderNo === orderNo);
  }

  /** Returns the moment when a look-up of the order last failed; far in the past if none did. */
  lookUpFailedMs(orderNo: string): number {
    return this.#lookUpsFailed.get(orderNo) ?? Number.NEGATIVE_INFINITY;
  }

  /** Takes no order and answers nothing useful for a while. */
  goAway(forMs: number): void {
    this.#awayFromMs = this.#nowMs();
    this.#awayUntilMs = this.#nowMs() + forMs;
  }

  /** The connection of one life of the engine. */
  connect(life: Life): Brokerage {
    const never = <T>(): Promise<T> => new Promise(() => undefined);
    const gated = async <T>(ask: () => Promise<T>): Promise<T> => {
      if (!life.isAlive) return never();
      const answer = await ask();
      return life.isAlive ? answer : never();
    };
    const place = (request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> => gated(() => this.#place(life, request));
    const { venue } = this.#options;
    const refuse = async (): Promise<BrokerReply<never>> => ({ ok: false, code: "UNAVAILABLE", message: "not here" });
    return {
      settings: this.settings,
      place,
      chain: place,
      findOrder: (request) => gated(() => this.#find(request)),
      accounts: ({ userId }) => gated(() => this.#accounts(userId)),
      login: refuse,
      positions: ({ accountNumber }) => gated(() => this.#positions(accountNumber)),
      dailyOrders: ({ accountNumber }) => gated(() => this.#dailyOrders(accountNumber)),
      cancel: ({ orderNo }) => gated(() => this.#cancel(orderNo)),
      onUpdate: (listener) => {
        this.#listeners.set(life, listener);
        return () => this.#listeners.delete(life);
      },
      close: () => Promise.resolve(),
      ...(venue !== undefined && { instrument: (request) => gated(() => this.#instrument(venue, request)) }),
    };
  }

  async #instrument(venue: Venue, { symbol }: InstrumentRequest): Promise<BrokerReply<Instrument>> {
    await this.#wait(this.#options.random.whole(0, 40));
    if (this.#isTroubled(0.2)) return { ok: false, code: "UNAVAILABLE", message: "away" };
    return { ok: true, data: venue.bandOf(symbol) };
  }

  /** The lots of the moment when the request arrives; the answer can be on its way for long. */
  async #positions(accountNumber: string): Promise<BrokerReply<readonly PositionRecord[]>> {
    const positions = this.#options.venue?.positionsOf(accountNumber);
    if (positions === undefined) return { ok: false, code: "UNAVAILABLE", message: "not here" };
    await this.#wait(this.#isTroubled(0.3) ? this.#options.random.whole(40, 2_000) : this.#options.random.whole(0, 40));
    if (this.#isTroubled(0.2)) return { ok: false, code: "UNAVAILABLE", message: "away" };
    return { ok: true, data: positions };
  }

  async #dailyOrders(accountNumber: string): Promise<BrokerReply<readonly OrderRecord[]>> {
    if (this.#options.venue?.positionsOf(accountNumber) === undefined)
      return { ok: false, code: "UNAVAILABLE", message: "not here" };
    await this.#wait(this.#options.random.whole(0, 40));
    if (this.#isTroubled(0.2)) return { ok: false, code: "UNAVAILABLE", message: "away" };
    const records = [...this.orders.values()].flat().map(({ record }) => record);
    return { ok: true, data: records.filter((record) => record.accountNumber === accountNumber) };
  }

  async #place(life: Life, request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> {
    const { random, report } = this.#options;
    const name = request.clientOrderId;
    if (life.mayDieHere("before the request leaves")) return new Promise(() => undefined);
    this.#options.onSent(request);
    this.#checkName(name);
    this.askedQuantities.set(plainName(name), request.quantity);
    const reply = await this.#exchange(life, request);
    report.note(() => `${this.settings.code} answers ${name}: ${reply.ok ? reply.data.orderNo : reply.code}`);
    this.refusals.noteAnswer(life, request, reply);
    if (random.chance(0.5)) life.mayDieHere("after the answer, before it is noted");
    return reply;
  }

  /** An order has the same name in every life that asks for it. */
  #checkName(name: string): void {
    const before = this.#names.get(plainName(name)) ?? name;
    this.#names.set(plainName(name), before);
    if (before !== name) this.#options.report.violate(`order ${before} is called ${name} now`);
  }

  /** One request on its way there and back. */
  async #exchange(life: Life, request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> {
    const { random, report } = this.#options;
    const { timeoutMs } = this.settings;
    const fate = this.#fateOf();
    if (fate !== "accept") report.count(`brokerage: ${fate}`);
    report.note(() => `${this.settings.code} is sent ${request.clientOrderId} x${request.quantity} (${fate})`);
    const unknown = async (message: string): Promise<BrokerReply<never>> => {
      await this.#wait(timeoutMs);
      return { ok: false, code: "UNAVAILABLE", message };
    };
    switch (fate) {
      case "unreachable":
        await this.#wait(random.whole(0, 500));
        return { ok: false, code: "NOT_SENT", message: "away" };
      case "unauthorized":
        return { ok: false, code: "UNAUTHORIZED", message: "log in" };
      case "lost request":
        return unknown("no answer in time");
      case "lying":
        // It may come after the engine has looked it up.
        this.#arriveAfter(random.chance(0.5) ? random.whole(0, 300) : random.whole(0, this.#latestMs()), request);
        await this.#wait(random.whole(0, 60));
        return { ok: false, code: "UNAVAILABLE", message: "upstream timed out" };
      case "lost reply":
        this.#arriveAfter(random.whole(0, 300), request);
        return unknown("no answer in time");
      case "late accept":
        this.#arriveAfter(random.whole(timeoutMs, this.#latestMs()), request);
        return unknown("no answer in time");
      default: {
        const delayMs = fate === "slow" ? random.whole(500, timeoutMs - 1) : random.whole(0, 60);
        const arrived = this.#arriveAfter(random.whole(0, delayMs), request);
        if (this.settings.resend === "idempotent" && this.#isTroubled(0.05)) {
          report.count("brokerage: request doubled on the way");
          this.#arriveAfter(random.whole(0, this.#latestMs()), request, true);
        }
        life.mayDieHere("after the request left");
        await this.#wait(delayMs);
        const answer = await arrived;
        return fate === "nonsense" ? this.#garble(request, answer) : this.#withFill(answer);
      }
    }
  }

  /** Of every second order the answer names the fill, if the order was completed before the answer left. */
  #withFill(answer: BrokerReply<OrderAnswer>): BrokerReply<OrderAnswer> {
    const record = answer.ok ? this.numbered(answer.data.orderNo)?.record : undefined;
    const isNamed = record !== undefined && Number(record.orderNo.split("-").at(-1)) % 2 === 0;
    if (!isNamed || record.orderStatus !== ORDER_COMPLETED || lacksPrice(record)) return answer;
    const { orderNo, orderStatus, filledQuantity, averagePrice } = record;
    this.#options.report.count("brokerage: answered with the fill");
    return { ok: true, data: { orderNo, orderStatus, filledQuantity, averagePrice } };
  }

  /** It may be lost on its way: the engine asks again. */
  async #cancel(orderNo: string): Promise<BrokerReply<OrderAnswer>> {
    const { random } = this.#options;
    await this.#wait(random.whole(0, 60));
    const order = this.numbered(orderNo);
    if (order !== undefined) order.isRecalled = true;
    if (order === undefined || this.#isTroubled(0.3)) return { ok: false, code: "UNAVAILABLE", message: "away" };
    this.#fills.recall(order);
    return answerOf(order);
  }

  #fateOf() {
    const { random, trouble } = this.#options;
    const nowMs = this.#nowMs();
    if (nowMs >= this.#awayFromMs && nowMs < this.#awayUntilMs) return random.chance(0.8) ? "unreachable" : "slow";
    if (!this.#options.isTroubled()) return "accept";
    const none = this.settings.resend === "none" ? 0.3 : 1;
    return random.weighted(
      [
        [trouble.lostRequest * none, "lost request"],
        [trouble.lostReply * none, "lost reply"],
        [trouble.lateAccept * none, "late accept"],
        [trouble.nonsense * none, "nonsense"],
        [trouble.lying * none, "lying"],
        [trouble.unreachable, "unreachable"],
        [trouble.unauthorized, "unauthorized"],
        [trouble.slow, "slow"],
        [1, "accept"],
      ] as const,
      "accept",
    );
  }

  /**
   * How late a request may arrive if a server that was frozen delivers it: no promise bounds that. The fence refuses
   * requests that come after a look-up was answered NOT_FOUND; `expiry` refuses by the clock, too, `idempotent` by
   * name.
   */
  #latestMs(): number {
    return UNBOUNDED_LATE_MS;
  }

  #arriveAfter(delayMs: number, request: PlaceRequest, isDoubled = false): Promise<BrokerReply<OrderAnswer>> {
    this.onTheWay += 1;
    return new Promise((resolve) => {
      this.#options.time.after(delayMs, () => {
        this.onTheWay -= 1;
        resolve(this.#receive(request, isDoubled));
      });
    });
  }

  #receive(request: PlaceRequest, isDoubled: boolean): BrokerReply<OrderAnswer> {
    const { clientOrderId, expiresAt, fence } = request;
    const { resend } = this.settings;
    const refusal = this.#fence.refusalOf(fence, clientOrderId);
    if (refusal !== undefined) {
      this.#options.report.count("connector: fenced");
      return { ok: false, code: "FENCED", message: refusal };
    }
    const known = this.orders.get(plainName(clientOrderId)) ?? [];
    const first = known[0];
    if (resend === "idempotent" && first !== undefined) return answerOf(first);
    const notNow = this.#options.venue?.notNow(request);
    if (notNow !== undefined) {
      this.#options.report.count("brokerage: not now");
      return { ok: false, code: "NOT_NOW", message: notNow };
    }
    const rejected = this.refusals.of(clientOrderId).find(({ code }) => code === "REJECTED");
    // Only for a repeat by the engine, which asks first: a doubled request whose first refusal was lost could not be
    // repaired.
    const isForgettable = rejected !== undefined && !isDoubled && this.#nowMs() - rejected.atMs < FORGETS_FOR_MS;
    const forgets = isForgettable && this.#isTroubled(0.5);
    if (forgets) this.#options.report.count("brokerage: refusal forgotten");
    if (resend === "idempotent" && rejected !== undefined && !forgets)
      return { ok: false, code: "REJECTED", message: "rejected before" };
    if (resend === "expiry") {
      if (expiresAt === undefined) throw new Error("an order under the promise of expiry says when it expires");
      // The promise cannot be kept by a clock that is set back; the engine's may be.
      if (this.#options.time.latestClock.nowMs() - CLOCK_BEHIND_MS > Date.parse(expiresAt)) {
        this.#options.report.count("brokerage: expired");
        return { ok: false, code: "REJECTED", message: "expired" };
      }
    }
    if (this.#isTroubled(this.#options.trouble.rejected)) {
      this.#options.report.count("brokerage: rejected");
      if (this.#options.random.chance(0.3)) return answerOf(this.#add(request, known, ORDER_REJECTED));
      this.refusals.note(undefined, request, "REJECTED");
      return { ok: false, code: "REJECTED", message: "no position" };
    }
    return answerOf(this.#add(request, known, ORDER_OPEN));
  }

  #add(request: PlaceRequest, known: readonly ExchangeOrder[], orderStatus: 1 | 4): ExchangeOrder {
    this.#orderCount += 1;
    const { accountNumber, clientOrderId, symbol, buySell, orderType, quantity, price } = request;
    const orderNo = `${this.settings.code}-${this.#orderCount}`;
    const bare = { orderNo, clientOrderId, accountNumber, symbol, buySell, orderType, quantity, price, orderStatus };
    const record = { ...bare, filledQuantity: 0, averagePrice: 0, createdDate: "2026-01-05T09:00:00.000Z" };
    const takenMs = this.#nowMs();
    const endedMs = orderStatus === ORDER_OPEN ? Number.POSITIVE_INFINITY : takenMs;
    const history = { takenMs, endedMs, isRecalled: false, lateQuantity: 0 };
    const order: ExchangeOrder = { request, record: { ...record, updatedDate: null }, ...history };
    this.orders.set(plainName(clientOrderId), [...known, order]);
    if (request.fence !== undefined && this.settings.resend !== "idempotent") {
      this.#fence.raiseBar(clientOrderId, request.fence);
    }
    this.#options.report.note(() => `${this.settings.code} takes ${clientOrderId} as ${orderNo} (${orderStatus})`);
    if (orderStatus === ORDER_OPEN) this.#fills.begin(order);
    return order;
  }

  /** The answer names another order, which is as good as no answer; for orders that are followed it is empty. */
  #garble(request: PlaceRequest, answer: BrokerReply<OrderAnswer>): BrokerReply<OrderAnswer> {
    if (!answer.ok) return answer;
    const others = [...this.orders.values()].flat().filter(({ request: other }) => {
      return other.accountNumber === request.accountNumber && other.clientOrderId !== request.clientOrderId;
    });
    const mayName =
      !/-[prce]\d/.test(request.clientOrderId) &&
      answer.data.orderStatus !== ORDER_REJECTED &&
      this.#options.random.chance(0.5);
    const other = mayName ? this.#options.random.among(others) : undefined;
    if (other === undefined) return { ok: false, code: "UNAVAILABLE", message: "the answer is HTML" };
    return { ok: true, data: { orderNo: other.record.orderNo, orderStatus: ORDER_OPEN } };
  }

  async #find({ clientOrderId, orderNo, fence }: FindOrderRequest): Promise<BrokerReply<OrderRecord>> {
    const { random, report } = this.#options;
    await this.#wait(random.whole(0, 40));
    const nowMs = this.#nowMs();
    const isAway = nowMs >= this.#awayFromMs && nowMs < this.#awayUntilMs;
    if (isAway || this.#isTroubled(0.2)) {
      report.count("brokerage: look-up failed");
      const named = clientOrderId === undefined ? [] : (this.orders.get(plainName(clientOrderId)) ?? []);
      const numbers = orderNo === undefined ? named.map(({ record }) => record.orderNo) : [orderNo];
      for (const number of numbers) this.#lookUpsFailed.set(number, nowMs);
      return { ok: false, code: random.pick(["UNAVAILABLE", "NOT_SENT"]), message: "away" };
    }
    const all =
      clientOrderId === undefined
        ? [...this.orders.values()].flat()
        : (this.orders.get(plainName(clientOrderId)) ?? []);
    const found = orderNo === undefined ? all[0] : all.find(({ record }) => record.orderNo === orderNo);
    report.note(
      () => `${this.settings.code} is asked for ${clientOrderId ?? orderNo}: ${found?.record.orderNo ?? "no"}`,
    );
    if (found === undefined) {
      if (clientOrderId !== undefined && fence !== undefined) this.#fence.raiseBar(clientOrderId, fence);
      return { ok: false, code: "NOT_FOUND", message: "" };
    }
    // The record of the moment of the look-up: the order may fill, and be reported, while the answer is on its way.
    const { record } = found;
    await this.#wait(this.#isTroubled(0.4) ? random.whole(40, 2_000) : random.whole(0, 40));
    return { ok: true, data: record };
  }

  async #accounts(userId: number): Promise<BrokerReply<readonly AccountRecord[]>> {
    const { random } = this.#options;
    if (random.chance(0.3)) await this.#wait(random.whole(0, 50));
    if (this.#isTroubled(0.05)) return { ok: false, code: "UNAVAILABLE", message: "away" };
    const accounts = [1, 2].map((index) => {
      const accountNumber = `A${userId}-${index}`;
      return { accountNumber, number: `000${userId}${index}`, name: "Account", isActive: true, isDefault: index === 1 };
    });
    return { ok: true, data: accounts };
  }

  #isTroubled(share: number): boolean {
    return this.#options.isTroubled() && this.#options.random.chance(share);
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.time.after(delayMs, resolve);
    });
  }

  #nowMs(): number {
    return this.#options.time.steadyClock.nowMs();
  }
}

function answerOf({ record }: ExchangeOrder): BrokerReply<OrderAnswer> {
  return { ok: true, data: { orderNo: record.orderNo, orderStatus: record.orderStatus } };
}
