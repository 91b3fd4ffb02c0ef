/**
 * The events of an order that an actor receives: the answer to its placement, then news as evidence for its execution.
 *
 * Owns: these events, and the way of news to its execution and `apply`. Does not own: who receives them (the engine),
 * judging (`execution.ts`).
 */
import type { Evidence } from "./evidence.ts";
import { apply, type Execution, type ExecutionStep, isQuiet } from "./execution.ts";
import type { Fill, OrderNotice } from "./order.ts";
import { isAbout } from "./order-number.ts";

/** The brokerage took an order that the actor asked for. */
export interface OrderPlaced {
  readonly type: "orderPlaced";
  readonly name: string;
  /** The whole name at the brokerage. Absent in events that an older edition stored. */
  readonly clientOrderId?: string;
  readonly orderNo: string;
  readonly orderStatus: number;
  /** Lots that it was asked for. */
  readonly quantity: number;
  readonly timeMs: number;
}

/** An order that the actor asked for does not exist and never will. */
export interface OrderRefused {
  readonly type: "orderRefused";
  readonly name: string;
  readonly message: string;
  /** Lots that it was asked for. Absent in events that an older edition stored. */
  readonly quantity?: number;
  readonly timeMs: number;
  /** True: the brokerage was not reached, or not with a login; it refused nothing. */
  readonly isUnreached?: boolean;
}

/** The brokerage's record of an order. */
export interface OrderUpdated {
  readonly type: "orderUpdated";
  readonly record: OrderNotice;
  readonly timeMs: number;
  /** Of the answer to a look-up: its number, or null for one of a round. Absent: the brokerage published it. */
  readonly look?: number | null;
}

/** A look-up found nothing. */
interface OrderMissing {
  readonly type: "orderMissing";
  readonly orderNo: string;
  readonly answer: "notFound" | "unknown" | "cannotLookUp";
  readonly timeMs: number;
}

/** A person decided the outcome of an order in doubt. */
interface OrderDecided {
  readonly type: "orderDecided";
  readonly orderNo: string;
  /** Null: nothing more than was known was filled. */
  readonly fill: Fill | null;
  readonly timeMs: number;
}

export type OrderNews = OrderUpdated | OrderMissing | OrderDecided;

/** The evidence in the news. */
function evidenceOf(news: OrderNews): Evidence {
  const { timeMs } = news;
  switch (news.type) {
    case "orderUpdated": {
      const { record, look } = news;
      return look === undefined ? { type: "reported", record, timeMs } : { type: "lookedUp", record, look, timeMs };
    }
    case "orderMissing":
      return { type: news.answer, timeMs };
    case "orderDecided":
      return { type: "decided", fill: news.fill, timeMs };
  }
}

/** Whether the news is meant for the execution: by its name, or by one of its numbers. */
export function isMeantFor(execution: Execution, news: OrderNews): boolean {
  const orderNo = news.type === "orderUpdated" ? news.record.orderNo : news.orderNo;
  const isNumbered = execution.orders.some((order) => order.orderNo === orderNo);
  return isNumbered || (news.type === "orderUpdated" && isAbout(execution, news.record));
}

/**
 * Returns the owner's execution that news is meant for; undefined if none is. A brokerage can use a number again: a
 * record goes to the order that it is about, and news without a name to the order whose end is not known.
 */
export function executionMeant(executions: readonly Execution[], news: OrderNews): Execution | undefined {
  const numbered = executions.filter((execution) => isMeantFor(execution, news));
  const about = news.type === "orderUpdated" ? numbered.filter((execution) => isAbout(execution, news.record)) : [];
  const meant = about.length > 0 ? about : numbered;
  return meant.find((execution) => !isQuiet(execution)) ?? meant[0];
}

/** Applies the news to the execution that it is meant for. */
export function hear(execution: Execution, news: OrderNews): ExecutionStep {
  return apply(execution, evidenceOf(news));
}
