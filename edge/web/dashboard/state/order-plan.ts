/**
 * An order that a person sends, alone or as an entry with exits (behaviour 24): made once, even if an answer is lost.
 *
 * Owns: the key of the request, the meaning of each answer, and the plan of which the answer is missing. Does not own:
 * what is ordered (trade/ticket-draft.ts), and the words of the page.
 *
 * Invariants:
 * 1. A plan is written to the tab's storage before its request and removed after the answer. A page that was reloaded in
 *    between has the same key: to run a plan again makes nothing twice (behaviour 1.6).
 * 2. One plan at a time is run in a tab, and the page offers no other one while an answer is missing.
 * 3. A refusal ends a plan only if the service can state that nothing was done. To a repeat, a limit, a missing right
 *    or a conflict gives no information about the first request.
 */
import { LIMIT } from "../../../../src/domain/order/order.ts";
import { STOP_ENTRY } from "../../../../src/domain/setup.ts";
import { say } from "../language/say.ts";
import type { OrderBody, PlannedExits } from "./model.ts";
import { RequestFailed, type Session } from "./session.ts";
import { Store } from "./store.ts";

const STORED = "order-plan";
/** The service keeps the first answer to a key for 24 hours (behaviour 1.6). */
const REPEATED_MS_MAX = 23 * 3_600_000;
/** To these, nothing was done by this request or by one before it under its key. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 422]);
/** Cancelled and rejected. */
const ENDED: ReadonlySet<number> = new Set([3, 4]);

export interface OrderPlan {
  readonly userId: number;
  readonly madeMs: number;
  readonly order: OrderBody;
  readonly orderKey: string;
  /** Null: an order alone. Absent: by a page of the release before, which cannot be repeated. */
  readonly exits?: PlannedExits | null;
}

/**
 * `waiting`: the service has the entry, and its brokerage has not answered yet. `watched`: the service has the stop entry,
 * and watches its trigger or has reached it.
 */
export type PlanOutcome =
  | { readonly kind: "refused" | "unsure" | "waiting" | "watched"; readonly message: string }
  | { readonly kind: "ended" | "placed"; readonly message: string; readonly orderNo: string };

interface Placement {
  readonly orderNo: string | null;
  readonly orderStatus: number | null;
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

  make(order: OrderBody, exits: PlannedExits | null): OrderPlan {
    return { userId: this.#session.caller.userId, madeMs: Date.now(), order, orderKey: crypto.randomUUID(), exits };
  }

  /** Whether the service still has the answer to a plan's key: later, to run it again would be a second order. */
  canRepeat({ madeMs, exits }: OrderPlan): boolean {
    const ageMs = Date.now() - madeMs;
    return exits !== undefined && ageMs >= 0 && ageMs < REPEATED_MS_MAX;
  }

  /** Runs a plan, for the first time or again. Never two at a time: a plan that is run already has one outcome. */
  async run(plan: OrderPlan): Promise<PlanOutcome> {
    if (this.#running !== undefined) {
      if (this.#running.plan === plan) return this.#running.outcome;
      return { kind: "refused", message: say("Another order is on its way. Wait for its answer.") };
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

  async #send({ order, orderKey, exits = null }: OrderPlan, isRepeat: boolean): Promise<PlanOutcome> {
    const [path, body] =
      exits === null ? ["/api/v1/orders", order] : ["/api/v1/oco-orders/entries", entryBody(order, exits)];
    try {
      const answer = await this.#session.send<Placement>("POST", path, body, { key: orderKey });
      const { orderNo, orderStatus } = answer.data;
      const { message } = answer;
      if (orderNo === null) return { kind: order.orderType === STOP_ENTRY ? "watched" : "waiting", message };
      return { kind: orderStatus !== null && ENDED.has(orderStatus) ? "ended" : "placed", message, orderNo };
    } catch (error) {
      const failure = failureOf(error);
      const isSure = REFUSED.has(failure.status) || (!isRepeat && isAnswered(failure));
      return { kind: isSure ? "refused" : "unsure", message: textOf(failure, isSure) };
    }
  }
}

function entryBody(order: OrderBody, { body, entry: more }: PlannedExits): object {
  const { brokerageCode, accountNumber, symbol, quantity, orderType, price } = order;
  const at = orderType === LIMIT ? { price } : orderType === STOP_ENTRY ? { triggerPrice: price } : {};
  const entry = { orderType, quantity, ...at, ...more };
  return { brokerageCode, accountNumber, symbol, entry, protectPartial: true, ...body };
}

function failureOf(error: unknown): RequestFailed {
  if (error instanceof RequestFailed) return error;
  throw error;
}

/** A first request that was answered so did nothing. */
function isAnswered({ status }: RequestFailed): boolean {
  return status >= 400 && status < 500;
}

/** A refusal is as the service sent it: the ticket finds the field in it. */
function textOf({ message, sent, retryAfterSeconds }: RequestFailed, isSure: boolean): string {
  if (isSure && retryAfterSeconds === undefined) return sent;
  return retryAfterSeconds === undefined
    ? message
    : `${message} ${say("Try again in {wait} s.", { wait: retryAfterSeconds })}`;
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
