/**
 * An order of a client, from when its brokerage took it until a day after it is settled (behaviour 13.8).
 *
 * Owns: how long it is kept, and which price is waited for. Does not own: judging the brokerage's reports
 * (`execution.ts`), sending it (the outbox).
 *
 * Invariants:
 * 1. An order is over a day after it was settled, and no earlier: until then a late fill still counts.
 * 2. A late fill counts without its price: no actor waits for it to sell or buy again.
 */
import { type Renamed, type Renaming, renameExecution, underPresentName, withRenaming } from "../market/rename.ts";
import { apply, beginExecution, type Execution, type ExecutionStep, isQuiet } from "./execution.ts";
import { hear, isMeantFor, type OrderNews } from "./order-news.ts";
import { LIMIT_ORDER, type OrderTerms } from "./order-request.ts";

/** How long a settled order is kept: as long as the first answer to a request with a key (behaviour 1.6). */
const KEEP_MS = 24 * 60 * 60 * 1000;

export interface ClientOrder extends Renamed {
  readonly version: 1;
  readonly orderId: number;
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
  /** When the brokerage took it, in epoch milliseconds. */
  readonly placedAtMs: number;
  readonly execution: Execution;
  readonly isOver: boolean;
}

export interface ClientOrderDecision {
  readonly order: ClientOrder;
  /** What became known of the order. */
  readonly told: ExecutionStep;
}

/** The order, its owner and its name. */
interface Placed extends Pick<ClientOrder, "orderId" | "userId" | "brokerageCode" | "accountNumber">, OrderTerms {
  readonly clientOrderId: string;
}

/** The order that a brokerage took as `orderNo` and answered with `orderStatus`. */
export function beginClientOrder(
  placed: Placed,
  orderNo: string,
  orderStatus: number,
  timeMs: number,
): ClientOrderDecision {
  const { orderId, userId, brokerageCode, accountNumber, clientOrderId, symbol, buySell, quantity } = placed;
  const limitPrice = placed.orderType === LIMIT_ORDER ? placed.price : null;
  const wish = { clientOrderId, symbol, buySell, quantity, limitPrice, needsPrice: true, createdDate: null };
  const told = beginExecution(wish, orderNo, orderStatus, timeMs);
  const place = { orderId, userId, brokerageCode, accountNumber };
  return {
    order: { version: 1, ...place, placedAtMs: timeMs, execution: told.execution, isOver: false },
    told,
  };
}

/** Applies news of the order; returns undefined if it changes nothing and reports nothing. */
export function hearOfClientOrder(order: ClientOrder, told: OrderNews): ClientOrderDecision | undefined {
  const news = underPresentName(told, order);
  return isMeantFor(order.execution, news) ? decisionOf(order, hear(order.execution, news)) : undefined;
}

/** The order under the new name of its symbol; undefined if that has another one (behaviour 30.4). */
export function renameClientOrder(order: ClientOrder, renaming: Renaming): ClientOrderDecision | undefined {
  const execution = renameExecution(order.execution, renaming);
  if (execution === order.execution) return undefined;
  const renamed = withRenaming(order.renamed, renaming);
  return { order: { ...order, execution, renamed }, told: { execution, facts: [] } };
}

/** Applies a moment that `nextMomentOf` named; returns undefined if it changes nothing. */
export function passMoment(order: ClientOrder, timeMs: number): ClientOrderDecision | undefined {
  const { execution } = order;
  const forgetAtMs = forgetMomentOf(execution);
  if (forgetAtMs !== null && timeMs >= forgetAtMs) {
    return { order: { ...order, isOver: true }, told: { execution, facts: [] } };
  }
  return decisionOf(order, apply(execution, { type: "waited", timeMs }));
}

/** When something is to be done about the order, in epoch milliseconds; null: when its brokerage reports something. */
export function nextMomentOf({ execution, isOver }: ClientOrder): number | null {
  return isOver ? null : (forgetMomentOf(execution) ?? execution.askAtMs);
}

/** True if nothing more is asked about it. */
export function isSettled({ execution }: Pick<ClientOrder, "execution">): boolean {
  return execution.phase === "settled";
}

function forgetMomentOf({ phase, sinceMs }: Execution): number | null {
  return phase === "settled" ? sinceMs + KEEP_MS : null;
}

function decisionOf(order: ClientOrder, told: ExecutionStep): ClientOrderDecision | undefined {
  if (told.execution === order.execution && told.facts.length === 0) return undefined;
  const execution = { ...told.execution, needsPrice: !isQuiet(told.execution) };
  return { order: { ...order, execution }, told: { ...told, execution } };
}
