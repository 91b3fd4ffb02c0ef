/**
 * A brokerage that loses requests, loses answers, answers late and accepts late: a plain NATS client that knows nothing
 * of our code but the gateway protocol, with the orders that truly exist.
 */
import type { Msg, NatsConnection, Subscription } from "nats";
import type { PlaceRequest } from "../../../src/contract/trading/order.ts";

/** The outcome of one `place`. */
export type Fate =
  /** Accepted and answered. */
  | "accept"
  /** Never arrived. */
  | "loseRequest"
  /** Accepted; the answer is lost. */
  | "loseReply"
  /** Accepted; the answer comes after its client has stopped waiting. */
  | "answerLate"
  /** Not answered, and accepted only after `lateMs`. */
  | "acceptLate"
  /** Refused this once: busy. */
  | "unavailable"
  /** Refused for good. */
  | "reject";

/** Its promise about a repeated `clientOrderId`. */
export type LossyPromise = "idempotent" | "expiry" | "query" | "none";

interface LossyOptions {
  readonly code: string;
  readonly promise: LossyPromise;
  readonly accounts: readonly string[];
  /** Delay of late answers and acceptances. */
  readonly lateMs: number;
  /** Decides the fate of the `attempt`-th request (from 1) for an order. */
  readonly fate: (order: { readonly accountNumber: string }, attempt: number) => Fate;
  /** Whether this look-up is answered at all. */
  readonly answersLookUp: () => boolean;
}

interface LossyOrder extends Omit<PlaceRequest, "userId" | "expiresAt"> {
  readonly orderNo: string;
  orderStatus: number;
  filledQuantity: number;
  averagePrice: number;
  readonly createdDate: string;
  updatedDate: string | null;
}

export class LossyBrokerage {
  /** Every order that exists, in the order of acceptance. */
  readonly orders: LossyOrder[] = [];
  /** Count of requests to place each order. */
  readonly attempts = new Map<string, number>();
  readonly fateCounts = new Map<Fate, number>();
  readonly #options: LossyOptions;
  readonly #nats: NatsConnection;
  readonly #subscription: Subscription;
  /** Late events, in the order of their moments. */
  readonly #late: { readonly dueMs: number; readonly act: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastNo = 0;

  constructor(nats: NatsConnection, options: LossyOptions) {
    this.#nats = nats;
    this.#options = options;
    this.#subscription = nats.subscribe(`broker.${options.code}.*`, {
      callback: (_error, message) => this.#take(message),
    });
  }

  /** Takes no more requests, and drops late acceptances. */
  stop(): void {
    this.#subscription.unsubscribe();
    clearTimeout(this.#timer);
  }

  /** True while an order may still be accepted. */
  get isBusy(): boolean {
    return this.#late.length > 0;
  }

  /** Adds an order that another client placed. */
  add(fields: Omit<PlaceRequest, "userId">, orderStatus: number): LossyOrder {
    this.#lastNo += 1;
    const { expiresAt: _, ...rest } = fields;
    const order: LossyOrder = {
      ...rest,
      orderNo: `${this.#options.code}-${this.#lastNo}`,
      orderStatus,
      filledQuantity: orderStatus === 2 ? fields.quantity : 0,
      averagePrice: orderStatus === 2 ? 100 : 0,
      createdDate: new Date().toISOString(),
      updatedDate: null,
    };
    this.orders.push(order);
    return order;
  }

  /** Publishes anything as an update. */
  tell(update: object | string): void {
    const text = typeof update === "string" ? update : JSON.stringify(update);
    this.#nats.publish(`broker.${this.#options.code}.updates`, text);
  }

  #take(message: Msg): void {
    const operation = message.subject.split(".")[2] ?? "";
    this.#actOnDue();
    if (operation === "updates") return;
    const request = message.json<PlaceRequest & { orderNo?: string }>();
    switch (operation) {
      case "accounts":
        this.#yes(
          message,
          this.#options.accounts.map((accountNumber, index) => {
            return { accountNumber, number: `${index}`, name: accountNumber, isActive: true, isDefault: index === 0 };
          }),
        );
        return;
      case "place":
        this.#place(message, request);
        return;
      case "findOrder":
        this.#find(message, request);
        return;
      default:
        this.#no(message, "UNAVAILABLE");
    }
  }

  #place(message: Msg, request: PlaceRequest): void {
    const attempt = (this.attempts.get(request.clientOrderId) ?? 0) + 1;
    this.attempts.set(request.clientOrderId, attempt);
    const fate = this.#options.fate(request, attempt);
    this.fateCounts.set(fate, (this.fateCounts.get(fate) ?? 0) + 1);
    switch (fate) {
      case "accept":
        this.#accept(request, (order) => this.#yes(message, answerOf(order)));
        return;
      case "loseReply":
        this.#accept(request, () => undefined);
        return;
      case "answerLate":
        this.#accept(request, (order) => this.#later(() => this.#yes(message, answerOf(order))));
        return;
      case "acceptLate":
        this.#later(() => this.#accept(request, () => undefined));
        return;
      case "unavailable":
        this.#no(message, "NOT_SENT");
        return;
      case "reject":
        this.#no(message, "REJECTED");
        return;
      case "loseRequest":
        return;
    }
  }

  /** Keeps the promise, and does nothing beyond it. Drops an expired order without an answer. */
  #accept(request: PlaceRequest, then: (order: LossyOrder) => void): void {
    const { promise } = this.#options;
    const known = this.orders.find(({ clientOrderId }) => clientOrderId === request.clientOrderId);
    if (promise === "idempotent" && known !== undefined) {
      then(known);
      return;
    }
    if (promise === "expiry" && (request.expiresAt === undefined || Date.now() > Date.parse(request.expiresAt))) return;
    const { userId: _, ...fields } = request;
    const order = this.add(fields, 2);
    this.tell(order);
    then(order);
  }

  #find(message: Msg, { clientOrderId, orderNo }: { clientOrderId?: string; orderNo?: string }): void {
    if (!this.#options.answersLookUp()) return;
    const found = this.orders.find((order) =>
      orderNo === undefined ? order.clientOrderId === clientOrderId : order.orderNo === orderNo,
    );
    if (found === undefined) this.#no(message, "NOT_FOUND");
    else this.#yes(message, found);
  }

  #later(act: () => void): void {
    this.#late.push({ dueMs: performance.now() + this.#options.lateMs, act });
    this.#timer ??= setTimeout(() => this.#actOnDue(), this.#options.lateMs);
  }

  /** Acts on what is due before the next answer: a process that was paused keeps its promise anyway. */
  #actOnDue(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const nowMs = performance.now();
    while ((this.#late[0]?.dueMs ?? Number.POSITIVE_INFINITY) <= nowMs) this.#late.shift()?.act();
    const [next] = this.#late;
    if (next !== undefined) this.#timer = setTimeout(() => this.#actOnDue(), Math.max(1, next.dueMs - nowMs));
  }

  #yes(message: Msg, data: unknown): void {
    message.respond(JSON.stringify({ ok: true, data }));
  }

  #no(message: Msg, code: string): void {
    message.respond(JSON.stringify({ ok: false, code, message: "no" }));
  }
}

function answerOf({ orderNo, orderStatus }: LossyOrder): object {
  return { orderNo, orderStatus };
}
