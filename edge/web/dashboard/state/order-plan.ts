/**
 * An order that a person sends, and the pending OCO that protects its buy: each is made once, whatever is lost on the way.
 *
 * Owns: the keys of both requests, the meaning of each answer, and the plan of which an answer is missing. Does not own:
 * what is ordered (trade/ticket-draft.ts), and the words of the page.
 *
 * Invariants:
 * 1. A plan is written to the tab's storage before its first request and removed after its last answer. A page that was
 *    reloaded in between has the same keys: to run a plan again makes nothing twice (behaviour 1.6).
 * 2. One plan at a time is run in a tab, and the page offers no other one while an answer is missing.
 * 3. A refusal ends a plan only if the service can state that nothing was done. To a repeat, a limit, a missing right or a
 *    conflict says nothing about the first request.
 */
import { RequestFailed, type Session } from "./session.ts";
import { Store } from "./store.ts";

const STORED = "order-plan";
/** The service keeps the first answer to a key for 24 hours (behaviour 1.6). */
const REPEATED_MS_MAX = 23 * 3_600_000;
/** To these, nothing was done by this request or by one before it under its key. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 422]);
/** Cancelled and rejected. */
const ENDED: ReadonlySet<number> = new Set([3, 4]);

export interface OrderBody {
  readonly brokerageCode: string;
  readonly accountNumber: string;
  readonly symbol: string;
  readonly quantity: number;
  readonly buySell: 1 | 2;
  readonly orderType: 1 | 2;
  readonly price: number;
}

/** The levels of a protected buy, in percent of its fill price. */
export interface Protection {
  readonly stopLossPercent: number;
  readonly takeProfitPercent: number;
}

export interface OrderPlan {
  readonly userId: number;
  readonly madeMs: number;
  readonly order: OrderBody;
  readonly orderKey: string;
  readonly protection: Protection | null;
  readonly protectionKey: string;
}

/** `orderNo` null: it is not known whether there is an order. */
export type PlanOutcome =
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "unsure"; readonly message: string; readonly orderNo: string | null }
  | { readonly kind: "ended"; readonly message: string; readonly orderNo: string }
  | { readonly kind: "unprotected"; readonly message: string; readonly orderNo: string }
  | { readonly kind: "placed"; readonly message: string; readonly orderNo: string };

interface Placement {
  readonly orderNo: string;
  readonly orderStatus: number;
}

export class OrderPlans {
  readonly #session: Session;
  /** The plan of which an answer is missing. */
  readonly unsure: Store<OrderPlan | undefined>;
  #running: { readonly plan: OrderPlan; readonly outcome: Promise<PlanOutcome> } | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.unsure = new Store(readStored(session.caller.userId));
  }

  make(order: OrderBody, protection: Protection | null): OrderPlan {
    const [orderKey, protectionKey] = [crypto.randomUUID(), crypto.randomUUID()];
    return { userId: this.#session.caller.userId, madeMs: Date.now(), order, orderKey, protection, protectionKey };
  }

  /** Whether the service still has the answers to a plan's keys: later, to run it again would be a second order. */
  canRepeat({ madeMs }: OrderPlan): boolean {
    const ageMs = Date.now() - madeMs;
    return ageMs >= 0 && ageMs < REPEATED_MS_MAX;
  }

  /** Runs a plan, for the first time or again. Never two at a time: a plan that is run already has one outcome. */
  async run(plan: OrderPlan): Promise<PlanOutcome> {
    if (this.#running !== undefined) {
      if (this.#running.plan === plan) return this.#running.outcome;
      return { kind: "refused", message: "Another order is on its way. Wait for its answer." };
    }
    const outcome = this.#run(plan).finally(() => {
      this.#running = undefined;
    });
    this.#running = { plan, outcome };
    return outcome;
  }

  /** A person has looked at the brokerage: the plan is not run again. */
  forget(): void {
    sessionStorage.removeItem(STORED);
    this.unsure.set(undefined);
  }

  async #run(plan: OrderPlan): Promise<PlanOutcome> {
    const isRepeat = this.unsure.value !== undefined;
    sessionStorage.setItem(STORED, JSON.stringify(plan));
    const outcome = await this.#send(plan, isRepeat);
    if (outcome.kind === "unsure") this.unsure.set(plan);
    else this.forget();
    return outcome;
  }

  async #send({ order, orderKey, protection, protectionKey }: OrderPlan, isRepeat: boolean): Promise<PlanOutcome> {
    let placed: Placement;
    let message: string;
    try {
      const answer = await this.#session.send<Placement>("POST", "/api/v1/orders", order, { key: orderKey });
      ({ data: placed, message } = answer);
    } catch (error) {
      const failure = failureOf(error);
      const isSure = REFUSED.has(failure.status) || (!isRepeat && isAnswered(failure));
      return isSure
        ? { kind: "refused", message: textOf(failure) }
        : { kind: "unsure", orderNo: null, message: textOf(failure) };
    }
    const { orderNo } = placed;
    if (ENDED.has(placed.orderStatus)) return { kind: "ended", message, orderNo };
    if (protection === null) return { kind: "placed", message, orderNo };
    const body = protectionBody(order, orderNo, protection);
    try {
      const registered = await this.#session.send("POST", "/api/v1/oco-orders/register-pending", body, {
        key: protectionKey,
      });
      return { kind: "placed", message: `${message}. ${registered.message}`, orderNo };
    } catch (error) {
      const failure = failureOf(error);
      const kind = REFUSED.has(failure.status) || (!isRepeat && isAnswered(failure) && failure.status !== 429);
      return { kind: kind ? "unprotected" : "unsure", message: textOf(failure), orderNo };
    }
  }
}

function protectionBody(order: OrderBody, brokerOrderNo: string, protection: Protection): object {
  const { brokerageCode, accountNumber, symbol, quantity } = order;
  return {
    ...{ brokerageCode, accountNumber, symbol, brokerOrderNo },
    stopLossQuantity: quantity,
    stopLossPercent: protection.stopLossPercent,
    takeProfitItems: [{ quantity, percent: protection.takeProfitPercent }],
  };
}

function failureOf(error: unknown): RequestFailed {
  if (error instanceof RequestFailed) return error;
  throw error;
}

/** A first request that was answered so did nothing. */
function isAnswered({ status }: RequestFailed): boolean {
  return status >= 400 && status < 500;
}

function textOf({ message, retryAfterSeconds }: RequestFailed): string {
  return retryAfterSeconds === undefined ? message : `${message} Try again in ${retryAfterSeconds} s.`;
}

/** A plan of another user, or none: nothing. */
function readStored(userId: number): OrderPlan | undefined {
  try {
    const plan = JSON.parse(sessionStorage.getItem(STORED) ?? "null") as OrderPlan | null;
    return plan?.userId === userId && typeof plan.orderKey === "string" ? plan : undefined;
  } catch {
    return undefined;
  }
}
